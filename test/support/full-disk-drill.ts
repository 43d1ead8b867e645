import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { RESERVE_BYTES, RESERVE_FILE } from '../../src/platform/files/disk-reserve.ts';
import { grantlogStatus, inParallel, registerDrillClient, SERVE_BUILT, type DrillClient } from './drill-client.ts';
import { startServer, type ServerProcess } from './server-process.ts';

const MEBIBYTE = 1_048_576;
/**
 * More than a second of appends together with a flush of LevelDB's memory, because the server measures once a second.
 */
const LEAST_FREE = 16 * MEBIBYTE;
const WORKERS = 16;
const PATIENCE_MILLISECONDS = 30_000;

const SETTINGS = {
  GRANTLOG_MIN_FREE_DISK_BYTES: String(LEAST_FREE),
  GRANTLOG_TOKENS_PER_MINUTE_PER_CLIENT: '1000000000',
  GRANTLOG_SAMPLE_API: 'true',
};

export interface FullDiskDrill {
  /** An empty directory on a disk of its own, of some tens of MiB. */
  readonly disk: string;
  readonly progress: (line: string) => void;
}

/**
 * Fills a disk under a server that issues tokens, restarts the server on it, and makes room again.
 * @throws Error the first expectation that did not hold
 */
export async function fullDiskDrill({ disk, progress }: FullDiskDrill): Promise<void> {
  const dataDir = join(disk, 'data');
  const ballast = join(disk, 'ballast');
  const issued: string[] = [];
  let server = await start(dataDir);
  const client = await registerDrillClient(dataDir);
  try {
    await issueOne(server, client, issued);
    await until('the reserve is there', () => sizeOf(join(dataDir, RESERVE_FILE)) === RESERVE_BYTES);

    fill(ballast, freeBytes(disk) - LEAST_FREE - 2 * MEBIBYTE);
    await issueUntilRefused(server, client, issued);
    expectThat('the disk still has some space', freeBytes(disk) > MEBIBYTE);
    await mustOnlyRead(server, client, issued);
    progress(`${issued.length} tokens until the low-water mark; reads are answered, appends get 503`);

    fill(ballast, Infinity);
    await mustOnlyRead(server, client, issued);
    await stop(server);
    for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
      server = await start(dataDir);
      await mustOnlyRead(server, client, issued);
      server.kill(signal);
      expectThat('the server stops cleanly', (await server.ended) === (signal === 'SIGTERM' ? 0 : 'SIGKILL'));
    }
    progress('three restarts from a disk without a free byte; reads are answered');

    rmSync(ballast);
    server = await start(dataDir);
    await until('the reserve is made again', () => sizeOf(join(dataDir, RESERVE_FILE)) === RESERVE_BYTES);
    fill(ballast, freeBytes(disk) - LEAST_FREE / 2);
    await until('appends are refused', async () => (await client.issue(server.origin)).status === 503);
    rmSync(ballast);
    await until('appends are accepted again', () => issueOne(server, client, issued));
    progress('with room again, the reserve is made again, and appends resume without a restart');

    await failWrite(server, client, { ballast, issued });
    progress('a write that failed was not acknowledged; reads went on, and the server ended when there was room');

    server = await start(dataDir);
    await mustBeActive(server, client, issued);
    await issueOne(server, client, issued);
    await stop(server);
    for (const command of ['verify', 'replay']) {
      expectThat(`log ${command} finds nothing`, (await grantlogStatus(dataDir, ['log', command])) === 0);
    }
    progress(`all ${issued.length} tokens that were answered are there; log verify and log replay find nothing`);
  } finally {
    await server.destroy();
  }
}

const start = (dataDir: string): Promise<ServerProcess> =>
  startServer(dataDir, { env: SETTINGS, command: SERVE_BUILT });

async function stop(server: ServerProcess): Promise<void> {
  server.kill('SIGTERM');
  expectThat('the server stops cleanly', (await server.ended) === 0);
}

async function issueOne({ origin }: ServerProcess, client: DrillClient, issued: string[]): Promise<boolean> {
  const { token } = await client.issue(origin);
  if (token !== undefined) issued.push(token);
  return token !== undefined;
}

async function issueUntilRefused({ origin }: ServerProcess, client: DrillClient, issued: string[]): Promise<void> {
  let isRefused = false;
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      while (!isRefused) {
        const { status, headers, token } = await client.issue(origin);
        if (token !== undefined) issued.push(token);
        else {
          expectThat(
            `the refusal is a 503 with Retry-After, not ${status}`,
            status === 503 && headers.has('retry-after'),
          );
          isRefused = true;
        }
      }
    }),
  );
}

/** Expects that nothing is recorded, and that every request that only reads is answered. */
async function mustOnlyRead({ origin }: ServerProcess, client: DrillClient, issued: readonly string[]): Promise<void> {
  const [token = ''] = issued;
  const authorization = `Bearer ${token}`;
  expectThat('a token request is refused with 503', (await client.issue(origin)).status === 503);
  expectThat('introspection answers', (await client.isActive(origin, token)) === true);
  const paths = { '/users/': 200, '/o/events/?limit=1': 200, '/o/log/checkpoint': 200, '/accounts/login/': 200 };
  for (const [path, status] of Object.entries({ ...paths, '/healthz': 200, '/readyz': 503 })) {
    const answer = await fetch(`${origin}${path}`, { headers: { authorization } });
    await answer.text();
    expectThat(`${path} is answered with ${status}, not ${answer.status}`, answer.status === status);
  }
}

/** Fills the disk between two measurements, under load, so that a write to the log fails. */
async function failWrite(
  server: ServerProcess,
  client: DrillClient,
  { ballast, issued }: { readonly ballast: string; readonly issued: string[] },
): Promise<void> {
  const load = issueUntilRefused(server, client, issued);
  fill(ballast, Infinity);
  await load;
  if (!/a write to the event log failed/.test(server.output())) {
    // The measurement came first. It allows no writes, so this disk fails none.
    await mustOnlyRead(server, client, issued);
    rmSync(ballast);
    await until('appends are accepted again', () => issueOne(server, client, issued));
    await failWrite(server, client, { ballast, issued });
    return;
  }
  await mustOnlyRead(server, client, issued);
  rmSync(ballast);
  expectThat('the server ends with status 1 when there is space', (await server.ended) === 1);
}

async function mustBeActive({ origin }: ServerProcess, client: DrillClient, issued: readonly string[]): Promise<void> {
  await inParallel(issued, WORKERS, async (token) => {
    expectThat('a token that was answered is active', (await client.isActive(origin, token)) === true);
  });
}

function fill(path: string, bytes: number): void {
  const file = openSync(path, 'a');
  try {
    for (let block = MEBIBYTE, left = bytes; block >= 1 && left > 0;) {
      try {
        left -= writeSync(file, Buffer.alloc(Math.min(block, left), 1));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        block = Math.floor(block / 16);
      }
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function freeBytes(disk: string): number {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MILLISECONDS;
  while (!(await isSo())) {
    expectThat(`${what} within ${PATIENCE_MILLISECONDS / 1000} s`, performance.now() < end);
    await passed(50);
  }
}

function expectThat(what: string, holds: boolean): void {
  if (!holds) throw new Error(`did not hold: ${what}`);
}
