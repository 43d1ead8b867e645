import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startServer, type ServerProcess } from './server-process.ts';

interface Cluster {
  /** Where PostgreSQL has its programs. */
  readonly programs: string;
  /** Is made; its parent is a directory of this run. */
  readonly directory: string;
  readonly core: number | undefined;
}

/** PostgreSQL refuses to be run by root; Debian has a user for it. */
const USER = 'postgres';
const isRoot = process.getuid?.() === 0;

/**
 * A cluster of its own, reached only by the socket in its directory, with every setting as shipped: what is committed is on disk.
 * It ends when this process does, however that ends.
 */
export async function startPostgres({ programs, directory, core }: Cluster): Promise<ServerProcess> {
  mkdirSync(directory, { mode: 0o700 });
  if (isRoot) {
    chmodSync(dirname(directory), 0o711); // it may be passed through, and still not be listed
    run(['chown', USER, directory]);
  }
  const data = join(directory, 'data');
  // UTF-8 and the order of bytes, whatever the locale of whoever measures: it decides how indices compare.
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

/** The words of a command that keeps its process id, so that it can be ended, and is sent SIGQUIT when this process dies. */
function asUser(command: readonly string[]): readonly string[] {
  const identity = isRoot ? [`--reuid=${USER}`, `--regid=${USER}`, '--init-groups'] : [];
  return ['setpriv', ...identity, '--pdeathsig', 'QUIT', ...command];
}

function run([program = '', ...words]: readonly string[], cwd?: string): void {
  const { status, stderr, error } = spawnSync(program, words, { encoding: 'utf8', cwd });
  if (status !== 0) throw new Error(`${[program, ...words].join(' ')}: ${error?.message ?? stderr}`);
}
