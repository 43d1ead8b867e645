import { spawnSync } from 'node:child_process';
import { findPostgres } from '../../postgres/installation.ts';

/** The interpreter for which Debian packages modules. */
export const PYTHON = '/usr/bin/python3';

/** Modules needed to serve django-oauth-toolkit, and their Debian packages. */
const PACKAGES: Readonly<Record<string, string>> = {
  oauth2_provider: 'python3-django-oauth-toolkit',
  gunicorn: 'python3-gunicorn',
  psycopg2: 'python3-psycopg2',
};

/** What is installed on the system. */
export interface Installed {
  /** The modules that can be imported. */
  readonly modules: readonly string[];
  /** The program directory of the newest PostgreSQL. */
  readonly postgres: string | undefined;
}

export function findInstalled(): Installed {
  const ask = 'import importlib.util, sys; print(*(name for name in sys.argv[1:] if importlib.util.find_spec(name)))';
  const { stdout } = spawnSync(PYTHON, ['-c', ask, ...Object.keys(PACKAGES)], { encoding: 'utf8' });
  return { modules: (stdout ?? '').split(/\s+/), postgres: findPostgres() };
}

/** The Debian packages that are still needed. */
export function missingPackages({ modules, postgres }: Installed): readonly string[] {
  const forModules = Object.entries(PACKAGES)
    .filter(([name]) => !modules.includes(name))
    .map(([, debian]) => debian);
  return postgres === undefined ? [...forModules, 'postgresql'] : forModules;
}
