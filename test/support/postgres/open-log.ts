import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { EventLog } from '../../../src/event-store/event-log.ts';
import { migrate } from '../../../src/event-store/postgres/migrate.ts';
import { openPostgresLog, type PostgresLogDeps } from '../../../src/event-store/postgres/postgres-log.ts';
import {
  connectPrimary,
  withConnection as withOpenConnection,
  type Connection,
} from '../../../src/platform/postgres/connect.ts';
import { parsePostgresUrl } from '../../../src/platform/postgres/connection-url.ts';

const RELEASE = '0.1.0';
/** Short, because archiving polls until every node has sent a heartbeat. */
const SHORT_MILLISECONDS = 20;

/** Opens the log in the database at `url` as a new node. Creates the schema first unless `isMigrated` is set. */
export async function openTestLog(
  url: string,
  { isMigrated = false, ...parts }: Partial<PostgresLogDeps> & { readonly isMigrated?: boolean } = {},
): Promise<EventLog> {
  const address = parsePostgresUrl(url);
  if (!isMigrated) await withConnection(url, (connection) => migrate(connection, RELEASE));
  return openPostgresLog({
    address,
    node: { id: randomUUID(), release: RELEASE, host: 'localhost', processId: process.pid },
    pause: (milliseconds) => (milliseconds < 1_000 ? delay(SHORT_MILLISECONDS) : Promise.resolve()),
    heartbeatMilliseconds: SHORT_MILLISECONDS,
    mintAppendId: () => randomUUID(),
    ticks: () => performance.now(),
    now: () => Date.now(),
    eventTypes: [],
    ...parts,
  });
}

/** Runs `work` on a new connection to the database at `url`. */
export function withConnection<Result>(
  url: string,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const open = () => connectPrimary(parsePostgresUrl(url), { purpose: 'test', timeoutMilliseconds: 30_000 });
  return withOpenConnection(open, work);
}
