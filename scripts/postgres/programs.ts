import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The user that Debian creates for PostgreSQL, which refuses to run as root. */
const USER = 'postgres';
const isRoot = process.getuid?.() === 0;

/** Wraps a command so that it runs as the PostgreSQL user if this process runs as root. */
export function asDatabaseUser(command: readonly string[]): readonly string[] {
  return isRoot ? ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--init-groups', ...command] : command;
}

/** Makes the user that runs PostgreSQL the owner of `directory`, and denies access to everyone else. */
export function giveToDatabaseUser(directory: string): void {
  chmodSync(directory, 0o700);
  if (isRoot) runProgram(['chown', '-R', USER, directory]);
}

/** Creates a directory that only the user that runs PostgreSQL can read and write. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'grantlog-postgres-'));
  giveToDatabaseUser(directory);
  return directory;
}

/**
 * Creates the files of an empty cluster in `directory`/data. Connections through the socket are trusted; connections
 * through TCP need the password. The locale is fixed, because collation affects the speed of indexes.
 */
export function initializeData(
  programs: string,
  directory: string,
  superuser: { readonly name: string; readonly password: string },
): void {
  const passwordFile = join(directory, 'password');
  writeFileSync(passwordFile, superuser.password, { mode: 0o600 });
  giveToDatabaseUser(directory);
  const options = ['-U', superuser.name, `--pwfile=${passwordFile}`, '--auth-local=trust', '--auth-host=scram-sha-256'];
  const files = ['-D', join(directory, 'data'), '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
  runProgram(asDatabaseUser([join(programs, 'initdb'), ...options, ...files]), directory);
}

/**
 * Runs a program and waits until it exits.
 * @throws Error if it fails; the message contains its standard error
 */
export function runProgram([program = '', ...args]: readonly string[], cwd?: string, env?: NodeJS.ProcessEnv): void {
  const { status, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    cwd,
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${[program, ...args].join(' ')}: ${error?.message ?? stderr}`);
}
