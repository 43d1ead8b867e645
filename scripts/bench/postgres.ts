import { chmodSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asDatabaseUser, initializeData } from '../postgres/programs.ts';
import { startServer, type ServerProcess } from './server-process.ts';

interface DatabaseOptions {
  /** The directory of the PostgreSQL programs. */
  readonly programs: string;
  /** Created for the database, inside the temporary directory of the run. */
  readonly directory: string;
  readonly core: number | undefined;
}

/**
 * Starts PostgreSQL with new data and default settings, so commits are durable. It is reachable only through the socket
 * in its directory, and exits with this process.
 */
export async function startPostgres({ programs, directory, core }: DatabaseOptions): Promise<ServerProcess> {
  mkdirSync(directory);
  chmodSync(dirname(directory), 0o711); // PostgreSQL's user may traverse it, but not list it
  initializeData(programs, directory, { name: 'bench', password: 'unused' });
  const options = ['-D', join(directory, 'data'), '-k', directory, '-c', 'listen_addresses='];
  return startServer({
    command: asDatabaseUser(['setpriv', '--pdeathsig', 'QUIT', join(programs, 'postgres'), ...options]),
    cwd: directory,
    core,
    output: join(dirname(directory), 'postgres.log'),
    readyPattern: /ready to accept connections/,
    killSignal: 'SIGQUIT',
  });
}
