import type { AppRoute } from './app-routes.ts';
import { memoryUsed } from './heap-used.ts';
import { openRawConnection } from './raw-connection.ts';

/** The number of concurrent connections for each kind of request, and the number of chunks sent on each. */
const CONNECTION_COUNT = 30;
const CHUNK_COUNT = 40_000;

/**
 * The limit on the memory of an unfinished request: twice the largest body, both sockets with their buffers, and the
 * request itself.
 */
export const OPEN_REQUEST_BOUND_BYTES = 2 * 65_536 + 128 * 1024;

const HEAD = 'Host: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n';

/** Builds requests that never end, each as large as the limits allow. */
const UNFINISHED_REQUESTS: readonly ((path: string) => string)[] = [
  (path) => `POST ${path} HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(CHUNK_COUNT)}`,
  (path) =>
    `POST ${path} HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n${'1;x=y\r\n%\r\n'.repeat(CHUNK_COUNT / 2)}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HEAD}Content-Length: 65000\r\n\r\n${'a='.repeat(30_000)}`,
  (path) => `POST ${path} HTTP/1.1\r\n${HEAD}Content-Length: 65000\r\n\r\n`,
  (path) => `POST ${path} HTTP/1.1\r\n${HEAD}${'X: y\r\n'.repeat(1_500)}`,
  (path) => `GET ${path}?${'a&'.repeat(7_000)}`,
];

/**
 * Returns the bytes of memory that an unfinished request uses, for the kind that uses most. Measures while the requests
 * are open, because the memory is freed afterwards.
 */
export async function measureOpenRequests(port: number, routes: readonly AppRoute[]): Promise<number> {
  const paths = routes.map(({ path }) => path).filter((path) => !/[:*{]/.test(path));
  let highestBytes = 0;
  for (const [index, unfinished] of UNFINISHED_REQUESTS.entries()) {
    const memoryBefore = memoryUsed();
    const openConnections = await Promise.all(
      Array.from({ length: CONNECTION_COUNT }, async (_, number) => {
        const connection = await openRawConnection(port);
        connection.send(unfinished(`${paths[(number + index * CONNECTION_COUNT) % paths.length] ?? '/o/token'}/`));
        return connection;
      }),
    );
    await waitUntilIdle();
    highestBytes = Math.max(highestBytes, (memoryUsed() - memoryBefore) / CONNECTION_COUNT);
    for (const connection of openConnections) connection.destroy();
    await Promise.all(openConnections.map(({ closed }) => closed));
  }
  return highestBytes;
}

const ROUND_MILLISECONDS = 50;
const MAX_ROUNDS = 200;

/** Resolves when the process is idle because it has read everything that was sent, or after ten seconds. */
async function waitUntilIdle(): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const startUsage = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, ROUND_MILLISECONDS));
    if (process.cpuUsage(startUsage).user < ROUND_MILLISECONDS * 100) return; // microseconds: a tenth of the time
  }
}
