import { join } from 'node:path';
import { fileHeadStore, HEAD_FILE, type HeadStore } from '../audit/proofs/head-file.ts';
import { fileCheckpoints, type IssuedCheckpoints } from '../audit/proofs/issued-checkpoints.ts';
import { readKnownEvents } from '../audit/proofs/log-witness.ts';
import { fileTileStore, type TileStore } from '../audit/proofs/tile-store.ts';
import { isNeverReused } from '../domain/streams.ts';
import type { CommitObserver } from '../event-store/engines/group-commit.ts';
import { openArchive } from '../event-store/archive/archive.ts';
import { openLevelLog } from '../event-store/engines/level.ts';
import type { KnownEvents } from '../event-store/engines/level-end.ts';
import { includesLogFile, listFiles } from '../event-store/engines/level-files.ts';
import { LogDamaged, START, type EventLog, type Position } from '../event-store/event-log.ts';
import { detectKeyHistory } from './key-history.ts';
import type { Entropy } from '../platform/ports.ts';
import { fileSnapshotStore, type SnapshotStore } from '../event-store/snapshots/snapshot-store.ts';
import { CLIENT_KEYS, type ClientKeys } from '../platform/keys/client-keys.ts';
import { keyDirectory } from '../platform/keys/key-directory.ts';
import { keyDirectoryPath, type KeyLocationSettings } from '../platform/keys/key-place.ts';
import type { KeyStore, StoredKeys } from '../platform/keys/key-store.ts';
import { PERSONAL_KEYS, type PersonalKeys } from '../platform/keys/personal-keys.ts';
import { SIGNING_KEYS, type SigningKeyring } from '../platform/keys/signing-keyring.ts';

/** An open data directory. The caller must close its log. */
export interface DataDirectory {
  readonly log: EventLog;
  readonly keys: StoredKeys;
  readonly personalKeys: PersonalKeys;
  readonly clientKeys: ClientKeys;
  readonly signingKeyring: SigningKeyring;
  readonly tiles: TileStore;
  readonly checkpoints: IssuedCheckpoints;
  readonly heads: HeadStore;
  readonly snapshots: SnapshotStore;
  /** The key store; undefined if the keys are only in memory. */
  readonly keyStore?: KeyStore;
  /** Closes the key store. Call this last. */
  readonly closeKeys?: () => void;
}

export interface OpenDataDirectoryOptions {
  /** Generates the keys of a new directory. */
  readonly entropy: Entropy;
  readonly observer?: CommitObserver | undefined;
  /** Receives a line for the operator about each background failure. */
  readonly notice: (line: string) => void;
  /**
   * Whether to open the log even if events at its end are missing, for a repair. LevelDB replaces its files when it
   * opens them.
   */
  readonly mayHaveLostEvents?: boolean;
}

/**
 * Opens a data directory, and creates its contents if the directory is new.
 * @throws LogLocked if another process has the directory open
 * @throws LogDamaged if LevelDB's files are damaged, or lack events that were acknowledged
 * @throws Error if a key file is damaged, or is missing even though the key has been used
 */
export async function openDataDirectory(
  settings: KeyLocationSettings,
  { entropy, observer, notice, mayHaveLostEvents = false }: OpenDataDirectoryOptions,
): Promise<DataDirectory> {
  const { dataDir } = settings;
  const keyStore = levelKeyStore(settings);
  const archiving = { directory: archivePath(dataDir), isNeverReused };
  const knownEvents = mayHaveLostEvents ? undefined : await findKnownEvents(dataDir, keyStore);
  if (knownEvents === undefined && !mayHaveLostEvents) await requireLogFiles(dataDir);
  const log = await openLevelLog({ location: join(dataDir, 'log'), archiving, observer, knownEvents });
  try {
    const keys = await keyStore.open(entropy, detectKeyHistory(dataDir, log.head() !== START));
    return {
      log,
      keys,
      personalKeys: await keyStore.keyring(PERSONAL_KEYS),
      clientKeys: await keyStore.keyring(CLIENT_KEYS),
      signingKeyring: await keyStore.keyring(SIGNING_KEYS),
      tiles: fileTileStore(dataDir, notice),
      checkpoints: fileCheckpoints(join(dataDir, 'checkpoints'), keys),
      heads: fileHeadStore(join(dataDir, HEAD_FILE), keys.attestation),
      snapshots: fileSnapshotStore(join(dataDir, 'snapshots')),
      keyStore,
    };
  } catch (error) {
    await log.close();
    throw error;
  }
}

/**
 * Checks that the directory contains log files, unless it is new. Without the log key, the evidence beside the log does
 * not prove how many events are missing, but it shows that the directory is not new.
 * @throws LogDamaged if every log file is missing from a directory that is not new
 */
async function requireLogFiles(dataDir: string): Promise<void> {
  const location = join(dataDir, 'log');
  if (includesLogFile(await listFiles(location)) || detectKeyHistory(dataDir, false).isNew) return;
  const finding =
    `${location} contains no log files, but ${dataDir} has a record of a log (${HEAD_FILE}, checkpoints). No file ` +
    'was changed';
  throw new LogDamaged((START + 1) as Position, finding);
}

/**
 * Returns the evidence of how many events the log must contain, or undefined if the log key, which authenticates the
 * evidence, is missing or damaged.
 */
export async function findKnownEvents(
  dataDir: string,
  keyStore: Pick<KeyStore, 'logKeys'>,
): Promise<KnownEvents | undefined> {
  const keys = await keyStore.logKeys();
  if (keys === undefined) return undefined;
  const knownEvents = readKnownEvents(dataDir, keys);
  return async (end) => {
    if (knownEvents(end) <= end) return end;
    const archive = await openArchive(archivePath(dataDir)); // archived events may have been removed from LevelDB
    const storedEnd = Math.max(end, archive.end());
    return knownEvents(storedEnd) <= storedEnd ? end : knownEvents(storedEnd);
  };
}

/**
 * Opens the key store of a log in LevelDB.
 * @throws Error if the key directory cannot be used, or if the settings keep the keys in a database, which is possible
 *   only for a log in PostgreSQL
 */
export function levelKeyStore(settings: KeyLocationSettings): KeyStore {
  const directory = keyDirectoryPath(settings);
  if (directory !== undefined) return keyDirectory(directory);
  throw new Error(
    'GRANTLOG_KEYS is "database", but the log is not in PostgreSQL: set GRANTLOG_LOG to the URL of the database, ' +
      'or GRANTLOG_KEYS to a directory',
  );
}

const archivePath = (dataDir: string): string => join(dataDir, 'archive');
