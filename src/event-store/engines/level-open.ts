import { chmodSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Level } from 'level';
import { syncDirectory, writePrivateFile } from '../archive/private-file.ts';
import { LastWriteIncomplete, LogDamaged, START } from '../event-log.ts';
import type { Position, RecordedEvent } from '../event-log.ts';
import {
  endBeforeIncompleteWrite,
  findMissingEnd,
  describeIncompleteWrite,
  readIfExists,
  readWals,
  type KnownEvents,
  type LogFiles,
} from './level-end.ts';
import { isDatabaseFile, isLevelFile, listFiles } from './level-files.ts';
import { LogLocked, assertUnlocked } from './level-lock.ts';
import { InvalidManifest, readCompleteManifest, WalMissing } from './level-manifest.ts';

/**
 * Opens the LevelDB database in `location`, and creates it with access only for its owner if it does not exist. LevelDB
 * silently skips damaged records in its write-ahead log, ignores a missing write-ahead log, and then removes files.
 * Therefore, this function checks the files before LevelDB opens them, and reads LevelDB's own LOG afterwards. If the
 * first check fails, all files remain unchanged.
 * @throws LogLocked if another process has it open
 * @throws LogDamaged if a file is damaged, the last events are missing, or LevelDB dropped records, now or at an
 *   earlier startup
 */
export async function openDatabase(location: string, knownEvents?: KnownEvents): Promise<Level> {
  await assertOwnDirectory(location);
  await checkFiles(location, knownEvents);
  await mkdir(location, { recursive: true, mode: 0o700 });
  const db = new Level(location);
  try {
    await db.open();
  } catch (error) {
    throw toOpenError(error, location);
  }
  try {
    await restrictPermissions(location);
    await checkDroppedRecords(location);
  } catch (error) {
    await db.close(); // otherwise it stays locked
    throw error;
  }
  return db;
}

/**
 * Returns the path of a file next to LevelDB's directory that makes later startups refuse the log as well. LevelDB's
 * own LOG is replaced at each startup.
 */
export const droppedRecordsFile = (location: string): string => `${location}.dropped`;

/**
 * Returns the error for damage that keeps the database from being opened.
 * @param position the position of the first event that may be lost, or undefined if unknown
 */
function damageError(position: number | undefined, finding: string, options?: ErrorOptions): LogDamaged {
  return new LogDamaged((position ?? START + 1) as Position, finding, options);
}

/**
 * Checks that the directory has no files of other programs, whose modes would be changed: /var/log, for example, if the
 * data directory were /var.
 * @throws Error that names some of the files
 */
async function assertOwnDirectory(location: string): Promise<void> {
  const names = await listFiles(location);
  if (names.some(isDatabaseFile)) return; // a log, whose files are checked next
  const foreignNames = names.filter(
    (name) =>
      !isLevelFile(name) &&
      !name.startsWith('.') && // such as .gitkeep
      statSync(join(location, name), { throwIfNoEntry: false })?.isFile() === true,
  );
  if (foreignNames.length > 0)
    throw new Error(
      `${location} cannot be used as an event log, because it contains other files, such as ${foreignNames[0]}; no ` +
        'file was changed. Choose a data directory that only Grantlog uses',
    );
}

const MAX_ATTEMPTS = 3;

/**
 * Checks the files before LevelDB changes any of them. If another process has the database open, which only LevelDB
 * detects, files may appear and disappear between two reads, so a problem is reported only if every attempt finds it.
 */
async function checkFiles(location: string, knownEvents?: KnownEvents): Promise<void> {
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
    const areIntact = await checkFilesOnce(location, knownEvents).then(
      () => true,
      () => false,
    );
    if (areIntact) return;
  }
  await checkFilesOnce(location, knownEvents);
}

async function checkFilesOnce(location: string, knownEvents?: KnownEvents): Promise<void> {
  const names = await listFiles(location);
  const droppedRecords = await readIfExists(droppedRecordsFile(location));
  const finding = `LevelDB dropped records at an earlier startup (${droppedRecordsFile(location)})`;
  if (droppedRecords !== undefined) throw damageError(undefined, finding);
  // LevelDB would create a new database here and remove every file.
  const lacksCurrent = !names.includes('CURRENT') && names.some(isDatabaseFile);
  if (lacksCurrent) throw damageError(undefined, `${join(location, 'CURRENT')} is missing`);
  const manifest = names.includes('CURRENT')
    ? await readCompleteManifest(location, names).catch(throwAsDamage)
    : undefined;
  const wals = await readWals(location, names);
  await checkWals({ location, manifest, wals }, knownEvents);
  if (knownEvents !== undefined) await checkEnd({ location, manifest, wals }, knownEvents);
}

async function checkWals(files: LogFiles, knownEvents: KnownEvents | undefined): Promise<void> {
  const wal = files.wals.find(({ damage }) => damage !== undefined);
  if (wal?.damage === undefined) return;
  const { offset, position } = wal.damage;
  const end = await endBeforeIncompleteWrite(wal, files, knownEvents);
  if (end !== undefined)
    throw new LastWriteIncomplete((end + 1) as Position, describeIncompleteWrite(wal.path, offset));
  const damage = `${wal.path} is damaged at byte ${offset}`;
  const verb = wal.damage.isLastWrite && knownEvents === undefined ? 'may follow' : 'follow';
  throw damageError(position, `${damage}, and acknowledged events ${verb} it`);
}

async function checkEnd(files: LogFiles, knownEvents: KnownEvents): Promise<void> {
  const missingEnd = await findMissingEnd(files, knownEvents);
  if (missingEnd === undefined) return;
  if (files.manifest !== undefined) await assertUnlocked(files.location); // another process may be writing
  const advice =
    'No file was changed. If a file of the log was removed, emptied, truncated or replaced, restore the right one';
  throw damageError(missingEnd.from, `${missingEnd.description}. ${advice}`);
}

function throwAsDamage(error: unknown): never {
  const isDamage = error instanceof WalMissing || error instanceof InvalidManifest;
  throw isDamage ? damageError(undefined, error.message, { cause: error }) : error;
}

/** LevelDB 1.20 logs these lines when it skips records (`DBImpl::RecoverLogFile`, `DBImpl::MaybeIgnoreError`). */
const DROPPED_RECORDS_LINE = /dropping \d+ bytes|ignoring error|corruption/i;

async function checkDroppedRecords(location: string): Promise<void> {
  const text = (await readIfExists(join(location, 'LOG')))?.toString('utf8') ?? '';
  const lines = text.split('\n').filter((line) => DROPPED_RECORDS_LINE.test(line));
  if (lines.length === 0) return;
  await writePrivateFile(droppedRecordsFile(location), [Buffer.from(`${lines.join('\n')}\n`)]);
  await syncDirectory(dirname(location));
  throw damageError(undefined, `LevelDB dropped records when it was opened: ${lines[0] ?? ''}`);
}

const GROUP_AND_OTHERS = 0o077;

/**
 * LevelDB creates its files with the process's umask, and earlier releases left them world-readable. A large log has
 * tens of thousands of files, so this changes only the modes that are wrong.
 */
async function restrictPermissions(location: string): Promise<void> {
  for (const name of await listFiles(location)) restrictFile(join(location, name));
}

/** Does nothing if the file does not exist, because LevelDB removes files in the background. */
function restrictFile(path: string): void {
  try {
    const { mode } = statSync(path);
    if ((mode & GROUP_AND_OTHERS) !== 0) chmodSync(path, mode & ~GROUP_AND_OTHERS & 0o777);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** A missing or truncated file is damage. Too many open files is not. */
const DAMAGE_MESSAGE = /^Corruption|No such file or directory|Invalid argument/;

/**
 * Turns LevelDB's error about a damaged file into `LogDamaged`, and returns any other error unchanged.
 * @param position the position of the first event that may be lost, or undefined if unknown
 */
export function toDamageError(error: unknown, position?: number): unknown {
  const errors = [error, error instanceof Error ? error.cause : undefined] as (NodeJS.ErrnoException | undefined)[];
  const cause = errors.find(
    (candidate) => candidate?.code === 'LEVEL_CORRUPTION' || candidate?.code === 'LEVEL_IO_ERROR',
  );
  if (cause === undefined || !DAMAGE_MESSAGE.test(cause.message)) return error;
  return damageError(position, `LevelDB cannot read it (${cause.message})`, { cause: error });
}

/**
 * Yields `batches`, which begin after position `after`.
 * @throws LogDamaged if LevelDB cannot read one of them
 */
export async function* withDamageErrors(
  batches: AsyncIterable<readonly RecordedEvent[]>,
  after: Position,
): AsyncGenerator<readonly RecordedEvent[], void, void> {
  let lastPosition = after;
  try {
    for await (const events of batches) {
      yield events;
      lastPosition = events.at(-1)?.position ?? lastPosition;
    }
  } catch (error) {
    throw toDamageError(error, lastPosition + 1);
  }
}

function toOpenError(error: unknown, location: string): unknown {
  const { code } = ((error as Error).cause ?? {}) as { readonly code?: string };
  return code === 'LEVEL_LOCKED' ? new LogLocked(location) : toDamageError(error);
}
