import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** The state of a connection with pipelined requests. */
interface Pipeline {
  /** The number of responses that are waiting for an earlier response to be sent. */
  pendingCount: number;
  /** The last response to send before the connection is closed. */
  lastResponse: ServerResponse;
  isClosing: boolean;
}

/** Does not include the request whose response is due next. The limit can be low: hardly any client pipelines. */
const MAX_PENDING = 4;

/**
 * Limits how many pipelined requests on a connection are handled concurrently. Node dispatches every request that it
 * reads, hundreds at a time, so a client could otherwise evade the delay for refused requests. A connection above the
 * limit is not read any further and is closed after the pending responses; clients must expect that (RFC 9112 §9.3.2).
 */
export function limitPipelining(listener: Listener): Listener {
  const pipelines = new WeakMap<Socket, Pipeline>();

  return (request, response) => {
    if (response.socket !== null) return listener(request, response); // no earlier request is pending
    const { socket } = request;
    const pipeline = pipelines.get(socket) ?? { pendingCount: 0, lastResponse: response, isClosing: false };
    pipelines.set(socket, pipeline);
    if (pipeline.isClosing || pipeline.pendingCount >= MAX_PENDING) {
      if (!pipeline.isClosing) pipeline.lastResponse.once('close', () => socket.destroySoon());
      pipeline.isClosing = true;
      setImmediate(() => socket.pause()); // deferred, because Node resumes the socket at the end of each request
      return undefined;
    }
    pipeline.pendingCount += 1;
    pipeline.lastResponse = response;
    response.once('socket', () => (pipeline.pendingCount -= 1));
    return listener(request, response);
  };
}
