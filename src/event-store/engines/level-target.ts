import { NO_ARCHIVE } from '../archive/archive.ts';
import { START } from '../event-log.ts';
import { assertFollows, type RecordTarget } from '../record-target.ts';
import { encodeAppends } from './level-layout.ts';
import { openDatabase } from './level-open.ts';
import { createLevelReader } from './level-reader.ts';

/**
 * Opens the log in the directory `location` to copy records into it, and creates it if it does not exist.
 * @throws LogLocked if another process has it open
 * @throws LogDamaged if the stored log is damaged
 */
export async function openLevelTarget(location: string): Promise<RecordTarget> {
  const db = await openDatabase(location);
  const reader = createLevelReader(db, NO_ARCHIVE, () => false);
  return {
    head: reader.lastPosition,
    async write(events) {
      assertFollows(events, await reader.lastPosition());
      const batch = db.batch();
      for (const { key, value } of encodeAppends(events.map((event) => [event]))) batch.put(key, value);
      await batch.write({ sync: true });
    },
    async *readAll() {
      yield* reader.readBetween(START, await reader.lastPosition());
    },
    close: () => db.close(),
  };
}
