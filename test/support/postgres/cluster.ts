import { startPostgres, type Postgres } from '../../../scripts/postgres/cluster.ts';

/** Test databases need not survive a crash of the machine. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

let sharedServer: Promise<Postgres> | undefined;

/**
 * Creates a database, and returns its connection URL. All databases are on one server, which is started by the first
 * call in this process and ends with it. Its commits are not durable, which makes them fast. A test that stops, kills
 * or freezes the server starts its own with `startPostgres` of scripts/postgres/cluster.ts.
 * @throws Error if no PostgreSQL is installed; the message says how to install it
 */
export async function createDatabase(): Promise<string> {
  sharedServer ??= startPostgres(NOT_DURABLE);
  return (await sharedServer).createDatabase();
}
