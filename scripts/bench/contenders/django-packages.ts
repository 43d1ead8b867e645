import { spawnSync } from 'node:child_process';
import { findPostgres } from '../../postgres/installation.ts';

/** Debian's interpreter, which finds the modules in Debian's packages. */
export const PYTHON = '/usr/bin/python3';

/** Modules needed to serve django-oauth-toolkit, and their Debian packages. */
const PACKAGES: Readonly<Record<string, string>> = {
  oauth2_provider: 'python3-django-oauth-toolkit',
  gunicorn: 'python3-gunicorn',
  psycopg2: 'python3-psycopg2',
};

/** The software on this system. */
export interface InstalledSoftware {
  /** The modules that can be imported. */
  readonly modules: readonly string[];
  /** The program directory of the newest PostgreSQL. */
  readonly postgres: string | undefined;
}

export function findInstalledSoftware(): InstalledSoftware {
  const program =
    'import importlib.util, sys; print(*(name for name in sys.argv[1:] if importlib.util.find_spec(name)))';
  const { stdout } = spawnSync(PYTHON, ['-c', program, ...Object.keys(PACKAGES)], { encoding: 'utf8' });
  return { modules: (stdout ?? '').split(/\s+/), postgres: findPostgres() };
}

/** Lists the Debian packages that are not installed yet. */
export function missingPackages({ modules, postgres }: InstalledSoftware): readonly string[] {
  const packages = Object.entries(PACKAGES)
    .filter(([name]) => !modules.includes(name))
    .map(([, debian]) => debian);
  return postgres === undefined ? [...packages, 'postgresql'] : packages;
}
