import type { AppRoute } from './app-routes.ts';
import { memoryUsed } from './heap-used.ts';
import { openRawConnection } from './raw-connection.ts';

/** The number of concurrent connections of each kind, and the number of chunks that are sent on each. */
const CONNECTIONS = 30;
const CHUNKS = 40_000;

/**
 * The limit on an unfinished request, in bytes: twice the largest body, both sockets with their buffers, and the
 * request itself.
 */
export const OPEN_REQUEST_BOUND_BYTES = 2 * 65_536 + 128 * 1024;

const HEAD = 'Host: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n';

/** Requests that never end, each as large as the limits allow. */
const UNFINISHED: readonly ((path: string) => string)[] = [
  (path) => `POST ${path} HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(CHUNKS)}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n${'1;x=y\r\n%\r\n'.repeat(CHUNKS / 2)}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HEAD}Content-Length: 65000\r\n\r\n${'a='.repeat(30_000)}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HEAD}Content-Length: 65000\r\n\r\n`,
  (path) => `POST ${path} HTTP/1.1\r\n${HEAD}${'X: y\r\n'.repeat(1_500)}`,
  (path) => `GET ${path}?${'a&'.repeat(7_000)}`,
];

/**
 * Returns the memory that an unfinished request occupies, in bytes, for the kind that occupies most. It is measured
 * while the requests are open, because it is freed afterwards.
 */
export async function costOfOpenRequests(port: number, routes: readonly AppRoute[]): Promise<number> {
  const paths = routes.map(({ path }) => path).filter((path) => !/[:*{]/.test(path));
  let highest = 0;
  for (const [index, unfinished] of UNFINISHED.entries()) {
    const memoryBefore = memoryUsed();
    const openConnections = await Promise.all(
      Array.from({ length: CONNECTIONS }, async (_, number) => {
        const connection = await openRawConnection(port);
        connection.send(unfinished(`${paths[(number + index * CONNECTIONS) % paths.length] ?? '/o/token'}/`));
        return connection;
      }),
    );
    await waitUntilIdle();
    highest = Math.max(highest, (memoryUsed() - memoryBefore) / CONNECTIONS);
    for (const connection of openConnections) connection.destroy();
    await Promise.all(openConnections.map(({ closed }) => closed));
  }
  return highest;
}

const ROUND_MILLISECONDS = 50;
const MAX_ROUNDS = 200;

/** Resolves when the process is idle, because it has read everything that was sent, or after ten seconds. */
async function waitUntilIdle(): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const startUsage = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, ROUND_MILLISECONDS));
    if (process.cpuUsage(startUsage).user < ROUND_MILLISECONDS * 100) return; // microseconds: a tenth of the time
  }
}
