import { readDatabaseState, readNodes } from '../event-store/postgres/database-state.ts';
import { assertSchema } from '../event-store/postgres/migrate.ts';
import type { NodeStatus, SharedStorage } from '../event-store/shared-storage.ts';
import { connectPrimary, withConnection, type Connection } from '../platform/postgres/connect.ts';
import { isOnThisMachine, parsePostgresUrl, type PostgresAddress } from '../platform/postgres/connection-url.ts';

const STATEMENT_TIMEOUT_MILLISECONDS = 4_000;

/**
 * Examines the database at the PostgreSQL URL `url` without joining its log as a node.
 * @throws AggregateError if no host is a primary
 */
export async function examineDatabase(url: string): Promise<SharedStorage> {
  const address = parsePostgresUrl(url);
  const state = await withConnection(() => connect(address), readDatabaseState);
  return {
    ...state,
    hosts: address.hosts.map(({ host, port }) => `${host}:${port}`).join(', '),
    isLocal: isOnThisMachine(address),
    tls: address.tls,
  };
}

/**
 * Lists the nodes of the log in the database at the PostgreSQL URL `url`.
 * @throws WrongSchema if the schema is missing, or is not the version that this release needs
 * @throws AggregateError if no host is a primary
 */
export async function listNodes(url: string): Promise<readonly NodeStatus[]> {
  return withConnection(
    () => connect(parsePostgresUrl(url)),
    async (connection) => {
      await assertSchema(connection);
      return readNodes(connection);
    },
  );
}

function connect(address: PostgresAddress): Promise<Connection> {
  return connectPrimary(address, { purpose: 'examine', timeoutMilliseconds: STATEMENT_TIMEOUT_MILLISECONDS });
}
