import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HEAD_FILE } from '../audit/proofs/head-file.ts';
import { includesLogFile } from '../event-store/engines/level-files.ts';
import { findDirectoryProblem } from '../platform/files/directory-problem.ts';
import { makePrivateDirectory } from '../platform/files/private-files.ts';

const CHOOSE_DIRECTORY = "set DATA_DIR or --data-dir to the server's data directory";

/**
 * Checks that the data directory is a directory or can be created. Also checks the log directory in it, which can be a
 * symbolic link to another disk.
 * @throws Error that describes the problem and the remedy
 */
export function requireUsableDirectory(dataDir: string): void {
  const problem = findDirectoryProblem(dataDir);
  if (problem !== undefined)
    throw new Error(`the data directory ${dataDir} cannot be used: ${problem}; ${CHOOSE_DIRECTORY}`);
  const log = join(dataDir, 'log');
  const logProblem = findDirectoryProblem(log);
  if (logProblem === undefined) return;
  const advice = 'if the log is on another disk, mount that disk';
  throw new Error(`the log directory ${log} cannot be used: ${logProblem}; ${advice}, or ${CHOOSE_DIRECTORY}`);
}

/**
 * Creates the data directory if it does not exist.
 * @throws Error if the directory cannot be used or created
 */
export function createDataDirectory(dataDir: string): void {
  requireUsableDirectory(dataDir);
  try {
    makePrivateDirectory(dataDir);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the data directory ${dataDir} cannot be created (${reason}); ${CHOOSE_DIRECTORY}`, { cause });
  }
}

/** @throws Error if the data directory does not exist or cannot be used */
export function requireDirectory(dataDir: string): void {
  requireUsableDirectory(dataDir);
  if (!existsSync(dataDir)) throw new Error(`the data directory ${dataDir} does not exist; ${CHOOSE_DIRECTORY}`);
}

/**
 * Checks that a server has used the data directory for a log in LevelDB. Without this check, a command that only reads
 * would create a log and keys in the wrong directory.
 * @throws Error if the directory contains neither a log nor a record of a log
 */
export function requireLog(dataDir: string): void {
  requireDirectory(dataDir);
  if (!hasLog(dataDir)) throw new Error(`there is no event log in ${dataDir}; ${CHOOSE_DIRECTORY}`);
}

/**
 * Reports whether the data directory contains log files. Checks the file names, because other programs also have
 * directories with the name `log`, such as /var/log.
 */
export const hasLogFiles = (dataDir: string): boolean => includesLogFile(listNames(join(dataDir, 'log')));

/**
 * Reports whether other files in the data directory show that there was a log. If the log itself is lost, opening the
 * data directory explains what is missing.
 */
export const hasRecordOfLog = (dataDir: string): boolean =>
  [HEAD_FILE, 'log.dropped', 'checkpoints/issued'].some((name) => existsSync(join(dataDir, name)));

const hasLog = (dataDir: string): boolean => hasLogFiles(dataDir) || hasRecordOfLog(dataDir);

/**
 * Files that only Grantlog creates in a data directory. They identify the data directory of a node whose log is in
 * PostgreSQL.
 */
const OWN_FILES = [
  'refusals',
  'disk.reserve',
  'control.sock',
  'checkpoints/issued',
  'keys/log.key',
  'keys/cookies.key',
];

const OWN_DIRECTORIES = ['log', 'keys', 'checkpoints', 'tile', 'snapshots', 'archive', 'damaged'];

/** Reports whether a server has used the directory as its data directory. */
export function isDataDirectory(dataDir: string): boolean {
  return hasLog(dataDir) || OWN_FILES.some((name) => existsSync(join(dataDir, name)));
}

/** Lists the subdirectories that are not Grantlog's, for example if the data directory is / or a home directory. */
export function listForeignDirectories(dataDir: string): readonly string[] {
  return readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !OWN_DIRECTORIES.includes(entry.name) && entry.name !== 'lost+found')
    .map(({ name }) => name)
    .toSorted();
}

function listNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // missing or unreadable; opening the log reports an unreadable directory
  }
}
