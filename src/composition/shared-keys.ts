import type { Config } from '../config/config.ts';
import { parseKeysSecret } from '../config/keys-secret.ts';
import { createLink } from '../event-store/postgres/link.ts';
import { LogUnreachable } from '../event-store/log-unreachable.ts';
import { keyDatabase } from '../platform/keys/key-database.ts';
import { keyDirectory } from '../platform/keys/key-directory.ts';
import { keyDirectoryPath } from '../platform/keys/key-place.ts';
import type { KeyStore } from '../platform/keys/key-store.ts';
import type { KeyQuery } from '../platform/keys/key-table.ts';
import type { Entropy } from '../platform/ports.ts';
import { connectPrimary, isServerRejection } from '../platform/postgres/connect.ts';
import type { PostgresAddress } from '../platform/postgres/connection-url.ts';

/** The keys of a log in PostgreSQL. */
export interface SharedKeys {
  readonly store: KeyStore;
  /**
   * Call this after events from other nodes have been read and before they are applied, because the events may require
   * new keys.
   * @throws LogUnreachable if the database is not responding, or rejects the statement
   */
  refresh(): Promise<void>;
  close(): void;
}

/**
 * Opens the key store that the settings select: a directory or the log's database.
 * @param address the address of the log's database, which has the schema of this release
 */
export function openSharedKeys(
  config: Pick<Config, 'dataDir' | 'keys' | 'keysSecret'>,
  address: PostgresAddress,
  entropy: Entropy,
): SharedKeys {
  const directory = keyDirectoryPath(config);
  // A directory needs no refresh, because its keyrings check their files on each lookup.
  if (directory !== undefined) return { store: keyDirectory(directory), refresh: async () => {}, close: () => {} };
  const { query, close } = createKeyConnection(address);
  const store = keyDatabase({ query, secrets: parseKeysSecret(config.keysSecret ?? ''), entropy });
  return {
    store,
    close,
    refresh: () =>
      store.refresh().catch((error: unknown) => {
        // Reading changes nothing, so the caller can try again, for example after the database canceled the statement.
        throw isServerRejection(error)
          ? new LogUnreachable('the database refused to return the keys', { cause: error })
          : error;
      }),
  };
}

/** Longer than the detection of a failover takes, and shorter than the time that a request waits. */
const STATEMENT_TIMEOUT_MILLISECONDS = 4_000;

/** Creates a function that runs statements on a separate connection, which is reopened after a failure. */
function createKeyConnection(address: PostgresAddress): { readonly query: KeyQuery; close(): void } {
  const link = createLink(() =>
    connectPrimary(address, { purpose: 'keys', timeoutMilliseconds: STATEMENT_TIMEOUT_MILLISECONDS }),
  );

  let queue: Promise<unknown> = Promise.resolve();

  const attempt: KeyQuery = async <Row extends object>(statement: Parameters<KeyQuery>[0]) => {
    const connection = await link.connection();
    try {
      return await connection.query<Row>(statement);
    } catch (error) {
      if (isServerRejection(error)) throw error;
      link.reset(connection);
      throw new LogUnreachable('the key database is not responding', { cause: error });
    }
  };

  /** Tries a second time if the database does not respond, because often only the connection was dropped. */
  async function queryWithRetry(statement: Parameters<KeyQuery>[0]): Promise<readonly never[]> {
    try {
      return await attempt(statement);
    } catch (error) {
      if (error instanceof LogUnreachable) return attempt(statement);
      throw error;
    }
  }

  return {
    close: link.close,
    query(statement) {
      const result = queue.then(() => queryWithRetry(statement)); // in order, even during a retry
      queue = result.catch(() => {});
      return result;
    },
  };
}
