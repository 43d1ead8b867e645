import { join } from 'node:path';
import { isNeverReused } from '../domain/streams.ts';
import type { EventLog } from '../event-store/event-log.ts';
import type { RecordTarget } from '../event-store/record-target.ts';
import type { Entropy } from '../platform/ports.ts';
import { isPostgresUrl, parsePostgresUrl } from '../platform/postgres/connection-url.ts';
import type { Config } from '../config/config.ts';
import { copyKeys } from '../platform/keys/copy-keys.ts';
import { keyDirectory } from '../platform/keys/key-directory.ts';
import type { KeyStore } from '../platform/keys/key-store.ts';
import { findDirectoryProblem } from '../platform/files/directory-problem.ts';
import { hasLogFiles, hasRecordOfLog } from './directory-state.ts';
import { findKnownEvents, levelKeyStore } from './data-directory.ts';

/**
 * Opens the log to copy from.
 * @param location a data directory or a PostgreSQL URL
 * @param archive the directory with the archive of a log in PostgreSQL
 * @param keys the key directory of a data directory, if it is a different one; `database` means the usual one
 * @throws LogLocked if a server has the data directory open
 * @throws Error if `location` contains no log
 */
export async function openCopySource(
  location: string,
  { archive, keys }: Pick<Config, 'archive' | 'keys'>,
  entropy: Entropy,
): Promise<EventLog> {
  if (isPostgresUrl(location)) {
    const { openPostgresSource } = await import('./postgres-directory.ts');
    return openPostgresSource(location, archive ?? undefined, entropy);
  }
  if (!hasLogFiles(location)) {
    if (!hasRecordOfLog(location)) throw new Error(`${location} is neither a data directory nor a PostgreSQL URL`);
    throw new Error(
      `the log in ${location} is missing, although its head is recorded there; put the log back, or restore the ` +
        'newest backup that verifies (grantlog restore FILE DIR)',
    );
  }
  const { openLevelLog } = await import('../event-store/engines/level.ts');
  return openLevelLog({
    location: join(location, 'log'),
    archiving: { directory: join(location, 'archive'), isNeverReused },
    knownEvents: await findKnownEvents(
      location,
      levelKeyStore({ dataDir: location, keys: keys === 'database' ? null : keys }),
    ),
  });
}

/**
 * Opens the log to copy into, and creates it if it does not exist.
 * @param location a data directory or a PostgreSQL URL
 * @throws LogLocked if a server has the data directory open
 * @throws Error if nodes are using the log in the database
 */
export async function openCopyTarget(location: string): Promise<RecordTarget> {
  if (isPostgresUrl(location)) {
    const { openPostgresCopyTarget } = await import('./postgres-directory.ts');
    return openPostgresCopyTarget(location);
  }
  const problem = findDirectoryProblem(location);
  if (problem !== undefined) throw new Error(`${location} cannot be used: ${problem}; choose another directory`);
  const { openLevelTarget } = await import('../event-store/engines/level-target.ts');
  return openLevelTarget(join(location, 'log'));
}

/**
 * Copies the keys after their log was copied from `from` to `to`, if the settings keep the keys in the database. In a
 * data directory, the keys are in the subdirectory `keys`.
 * @returns whether the keys were copied
 */
export async function copyLogKeys(
  { from, to }: { readonly from: string; readonly to: string },
  config: Pick<Config, 'dataDir' | 'keys' | 'keysSecret'>,
  entropy: Entropy,
): Promise<boolean> {
  if (config.keys !== 'database') return false;
  const { openSharedKeys } = await import('./shared-keys.ts');
  const openedKeys: { close(): void }[] = [];

  function openStore(location: string): KeyStore {
    if (!isPostgresUrl(location)) return keyDirectory(join(location, 'keys'));
    const sharedKeys = openSharedKeys(config, parsePostgresUrl(location), entropy);
    openedKeys.push(sharedKeys);
    return sharedKeys.store;
  }

  try {
    await copyKeys(openStore(from), openStore(to));
    return true;
  } finally {
    for (const { close } of openedKeys) close();
  }
}
