import { setImmediate as turn } from 'node:timers/promises';

export interface Count {
  readonly value: number;
  /** False where there are more: counting all of them would take too long. */
  readonly isAll: boolean;
}

/** So many are counted in a tenth of a second. */
const COUNTED_AT_MOST = 100_000;
const AT_A_TIME = 1_000;

/** How many items there are, with a turn for others now and then. */
export async function countLive(items: Iterable<unknown>, atMost = COUNTED_AT_MOST): Promise<Count> {
  let value = 0;
  for (const _ of items) {
    if (value === atMost) return { value, isAll: false };
    value += 1;
    if (value % AT_A_TIME === 0) await turn();
  }
  return { value, isAll: true };
}
