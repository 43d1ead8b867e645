import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RESERVE_BYTES, RESERVE_FILE } from '../../src/platform/files/disk-reserve.ts';
import { grantlogStatus, inParallel, registerDrillClient, SERVE_COMMAND, type DrillClient } from './drill-client.ts';
import { startServer, type ServerProcess } from './server-process.ts';

const MEBIBYTE = 1_048_576;
/**
 * More than LevelDB writes within a second, including a flush of its memory, because the server measures the free space
 * once a second.
 */
const MIN_FREE_BYTES = 16 * MEBIBYTE;
const WORKERS = 16;
const TIMEOUT_MILLISECONDS = 30_000;

const SETTINGS = {
  GRANTLOG_MIN_FREE_DISK_BYTES: String(MIN_FREE_BYTES),
  GRANTLOG_TOKENS_PER_MINUTE_PER_CLIENT: '1000000000',
  GRANTLOG_SAMPLE_API: 'true',
};

export interface FullDiskDrill {
  /** An empty directory on a separate disk of a few dozen MiB. */
  readonly disk: string;
  readonly progress: (line: string) => void;
}

/**
 * Fills the disk of a server that issues tokens, restarts the server on it, and frees space again.
 * @throws Error that describes the first expectation that was not met
 */
export async function runFullDiskDrill({ disk, progress }: FullDiskDrill): Promise<void> {
  const dataDir = join(disk, 'data');
  const ballast = join(disk, 'ballast');
  const tokens: string[] = [];
  let server = await start(dataDir);
  const client = await registerDrillClient(dataDir);
  try {
    await issueOne(server, client, tokens);
    await waitUntil('the reserve exists', () => sizeOf(join(dataDir, RESERVE_FILE)) === RESERVE_BYTES);

    fill(ballast, freeBytes(disk) - MIN_FREE_BYTES - 2 * MEBIBYTE);
    await issueUntilRefused(server, client, tokens);
    check('the disk still has some space', freeBytes(disk) > MEBIBYTE);
    await expectReadOnly(server, client, tokens);
    progress(`the disk is nearly full after ${tokens.length} tokens; reads succeed, and appends are refused with 503`);

    fill(ballast, Infinity);
    await expectReadOnly(server, client, tokens);
    await stop(server);
    for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
      server = await start(dataDir);
      await expectReadOnly(server, client, tokens);
      server.kill(signal);
      check(`the server exits after ${signal}`, (await server.exitStatus) === (signal === 'SIGTERM' ? 0 : 'SIGKILL'));
    }
    progress('the server restarted three times on a full disk; reads succeed');

    rmSync(ballast);
    server = await start(dataDir);
    await waitUntil('the reserve is created again', () => sizeOf(join(dataDir, RESERVE_FILE)) === RESERVE_BYTES);
    fill(ballast, freeBytes(disk) - MIN_FREE_BYTES / 2);
    await waitUntil('appends are refused', async () => (await client.requestToken(server.origin)).status === 503);
    rmSync(ballast);
    await waitUntil('appends are accepted again', () => issueOne(server, client, tokens));
    progress('with free space, the reserve is created again, and appends resume without a restart');

    await causeFailedWrite(server, client, { ballast, tokens });
    progress('a failed write was not acknowledged; reads still succeeded, and the server exited once there was space');

    server = await start(dataDir);
    await expectActive(server, client, tokens);
    await issueOne(server, client, tokens);
    await stop(server);
    for (const command of ['verify', 'replay']) {
      check(`log ${command} finds nothing`, (await grantlogStatus(dataDir, ['log', command])) === 0);
    }
    progress(`all ${tokens.length} acknowledged tokens exist; log verify and log replay find nothing`);
  } finally {
    await server.destroy();
  }
}

const start = (dataDir: string): Promise<ServerProcess> =>
  startServer(dataDir, { env: SETTINGS, command: SERVE_COMMAND });

async function stop(server: ServerProcess): Promise<void> {
  server.kill('SIGTERM');
  check('the server stops cleanly', (await server.exitStatus) === 0);
}

async function issueOne({ origin }: ServerProcess, client: DrillClient, tokens: string[]): Promise<boolean> {
  const { token } = await client.requestToken(origin);
  if (token !== undefined) tokens.push(token);
  return token !== undefined;
}

async function issueUntilRefused({ origin }: ServerProcess, client: DrillClient, tokens: string[]): Promise<void> {
  let isRefused = false;
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      while (!isRefused) {
        const { status, headers, token } = await client.requestToken(origin);
        if (token !== undefined) tokens.push(token);
        else {
          check(`the refusal is a 503 with Retry-After, not ${status}`, status === 503 && headers.has('retry-after'));
          isRefused = true;
        }
      }
    }),
  );
}

/** Expects requests that would record an event to be refused, and requests that only read to succeed. */
async function expectReadOnly(
  { origin }: ServerProcess,
  client: DrillClient,
  tokens: readonly string[],
): Promise<void> {
  const [token = ''] = tokens;
  const authorization = `Bearer ${token}`;
  check('a token request is refused with 503', (await client.requestToken(origin)).status === 503);
  check('introspection reports an active token', (await client.isActive(origin, token)) === true);
  const paths = { '/users/': 200, '/o/events/?limit=1': 200, '/o/log/checkpoint': 200, '/accounts/login/': 200 };
  for (const [path, status] of Object.entries({ ...paths, '/healthz': 200, '/readyz': 503 })) {
    const response = await fetch(`${origin}${path}`, { headers: { authorization } });
    await response.text();
    check(`${path} responds with ${status}, not ${response.status}`, response.status === status);
  }
}

/** Fills the disk between two measurements while requests are running, so that a write to the log fails. */
async function causeFailedWrite(
  server: ServerProcess,
  client: DrillClient,
  { ballast, tokens }: { readonly ballast: string; readonly tokens: string[] },
): Promise<void> {
  const load = issueUntilRefused(server, client, tokens);
  fill(ballast, Infinity);
  await load;
  if (!/a write to the event log failed/.test(server.output())) {
    // The server noticed the full disk in time and refused the writes, so none failed.
    await expectReadOnly(server, client, tokens);
    rmSync(ballast);
    await waitUntil('appends are accepted again', () => issueOne(server, client, tokens));
    await causeFailedWrite(server, client, { ballast, tokens });
    return;
  }
  await expectReadOnly(server, client, tokens);
  rmSync(ballast);
  check('the server exits with status 1 once there is space', (await server.exitStatus) === 1);
}

async function expectActive({ origin }: ServerProcess, client: DrillClient, tokens: readonly string[]): Promise<void> {
  await inParallel(tokens, WORKERS, async (token) => {
    check('an acknowledged token is active', (await client.isActive(origin, token)) === true);
  });
}

function fill(path: string, bytes: number): void {
  const file = openSync(path, 'a');
  try {
    for (let block = MEBIBYTE, remainingBytes = bytes; block >= 1 && remainingBytes > 0;) {
      try {
        remainingBytes -= writeSync(file, Buffer.alloc(Math.min(block, remainingBytes), 1));
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

async function waitUntil(description: string, isMet: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MILLISECONDS;
  while (!(await isMet())) {
    check(`${description} within ${TIMEOUT_MILLISECONDS / 1000} s`, performance.now() < deadline);
    await sleep(50);
  }
}

function check(description: string, isTrue: boolean): void {
  if (!isTrue) throw new Error(`expectation not met: ${description}`);
}
