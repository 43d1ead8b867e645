import type { Connection } from '../../platform/postgres/connect.ts';
import type { NodeStatus, SharedLogStatus, SharedStorage } from '../shared-storage.ts';
import { assertSchema, WrongSchema } from './migrate.ts';

type Querier = Pick<Connection, 'query'>;

/** Reads the state of the database that `connection` uses. Changes nothing, and does not register a node. */
export async function readDatabaseState(
  connection: Querier,
): Promise<Pick<SharedStorage, 'version' | 'log' | 'schemaProblem' | 'durability' | 'synchronousStandbys'>> {
  const [server] = await connection.query<ServerRow>({ text: SERVER });
  if (server === undefined) throw new Error('the database did not return its settings');
  const { version, standbys, fsync, full_page_writes, synchronous_commit } = server;
  const schemaProblem = await findSchemaProblem(connection);
  return {
    version,
    durability: { fsync, full_page_writes, synchronous_commit },
    synchronousStandbys: standbys,
    schemaProblem,
    log: schemaProblem === undefined ? await readLogStatus(connection) : undefined,
  };
}

interface ServerRow {
  readonly version: string;
  readonly standbys: string;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
}

/** Reads the default of `synchronous_commit`, because this connection may have overridden it. */
const SERVER = `
  select split_part(current_setting('server_version'), ' ', 1) as version,
    current_setting('synchronous_standby_names') as standbys,
    current_setting('fsync') as fsync,
    current_setting('full_page_writes') as full_page_writes,
    (select reset_val from pg_settings where name = 'synchronous_commit') as synchronous_commit`;

async function findSchemaProblem(connection: Querier): Promise<string | undefined> {
  try {
    await assertSchema(connection);
    return undefined;
  } catch (error) {
    if (error instanceof WrongSchema) return error.message;
    throw error;
  }
}

async function readLogStatus(connection: Querier): Promise<SharedLogStatus> {
  const [status] = await connection.query<Omit<SharedLogStatus, 'nodes'>>({
    text: `select (select position from grantlog.head) as head,
      (select coalesce(max(size), 0) from grantlog.checkpoints) as "newestCheckpoint",
      (select coalesce(max(position), 0) from grantlog.snapshots) as "newestSnapshot"`,
  });
  return { head: 0, newestCheckpoint: 0, newestSnapshot: 0, ...status, nodes: await readNodes(connection) };
}

/** A node sends a heartbeat every 0.4 seconds, and a statement may take 4 seconds. */
const SILENT_SECONDS = 5;

/** Returns the nodes seen in the last day, running nodes first. */
export async function readNodes(connection: Querier): Promise<readonly NodeStatus[]> {
  const rows = await connection.query<Omit<NodeStatus, 'started_at' | 'seen_at'> & NodeTimes>({
    text: `select n.id, n.release, n.host, n.process_id,
        n.seen_at > clock_timestamp() - make_interval(secs => $1) as running,
        n.started_at, n.seen_at, n.position, greatest(h.position - n.position, 0) as lag
      from grantlog.nodes n cross join grantlog.head h order by running desc, n.started_at`,
    values: [SILENT_SECONDS],
  });
  return rows.map(({ started_at: startedAt, seen_at: seenAt, ...row }) => ({
    ...row,
    started_at: startedAt.toISOString(),
    seen_at: seenAt.toISOString(),
  }));
}

interface NodeTimes {
  readonly started_at: Date;
  readonly seen_at: Date;
}
