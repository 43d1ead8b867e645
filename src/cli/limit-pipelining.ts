import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** The requests of a connection whose responses are waiting for the response to an earlier request. */
interface Pipeline {
  waiting: number;
  /** The last response that is sent before the connection is closed. */
  lastResponse: ServerResponse;
  isClosing: boolean;
}

/** The limit does not include the request whose response is due next. Hardly any client uses pipelining. */
const MAX_WAITING = 4;

/**
 * Limits how many pipelined requests of a connection are handled concurrently. Node dispatches every request that it
 * reads, hundreds at a time, so a client could otherwise evade the delay of refused requests. A connection above the
 * limit is not read any further and is closed after the pending responses; clients must expect that (RFC 9112 §9.3.2).
 */
export function limitPipelining(listener: Listener): Listener {
  const pipelines = new WeakMap<Socket, Pipeline>();

  return (request, response) => {
    if (response.socket !== null) return listener(request, response); // no earlier request is pending
    const { socket } = request;
    const pipeline = pipelines.get(socket) ?? { waiting: 0, lastResponse: response, isClosing: false };
    pipelines.set(socket, pipeline);
    if (pipeline.isClosing || pipeline.waiting >= MAX_WAITING) {
      if (!pipeline.isClosing) pipeline.lastResponse.once('close', () => socket.destroySoon());
      pipeline.isClosing = true;
      setImmediate(() => socket.pause()); // deferred, because Node resumes the socket at the end of each request
      return undefined;
    }
    pipeline.waiting += 1;
    pipeline.lastResponse = response;
    response.once('socket', () => (pipeline.waiting -= 1));
    return listener(request, response);
  };
}
