import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Shorter than the half minute that process managers usually grant. */
const PATIENCE_MILLISECONDS = 20_000;
const IDLE_CHECK_MILLISECONDS = 50;

/** The connections of `server`, from now on, on which no request was ever whole enough to begin with. */
export function watchUnused(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return unused;
}

/**
 * Takes no more connections, lets every request in flight have its answer, and resolves when all
 * connections are closed; those that will not end are cut off in the end, and those in `unused`,
 * such as a browser opens ahead of its need, at once: Node takes them for busy.
 */
export async function drain(server: Server, unused: ReadonlySet<Socket>, patienceMilliseconds: number = PATIENCE_MILLISECONDS): Promise<void> {
  const closed = once(server, 'close');
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  server.close();
  const idle = setInterval(() => {
    server.closeIdleConnections();
    for (const socket of unused) socket.destroy();
  }, IDLE_CHECK_MILLISECONDS);
  const patience = setTimeout(() => server.closeAllConnections(), patienceMilliseconds);
  try {
    await closed;
  } finally {
    clearInterval(idle);
    clearTimeout(patience);
  }
}
