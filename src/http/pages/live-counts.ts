import { setImmediate as turn } from 'node:timers/promises';

export interface LiveCount {
  readonly value: number;
  /** False where there are more: counting all of them would take too long. */
  readonly isAll: boolean;
}

/** So many are counted in a tenth of a second. */
const MAX_COUNT = 100_000;
const YIELD_EVERY = 1_000;

/** How many items there are, with a turn for others now and then. */
export async function countUpTo(items: Iterable<unknown>, atMost = MAX_COUNT): Promise<LiveCount> {
  let value = 0;
  for (const _ of items) {
    if (value === atMost) return { value, isAll: false };
    value += 1;
    if (value % YIELD_EVERY === 0) await turn();
  }
  return { value, isAll: true };
}
