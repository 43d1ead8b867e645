import { join } from 'node:path';
import type { Level } from 'level';
import { LogDamaged } from '../event-log.ts';
import type { Position } from '../event-log.ts';
import { checkTable, type TableDamage } from './level-table.ts';

/** LevelDB has this on Node. The typings of `level`, which cover every platform, leave it out. */
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

/** Compares every block of the tables of `db` with its checksum, and yields the damaged ones. */
export async function* checkTables({ db, head, signal, pace }: TablesToCheck): AsyncGenerator<LogDamaged, void, void> {
  for (const name of listTables(db)) {
    signal.throwIfAborted();
    const path = join(db.location, name);
    try {
      for await (const damage of checkTable(path, pace)) {
        yield new LogDamaged(positionAfter(damage) ?? head, `the block at byte ${damage.offset} of ${path} is damaged`);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error; // removed by a compaction meanwhile
    }
  }
}

/** The tables in use, without those that a compaction is still writing. */
function listTables(db: Level): readonly string[] {
  const listed = (db as unknown as LevelProperties).getProperty('leveldb.sstables');
  return [...listed.matchAll(/^ (\d+):\d+\[/gm)].map(([, number = '']) => `${number.padStart(6, '0')}.ldb`);
}

/** The groups are sorted by position, so the last key before the block tells where it starts. */
function positionAfter({ after }: TableDamage): Position | undefined {
  const [, digits] = /^e(\d{16})/.exec(after ?? '') ?? [];
  return digits === undefined ? undefined : ((Number(digits) + 1) as Position);
}
