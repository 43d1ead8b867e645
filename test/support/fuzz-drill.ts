import fc from 'fast-check';
import type { AppRoute } from './app-routes.ts';
import { createCostWatch } from './fuzz-costs.ts';
import { costOfOpenRequests, OPEN_REQUEST_BOUND_BYTES } from './fuzz-open.ts';
import { aRequest } from './fuzz-requests.ts';
import { startFuzzTarget, type FuzzTarget } from './fuzz-target.ts';
import type { Sender } from './fuzz-values.ts';
import { memoryUsed } from './heap-used.ts';

export interface FuzzOptions {
  readonly requests: number;
  /** A whole number; equal seeds produce equal requests. */
  readonly seed: number;
  readonly progress: (sent: number) => void;
}

export interface FuzzTotals {
  readonly requests: number;
  /** By status; `none` if the server disconnected without one. */
  readonly responses: Readonly<Record<string, number>>;
  readonly routes: number;
  /** The number of requests to the route that got the fewest. */
  readonly fewestRequests: number;
  /** The number of events in the logs of the servers of insiders, which shows that their requests had effects. */
  readonly events: number;
  /** The memory that the requests of strangers left allocated, after garbage collection. */
  readonly heapGrowthBytes: number;
  /** The memory of an unfinished request while it is open, for the kind that uses most. */
  readonly openRequestBytes: number;
  /** The highest cost of a request that was measured alone, as a multiple of a baseline request. */
  readonly highestCost: number;
}

const BATCH = 500;
const CONCURRENCY = 25;
/** Insiders use their tokens, log out and delete their client, so new ones replace them. */
const REQUESTS_PER_INSIDER = 250;
/** After this many requests to each route, compiled code and bounded caches take no more memory. */
const WARM_UP_REQUESTS_PER_ROUTE = 20;
const WARM_UP_PART = 0.5; // of a drill too short for that

/**
 * The limit on memory that the requests of strangers leave allocated. The engine itself takes about 1 MiB, for any
 * number of requests. A drill of 100,000 measures 61,000 requests, so it detects 35 bytes left by each.
 */
export const HEAP_BOUND_BYTES = 3 * 1024 * 1024;

/**
 * The heap of the engine sometimes grows by several MiB and shrinks again, so a growth beyond the limit is measured
 * again. A leak exceeds the limit every time.
 */
const MAX_MEASUREMENTS = 3;

/**
 * Sends two thirds of the requests as strangers, and the others as insiders.
 * @throws Error if there is a finding
 */
export async function runFuzzDrill({ requests, seed, progress }: FuzzOptions): Promise<FuzzTotals> {
  const responses: Record<string, number> = {};
  const requestsByRoute = new Map<string, number>();
  let sent = 0;
  let events = 0;
  let highestCost = 0;
  let openRequestBytes = 0;

  async function send(target: FuzzTarget, sender: Sender, count: number): Promise<void> {
    const end = sent + count;
    const costs = createCostWatch(target);
    while (sent < end) {
      const batch = fc.sample(aRequest(target.routes, sender), {
        seed: (seed + sent) | 0,
        numRuns: Math.min(BATCH, end - sent),
      });
      for (let from = 0; from < batch.length; from += CONCURRENCY) {
        for (const status of await costs.send(batch.slice(from, from + CONCURRENCY)))
          responses[status ?? 'none'] = (responses[status ?? 'none'] ?? 0) + 1;
      }
      for (const { route } of batch)
        if (route !== null) requestsByRoute.set(route, (requestsByRoute.get(route) ?? 0) + 1);
      sent += batch.length;
      progress(sent);
    }
    highestCost = Math.max(highestCost, costs.highestCost());
  }

  async function sendAsStrangers(count: number): Promise<number> {
    return withTarget(async (target) => {
      const { log } = target.running;
      const head = log.head();
      const warmUp = Math.round(Math.min(target.routes.length * WARM_UP_REQUESTS_PER_ROUTE, count * WARM_UP_PART));
      await send(target, target.stranger, warmUp);
      const growth = await measureGrowth(() => send(target, target.stranger, count - warmUp));
      openRequestBytes = await costOfOpenRequests(Number(new URL(target.running.origin()).port), target.routes);
      if (openRequestBytes > OPEN_REQUEST_BOUND_BYTES)
        throw new Error(
          `an unfinished request takes ${Math.round(openRequestBytes)} bytes; limit ${OPEN_REQUEST_BOUND_BYTES}`,
        );
      if (log.head() !== head) throw new Error(`strangers caused events: the log grew from ${head} to ${log.head()}`);
      return growth;
    });
  }

  async function sendAsInsiders(count: number): Promise<readonly AppRoute[]> {
    return withTarget(async (target) => {
      for (const end = sent + count; sent < end;)
        await send(target, await target.insider(), Math.min(REQUESTS_PER_INSIDER, end - sent));
      events += target.running.log.head();
      return target.routes;
    });
  }

  const strangerRequests = Math.ceil((requests * 2) / 3);
  const heapGrowthBytes = await sendAsStrangers(strangerRequests);
  const routes = await sendAsInsiders(requests - strangerRequests);
  return {
    requests: sent,
    responses,
    routes: routes.length,
    fewestRequests: Math.min(...routes.map(({ path }) => requestsByRoute.get(path) ?? 0)),
    events,
    heapGrowthBytes,
    openRequestBytes,
    highestCost,
  };
}

/** Returns the memory that the requests leave allocated: the smallest result, if it is measured several times. */
async function measureGrowth(sendRequests: () => Promise<void>): Promise<number> {
  let growth = Infinity;
  for (let count = 0; count < MAX_MEASUREMENTS && growth > HEAP_BOUND_BYTES; count += 1) {
    const memoryBefore = memoryUsed();
    await sendRequests();
    growth = Math.min(growth, memoryUsed() - memoryBefore);
  }
  return growth;
}

/** @throws Error if the target does not respond afterwards */
async function withTarget<T>(use: (target: FuzzTarget) => Promise<T>): Promise<T> {
  const target = await startFuzzTarget({ jsonTokenRequests: true });
  try {
    const result = await use(target);
    const { status } = await target.running.get('/readyz');
    if (status !== 200) throw new Error(`/readyz returned ${status} afterwards`);
    return result;
  } finally {
    await target.close();
  }
}
