import { setImmediate as turn } from 'node:timers/promises';

export interface LiveCount {
  readonly value: number;
  /** False if counting stopped at the limit. */
  readonly isAll: boolean;
}

/** Counting this many takes about 0.1 s. */
const MAX_COUNT = 100_000;
const YIELD_EVERY = 1_000;

/** Counts items up to a limit. Yields to other requests regularly. */
export async function countUpTo(items: Iterable<unknown>, atMost = MAX_COUNT): Promise<LiveCount> {
  let value = 0;
  for (const _ of items) {
    if (value === atMost) return { value, isAll: false };
    value += 1;
    if (value % YIELD_EVERY === 0) await turn();
  }
  return { value, isAll: true };
}
