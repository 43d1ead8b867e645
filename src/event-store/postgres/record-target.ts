import { openPrepared, type Connection } from '../../platform/postgres/connect.ts';
import { NO_ARCHIVE } from '../archive/archive.ts';
import { START } from '../event-log.ts';
import { assertFollows, type RecordTarget } from '../record-target.ts';
import { storedName } from './append-statement.ts';
import { lockAppends } from './migrations/001-events.ts';
import { createReadQueries } from './read-queries.ts';
import { createReader } from './reader.ts';
import { readHead } from './tail.ts';

/**
 * Opens the log in a migrated database to copy records into it.
 * @param open opens a connection; the target uses one for writing and some for reading
 * @throws Error if nodes are using the log, or the log has an archive
 */
export async function openPostgresTarget(open: () => Promise<Connection>): Promise<RecordTarget> {
  const connection = await openPrepared(open, assertUnused);
  const queries = createReadQueries(open);
  const reader = createReader(queries.query, { ...NO_ARCHIVE, refresh: async () => {} });
  return {
    head: () => readHead(connection),
    async write(events) {
      const records = events.map(({ record }) => Buffer.from(record));
      const ends: number[] = [];
      for (const { length } of records) ends.push((ends.at(-1) ?? 0) + length);
      await connection.query({ text: 'begin' });
      try {
        await connection.query({ text: lockAppends });
        assertFollows(events, await readHead(connection));
        await connection.query({
          name: 'copy',
          text: INSERT,
          values: [
            events.map(({ position }) => position),
            events.map(({ stream }) => storedName(stream)),
            events.map(({ revision }) => revision),
            ends.map((end, index) => end - (records[index]?.length ?? 0) + 1),
            records.map(({ length }) => length),
            Buffer.concat(records),
          ],
        });
        await connection.query({ text: 'update grantlog.head set position = $1', values: [events.at(-1)?.position] });
        await connection.query({ text: 'commit' });
      } catch (error) {
        await connection.query({ text: 'rollback' }).catch(() => {}); // the connection may be gone
        throw error;
      }
    },
    async *readAll() {
      yield* reader.readBetween(START, await readHead(connection));
    },
    async close() {
      queries.close();
      connection.destroy();
    },
  };
}

const INSERT = `
  insert into grantlog.events (position, stream, revision, append_id, record)
  select position, stream, revision, gen_random_uuid(), convert_from(substring($6::bytea from start for bytes), 'UTF8')
  from unnest($1::bigint[], $2::text[], $3::bigint[], $4::int[], $5::int[])
    as copied (position, stream, revision, start, bytes)`;

async function assertUnused(connection: Connection): Promise<void> {
  const [row] = await connection.query<{ nodes: number }>({
    text: `select count(*) as nodes from grantlog.nodes where seen_at > clock_timestamp() - interval '5 seconds'`,
  });
  if (row !== undefined && row.nodes > 0)
    throw new Error(`the log in the database is in use (nodes: ${row.nodes}); stop the nodes before you copy into it`);
  const [archive] = await connection.query<{ end: number }>({ text: 'select grantlog.archive_end() as end' });
  if (archive !== undefined && archive.end > START)
    throw new Error(`the log in the database is archived up to position ${archive.end}; copy into an empty database`);
}
