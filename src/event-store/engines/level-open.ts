import { chmodSync, statSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
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
import { LogLocked, assertUnlocked } from './level-lock.ts';
import { InvalidManifest, readCompleteManifest, WalMissing } from './level-manifest.ts';

/**
 * Opens the LevelDB database in `location`, and creates it for its owner alone if it is not there. LevelDB silently
 * skips damaged records of its write-ahead log, does not miss the file if it is gone, and removes files afterwards. So
 * this checks the files before LevelDB touches them, and reads LevelDB's own LOG afterwards. A refusal for damaged or
 * missing files leaves them as they are.
 * @throws LogLocked another process has it open
 * @throws LogDamaged a file is damaged, the last events are missing, or LevelDB dropped records, now or at an earlier
 *   start
 */
export async function openDatabase(location: string, knownEvents?: KnownEvents): Promise<Level> {
  await mkdir(location, { recursive: true, mode: 0o700 });
  await checkFiles(location, knownEvents);
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
    await db.close(); // or its lock outlives it
    throw error;
  }
  return db;
}

/** Makes a refusal last: LevelDB replaces its LOG at each start. It is beside the directory, which is LevelDB's. */
export const droppedRecordsFile = (location: string): string => `${location}.dropped`;

/** @param position of the first event that may be lost; undefined if it is not known */
function damagedLog(position: number | undefined, finding: string, options?: ErrorOptions): LogDamaged {
  return new LogDamaged((position ?? START + 1) as Position, finding, options);
}

/** MANIFEST-000001 is of no database yet: the very first start, interrupted, leaves it without CURRENT. */
const isDatabaseFile = (name: string): boolean => /^MANIFEST-(?!0*1$)\d+$|\.(?:ldb|sst)$/.test(name);

const MAX_ATTEMPTS = 3;

/**
 * Checks the files in the directory, before LevelDB changes any of them. If another process has it open, which LevelDB
 * finds later, a file may come and go between two reads. So only a finding that stays is one.
 */
async function checkFiles(location: string, knownEvents?: KnownEvents): Promise<void> {
  for (let tries = 1; tries < MAX_ATTEMPTS; tries += 1) {
    const isSound = await checkFilesOnce(location, knownEvents).then(
      () => true,
      () => false,
    );
    if (isSound) return;
  }
  await checkFilesOnce(location, knownEvents);
}

async function checkFilesOnce(location: string, knownEvents?: KnownEvents): Promise<void> {
  const names = await readdir(location);
  const dropped = await readIfExists(droppedRecordsFile(location));
  const earlier = `LevelDB dropped records at an earlier start (${droppedRecordsFile(location)})`;
  if (dropped !== undefined) throw damagedLog(undefined, earlier);
  // LevelDB would take the directory for a new one and remove every file in it.
  const isHeadless = !names.includes('CURRENT') && names.some(isDatabaseFile);
  if (isHeadless) throw damagedLog(undefined, `${join(location, 'CURRENT')} is missing`);
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
  const where = `${wal.path} is damaged at byte ${offset}`;
  throw damagedLog(position, `${where}, and events that were acknowledged are behind it`);
}

async function checkEnd(files: LogFiles, knownEvents: KnownEvents): Promise<void> {
  const missing = await findMissingEnd(files, knownEvents);
  if (missing === undefined) return;
  if (files.manifest !== undefined) await assertUnlocked(files.location); // another process may just be writing
  const advice = 'No file was changed: if the write-ahead log was emptied, cut or replaced, put the right one back';
  throw damagedLog(missing.from, `${missing.description}. ${advice}`);
}

function throwAsDamage(error: unknown): never {
  const isProof = error instanceof WalMissing || error instanceof InvalidManifest;
  throw isProof ? damagedLog(undefined, error.message, { cause: error }) : error;
}

/** LevelDB 1.20's lines about records that it skips (`DBImpl::RecoverLogFile`, `DBImpl::MaybeIgnoreError`). */
const DROPPED_RECORDS_LINE = /dropping \d+ bytes|ignoring error|corruption/i;

async function checkDroppedRecords(location: string): Promise<void> {
  const account = (await readIfExists(join(location, 'LOG')))?.toString('utf8') ?? '';
  const lines = account.split('\n').filter((line) => DROPPED_RECORDS_LINE.test(line));
  if (lines.length === 0) return;
  await writePrivateFile(droppedRecordsFile(location), [Buffer.from(`${lines.join('\n')}\n`)]);
  await syncDirectory(dirname(location));
  throw damagedLog(undefined, `LevelDB dropped records when it was opened: ${lines[0] ?? ''}`);
}

const GROUP_AND_OTHERS = 0o077;

/**
 * LevelDB creates its files with the process's umask, and earlier releases left them readable for everybody. A large
 * log has tens of thousands of files, so this changes only the modes that are wrong, and synchronously.
 */
async function restrictPermissions(location: string): Promise<void> {
  for (const name of await readdir(location)) {
    const path = join(location, name);
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0; // LevelDB removes files in the background
    if ((mode & GROUP_AND_OTHERS) !== 0) chmodSync(path, mode & ~GROUP_AND_OTHERS & 0o777);
  }
}

/** A missing or truncated file is damage. Too many open files are not. */
const DAMAGE_MESSAGE = /^Corruption|No such file or directory|Invalid argument/;

/**
 * Turns LevelDB's error about a damaged file into `LogDamaged`, and returns any other error unchanged.
 * @param position of the first event that may be lost; undefined if it is not known
 */
export function toDamageError(error: unknown, position?: number): unknown {
  const thrown = [error, error instanceof Error ? error.cause : undefined] as (NodeJS.ErrnoException | undefined)[];
  const cause = thrown.find((one) => one?.code === 'LEVEL_CORRUPTION' || one?.code === 'LEVEL_IO_ERROR');
  if (cause === undefined || !DAMAGE_MESSAGE.test(cause.message)) return error;
  return damagedLog(position, `LevelDB cannot read it (${cause.message})`, { cause: error });
}

/** Yields the same batches, which begin after `after`. @throws LogDamaged LevelDB cannot read on */
export async function* withDamageErrors(
  batches: AsyncIterable<readonly RecordedEvent[]>,
  after: Position,
): AsyncGenerator<readonly RecordedEvent[], void, void> {
  let last = after;
  try {
    for await (const events of batches) {
      yield events;
      last = events.at(-1)?.position ?? last;
    }
  } catch (error) {
    throw toDamageError(error, last + 1);
  }
}

function toOpenError(error: unknown, location: string): unknown {
  const { code } = ((error as Error).cause ?? {}) as { readonly code?: string };
  return code === 'LEVEL_LOCKED' ? new LogLocked(location, { cause: error }) : toDamageError(error);
}
