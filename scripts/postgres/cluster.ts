import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { guard } from './guardian.ts';
import { requirePostgres } from './installation.ts';
import { initializeData, temporaryDirectory } from './programs.ts';
import { postgresServer, type PostgresServer } from './server.ts';
import { stablePort } from './stable-port.ts';

const SUPERUSER = 'grantlog';

/** A temporary PostgreSQL cluster of this process. It ends, and its files go, when the process ends, at the latest. */
export interface Postgres extends PostgresServer {
  readonly directory: string;
  /** The connection URL of a database, through TCP and with the password of the superuser. */
  url(database: string): string;
  /** Creates an empty database. @returns its connection URL */
  createDatabase(): Promise<string>;
  /** Ends the server at once and removes its files. */
  destroy(): Promise<void>;
}

/**
 * Starts a new cluster on a free port of 127.0.0.1 with PostgreSQL's default settings, so commits are durable.
 * @param settings added to the defaults
 * @throws Error no PostgreSQL is installed, or it does not start
 */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<Postgres> {
  const programs = requirePostgres();
  const directory = temporaryDirectory();
  const release = guard(directory);
  const password = randomBytes(16).toString('hex');
  try {
    initializeData(programs, directory, { name: SUPERUSER, password });
    const server = postgresServer({ programs, directory, port: await stablePort(), settings });
    await server.start();
    return cluster({ server, directory, password, release });
  } catch (error) {
    await release();
    throw error;
  }
}

interface Parts {
  readonly server: PostgresServer;
  readonly directory: string;
  readonly password: string;
  readonly release: () => Promise<void>;
}

function cluster({ server, directory, password, release }: Parts): Postgres {
  let databases = 0;
  const url = (database: string): string => `postgres://${SUPERUSER}:${password}@127.0.0.1:${server.port}/${database}`;
  return {
    ...server,
    directory,
    url,
    async createDatabase() {
      databases += 1;
      const name = `database_${databases}`;
      await runStatement(url('postgres'), `CREATE DATABASE ${name}`);
      return url(name);
    },
    async destroy() {
      await server.kill();
      await release();
    },
  };
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
