import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCursor } from './level-cursor.ts';
import { userKey } from './level-table.ts';
import { readLogFile } from './level-wal.ts';

/**
 * LevelDB's MANIFEST (VersionEdit of LevelDB): each record changes the state of the database, in the format of the
 * write-ahead log. LevelDB opens a directory whose write-ahead log is missing, writes a new MANIFEST, and then removes
 * each file that is older than it or unknown to it. So what proves that files are missing is found before that.
 */
export interface Manifest {
  /** Of the oldest write-ahead log that is still needed; 0 if there was none yet. */
  readonly logNumber: number;
  /** The number of the MANIFEST that the next start writes. */
  readonly nextFile: number;
  /** The tables in use, by number. */
  readonly tables: ReadonlyMap<number, TableRange>;
}

export interface TableRange {
  readonly level: number;
  /** The lowest key in it. */
  readonly smallest: string;
}

/** A write-ahead log that CURRENT's MANIFEST needs, and that is not there. */
export class WalMissing extends Error {
  override readonly name = 'WalMissing';
  readonly path: string;
  constructor(path: string, manifest: string) {
    super(
      `${path} is missing, which ${manifest} names and which has the newest events ` +
        '(put it back if it was moved or is not copied yet)',
    );
    this.path = path;
  }
}

/** CURRENT or the MANIFEST is damaged, or not of the same time as the other files. */
export class InvalidManifest extends Error {
  override readonly name = 'ManifestWrong';
}

const MANIFEST_NAME = /^MANIFEST-(\d+)$/;

/**
 * The state in CURRENT's MANIFEST, which the files in `location` belong to. LevelDB itself checks, before it
 * changes anything, that every table is there. A crash at any time leaves a directory that passes: LevelDB creates a
 * write-ahead log before a MANIFEST names it, and removes it only after a MANIFEST that names a later one is on disk.
 * @param names of the files in the directory
 * @throws WalMissing
 * @throws ManifestWrong
 */
export async function readCompleteManifest(location: string, names: readonly string[]): Promise<Manifest> {
  const current = await readFile(join(location, 'CURRENT'), 'latin1');
  const name = current.replace(/\n$/, '');
  const [, number] = MANIFEST_NAME.exec(name) ?? [];
  if (number === undefined || name === current) throw new InvalidManifest(`${join(location, 'CURRENT')} is damaged`);
  const path = join(location, name);
  if (!names.includes(name)) throw new InvalidManifest(`${path}, which CURRENT names, is missing`);
  const manifest = readManifest(await readFile(path), path);
  const { logNumber, nextFile } = manifest;
  const wal = `${String(logNumber).padStart(6, '0')}.log`;
  if (logNumber !== 0 && !names.includes(wal)) throw new WalMissing(join(location, wal), path);
  // A start that a crash interrupts leaves one MANIFEST that CURRENT does not name yet, with this number.
  const newer = names.find((other) => isUnexpectedManifest(other, Number(number), nextFile));
  if (newer === undefined) return manifest;
  throw new InvalidManifest(`CURRENT names ${path}, but ${newer} is newer: files of different times are mixed`);
}

/** Whether it is a MANIFEST newer than `number` that is not the one that a start from `number` writes. */
function isUnexpectedManifest(name: string, number: number, next: number): boolean {
  const [, digits] = MANIFEST_NAME.exec(name) ?? [];
  return digits !== undefined && Number(digits) > number && Number(digits) !== next;
}

/**
 * The state after the last complete record.
 * @throws ManifestWrong it is damaged
 */
function readManifest(bytes: Buffer, path: string): Manifest {
  const { records, validBytes: soundUpTo, isDamaged } = readLogFile(bytes);
  if (isDamaged) throw new InvalidManifest(`${path} is damaged at byte ${soundUpTo}`);
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

/** @param tables is changed as the record says */
function applyRecord(record: Buffer, tables: Map<number, TableRange>): Partial<Manifest> {
  const read = createCursor(record);
  const removed: number[] = [];
  const added: [number, TableRange][] = [];
  let state: Partial<Manifest> = {};
  const skipNumbers = (count: number): void => {
    for (let at = 0; at < count; at += 1) read.varint();
  };
  const skipText = (): void => void read.bytes(read.varint());
  const fields: readonly (() => void)[] = [
    /* 0 */ unknownField,
    /* comparator */ skipText,
    /* log number */ () => (state = { ...state, logNumber: read.varint() }),
    /* next file number */ () => (state = { ...state, nextFile: read.varint() }),
    /* last sequence */ () => skipNumbers(1),
    /* compaction pointer: level, key */ () => {
      skipNumbers(1);
      skipText();
    },
    /* deleted file: level, number */ () => {
      skipNumbers(1);
      removed.push(read.varint());
    },
    /* new file: level, number, size, smallest and largest key */ () => {
      const [level, number] = [read.varint(), read.varint()];
      skipNumbers(1);
      added.push([number, { level, smallest: userKey(read.bytes(read.varint())) }]);
      skipText();
    },
    /* 8 */ unknownField,
    /* previous log number */ () => skipNumbers(1),
  ];
  while (read.at() < record.length) (fields[read.varint()] ?? unknownField)();
  for (const number of removed) tables.delete(number);
  for (const [number, table] of added) tables.set(number, table); // a table may move from one level to the next
  return state;
}

function unknownField(): never {
  throw new RangeError('a field has an unknown tag');
}
