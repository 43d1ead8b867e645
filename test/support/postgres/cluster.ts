import { startPostgres, type Postgres } from '../../../scripts/postgres/cluster.ts';

/** Test databases need not survive a machine crash. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

let sharedServer: Promise<Postgres> | undefined;

/**
 * Creates a database and returns its connection URL. All databases share one server, which the first call in a process
 * starts and which stops with the process. Its commits are fast because they are not durable. A test that stops, kills
 * or freezes a server must start its own with `startPostgres` from scripts/postgres/cluster.ts.
 * @throws Error if PostgreSQL is not installed; the message says how to install it
 */
export async function createDatabase(): Promise<string> {
  sharedServer ??= startPostgres(NOT_DURABLE);
  return (await sharedServer).createDatabase();
}
