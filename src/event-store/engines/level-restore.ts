import { mkdir } from 'node:fs/promises';
import { Level } from 'level';
import type { RecordedEvent } from '../event-log.ts';
import { encodeAppends } from './level-layout.ts';

/**
 * Creates a log in the directory `location` from all events of another log, in order. Streams, revisions, positions and
 * records stay the same. The log is durable when the promise resolves.
 * @throws Error if `location` already contains a log
 */
export async function restoreLevelLog(
  location: string,
  batches: AsyncIterable<readonly RecordedEvent[]>,
): Promise<void> {
  await mkdir(location, { recursive: true, mode: 0o700 });
  const db = new Level(location, { errorIfExists: true });
  await db.open();
  try {
    for await (const events of batches) {
      const batch = db.batch();
      for (const { key, value } of encodeAppends(events.map((event) => [event]))) batch.put(key, value);
      await batch.write({ sync: true });
    }
  } finally {
    await db.close();
  }
}
