import { once } from 'node:events';
import type { Server } from 'node:http';

/** Shorter than the half minute that process managers usually grant. */
const PATIENCE_MILLISECONDS = 20_000;
const IDLE_CHECK_MILLISECONDS = 50;

/**
 * Takes no more connections, lets every request in flight have its answer, and resolves when all
 * connections are closed; those that will not end are cut off in the end.
 */
export async function drain(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  server.close();
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MILLISECONDS);
  const patience = setTimeout(() => server.closeAllConnections(), PATIENCE_MILLISECONDS);
  try {
    await closed;
  } finally {
    clearInterval(idle);
    clearTimeout(patience);
  }
}
