import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { START, type Position } from '../event-log.ts';
import { parseGroupKey, splitGroup } from './level-layout.ts';
import type { Manifest } from './level-manifest.ts';
import { lastPutBelow } from './level-table.ts';
import { readWal, type Wal } from './level-wal.ts';

/**
 * Up to which position events are known to have been acknowledged, by evidence beside a log that ends at `end`. A value
 * of `end` or less means that none are known to be missing.
 */
export type KnownEvents = (end: Position) => Promise<number>;

/** A write-ahead log as it is stored. */
export interface StoredWal extends Wal {
  readonly path: string;
}

/** The files of a log that say where it ends. */
export interface LogFiles {
  readonly location: string;
  /** Undefined for a directory that LevelDB has not used yet. */
  readonly manifest: Manifest | undefined;
  /** The oldest first. */
  readonly wals: readonly StoredWal[];
}

/** Events at the end of the log that are known to have been acknowledged, and that its files do not have. */
export interface MissingEnd {
  /** The position of the first of them. */
  readonly from: number;
  readonly description: string;
}

/**
 * Finds events that are missing at the end, before LevelDB changes any file. A write-ahead log that was emptied, or cut
 * between two records, looks complete, so only the evidence beside it shows that. Undefined as well if a table that
 * tells where the log ends cannot be read: opening the log reports that.
 */
export async function findMissingEnd(files: LogFiles, knownEvents: KnownEvents): Promise<MissingEnd | undefined> {
  const end = await findEnd(files).catch(() => undefined);
  if (end === undefined) return undefined;
  const known = await knownEvents(end);
  if (known <= Math.max(end, await endOfTablesIn(files))) return undefined;
  const where = files.wals.at(-1)?.path ?? files.location;
  const ends = `the log ends at position ${end}, and events up to position ${known} were acknowledged`;
  return { from: end + 1, description: `${ends}: those from ${end + 1} on are missing from ${where}` };
}

/**
 * Where the log ends, if the damage of `wal` is a write that was interrupted before it was acknowledged: it is the last
 * one, and the events before it are all that are known. Undefined without evidence, or if the files cannot be read.
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
  `the last write of the log, at byte ${offset} of ${path}, is incomplete`;

/** A write-ahead log that replaces an older event ends with it, although the tables have later ones. */
async function endOfTablesIn({ location, manifest }: LogFiles): Promise<number> {
  return manifest === undefined ? START : findEndOfTables(location, manifest).catch(() => START);
}

async function findEnd({ location, manifest, wals }: LogFiles): Promise<Position> {
  const inWal = wals.findLast(({ last }) => last !== undefined)?.last;
  if (inWal !== undefined) return inWal as Position;
  return manifest === undefined ? START : findEndOfTables(location, manifest);
}

/** @param names of the files in the directory. @returns the oldest first */
export async function readWals(location: string, names: readonly string[]): Promise<readonly StoredWal[]> {
  const wals = names
    .filter((name) => /^\d+\.log$/.test(name))
    .toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
  const found: StoredWal[] = [];
  for (const name of wals) {
    const path = join(location, name);
    found.push({ ...readWal((await readIfExists(path)) ?? Buffer.alloc(0)), path }); // a running server removes some
  }
  return found;
}

/** The bytes of the file; undefined if there is none. */
export function readIfExists(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

/** Above all keys of groups of events, and below all others. */
const ABOVE_GROUPS = 'f';

/**
 * The position of the last event in the tables, for a write-ahead log without events; START if they have none. Reads
 * one or two blocks of each table of level 0 and of one table of each other level.
 * @throws Error a table is missing or damaged
 */
async function findEndOfTables(location: string, { tables }: Manifest): Promise<Position> {
  let end = START;
  for (const number of tablesWithLastEvents(tables)) {
    const path = join(location, `${String(number).padStart(6, '0')}.ldb`);
    const group = await lastPutBelow(path, ABOVE_GROUPS);
    if (group === undefined) continue;
    const last = parseGroupKey(group.key) + splitGroup(group.value.toString('latin1')).length - 1;
    end = Math.max(end, last) as Position;
  }
  return end;
}

/** From level 1 on, the tables of a level do not overlap: only the last one with events can have the last event. */
function tablesWithLastEvents(tables: Manifest['tables']): readonly number[] {
  const lastOfLevel = new Map<number, number>();
  const ofLevelZero: number[] = [];
  for (const [number, { level, smallest }] of tables) {
    if (smallest >= ABOVE_GROUPS) continue;
    if (level === 0) ofLevelZero.push(number);
    else if (smallest >= (tables.get(lastOfLevel.get(level) ?? -1)?.smallest ?? '')) lastOfLevel.set(level, number);
  }
  return [...ofLevelZero, ...lastOfLevel.values()];
}
