import { join } from 'node:path';

/**
 * The value of the `keys` setting that selects the log's database. For a directory with that name, use `./database`.
 */
const IN_DATABASE = 'database';

/** The settings that determine where the keys are stored. */
export interface KeyLocationSettings {
  readonly dataDir: string;
  readonly keys: string | null;
}

/** Returns the key directory, or undefined if the keys are in the database. */
export function keyDirectoryPath({ dataDir, keys }: KeyLocationSettings): string | undefined {
  return keys === IN_DATABASE ? undefined : (keys ?? join(dataDir, 'keys'));
}
