import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** Less than the 30 seconds after which Kubernetes kills a process by default. */
export const DRAIN_TIMEOUT_MILLISECONDS = 20_000;
const IDLE_CHECK_INTERVAL_MILLISECONDS = 50;

/** The open connections of a server. */
export interface Connections {
  readonly all: ReadonlySet<Socket>;
  /** Connections that have not sent a complete request head yet. Node considers them busy. */
  readonly unused: ReadonlySet<Socket>;
}

/** Tracks the open connections of `server`. Must be called before the server listens. */
export function watchConnections(server: Server): Connections {
  const all = new Set<Socket>();
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => track(all, socket));
  // With TLS, requests arrive on the decrypting socket, not on the accepted socket.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => track(unused, socket));
  server.on('request', ({ socket }) => unused.delete(socket));
  return { all, unused };
}

function track(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
}

/**
 * Stops accepting connections, lets the requests in flight complete, and resolves once all connections are closed.
 * Closes idle connections, and unused ones, which browsers open speculatively. Destroys all remaining connections at
 * the timeout.
 */
export async function drain(
  server: Server,
  { all, unused }: Connections,
  timeoutMilliseconds: number = DRAIN_TIMEOUT_MILLISECONDS,
): Promise<void> {
  const closeEvent = once(server, 'close');
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  server.close();
  const idleCheck = setInterval(() => {
    server.closeIdleConnections();
    for (const socket of unused) socket.destroy();
  }, IDLE_CHECK_INTERVAL_MILLISECONDS);
  const timer = setTimeout(() => {
    server.closeAllConnections();
    for (const socket of all) socket.destroy(); // including sockets without a completed TLS handshake
  }, timeoutMilliseconds);
  try {
    await closeEvent;
  } finally {
    clearInterval(idleCheck);
    clearTimeout(timer);
  }
}
