import type { Connection } from '../../platform/postgres/connect.ts';
import type { Seal } from '../archive/seal.ts';
import { ArchivingRefused, type Position } from '../event-log.ts';

type Querier = Pick<Connection, 'query'>;

/** The advisory lock that lets only one process archive at a time. The session of that process holds it. */
const ARCHIVE_LOCK = 7_526_014_304;

/**
 * Takes the archive lock for the session of `connection`.
 * @throws ArchivingRefused if the role lacks privileges, or another process is archiving
 */
export async function lockArchive(connection: Querier): Promise<void> {
  const [role] = await connection.query<{ name: string; may_archive: boolean }>({ text: PRIVILEGES });
  if (role?.may_archive !== true)
    throw new ArchivingRefused(
      `the database role ${role?.name ?? ''} may not remove events, and nodes do not need to; no events were moved. ` +
        'Run the command in a DATA_DIR without a node, with a role in GRANTLOG_LOG that has the privileges for ' +
        'archiving (docs/operations.md)',
    );
  const [lock] = await connection.query<{ acquired: boolean }>({
    text: 'select pg_try_advisory_lock($1) as acquired',
    values: [ARCHIVE_LOCK],
  });
  if (lock?.acquired !== true)
    throw new ArchivingRefused('another process is archiving this log; this process has not moved any event');
}

const PRIVILEGES = `
  select current_user as name,
    has_table_privilege('grantlog.events', 'delete')
    and has_table_privilege('grantlog.archive_segments', 'insert')
    and has_table_privilege('grantlog.archived_streams', 'insert')
    and has_table_privilege('grantlog.archived_streams', 'update') as may_archive`;

/** Releases the lock that `lockArchive` took. */
export async function releaseArchive(connection: Querier): Promise<void> {
  await connection.query({ text: 'select pg_advisory_unlock($1)', values: [ARCHIVE_LOCK] });
}

/** Adds the segment to the archive. */
export async function addSegment(connection: Querier, { first, last, tag = '' }: Seal, seal: string): Promise<void> {
  await connection.query({ text: 'select grantlog.list_segment($1, $2, $3, $4)', values: [first, last, tag, seal] });
}

/** Returns the position of the oldest event that is still in the database, or Infinity if no event is. */
export async function readOldestPosition(connection: Querier): Promise<number> {
  const [row] = await connection.query<{ oldest: number | null }>({
    text: 'select min(position) as oldest from grantlog.events',
  });
  return row?.oldest ?? Infinity;
}

/** Removes the events up to `upTo`, which must be archived, in one transaction. */
export async function removeEvents(connection: Querier, upTo: Position): Promise<void> {
  await connection.query({ name: 'remove', text: 'select grantlog.remove_archived($1)', values: [upTo] });
}

/** A node counts as running if it has sent a heartbeat within this time. */
const SILENT_SECONDS = 5;

export interface UnreadyNode {
  /** The name of the node in messages. */
  readonly name: string;
  /** False if the node has no archive directory, or its release cannot read archives. */
  readonly hasArchive: boolean;
}

/** Returns a running node, other than `ownId`, that has not reported that it can read the archive up to `end`. */
export async function findUnreadyNode(
  connection: Querier,
  { ownId, end }: { readonly ownId: string; readonly end: Position },
): Promise<UnreadyNode | undefined> {
  const [node] = await connection.query<NodeRow>({
    text: `select host, process_id, release, archived from grantlog.nodes
      where seen_at > clock_timestamp() - make_interval(secs => $1) and coalesce(archived, -1) < $2
        and id <> $3
      order by archived nulls first limit 1`,
    values: [SILENT_SECONDS, end, ownId],
  });
  if (node === undefined) return undefined;
  const { host, process_id: processId, release, archived } = node;
  const machine = `${host ?? 'an unknown machine'} (process ${processId ?? 'unknown'})`;
  return { name: `the node with release ${release} on ${machine}`, hasArchive: archived !== null };
}

interface NodeRow {
  readonly host: string | null;
  readonly process_id: number | null;
  readonly release: string;
  readonly archived: number | null;
}
