import fc from 'fast-check';
import type { AppRoute } from './app-routes.ts';
import { createCostWatch } from './fuzz-costs.ts';
import { measureOpenRequests, OPEN_REQUEST_BOUND_BYTES } from './fuzz-open.ts';
import { aRequest } from './fuzz-requests.ts';
import { startFuzzTarget, type FuzzTarget } from './fuzz-target.ts';
import type { Sender } from './fuzz-values.ts';
import { memoryUsed } from './heap-used.ts';

export interface FuzzOptions {
  readonly requests: number;
  /** An integer. The same seed always produces the same requests. */
  readonly seed: number;
  readonly progress: (sentCount: number) => void;
}

export interface FuzzTotals {
  readonly requests: number;
  /** The number of responses by status, where `none` counts the requests that got no response. */
  readonly responses: Readonly<Record<string, number>>;
  readonly routes: number;
  /** The number of requests to the route with the fewest. */
  readonly fewestRequests: number;
  /** The number of events that insiders' requests recorded, which shows that the requests had effects. */
  readonly events: number;
  /** The memory that strangers' requests left allocated, after garbage collection. */
  readonly heapGrowthBytes: number;
  /** The memory that an open, unfinished request uses, for the kind that uses most. */
  readonly openRequestBytes: number;
  /** The highest cost of any request that was measured individually, as a multiple of a baseline request. */
  readonly highestCost: number;
}

const BATCH_SIZE = 500;
const CONCURRENCY = 25;
/** Insiders use up their tokens, log out and delete their client, so new insiders take over. */
const REQUESTS_PER_INSIDER = 250;
/** After this many requests to each route, compiled code and bounded caches stop growing. */
const WARM_UP_REQUESTS_PER_ROUTE = 20;
/** The share of its requests that a drill spends on warming up, if it is too short for that number. */
const WARM_UP_SHARE = 0.5;

/**
 * The limit on memory that strangers' requests leave allocated. The engine itself takes about 1 MiB, for any number of
 * requests. A drill of 100,000 requests measures 61,000 of them, so it detects a leak of 35 bytes per request.
 */
export const HEAP_BOUND_BYTES = 3 * 1024 * 1024;

/**
 * The engine's heap sometimes grows by several MiB and shrinks again, so growth beyond the limit is measured again. A
 * leak exceeds the limit every time.
 */
const MAX_MEASUREMENTS = 3;

/**
 * Sends two thirds of the requests as strangers, and the rest as insiders.
 * @throws Error if there is a finding
 */
export async function runFuzzDrill({ requests, seed, progress }: FuzzOptions): Promise<FuzzTotals> {
  const responses: Record<string, number> = {};
  const requestsByRoute = new Map<string, number>();
  let sentCount = 0;
  let events = 0;
  let highestCost = 0;
  let openRequestBytes = 0;

  async function send(target: FuzzTarget, sender: Sender, count: number): Promise<void> {
    const end = sentCount + count;
    const costs = createCostWatch(target);
    while (sentCount < end) {
      const batch = fc.sample(aRequest(target.routes, sender), {
        seed: (seed + sentCount) | 0,
        numRuns: Math.min(BATCH_SIZE, end - sentCount),
      });
      for (let from = 0; from < batch.length; from += CONCURRENCY) {
        for (const status of await costs.send(batch.slice(from, from + CONCURRENCY)))
          responses[status ?? 'none'] = (responses[status ?? 'none'] ?? 0) + 1;
      }
      for (const { route } of batch)
        if (route !== null) requestsByRoute.set(route, (requestsByRoute.get(route) ?? 0) + 1);
      sentCount += batch.length;
      progress(sentCount);
    }
    highestCost = Math.max(highestCost, costs.highestCost());
  }

  async function sendAsStrangers(count: number): Promise<number> {
    return withTarget(async (target) => {
      const { log } = target.running;
      const head = log.head();
      const warmUp = Math.round(Math.min(target.routes.length * WARM_UP_REQUESTS_PER_ROUTE, count * WARM_UP_SHARE));
      await send(target, target.stranger, warmUp);
      const growth = await measureGrowth(() => send(target, target.stranger, count - warmUp));
      openRequestBytes = await measureOpenRequests(Number(new URL(target.running.origin()).port), target.routes);
      if (openRequestBytes > OPEN_REQUEST_BOUND_BYTES)
        throw new Error(
          `an unfinished request uses ${Math.round(openRequestBytes)} bytes, more than ${OPEN_REQUEST_BOUND_BYTES}`,
        );
      if (log.head() !== head) throw new Error(`strangers caused events: the log grew from ${head} to ${log.head()}`);
      return growth;
    });
  }

  async function sendAsInsiders(count: number): Promise<readonly AppRoute[]> {
    return withTarget(async (target) => {
      for (const end = sentCount + count; sentCount < end;)
        await send(target, await target.insider(), Math.min(REQUESTS_PER_INSIDER, end - sentCount));
      events += target.running.log.head();
      return target.routes;
    });
  }

  const strangerRequests = Math.ceil((requests * 2) / 3);
  const heapGrowthBytes = await sendAsStrangers(strangerRequests);
  const routes = await sendAsInsiders(requests - strangerRequests);
  return {
    requests: sentCount,
    responses,
    routes: routes.length,
    fewestRequests: Math.min(...routes.map(({ path }) => requestsByRoute.get(path) ?? 0)),
    events,
    heapGrowthBytes,
    openRequestBytes,
    highestCost,
  };
}

/**
 * Returns the memory that the requests leave allocated. If it is measured several times, returns the smallest result.
 */
async function measureGrowth(sendRequests: () => Promise<void>): Promise<number> {
  let growth = Infinity;
  for (let count = 0; count < MAX_MEASUREMENTS && growth > HEAP_BOUND_BYTES; count += 1) {
    const memoryBefore = memoryUsed();
    await sendRequests();
    growth = Math.min(growth, memoryUsed() - memoryBefore);
  }
  return growth;
}

/** @throws Error if the target is not ready afterwards */
async function withTarget<T>(use: (target: FuzzTarget) => Promise<T>): Promise<T> {
  const target = await startFuzzTarget({ jsonTokenRequests: true });
  try {
    const result = await use(target);
    const { status } = await target.running.get('/readyz');
    if (status !== 200) throw new Error(`/readyz responded with ${status} afterwards`);
    return result;
  } finally {
    await target.close();
  }
}
