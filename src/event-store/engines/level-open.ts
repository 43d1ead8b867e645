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
 * Opens the LevelDB database in `location`. If it does not exist, creates it with access only for its owner. LevelDB
 * silently skips damaged records in its write-ahead log, ignores a missing write-ahead log, and then removes files.
 * Therefore, this function checks the files before LevelDB opens them, and reads LevelDB's own LOG afterwards. If the
 * first check fails, all files except LOG remain unchanged.
 * @throws LogLocked if another process has the database open
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
    await db.close(); // releases the lock
    throw error;
  }
  return db;
}

/**
 * Returns the path of the list of dropped records, next to LevelDB's directory. While this file exists, every startup
 * refuses the log. LevelDB's own LOG cannot serve this purpose, because each startup replaces it.
 */
export const droppedRecordsFile = (location: string): string => `${location}.dropped`;

/**
 * Returns the error for damage that prevents the database from being opened or read.
 * @param position the position of the first event that may be lost, or undefined if unknown
 */
function damageError(position: number | undefined, finding: string, options?: ErrorOptions): LogDamaged {
  return new LogDamaged((position ?? START + 1) as Position, finding, options);
}

/**
 * Checks that the directory contains no files of other programs, because opening the log would change their modes. With
 * the data directory /var, for example, the log would be in /var/log.
 * @throws Error that names one of these files
 */
async function assertOwnDirectory(location: string): Promise<void> {
  const names = await listFiles(location);
  if (names.some(isDatabaseFile)) return; // a log: the caller checks its files next
  const foreignNames = names.filter(
    (name) =>
      !isLevelFile(name) &&
      !name.startsWith('.') && // such as .gitkeep
      statSync(join(location, name), { throwIfNoEntry: false })?.isFile() === true,
  );
  if (foreignNames.length > 0)
    throw new Error(
      `${location} cannot be used as an event log, because it contains other files, such as ${foreignNames[0]}. No ` +
        'file was changed. Choose a data directory that only Grantlog uses',
    );
}

const MAX_ATTEMPTS = 3;

/**
 * Checks the files before LevelDB changes any of them. Another process may have the database open, and only LevelDB can
 * detect that. Files may then appear and disappear between two reads, so one attempt without a problem is enough.
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
  // Without CURRENT, LevelDB would create a new database and remove the existing files.
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
  throw damageError(position, `${damage}, and acknowledged events ${verb} the damage`);
}

async function checkEnd(files: LogFiles, knownEvents: KnownEvents): Promise<void> {
  const missingEnd = await findMissingEnd(files, knownEvents);
  if (missingEnd === undefined) return;
  if (files.manifest !== undefined) await assertUnlocked(files.location); // another process may be writing
  const advice =
    'No file was changed. If a file of the log was removed, emptied, truncated or replaced, restore the correct one';
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
  throw damageError(undefined, `LevelDB dropped records when it opened the log: ${lines[0] ?? ''}`);
}

const GROUP_AND_OTHERS = 0o077;

/**
 * Removes the access of all users but the owner. LevelDB creates its files with the process's umask, and earlier
 * releases of Grantlog left them world-readable. Only incorrect modes are changed, because a large log has tens of
 * thousands of files.
 */
async function restrictPermissions(location: string): Promise<void> {
  for (const name of await listFiles(location)) restrictFile(join(location, name));
}

/** Ignores a file that does not exist, because LevelDB removes files in the background. */
function restrictFile(path: string): void {
  try {
    const { mode } = statSync(path);
    if ((mode & GROUP_AND_OTHERS) !== 0) chmodSync(path, mode & ~GROUP_AND_OTHERS & 0o777);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Matches errors about corrupt, missing and truncated files, but not about too many open files. */
const DAMAGE_MESSAGE = /^Corruption|No such file or directory|Invalid argument/;

/**
 * Converts a LevelDB error about a damaged file to `LogDamaged`, and returns any other error unchanged.
 * @param position the position of the first event that may be lost, or undefined if unknown
 */
export function toDamageError(error: unknown, position?: number): unknown {
  const errors = [error, error instanceof Error ? error.cause : undefined] as (NodeJS.ErrnoException | undefined)[];
  const cause = errors.find(
    (candidate) => candidate?.code === 'LEVEL_CORRUPTION' || candidate?.code === 'LEVEL_IO_ERROR',
  );
  if (cause === undefined || !DAMAGE_MESSAGE.test(cause.message)) return error;
  return damageError(position, `LevelDB cannot read a file of the log (${cause.message})`, { cause: error });
}

/**
 * Yields `batches`, which begin after position `after`.
 * @throws LogDamaged if LevelDB cannot read a batch because of damage
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
