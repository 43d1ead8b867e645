import type { Ticks } from '../ports.ts';
import { HASH_CLASSES, type HashCaller, type HashClass } from './hash-caller.ts';
import { HASH_REFUSALS, HashingOverloadedError, type HashRefusal } from './hashing-overloaded.ts';
import { createWaitingLine, type Waiter } from './waiting-line.ts';

/** A request for a slow hash. */
export interface HashJob<Result> {
  readonly caller: HashCaller;
  /** When to stop waiting, in ticks. */
  readonly deadline: number;
  /** Runs right before the hash begins. If it throws, the job is rejected with that error. */
  readonly onTurn: () => void;
  readonly compute: () => Promise<Result>;
}

/**
 * Computes a few slow hashes at a time, scheduled fairly: round-robin between classes, and by a `WaitingLine` within a
 * class. A class has room for as many jobs as can be computed within `MAX_WAIT_MS`, estimated from recent durations and
 * the number of waiting classes.
 */
export interface HashQueue {
  /**
   * Waits for the job's turn, and resolves with its result.
   * @throws HashingOverloadedError if the hash cannot be computed in time
   */
  run<Result>(job: HashJob<Result>): Promise<Result>;
  load(): HashQueueLoad;
}

export interface HashQueueLoad {
  readonly running: number;
  readonly waiting: Readonly<Record<HashClass, number>>;
  /** Counted since startup. */
  readonly refusals: Readonly<Record<HashRefusal, number>>;
}

/** The maximum time that a job may wait, and therefore the longest that the queue can delay a page for a user. */
export const MAX_WAIT_MS = 15_000;

/** The weight of the latest duration in the moving average, which mainly reflects the last twenty hashes. */
const AVERAGE_WEIGHT = 0.1;

/** A lower bound, so that hashes too short to measure do not make the queue unbounded. */
const MIN_HASH_MS = 1;

interface QueuedJob extends Waiter {
  /** Starts the computation. Returns undefined if `onTurn` threw, in which case the job was rejected. */
  readonly begin: () => Promise<unknown> | undefined;
  readonly refuse: (error: HashingOverloadedError) => void;
}

/**
 * Creates an empty queue.
 * @param expectedMs the assumed duration of a hash until the first one is measured
 */
export function createHashQueue({
  ticks,
  concurrency,
  expectedMs,
}: {
  readonly ticks: Ticks;
  readonly concurrency: number;
  readonly expectedMs: number;
}): HashQueue {
  const lines = mapClasses(() => createWaitingLine<QueuedJob>());
  const lastTurns = mapClasses(() => 0);
  const refusals = Object.fromEntries(HASH_REFUSALS.map((reason) => [reason, 0])) as Record<HashRefusal, number>;
  let running = 0;
  let turnCount = 0;
  let averageMs = expectedMs;

  const waitingClasses = (): readonly HashClass[] => HASH_CLASSES.filter((hashClass) => lines[hashClass].size() > 0);

  /** Returns the expected time between two hashes of this class, given the classes that are waiting. */
  function intervalMs(hashClass: HashClass): number {
    const otherClassCount = waitingClasses().filter((candidate) => candidate !== hashClass).length;
    return (averageMs / concurrency) * (otherClassCount + 1);
  }

  function refuse(job: QueuedJob, hashClass: HashClass, reason: HashRefusal): void {
    refusals[reason] += 1;
    const drainMs = lines[hashClass].size() * intervalMs(hashClass);
    job.refuse(new HashingOverloadedError(reason, Math.max(1, Math.ceil(drainMs / 1000))));
  }

  /** Scans all waiting jobs, so it runs once per hash rather than once per request. */
  function refuseExpired(): void {
    for (const hashClass of HASH_CLASSES) {
      for (const job of lines[hashClass].takeExpired(ticks())) refuse(job, hashClass, 'waited-too-long');
    }
  }

  function enter(job: QueuedJob, hashClass: HashClass): void {
    const room = Math.max(1, Math.floor(MAX_WAIT_MS / intervalMs(hashClass)));
    const refusal = lines[hashClass].add(job, room, ticks());
    if (refusal !== undefined) refuse(refusal.waiter, hashClass, refusal.reason);
    startJobs();
  }

  function takeNext(): QueuedJob | undefined {
    refuseExpired();
    const [hashClass] = waitingClasses().toSorted((a, b) => lastTurns[a] - lastTurns[b]);
    if (hashClass === undefined) return undefined;
    lastTurns[hashClass] = turnCount += 1;
    return lines[hashClass].take(ticks());
  }

  function startJobs(): void {
    while (running < concurrency) {
      const job = takeNext();
      if (job === undefined) return;
      const startedAt = ticks();
      const computation = job.begin();
      if (computation === undefined) continue;
      running += 1;
      void computation.finally(() => {
        running -= 1;
        averageMs += AVERAGE_WEIGHT * (Math.max(MIN_HASH_MS, ticks() - startedAt) - averageMs);
        startJobs();
      });
    }
  }

  return {
    run: ({ caller, deadline, onTurn, compute }) =>
      new Promise((resolve, reject) => {
        function begin(): Promise<unknown> | undefined {
          try {
            onTurn();
          } catch (error) {
            reject(error);
            return undefined;
          }
          return (async () => compute())().then(resolve, reject); // also handles synchronous errors
        }
        enter({ lane: caller.lane, account: caller.account, deadline, begin, refuse: reject }, caller.class);
      }),

    load: () => ({
      running,
      waiting: mapClasses((hashClass) => lines[hashClass].size()),
      refusals: { ...refusals },
    }),
  };
}

function mapClasses<Value>(make: (hashClass: HashClass) => Value): Record<HashClass, Value> {
  return { known: make('known'), client: make('client'), address: make('address') };
}
