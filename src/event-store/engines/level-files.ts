import { readdir } from 'node:fs/promises';

/** Matches the files of a log, but not LevelDB's LOCK and LOG, which also exist where a log could not be opened. */
const LOG_FILE = /^(?:CURRENT|MANIFEST-\d+|\d+\.(?:ldb|sst|log))$/;

const OTHER_LEVEL_FILE = /^(?:LOCK|LOG(?:\.old)?|\d+\.dbtmp)$/;

/** Reports whether one of the file names in a directory shows that a log is or was there. */
export const includesLogFile = (names: readonly string[]): boolean => names.some((name) => LOG_FILE.test(name));

/**
 * Reports whether a file with this name shows that a database is or was in its directory. MANIFEST-000001 does not:
 * an interrupted first startup leaves it without CURRENT, before there is a database.
 */
export const isDatabaseFile = (name: string): boolean => LOG_FILE.test(name) && !/^MANIFEST-0*1$/.test(name);

/** Reports whether LevelDB creates files with this name. */
export const isLevelFile = (name: string): boolean => LOG_FILE.test(name) || OTHER_LEVEL_FILE.test(name);

/** Returns the names in the directory, or an empty array if the directory does not exist. */
export function listFiles(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return [];
  });
}
