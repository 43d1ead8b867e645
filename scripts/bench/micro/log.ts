import { Level } from 'level';
import type { AsyncPair } from './pair.ts';

/** The size of a commit under load. */
const ENTRIES = 64;

/** Opens a database, and returns the comparison of two ways to write a batch to it, without fsync. */
export async function openLogPairs(
  directory: string,
): Promise<{ readonly pairs: readonly AsyncPair[]; close(): Promise<void> }> {
  const db = new Level(directory);
  await db.open();
  const puts = Array.from({ length: ENTRIES }, (_, index) => ({
    key: `e${String(index).padStart(16, '0')}`,
    value: 'x'.repeat(200),
  }));
  const pair: AsyncPair = {
    name: `batch of ${ENTRIES} entries: chained vs. array`,
    file: 'event-store/engines/level.ts',
    optimized() {
      const batch = db.batch();
      for (const { key, value } of puts) batch.put(key, value);
      return batch.write();
    },
    baseline: () => db.batch(puts.map(({ key, value }) => ({ type: 'put', key, value }))),
  };
  return { pairs: [pair], close: () => db.close() };
}
