import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { START, type Position } from '../event-log.ts';
import { parseGroupKey, splitGroup } from './level-layout.ts';
import type { Manifest } from './level-manifest.ts';
import { lastPutBelow } from './level-table.ts';
import { readWal, type Wal } from './level-wal.ts';

/**
 * Returns the last position known to have been acknowledged, according to the evidence beside a log that ends at `end`.
 * A result of `end` or less means that no events are known to be missing.
 */
export type KnownEvents = (end: Position) => Promise<number>;

/** A write-ahead log and its path. */
export interface StoredWal extends Wal {
  readonly path: string;
}

/** The files that show where a log ends. */
export interface LogFiles {
  readonly location: string;
  /** Undefined if LevelDB has not used the directory yet, the MANIFEST is invalid or a write-ahead log is missing. */
  readonly manifest: Manifest | undefined;
  /** Oldest first. */
  readonly wals: readonly StoredWal[];
}

/** Acknowledged events that are missing at the end of the log. */
export interface MissingEnd {
  /** The position of the first missing event. */
  readonly from: number;
  readonly description: string;
}

/**
 * Finds events that are missing at the end of the log, before LevelDB changes any file. A write-ahead log that was
 * emptied, or truncated between two records, looks complete: only the evidence beside the log shows the loss. If an
 * unreadable table hides the end, returns undefined, because opening the log reports that table.
 */
export async function findMissingEnd(files: LogFiles, knownEvents: KnownEvents): Promise<MissingEnd | undefined> {
  const end = await findEnd(files).catch(() => undefined);
  if (end === undefined) return undefined;
  const lastKnown = await knownEvents(end);
  if (lastKnown <= Math.max(end, await findEndOfReadableTables(files))) return undefined;
  const path = files.wals.at(-1)?.path ?? files.location;
  const evidence = `events up to position ${lastKnown} were acknowledged`;
  const summary = existsSync(files.location)
    ? `the log ends at position ${end}`
    : `the directory of the log, ${files.location}, does not exist`;
  return {
    from: end + 1,
    description: `${summary}, but ${evidence}: the events from ${end + 1} on are missing from ${path}`,
  };
}

/**
 * Returns the end of the log if the damage to `wal` is a write that was interrupted before it was acknowledged: no
 * other write follows, and all events known to have been acknowledged precede it. Returns undefined for any other
 * damage, without `knownEvents`, and if the files cannot be read.
 */
export async function endBeforeIncompleteWrite(
  wal: StoredWal | undefined,
  files: LogFiles,
  knownEvents: KnownEvents | undefined,
): Promise<Position | undefined> {
  if (wal?.damage?.isLastWrite !== true || wal !== files.wals.at(-1) || knownEvents === undefined) return undefined;
  const end = await findEnd(files).catch(() => undefined);
  return end !== undefined && (await knownEvents(end)) <= end ? end : undefined;
}

export const describeIncompleteWrite = (path: string, offset: number): string =>
  `the last write to the log, at byte ${offset} of ${path}, is incomplete`;

/**
 * Returns the position of the last event in the tables, or START if the tables cannot be read. The tables may contain
 * later events than the write-ahead log if the write-ahead log only rewrites an older event.
 */
async function findEndOfReadableTables({ location, manifest }: LogFiles): Promise<number> {
  return manifest === undefined ? START : findEndOfTables(location, manifest).catch(() => START);
}

async function findEnd({ location, manifest, wals }: LogFiles): Promise<Position> {
  const lastInWal = wals.findLast(({ last }) => last !== undefined)?.last;
  if (lastInWal !== undefined) return lastInWal as Position;
  return manifest === undefined ? START : findEndOfTables(location, manifest);
}

/**
 * Reads the write-ahead logs in the directory.
 * @param names the file names in the directory
 * @returns the write-ahead logs, oldest first
 */
export async function readWals(location: string, names: readonly string[]): Promise<readonly StoredWal[]> {
  const walNames = names
    .filter((name) => /^\d+\.log$/.test(name))
    .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  const wals: StoredWal[] = [];
  for (const name of walNames) {
    const path = join(location, name);
    const bytes = (await readIfExists(path)) ?? Buffer.alloc(0); // a running server may have just removed the file
    wals.push({ ...readWal(bytes), path });
  }
  return wals;
}

/** Returns the contents of the file, or undefined if it does not exist. */
export function readIfExists(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

/** Sorts after all keys of groups and before all other keys. */
const ABOVE_GROUPS = 'f';

/**
 * Returns the position of the last event in the tables, or START if the tables contain no events. Reads at most two
 * data blocks of each table at level 0 and of one table at every other level.
 * @throws Error if a table is missing or damaged
 */
async function findEndOfTables(location: string, { tables }: Manifest): Promise<Position> {
  let end = START;
  for (const number of tablesWithLastEvents(tables)) {
    const path = join(location, `${String(number).padStart(6, '0')}.ldb`);
    const group = await lastPutBelow(path, ABOVE_GROUPS);
    if (group === undefined) continue;
    const lastPosition = parseGroupKey(group.key) + splitGroup(group.value.toString('latin1')).length - 1;
    end = Math.max(end, lastPosition) as Position;
  }
  return end;
}

/**
 * Returns the numbers of the tables that may contain the last event. From level 1 on, the tables of a level do not
 * overlap, so only the last table with events can contain it.
 */
function tablesWithLastEvents(tables: Manifest['tables']): readonly number[] {
  const lastTableByLevel = new Map<number, number>();
  const levelZeroTables: number[] = [];
  for (const [number, { level, smallest }] of tables) {
    if (smallest >= ABOVE_GROUPS) continue;
    if (level === 0) levelZeroTables.push(number);
    else if (smallest >= (tables.get(lastTableByLevel.get(level) ?? -1)?.smallest ?? ''))
      lastTableByLevel.set(level, number);
  }
  return [...levelZeroTables, ...lastTableByLevel.values()];
}
