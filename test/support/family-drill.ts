import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isNeverReused } from '../../src/domain/streams.ts';
import type { EpochSeconds } from '../../src/domain/values.ts';
import { openLevelLog } from '../../src/event-store/engines/level.ts';
import { archiveAll } from './archiving.ts';
import { countingLog, type CountingLog, type StreamReads } from './counting-log.ts';
import { heapUsed } from './heap-used.ts';
import { parametersOf, type NamedParameters } from './parameters-of.ts';
import { runningService, type RunningOptions, type RunningService, type TestClient } from './running-service.ts';
import { requestTokens } from './client-requests.ts';

/** The cost of a request: its reads of the log, which have a limit, and its duration, which has none. */
export interface Cost extends StreamReads {
  readonly milliseconds: number;
  /** The longest time that the event loop was blocked. */
  readonly pauseMilliseconds: number;
}

/** The costs of a family with this number of hourly refreshes. */
export interface FamilyCosts {
  readonly rotations: number;
  /** The first refresh after a restart. */
  readonly refresh: Cost;
  /** The first refresh of an archived family after a restart. */
  readonly archivedRefresh: Cost;
  /** Reuse of the first token after a restart, which revokes the grant. */
  readonly reuse: Cost;
  /** The number of access tokens in memory after the rotations. */
  readonly accessTokens: number;
  /** The growth of memory during the second half of the rotations. */
  readonly heapBytes: number;
}

const HOUR = 3_600;
/** Finite, so that the index of grants by expiry is also exercised. */
const REFRESH_TOKEN_LIFETIME_SECONDS = 30 * 24 * HOUR;
/** The share of the rotations in which the code is compiled and bounded caches fill up. */
const WARM_UP_SHARE = 0.5;

interface OpenedService {
  readonly running: RunningService;
  readonly counting: CountingLog;
}

/**
 * Refreshes one grant on a real LevelDB, with an hour between refreshes.
 * @throws Error if a refresh is refused, or the reuse of a token is not
 */
export async function runFamilyDrill(
  rotations: number,
  progress: (refreshCount: number) => void,
): Promise<FamilyCosts> {
  const directory = await mkdtemp(join(tmpdir(), 'grantlog-family-'));
  try {
    return await measure(directory, rotations, progress);
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function measure(
  directory: string,
  rotations: number,
  progress: (refreshCount: number) => void,
): Promise<FamilyCosts> {
  let openedService = await open(directory);
  const client = await openedService.running.addClient();
  const user = await openedService.running.addUser();
  const refreshTokenFor = async (parameters: Readonly<Record<string, string>>): Promise<string> =>
    (await requestToken(openedService, client, parameters)).refresh_token ?? '';
  const rotate = (refreshToken: string): Promise<string> =>
    refreshTokenFor({ grant_type: 'refresh_token', refresh_token: refreshToken });
  const firstToken = await refreshTokenFor({ grant_type: 'password', ...user });
  const reopen = async (): Promise<void> => {
    const { keys } = openedService.running.service();
    const startsAt = openedService.running.clock.now();
    await openedService.running.close();
    openedService = await open(directory, { keys, startsAt });
  };

  let currentToken = firstToken;
  const refreshRepeatedly = async (count: number): Promise<void> => {
    for (let refreshCount = 0; refreshCount < count; refreshCount += 1) {
      openedService.running.clock.advance(HOUR);
      currentToken = await rotate(currentToken);
      progress(refreshCount);
    }
  };
  const warmUp = Math.ceil(rotations * WARM_UP_SHARE);
  await refreshRepeatedly(warmUp);
  const heapBefore = heapUsed();
  await refreshRepeatedly(rotations - warmUp);
  const heapBytes = Math.max(0, heapUsed() - heapBefore);
  const accessTokens = openedService.running.service().projections.accessTokens.size();

  await reopen();
  const refresh = await measureCost(openedService, async () => (currentToken = await rotate(currentToken)));
  await archiveAll(openedService.running.log);
  await reopen();
  const archivedRefresh = await measureCost(openedService, async () => (currentToken = await rotate(currentToken)));
  await reopen();
  const reuse = await measureCost(openedService, () => expectFamilyEnded(rotate(firstToken), openedService.running));
  await openedService.running.close();
  return { rotations, refresh, archivedRefresh, reuse, accessTokens, heapBytes };
}

async function open(
  directory: string,
  previousRun: Pick<RunningOptions, 'keys' | 'startsAt'> = {},
): Promise<OpenedService> {
  const archiving = { directory: join(directory, 'archive'), isNeverReused };
  const counting = countingLog(await openLevelLog({ location: join(directory, 'log'), archiving }));
  const settings = { refreshTokenLifetimeSeconds: REFRESH_TOKEN_LIFETIME_SECONDS };
  return { running: await runningService({ log: counting.log, settings, ...previousRun }), counting };
}

/** Requests a token, like the token endpoint but without HTTP. */
function requestToken({ running }: OpenedService, client: TestClient, parameters: NamedParameters) {
  return requestTokens(running.service(), {
    parameters: parametersOf(parameters),
    authorization: client.basic,
    address: '127.0.0.1',
    requestMetadata: { requestId: null },
    now: () => Math.floor(running.clock.now() / 1000) as EpochSeconds,
  });
}

async function expectFamilyEnded(reuse: Promise<unknown>, { log }: RunningService): Promise<void> {
  const outcome = await reuse.then(
    () => 'succeeded',
    () => 'was refused',
  );
  for await (const [newest] of log.readBackwards(log.head())) {
    if (outcome === 'was refused' && newest?.type === 'GrantRevoked') return;
    throw new Error(`the reuse of the first refresh token ${outcome}; the newest event is ${newest?.type}`);
  }
}

async function measureCost({ counting }: OpenedService, act: () => Promise<unknown>): Promise<Cost> {
  const startedAt = performance.now();
  const turnWatch = watchTurns();
  const reads = await counting.countReads(act);
  const milliseconds = performance.now() - startedAt;
  return { ...reads, milliseconds, pauseMilliseconds: await turnWatch.stop() };
}

/** Measures the longest time that other work waits for the event loop until `stop` is called. */
function watchTurns(): { stop(): Promise<number> } {
  const end = new AbortController();
  const longestPause = longestWait(end.signal);
  return {
    stop() {
      end.abort();
      return longestPause;
    },
  };
}

async function longestWait(signal: AbortSignal): Promise<number> {
  let longest = 0;
  for (let last = performance.now(); !signal.aborted;) {
    await nextTurn();
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  return longest;
}
