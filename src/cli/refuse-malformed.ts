import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The time to wait after a refusal. Data that the client has already sent usually arrives by then. */
const LINGER_MILLISECONDS = 1_000;
const LINGER_BYTES = 262_144;

/** The statuses that Node sends if the server has no `clientError` listener. */
const STATUSES: ReadonlyMap<string | undefined, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

/**
 * Refuses requests that Node cannot parse or that arrive too slowly, and then reads and discards data for a moment.
 * Node would close the connection immediately. If bytes were still unread, the operating system would reset the
 * connection, and the client could lose the response (RFC 9112 §9.6).
 */
export function refuseMalformed(server: Server): void {
  /** The number of bytes that each connection had sent when its request was refused. */
  const bytesAtRefusal = new WeakMap<Socket, number>();

  server.on('clientError', ({ code }: NodeJS.ErrnoException, connection) => {
    const socket = connection as Socket;
    const bytesReadBefore = bytesAtRefusal.get(socket);
    if (bytesReadBefore !== undefined) {
      // Node cannot parse the data after a malformed request either, and reports it again.
      if (socket.bytesRead - bytesReadBefore > LINGER_BYTES) socket.destroy();
      return;
    }
    if (!socket.writable || isResponding(socket)) {
      socket.destroy();
      return;
    }
    bytesAtRefusal.set(socket, socket.bytesRead);
    const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS);
    socket.once('close', () => clearTimeout(timer));
    socket.end(`HTTP/1.1 ${STATUSES.get(code) ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`);
  });
}

/** Reports whether a response to an earlier request has begun. A refusal would end up inside that response. */
function isResponding(socket: Socket): boolean {
  const { _httpMessage: response } = socket as Socket & { readonly _httpMessage?: { readonly headersSent: boolean } };
  return response?.headersSent === true;
}
