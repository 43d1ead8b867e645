import { join } from 'node:path';
import { fileHeadStore, HEAD_FILE } from '../audit/proofs/head-file.ts';
import type { Config } from '../config/config.ts';
import { writtenEventTypes } from '../domain/events.ts';
import { SIGNING_KEYS_STREAM } from '../domain/streams.ts';
import { START, type EventLog, type RecordedEvent } from '../event-store/event-log.ts';
import { assertKeyFingerprint } from '../event-store/postgres/key-fingerprint.ts';
import { migrate } from '../event-store/postgres/migrate.ts';
import { openPostgresLog, type PostgresLogDeps } from '../event-store/postgres/postgres-log.ts';
import { openPostgresTarget } from '../event-store/postgres/record-target.ts';
import type { RecordTarget } from '../event-store/record-target.ts';
import { CLIENT_KEYS } from '../platform/keys/client-keys.ts';
import { keyDirectoryPath, type KeyLocationSettings } from '../platform/keys/key-place.ts';
import { keyFingerprint, type Keys } from '../platform/keys/keys.ts';
import type { KeyHistory, KeyStore } from '../platform/keys/key-store.ts';
import { PERSONAL_KEYS } from '../platform/keys/personal-keys.ts';
import { SIGNING_KEYS } from '../platform/keys/signing-keyring.ts';
import { systemClock, thisProcess, type Entropy } from '../platform/ports.ts';
import { connectPrimary, withConnection } from '../platform/postgres/connect.ts';
import { parsePostgresUrl, type PostgresAddress } from '../platform/postgres/connection-url.ts';
import { RELEASE } from '../platform/release.ts';
import type { DataDirectory, OpenDataDirectoryOptions } from './data-directory.ts';
import { detectKeyHistory } from './key-history.ts';
import { openSharedKeys } from './shared-keys.ts';
import { openSharedStores } from './shared-stores.ts';

/**
 * Opens the log at the PostgreSQL URL `url` as one of its nodes. `locations.dataDir` contains the files of this node
 * alone, such as its copies of the tiles and checkpoints, and the latest head of the log that it has seen.
 * @throws WrongSchema if the schema is missing, or is not the version that this release needs
 * @throws LogUnreachable if no host is a primary
 * @throws DifferentKeys if the log was started with different keys
 * @throws Error if the log is not new, and the key directory in the settings lacks the log's keys
 */
export async function openPostgresDirectory(
  url: string,
  locations: Pick<Config, 'dataDir' | 'keys' | 'keysSecret' | 'archive'>,
  { entropy, observer, notice }: OpenDataDirectoryOptions,
): Promise<DataDirectory> {
  const address = parsePostgresUrl(url);
  const sharedKeys = openSharedKeys(locations, address, entropy);
  const prepare = async (events: readonly RecordedEvent[]): Promise<void> => {
    if (events.some(mayNeedNewKey)) await sharedKeys.refresh();
  };
  const log = await openLog(address, entropy, {
    archiveDirectory: locations.archive ?? undefined,
    prepare,
    observer,
  }).catch((error: unknown) => {
    sharedKeys.close();
    throw error;
  });
  try {
    const { dataDir } = locations;
    const keyStore = sharedKeys.store;
    const keyHistory = detectKeyHistory(dataDir, log.head() !== START);
    await assertKeysOfLog(locations, keyStore, keyHistory);
    const keys = await keyStore.open(entropy, keyHistory);
    await assertSameKeys(address, keys, keyStore.location);
    const personalKeys = await keyStore.keyring(PERSONAL_KEYS);
    const clientKeys = await keyStore.keyring(CLIENT_KEYS);
    const signingKeyring = await keyStore.keyring(SIGNING_KEYS);
    const sharedStores = await openSharedStores({ address, dataDir, keys, log, notice });
    return {
      log: {
        ...log,
        async close() {
          sharedStores.close();
          await log.close();
        },
      },
      keys,
      personalKeys,
      clientKeys,
      signingKeyring,
      tiles: sharedStores.tiles,
      checkpoints: sharedStores.checkpoints,
      heads: fileHeadStore(join(dataDir, HEAD_FILE), keys.attestation),
      snapshots: sharedStores.snapshots,
      keyStore,
      closeKeys: sharedKeys.close,
    };
  } catch (error) {
    await log.close();
    sharedKeys.close();
    throw error;
  }
}

/**
 * Checks that the key directory in the settings contains the log's keys.
 * @throws Error if the log is not new, and the directory lacks a key
 */
async function assertKeysOfLog(
  settings: KeyLocationSettings,
  keyStore: KeyStore,
  keyHistory: KeyHistory,
): Promise<void> {
  if (keyDirectoryPath(settings) === undefined) return; // opening a key database reports missing keys
  const missingKeys = (await keyStore.findUnusable(keyHistory)).filter(({ problem }) => problem === 'missing');
  if (missingKeys.length === 0) return;
  const names = missingKeys.map(({ name }) => name).join(', ');
  const advice = settings.keys === null ? 'Set GRANTLOG_KEYS to' : 'GRANTLOG_KEYS must name';
  throw new Error(
    `the log in the database has events, but ${keyStore.location} lacks its keys (${names}). ${advice} the location ` +
      'of the keys that all nodes of this log share. If they are lost, restore a backup into another directory ' +
      '(grantlog restore FILE DIR) and copy DIR/keys',
  );
}

/**
 * Checks that `keys` are the log's keys.
 * @throws DifferentKeys if the log was started with different keys
 */
async function assertSameKeys(address: PostgresAddress, keys: Pick<Keys, 'log'>, location: string): Promise<void> {
  await withConnection(
    () => connectPrimary(address, { purpose: 'keys', timeoutMilliseconds: KEYS_TIMEOUT_MILLISECONDS }),
    (connection) => assertKeyFingerprint(connection, keyFingerprint(keys), location),
  );
}

const KEYS_TIMEOUT_MILLISECONDS = 10_000;

function openLog(
  address: PostgresAddress,
  entropy: Entropy,
  deps: Pick<PostgresLogDeps, 'archiveDirectory' | 'prepare' | 'observer'>,
): Promise<EventLog> {
  return openPostgresLog({
    address,
    node: { id: mintUuid(entropy), release: RELEASE, ...thisProcess() },
    mintAppendId: () => mintUuid(entropy),
    ticks: systemClock.ticks,
    now: systemClock.now,
    eventTypes: writtenEventTypes(),
    ...deps,
  });
}

const KEYED_STREAM_PREFIXES = ['user-', 'client-', 'invitation-'];

/**
 * Reports whether the event may require a key that this node has not read yet. Only the events of users, clients,
 * invitations and signing keys require keys.
 */
function mayNeedNewKey({ stream }: RecordedEvent): boolean {
  return stream === SIGNING_KEYS_STREAM || KEYED_STREAM_PREFIXES.some((prefix) => stream.startsWith(prefix));
}

const MIGRATION_TIMEOUT_MILLISECONDS = 3_600_000;

/** Creates or migrates the schema of the database at `url`. Returns the schema versions before and after. */
export async function migrateDatabase(url: string): Promise<{ readonly from: number; readonly to: number }> {
  const address = parsePostgresUrl(url);
  return withConnection(
    () => connectPrimary(address, { purpose: 'migrate', timeoutMilliseconds: MIGRATION_TIMEOUT_MILLISECONDS }),
    (connection) => migrate(connection, RELEASE),
  );
}

/** Opens the log at the PostgreSQL URL `url`, without its keys, to copy it. Its archive is in `archiveDirectory`. */
export async function openPostgresSource(
  url: string,
  archiveDirectory: string | undefined,
  entropy: Entropy,
): Promise<EventLog> {
  return openLog(parsePostgresUrl(url), entropy, { archiveDirectory });
}

/** Opens the database at the PostgreSQL URL `url` to copy a log into it. Creates or migrates its schema. */
export async function openPostgresCopyTarget(url: string): Promise<RecordTarget> {
  await migrateDatabase(url);
  const address = parsePostgresUrl(url);
  return openPostgresTarget(() =>
    connectPrimary(address, { purpose: 'copy', timeoutMilliseconds: COPY_TIMEOUT_MILLISECONDS }),
  );
}

/** A batch may have to wait for a checkpoint of the database. */
const COPY_TIMEOUT_MILLISECONDS = 60_000;

/** Generates a random UUID (RFC 9562 §5.4). */
function mintUuid(entropy: Entropy): string {
  const bytes = entropy.bytes(16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
