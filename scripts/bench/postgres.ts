import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startServer, type ServerProcess } from './server-process.ts';

interface Cluster {
  /** The directory of the PostgreSQL programs. */
  readonly programs: string;
  /** Created for the cluster, inside the temporary directory of the run. */
  readonly directory: string;
  readonly core: number | undefined;
}

/** PostgreSQL refuses to run as root; Debian creates this user for it. */
const USER = 'postgres';
const isRoot = process.getuid?.() === 0;

/**
 * Starts a new cluster with default settings, so commits are durable. It is reachable only through the socket in its
 * directory, and ends with this process.
 */
export async function startPostgres({ programs, directory, core }: Cluster): Promise<ServerProcess> {
  mkdirSync(directory, { mode: 0o700 });
  if (isRoot) {
    chmodSync(dirname(directory), 0o711); // may be traversed, but not listed
    run(['chown', USER, directory]);
  }
  const data = join(directory, 'data');
  // A fixed locale, because collation affects the speed of indexes.
  run(
    asUser([
      join(programs, 'initdb'),
      '-D',
      data,
      '-U',
      'bench',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
    ]),
    directory,
  );
  return startServer({
    command: asUser([join(programs, 'postgres'), '-D', data, '-k', directory, '-c', 'listen_addresses=']),
    cwd: directory,
    core,
    output: join(dirname(directory), 'postgres.log'),
    readyPattern: /ready to accept connections/,
    killSignal: 'SIGQUIT',
  });
}

/** Wraps a command to run as PostgreSQL's user under the same process id, and to get SIGQUIT when this process dies. */
function asUser(command: readonly string[]): readonly string[] {
  const identity = isRoot ? [`--reuid=${USER}`, `--regid=${USER}`, '--init-groups'] : [];
  return ['setpriv', ...identity, '--pdeathsig', 'QUIT', ...command];
}

function run([program = '', ...args]: readonly string[], cwd?: string): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', cwd });
  if (status !== 0) throw new Error(`${[program, ...args].join(' ')}: ${error?.message ?? stderr}`);
}
