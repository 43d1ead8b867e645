import { join } from 'node:path';

/**
 * The value of the `keys` setting that selects the log's database. For a directory with that name, use `./database`.
 */
const IN_DATABASE = 'database';

/** The settings that decide where the keys are. */
export interface KeyPlaceSettings {
  readonly dataDir: string;
  readonly keys: string | null;
}

/** Returns the key directory, or undefined if the keys are in the database. */
export function keysDirectory({ dataDir, keys }: KeyPlaceSettings): string | undefined {
  return keys === IN_DATABASE ? undefined : (keys ?? join(dataDir, 'keys'));
}
