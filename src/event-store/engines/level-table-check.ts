import { join } from 'node:path';
import type { Level } from 'level';
import { LogDamaged } from '../event-log.ts';
import type { Position } from '../event-log.ts';
import { checkTable, type TableDamage } from './level-table.ts';

/** On Node, `level` has this method. Its types cover all platforms and therefore omit it. */
interface LevelProperties {
  getProperty(name: 'leveldb.sstables'): string;
}

export interface TablesToCheck {
  readonly db: Level;
  /** The position reported for a damaged block whose events are unknown. */
  readonly head: Position;
  readonly signal: AbortSignal;
  readonly pace: () => Promise<void>;
}

/** Verifies the checksum of every block in the tables of `db`, and yields the damaged blocks. */
export async function* checkTables({ db, head, signal, pace }: TablesToCheck): AsyncGenerator<LogDamaged, void, void> {
  for (const name of listTables(db)) {
    signal.throwIfAborted();
    const path = join(db.location, name);
    try {
      for await (const damage of checkTable(path, pace)) {
        yield new LogDamaged(positionAfter(damage) ?? head, `the block at byte ${damage.offset} of ${path} is damaged`);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error; // otherwise a compaction removed the file
    }
  }
}

/** Returns the tables in use, not including those that a compaction is still writing. */
function listTables(db: Level): readonly string[] {
  const list = (db as unknown as LevelProperties).getProperty('leveldb.sstables');
  return [...list.matchAll(/^ (\d+):\d+\[/gm)].map(([, number = '']) => `${number.padStart(6, '0')}.ldb`);
}

/**
 * Returns the lowest position that the damaged block may contain: the groups are sorted by position, so the key before
 * the block determines that position. Returns undefined if that key is not known, or is not the key of a group.
 */
function positionAfter({ precedingKey }: TableDamage): Position | undefined {
  const [, digits] = /^e(\d{16})/.exec(precedingKey ?? '') ?? [];
  return digits === undefined ? undefined : ((Number(digits) + 1) as Position);
}
