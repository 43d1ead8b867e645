import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The directory where Debian and Ubuntu install all versions. */
const DEBIAN_VERSIONS = '/usr/lib/postgresql';
const OLDEST_VERSION = 15;

export const HOW_TO_INSTALL_POSTGRES =
  `PostgreSQL ${OLDEST_VERSION} or newer is required but was not found: install it (apt-get install postgresql), ` +
  'or set PG_BIN to the directory of its programs';

/** Returns the directory of the newest installed PostgreSQL programs, or undefined if none is version 15 or newer. */
export function findPostgres(): string | undefined {
  const { PG_BIN = '', PATH = '' } = process.env;
  const candidates = PG_BIN === '' ? [...debianDirectories(), ...PATH.split(delimiter)] : [PG_BIN];
  return newestDirectory(
    candidates.flatMap((directory) => {
      const version = existsSync(join(directory, 'initdb')) ? readVersion(directory) : undefined;
      return version === undefined ? [] : [{ directory, version }];
    }),
  );
}

/**
 * Like `findPostgres`.
 * @throws Error if PostgreSQL is not installed; the message contains the command that installs it
 */
export function requirePostgres(): string {
  const programs = findPostgres();
  if (programs === undefined) throw new Error(HOW_TO_INSTALL_POSTGRES);
  return programs;
}

/** Returns the first directory with the highest version, or undefined if all versions are too old. */
export function newestDirectory(
  installations: readonly { readonly directory: string; readonly version: number }[],
): string | undefined {
  return installations.filter(({ version }) => version >= OLDEST_VERSION).toSorted((a, b) => b.version - a.version)[0]
    ?.directory;
}

/**
 * Returns the major version, or undefined if the line contains none.
 * @param line the output of `postgres --version`, such as "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"
 */
export function parseVersion(line: string): number | undefined {
  const major = /\(PostgreSQL\) (\d+)/.exec(line)?.[1];
  return major === undefined ? undefined : Number(major);
}

function readVersion(directory: string): number | undefined {
  return parseVersion(spawnSync(join(directory, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout ?? '');
}

function debianDirectories(): readonly string[] {
  return existsSync(DEBIAN_VERSIONS)
    ? readdirSync(DEBIAN_VERSIONS).map((version) => join(DEBIAN_VERSIONS, version, 'bin'))
    : [];
}
