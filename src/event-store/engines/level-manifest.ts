import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCursor } from './level-cursor.ts';
import { userKey } from './level-table.ts';
import { readLogFile } from './level-wal.ts';

/**
 * The state of the database according to LevelDB's MANIFEST, a list of changes to this state (VersionEdit in LevelDB)
 * in the format of the write-ahead log. If a write-ahead log is missing, LevelDB opens the database anyway, writes a
 * new MANIFEST, and removes older and unknown files. Missing files must therefore be found first.
 */
export interface Manifest {
  /** The number of the oldest write-ahead log that is still needed, or 0 before the first one exists. */
  readonly logNumber: number;
  /** The number of the MANIFEST that the next startup writes. */
  readonly nextFile: number;
  /** The tables in use, by number. */
  readonly tables: ReadonlyMap<number, TableRange>;
}

export interface TableRange {
  readonly level: number;
  /** The lowest key in the table. */
  readonly smallest: string;
}

/** A write-ahead log that the current MANIFEST refers to is missing. */
export class WalMissing extends Error {
  override readonly name = 'WalMissing';
  readonly path: string;
  constructor(path: string, manifest: string) {
    super(
      `${path} is missing. ${manifest} refers to it, and it contains the newest events ` +
        '(restore it if it was moved or has not been copied yet)',
    );
    this.path = path;
  }
}

/** CURRENT or the MANIFEST is damaged, or the two do not match. */
export class InvalidManifest extends Error {
  override readonly name = 'InvalidManifest';
}

const MANIFEST_NAME = /^MANIFEST-(\d+)$/;

/**
 * Reads the current MANIFEST and checks that the files in `location` match it. LevelDB itself checks that every table
 * exists. A crash never makes the check fail: LevelDB creates a write-ahead log before a MANIFEST refers to it, and
 * removes it only after a MANIFEST that refers to a later one is on disk.
 * @param names the file names in the directory
 * @throws WalMissing if the oldest write-ahead log that is still needed is missing
 * @throws InvalidManifest if CURRENT or the MANIFEST is damaged, or files from different times are mixed
 */
export async function readCompleteManifest(location: string, names: readonly string[]): Promise<Manifest> {
  const currentText = await readFile(join(location, 'CURRENT'), 'latin1');
  const name = currentText.replace(/\n$/, '');
  const [, number] = MANIFEST_NAME.exec(name) ?? [];
  if (number === undefined || name === currentText)
    throw new InvalidManifest(`${join(location, 'CURRENT')} is damaged`);
  const path = join(location, name);
  if (!names.includes(name)) throw new InvalidManifest(`${path}, which CURRENT refers to, is missing`);
  const manifest = readManifest(await readFile(path), path);
  const { logNumber, nextFile } = manifest;
  const wal = `${String(logNumber).padStart(6, '0')}.log`;
  if (logNumber !== 0 && !names.includes(wal)) throw new WalMissing(join(location, wal), path);
  // An interrupted startup may leave a MANIFEST numbered `nextFile` that CURRENT does not refer to yet.
  const newerManifest = names.find((candidate) => isUnexpectedManifest(candidate, Number(number), nextFile));
  if (newerManifest === undefined) return manifest;
  throw new InvalidManifest(
    `CURRENT refers to ${path}, but ${newerManifest} is newer: files from different times are mixed`,
  );
}

/**
 * Reports whether `name` is a MANIFEST that is newer than `number`, but is not the one that the next startup writes.
 */
function isUnexpectedManifest(name: string, number: number, next: number): boolean {
  const [, digits] = MANIFEST_NAME.exec(name) ?? [];
  return digits !== undefined && Number(digits) > number && Number(digits) !== next;
}

/**
 * Returns the state of the database after the last complete record.
 * @throws InvalidManifest if the MANIFEST is damaged
 */
function readManifest(bytes: Buffer, path: string): Manifest {
  const { records, validBytes, isDamaged } = readLogFile(bytes);
  if (isDamaged) throw new InvalidManifest(`${path} is damaged at byte ${validBytes}`);
  const tables = new Map<number, TableRange>();
  let state: Partial<Manifest> = {};
  try {
    for (const record of records) state = { ...state, ...applyRecord(record, tables) };
  } catch (cause) {
    throw new InvalidManifest(`${path} cannot be read`, { cause });
  }
  const { logNumber, nextFile } = state;
  if (logNumber === undefined || nextFile === undefined) throw new InvalidManifest(`${path} is cut short`);
  return { logNumber, nextFile, tables };
}

/**
 * Applies a record to `tables`, and returns the other values that it contains.
 * @param tables updated in place
 */
function applyRecord(record: Buffer, tables: Map<number, TableRange>): Partial<Manifest> {
  const cursor = createCursor(record);
  const removedTables: number[] = [];
  const addedTables: [number, TableRange][] = [];
  let state: Partial<Manifest> = {};
  const skipNumbers = (count: number): void => {
    for (let skipped = 0; skipped < count; skipped += 1) cursor.varint();
  };
  const skipText = (): void => void cursor.bytes(cursor.varint());
  const fields: readonly (() => void)[] = [
    /* 0 */ rejectField,
    /* comparator */ skipText,
    /* log number */ () => (state = { ...state, logNumber: cursor.varint() }),
    /* next file number */ () => (state = { ...state, nextFile: cursor.varint() }),
    /* last sequence */ () => skipNumbers(1),
    /* compaction pointer: level, key */ () => {
      skipNumbers(1);
      skipText();
    },
    /* deleted file: level, number */ () => {
      skipNumbers(1);
      removedTables.push(cursor.varint());
    },
    /* new file: level, number, size, smallest and largest key */ () => {
      const [level, number] = [cursor.varint(), cursor.varint()];
      skipNumbers(1);
      addedTables.push([number, { level, smallest: userKey(cursor.bytes(cursor.varint())) }]);
      skipText();
    },
    /* 8 */ rejectField,
    /* previous log number */ () => skipNumbers(1),
  ];
  while (cursor.offset() < record.length) (fields[cursor.varint()] ?? rejectField)();
  for (const number of removedTables) tables.delete(number);
  // A compaction may move a table to the next level.
  for (const [number, table] of addedTables) tables.set(number, table);
  return state;
}

function rejectField(): never {
  throw new RangeError('a field has an unknown tag');
}
