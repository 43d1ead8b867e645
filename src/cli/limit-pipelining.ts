import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** In addition to the request being answered. Hardly any client uses pipelining. */
const MAX_WAITING = 4;

/**
 * Limits how many pipelined requests of one connection are handled at once. Node dispatches every request that it
 * reads, hundreds at a time, so a client could otherwise evade the delay of refused requests. A connection above the
 * limit is not read any further and is closed after the pending responses; clients must expect that (RFC 9112 §9.3.2).
 */
export function limitPipelining(listener: Listener): Listener {
  const waiting = new WeakMap<Socket, number>();

  return (request, response) => {
    if (response.socket !== null) return listener(request, response); // no earlier request is pending
    const { socket } = request;
    const before = waiting.get(socket) ?? 0;
    if (before >= MAX_WAITING) {
      if (before !== Infinity) response.destroy(); // closes the connection once the earlier responses are sent
      waiting.set(socket, Infinity);
      setImmediate(() => socket.pause()); // deferred, because Node resumes the socket at the end of each request
      return undefined;
    }
    waiting.set(socket, before + 1);
    response.once('socket', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    return listener(request, response);
  };
}
