import type { Connection } from '../../platform/postgres/connect.ts';
import { EVENTS } from './migrations/001-events.ts';
import { NODES } from './migrations/002-nodes.ts';
import { KEYS } from './migrations/003-keys.ts';
import { SHARED_STORES } from './migrations/004-shared-stores.ts';
import { KEY_FINGERPRINT } from './migrations/005-key-fingerprint.ts';
import { ARCHIVE } from './migrations/006-archive.ts';

/** Each migration is applied once, in this order. A released migration never changes. */
const MIGRATIONS: readonly string[] = [EVENTS, NODES, KEYS, SHARED_STORES, KEY_FINGERPRINT, ARCHIVE];

/** The version of the schema that this release uses. */
const SCHEMA_VERSION = MIGRATIONS.length;

/** The advisory lock that lets only one process migrate at a time. */
const MIGRATION_LOCK = 7_526_014_300;

/** The schema in the database is not the one that this release uses. The message gives the remedy. */
export class WrongSchema extends Error {
  override readonly name = 'WrongSchema';
}

/** Returns the version of the schema in the database, or 0 if the database has no schema. */
async function readSchemaVersion(connection: Pick<Connection, 'query'>): Promise<number> {
  const [table] = await connection.query<{ exists: boolean }>({
    text: `select to_regclass('grantlog.schema_version') is not null as exists`,
  });
  if (table?.exists !== true) return 0;
  const [row] = await connection.query<{ version: number }>({
    text: 'select coalesce(max(version), 0) as version from grantlog.schema_version',
  });
  return row?.version ?? 0;
}

/**
 * Creates the schema, or migrates it to the version of this release, in one transaction.
 * @param release recorded with each version
 * @returns the versions before and after
 * @throws WrongSchema if the schema is newer than this release
 */
export async function migrate(
  connection: Pick<Connection, 'query'>,
  release: string,
): Promise<{ readonly from: number; readonly to: number }> {
  await connection.query({ text: 'begin' });
  try {
    await connection.query({ text: 'select pg_advisory_xact_lock($1)', values: [MIGRATION_LOCK] });
    await connection.query({ text: CREATE_VERSIONS });
    const from = await readSchemaVersion(connection);
    if (from > SCHEMA_VERSION) throw await newerSchemaError(connection, from);
    for (const [index, migration] of MIGRATIONS.entries()) {
      if (index < from) continue;
      await connection.query({ text: migration });
      const text = 'insert into grantlog.schema_version (version, release) values ($1, $2)';
      await connection.query({ text, values: [index + 1, release] });
    }
    await connection.query({ text: 'commit' });
    return { from, to: SCHEMA_VERSION };
  } catch (error) {
    await connection.query({ text: 'rollback' }).catch(() => {}); // the connection may be gone
    throw error;
  }
}

const CREATE_VERSIONS = `
create schema if not exists grantlog;
create table if not exists grantlog.schema_version (
  version int primary key,
  release text not null,
  migrated_at timestamptz not null default now()
)`;

/**
 * Checks that the database has the schema of this release.
 * @throws WrongSchema if the schema is missing, older than this release, or newer
 */
export async function assertSchema(connection: Pick<Connection, 'query'>): Promise<void> {
  const version = await readSchemaVersion(connection);
  if (version === SCHEMA_VERSION) return;
  if (version > SCHEMA_VERSION) throw await newerSchemaError(connection, version);
  throw new WrongSchema(
    version === 0
      ? 'the database has no schema for Grantlog yet. Run grantlog migrate to create it'
      : `the database schema has version ${version}, and this release needs ${SCHEMA_VERSION}. ` +
          'Run grantlog migrate; nodes of the earlier release may keep running',
  );
}

async function newerSchemaError(connection: Pick<Connection, 'query'>, version: number): Promise<WrongSchema> {
  const text = 'select release from grantlog.schema_version where version = $1';
  const [row] = await connection.query<{ release: string }>({ text, values: [version] });
  const requiredRelease = row === undefined ? 'the release of the other nodes' : `release ${row.release}`;
  return new WrongSchema(
    `the database schema has version ${version}, and this release knows versions up to ${SCHEMA_VERSION}. ` +
      `Use ${requiredRelease} or later`,
  );
}
