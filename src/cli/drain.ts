import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** Shorter than the half minute that process managers usually grant. */
export const DRAIN_TIMEOUT_MILLISECONDS = 20_000;
const IDLE_CHECK_MILLISECONDS = 50;

/** The connections that a server has taken since somebody watches. */
export interface Connections {
  readonly all: ReadonlySet<Socket>;
  /** Those on which no request was ever whole enough to begin with; Node takes them for busy. */
  readonly unused: ReadonlySet<Socket>;
}

/** To be called before `server` listens: connections that were there before are not noticed. */
export function watchConnections(server: Server): Connections {
  const all = new Set<Socket>();
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => track(all, socket));
  // Behind TLS, requests come on another socket than the one that was connected.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => track(unused, socket));
  server.on('request', ({ socket }) => unused.delete(socket));
  return { all, unused };
}

function track(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
}

/**
 * Takes no more connections, lets every request in flight have its answer, and resolves when all
 * connections are closed; those that will not end are cut off in the end, and unused ones, such as
 * a browser opens ahead of its need, at once. A server that does not listen has nothing to wait for.
 */
export async function drain(
  server: Server,
  { all, unused }: Connections,
  patienceMilliseconds: number = DRAIN_TIMEOUT_MILLISECONDS,
): Promise<void> {
  const closed = once(server, 'close');
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  server.close();
  const idle = setInterval(() => {
    server.closeIdleConnections();
    for (const socket of unused) socket.destroy();
  }, IDLE_CHECK_MILLISECONDS);
  const patience = setTimeout(() => {
    server.closeAllConnections();
    for (const socket of all) socket.destroy(); // also where TLS was never agreed on
  }, patienceMilliseconds);
  try {
    await closed;
  } finally {
    clearInterval(idle);
    clearTimeout(patience);
  }
}
