import { existsSync } from 'node:fs';
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
import { knownEventsIn, levelKeyStore } from './data-directory.ts';

/**
 * Opens the log to copy from, in the data directory `place` or at the PostgreSQL URL `place`.
 * @param archive the directory with the archive of a log in PostgreSQL
 * @throws LogLocked if a server has the data directory open
 * @throws Error if there is no log
 */
export async function openCopySource(
  place: string,
  { archive }: Pick<Config, 'archive'>,
  entropy: Entropy,
): Promise<EventLog> {
  if (isPostgresUrl(place)) {
    const { openPostgresSource } = await import('./postgres-directory.ts');
    return openPostgresSource(place, archive ?? undefined, entropy);
  }
  if (!existsSync(join(place, 'log'))) throw new Error(`${place} is neither a data directory nor a PostgreSQL URL`);
  const { openLevelLog } = await import('../event-store/engines/level.ts');
  return openLevelLog({
    location: join(place, 'log'),
    archiving: { directory: join(place, 'archive'), isNeverReused },
    knownEvents: await knownEventsIn(place, levelKeyStore({ dataDir: place, keys: null })),
  });
}

/**
 * Opens the log to copy into, in a data directory or at a PostgreSQL URL, and creates it if there is none.
 * @throws LogLocked if a server has the data directory open
 * @throws Error if nodes are using the log in the database
 */
export async function openCopyTarget(place: string): Promise<RecordTarget> {
  if (isPostgresUrl(place)) {
    const { openPostgresCopy } = await import('./postgres-directory.ts');
    return openPostgresCopy(place);
  }
  const { openLevelTarget } = await import('../event-store/engines/level-target.ts');
  return openLevelTarget(join(place, 'log'));
}

/**
 * Copies the keys of a log that was copied from `from` to `to`, if the settings place keys in the database. The
 * keys of a data directory are in its directory `keys`.
 * @returns whether they were copied
 */
export async function copyKeysOf(
  { from, to }: { readonly from: string; readonly to: string },
  config: Pick<Config, 'dataDir' | 'keys' | 'keysSecret'>,
  entropy: Entropy,
): Promise<boolean> {
  if (config.keys !== 'database') return false;
  const { openSharedKeys } = await import('./shared-keys.ts');
  const toClose: { close(): void }[] = [];

  function storeAt(place: string): KeyStore {
    if (!isPostgresUrl(place)) return keyDirectory(join(place, 'keys'));
    const shared = openSharedKeys(config, parsePostgresUrl(place), entropy);
    toClose.push(shared);
    return shared.store;
  }

  try {
    await copyKeys(storeAt(from), storeAt(to));
    return true;
  } finally {
    for (const { close } of toClose) close();
  }
}
