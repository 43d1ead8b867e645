import { readDatabaseState, readNodes } from '../event-store/postgres/database-state.ts';
import { assertSchema } from '../event-store/postgres/migrate.ts';
import type { NodeStatus, SharedStorage } from '../event-store/shared-storage.ts';
import { connectPrimary, type Connection } from '../platform/postgres/connect.ts';
import { isOnThisMachine, parsePostgresUrl } from '../platform/postgres/connection-url.ts';

const STATEMENT_MILLISECONDS = 4_000;

/**
 * Examines the database at the PostgreSQL URL `url` without joining its log as a node.
 * @throws AggregateError no host is a primary
 */
export async function examineDatabase(url: string): Promise<SharedStorage> {
  const address = parsePostgresUrl(url);
  const state = await withConnection(url, readDatabaseState);
  return {
    ...state,
    hosts: address.hosts.map(({ host, port }) => `${host}:${port}`).join(', '),
    isLocal: isOnThisMachine(address),
    tls: address.tls,
  };
}

/**
 * Lists the nodes of the log in the database at the PostgreSQL URL `url`.
 * @throws WrongSchema the schema is missing, or has another version than this release needs
 * @throws AggregateError no host is a primary
 */
export async function listNodes(url: string): Promise<readonly NodeStatus[]> {
  return withConnection(url, async (connection) => {
    await assertSchema(connection);
    return readNodes(connection);
  });
}

async function withConnection<Result>(url: string, work: (connection: Connection) => Promise<Result>): Promise<Result> {
  const connection = await connectPrimary(parsePostgresUrl(url), {
    purpose: 'examine',
    timeoutMilliseconds: STATEMENT_MILLISECONDS,
  });
  try {
    return await work(connection);
  } finally {
    connection.destroy();
  }
}
