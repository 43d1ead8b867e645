import type { Config } from '../config/config.ts';
import { openDataDirectory, type DataDirectory, type OpenDataDirectoryOptions } from './data-directory.ts';

/**
 * Opens the log and everything stored with it, in the data directory or, if one is configured, in the database. The
 * database driver is loaded on demand.
 * @throws the errors of `openDataDirectory` and `openPostgresDirectory`
 */
export async function openStorage(
  { log, ...locations }: Pick<Config, 'log' | 'archive' | 'dataDir' | 'keys' | 'keysSecret'>,
  options: OpenDataDirectoryOptions,
): Promise<DataDirectory> {
  if (log === null) return openDataDirectory(locations, options);
  const { openPostgresDirectory } = await import('./postgres-directory.ts');
  return openPostgresDirectory(log, locations, options);
}
