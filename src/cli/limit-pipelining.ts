import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Besides the one that is being answered. Hardly any client sends a second request before the first is answered. */
const MAX_WAITING = 4;

/**
 * Begins few requests of one connection at a time. Node parses all requests that one read brings, hundreds of them,
 * and would begin them all; an answer that is held back (`http/refusal-pace.ts`) would hold up none of the others.
 * A connection with more is read no further, and is closed after the answers to those that were begun. A client must
 * expect that, and sends the others again (RFC 9112 §9.3.2).
 */
export function limitPipelining(listener: Listener): Listener {
  const waiting = new WeakMap<Socket, number>();

  return (request, response) => {
    if (response.socket !== null) return listener(request, response); // nothing before it waits for its answer
    const { socket } = request;
    const before = waiting.get(socket) ?? 0;
    if (before >= MAX_WAITING) {
      if (before !== Infinity) response.destroy(); // which closes the connection when it is its turn
      waiting.set(socket, Infinity);
      setImmediate(() => socket.pause()); // at once would not do: Node resumes it at the end of each request
      return undefined;
    }
    waiting.set(socket, before + 1);
    response.once('socket', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    return listener(request, response);
  };
}
