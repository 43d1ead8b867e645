import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startGuardian } from './guardian.ts';
import { requirePostgres } from './installation.ts';
import { asDatabaseUser, initializeData, runProgram, temporaryDirectory } from './programs.ts';
import { queryOnce } from './query-once.ts';
import { createPostgresServer, type PostgresServer } from './server.ts';
import { findStablePort } from './stable-port.ts';

const SUPERUSER = 'grantlog';

/** A temporary PostgreSQL server. It stops when this process exits, at the latest; its files are then removed. */
export interface Postgres extends PostgresServer {
  readonly directory: string;
  /** The superuser's password. A standby has the password of its primary. */
  readonly password: string;
  /** Returns the connection URL of a database, over TCP and with the superuser's password. */
  url(database: string): string;
  /**
   * Creates an empty database.
   * @returns its connection URL
   */
  createDatabase(): Promise<string>;
  /** Kills the server and removes its files. */
  destroy(): Promise<void>;
}

export type Settings = Readonly<Record<string, string>>;

/**
 * Starts a new cluster on a free port of 127.0.0.1 with PostgreSQL's default settings, so commits are durable.
 * @param settings added to the defaults
 * @throws Error if PostgreSQL is not installed, or does not start
 */
export async function startPostgres(settings: Settings = {}): Promise<Postgres> {
  const password = randomBytes(16).toString('hex');
  return startServer(password, settings, (programs, directory) =>
    initializeData(programs, directory, { name: SUPERUSER, password }),
  );
}

/**
 * Starts a hot standby that streams from `primary`.
 * @param name the name for `synchronous_standby_names` of the primary
 */
export async function startStandby(primary: Postgres, name: string): Promise<Postgres> {
  return startServer(primary.password, { cluster_name: name }, (programs, directory) => {
    const source = ['-h', primary.directory, '-p', String(primary.port), '-U', SUPERUSER];
    const target = ['-D', join(directory, 'data'), '--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
    runProgram(asDatabaseUser([join(programs, 'pg_basebackup'), ...source, ...target]), directory);
  });
}

async function startServer(
  password: string,
  settings: Settings,
  createData: (programs: string, directory: string) => void,
): Promise<Postgres> {
  const programs = requirePostgres();
  const directory = temporaryDirectory();
  const release = startGuardian(directory);
  try {
    createData(programs, directory);
    const server = createPostgresServer({ programs, directory, port: await findStablePort(), settings });
    await server.start();
    const url = (database: string): string =>
      `postgres://${SUPERUSER}:${password}@127.0.0.1:${server.port}/${database}`;
    return {
      ...server,
      directory,
      password,
      url,
      async createDatabase() {
        const name = `database_${randomBytes(6).toString('hex')}`;
        await queryOnce(url('postgres'), `CREATE DATABASE ${name}`);
        return url(name);
      },
      async destroy() {
        await server.kill();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}
