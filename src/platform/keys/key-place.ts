import { join } from 'node:path';

/**
 * The value of the setting `keys` for keys in the log's database. A directory with that name is set as `./database`.
 */
const IN_DATABASE = 'database';

/** The settings that decide where the keys are. */
export interface KeyPlaceSettings {
  readonly dataDir: string;
  readonly keys: string | null;
}

/** Returns the key directory, or undefined if they are in the database. */
export function keysDirectory({ dataDir, keys }: KeyPlaceSettings): string | undefined {
  return keys === IN_DATABASE ? undefined : (keys ?? join(dataDir, 'keys'));
}
