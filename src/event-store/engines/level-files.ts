import { readdir } from 'node:fs/promises';

/** The files of a log, without LevelDB's lock and messages, which also exist where a log could not be opened. */
const LOG_FILE = /^(?:CURRENT|MANIFEST-\d+|\d+\.(?:ldb|sst|log))$/;

const OTHER_LEVEL_FILE = /^(?:LOCK|LOG(?:\.old)?|\d+\.dbtmp)$/;

/** Reports whether one of the names in a directory shows that a log is or was there. */
export const areLogFiles = (names: readonly string[]): boolean => names.some((name) => LOG_FILE.test(name));

/**
 * Reports whether such a file shows that a database is or was there. An interrupted first startup leaves
 * MANIFEST-000001 without CURRENT, which is not a database yet.
 */
export const isDatabaseFile = (name: string): boolean => LOG_FILE.test(name) && !/^MANIFEST-0*1$/.test(name);

/** Reports whether LevelDB gives its files such a name. */
export const isLevelFile = (name: string): boolean => LOG_FILE.test(name) || OTHER_LEVEL_FILE.test(name);

/** Lists the names in the directory, or none if it does not exist. */
export function listFiles(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return [];
  });
}
