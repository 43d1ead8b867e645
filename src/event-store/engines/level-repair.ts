import { copyFile, link, mkdir, mkdtemp, open, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncDirectory } from '../archive/private-file.ts';
import { WalMissing, readCompleteManifest } from './level-manifest.ts';
import {
  endBeforeIncompleteWrite,
  findMissingEnd,
  describeIncompleteWrite,
  readWals,
  type KnownEvents,
  type LogFiles,
  type MissingEnd,
} from './level-end.ts';
import { includesLogFile, listFiles } from './level-files.ts';
import { assertUnlocked } from './level-lock.ts';
import { START } from '../event-log.ts';
import { droppedRecordsFile } from './level-open.ts';
import type { WalDamage } from './level-wal.ts';

/** Damage that prevents the log from being opened, and that can be repaired by giving up the end of the log. */
export interface RepairableDamage {
  readonly description: string;
  /** The position of the first event that would be given up, or undefined if unknown. */
  readonly position: number | undefined;
  /** Whether the damage is a write that, according to the evidence, was interrupted before it was acknowledged. */
  readonly isIncompleteWrite: boolean;
  /**
   * Moves, copies or links the affected files into `directory`, and makes the log end before the damage. The changes
   * are durable when the promise resolves.
   * @returns a clause that says which files were kept, and where
   */
  setAside(directory: string): Promise<string>;
}

/**
 * Finds damage to the log in `location` that can be repaired by giving up the end of the log.
 * @throws LogLocked if a process has the log open
 */
export async function findRepairableDamage(
  location: string,
  knownEvents?: KnownEvents,
): Promise<readonly RepairableDamage[]> {
  const names = await listFiles(location);
  if (!includesLogFile(names)) return findMissingLog(location, knownEvents);
  if (!names.includes('CURRENT')) return []; // LevelDB would create a new database
  await assertUnlocked(location);
  const siblings = await readdir(dirname(droppedRecordsFile(location)));
  const wals = await readWals(location, names);
  const newestWal = wals.at(-1);
  const manifest = await readCompleteManifest(location, names).catch(catchMissingWal);
  const files = { location, wals, manifest: manifest instanceof WalMissing ? undefined : manifest };
  const end = await endBeforeIncompleteWrite(newestWal, files, knownEvents);
  const damage = [
    ...(manifest instanceof WalMissing ? [missingWal(location, manifest)] : []),
    ...(siblings.includes(basename(droppedRecordsFile(location))) ? [droppedRecords(location)] : []),
    ...(newestWal?.damage ? [damagedEnd(newestWal.path, newestWal.damage, end)] : []),
  ];
  if (damage.length > 0 || files.manifest === undefined) return damage;
  const lostEnd = knownEvents && (await findMissingEnd(files, knownEvents));
  return lostEnd === undefined ? [] : [missingEnd(location, lostEnd)];
}

/**
 * Returns the damage to a log whose files are all missing, or no damage if no event is known to be missing. Without
 * `knownEvents`, the number of missing events is unknown.
 */
async function findMissingLog(location: string, knownEvents?: KnownEvents): Promise<readonly RepairableDamage[]> {
  const files: LogFiles = { location, manifest: undefined, wals: [] };
  const lostEnd = knownEvents && (await findMissingEnd(files, knownEvents));
  if (knownEvents !== undefined && lostEnd === undefined) return [];
  return [
    {
      description: lostEnd?.description ?? `${location} contains no files of a log`,
      position: START + 1,
      isIncompleteWrite: false,
      setAside: async () => 'there were no files to keep',
    },
  ];
}

function droppedRecords(location: string): RepairableDamage {
  const path = droppedRecordsFile(location);
  return {
    description: `LevelDB dropped records when it opened the log (${path})`,
    position: undefined,
    isIncompleteWrite: false,
    async setAside(directory) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await rename(path, join(directory, basename(path)));
      await syncDirectory(directory);
      await syncDirectory(dirname(path));
      return `the list of dropped records was moved to ${directory}`;
    },
  };
}

/** Returns undefined for any other error: opening the log reports such a problem, and only a backup helps. */
function catchMissingWal(error: unknown): WalMissing | undefined {
  return error instanceof WalMissing ? error : undefined;
}

/**
 * Describes a missing write-ahead log, which is replaced by an empty file. All other files are linked first, because
 * LevelDB replaces them when it opens the log, and the missing file, if it is found later, matches only these files.
 */
function missingWal(location: string, { path, message }: WalMissing): RepairableDamage {
  return {
    description: message,
    position: undefined,
    isIncompleteWrite: false,
    async setAside(directory) {
      const copies = await linkAllFiles(location, directory);
      await (await open(path, 'wx', 0o600)).close();
      await syncDirectory(location);
      return `the other files were also kept unchanged in ${copies}`;
    },
  };
}

function missingEnd(location: string, { from, description }: MissingEnd): RepairableDamage {
  return {
    description,
    position: from,
    isIncompleteWrite: false,
    setAside: async (directory) => `the files were also kept unchanged in ${await linkAllFiles(location, directory)}`,
  };
}

/**
 * Links all files of the log into a new directory inside `directory`, and returns the path of the new directory. The
 * links are durable when the promise resolves.
 */
async function linkAllFiles(location: string, directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const copies = await mkdtemp(join(directory, 'log-'));
  for (const name of await readdir(location)) await link(join(location, name), join(copies, name));
  await syncDirectory(copies);
  await syncDirectory(directory);
  return copies;
}

/** @param end the end of the log if the damage is an incomplete write, or undefined */
function damagedEnd(path: string, { offset, position }: WalDamage, end: number | undefined): RepairableDamage {
  const isIncomplete = end !== undefined;
  return {
    description: isIncomplete ? describeIncompleteWrite(path, offset) : `${path} is damaged at byte ${offset}`,
    position: isIncomplete ? end + 1 : position,
    isIncompleteWrite: isIncomplete,
    async setAside(directory) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const copy = join(directory, `${basename(path)}.${offset}`);
      await copyFile(path, copy);
      await withFile(copy, (file) => file.sync());
      await syncDirectory(directory);
      await withFile(path, async (file) => {
        await file.truncate(offset);
        await file.sync();
      });
      return `the whole file was copied to ${copy}`;
    },
  };
}

async function withFile(path: string, use: (file: Awaited<ReturnType<typeof open>>) => Promise<void>): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await use(file);
  } finally {
    await file.close();
  }
}
