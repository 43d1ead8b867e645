import { readdirSync, statfsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { readNewestSize } from '../audit/proofs/issued-checkpoints.ts';
import {
  hasLogFiles,
  hasRecordOfLog,
  isDataDirectory,
  listForeignDirectories,
} from '../composition/directory-state.ts';
import { detectKeyHistory } from '../composition/key-history.ts';
import { findDirectoryProblem } from '../platform/files/directory-problem.ts';
import { findDamagedLines } from '../platform/keys/file-keyring.ts';
import { findUnusableKeys } from '../platform/keys/key-directory.ts';
import { keyDirectoryPath, type KeyLocationSettings } from '../platform/keys/key-place.ts';
import { CLIENT_KEYS } from '../platform/keys/client-keys.ts';
import { PERSONAL_KEYS } from '../platform/keys/personal-keys.ts';
import { SIGNING_KEYS } from '../platform/keys/signing-keyring.ts';
import { checkDisk, checkWitnesses, finding, note, ok, type CheckResult } from './doctor-checks.ts';

const NON_OWNER_MODE_BITS = 0o077;

/**
 * Checks the files in the data directory. Does not open the log, so a server can be running at the same time. If no
 * server has used the directory, only reports that, because the files may be those of other programs.
 */
export function checkDirectory({ dataDir, log, keys, minFreeDiskBytes }: Config): readonly CheckResult[] {
  const problem = findDirectoryProblem(dataDir);
  if (problem !== undefined)
    return [finding('data', `the data directory ${dataDir} cannot be used: ${problem}`, CHOOSE_DIRECTORY)];
  if (fileMode(dataDir) === undefined)
    return [
      finding('data', `the data directory ${dataDir} does not exist`, `${CHOOSE_DIRECTORY}, or start the server`),
    ];
  if (!isDataDirectory(dataDir)) return [describeForeignDirectory(dataDir)];
  const { bavail, bsize } = statfsSync(dataDir);
  const foreignDirectories = listForeignDirectories(dataDir).filter(
    (name) => resolve(dataDir, name) !== resolve(keyDirectoryPath({ dataDir, keys }) ?? ''),
  );
  return [
    ...(foreignDirectories.length === 0 ? [] : [describeSharedDirectory(dataDir, foreignDirectories)]),
    checkModes({ dataDir, keys }, foreignDirectories.length > 0),
    checkDisk(bavail * bsize, minFreeDiskBytes, { hasArchive: log === null }),
    ...(log === null ? [...checkLog(dataDir), checkKeys({ dataDir, keys }, hasLogFiles(dataDir))] : []),
  ];
}

const CHOOSE_DIRECTORY = "set DATA_DIR to the server's data directory";

function describeForeignDirectory(dataDir: string): CheckResult {
  const reason =
    readdirSync(dataDir).length === 0 ? 'it is empty' : 'it contains neither a log nor the keys of a server';
  return finding(
    'data',
    `${dataDir} is not the data directory of a Grantlog server: ${reason}`,
    `${CHOOSE_DIRECTORY}, or start the server on a directory that only Grantlog uses`,
  );
}

function describeSharedDirectory(dataDir: string, foreignDirectories: readonly string[]): CheckResult {
  return note(
    'data',
    `${dataDir} also contains other directories: ${listPaths(foreignDirectories)}`,
    'stop the server, move its files to a directory that only Grantlog uses, and set DATA_DIR to that directory',
  );
}

/**
 * Checks the modes of the server's own files. The advice never includes the files of other programs.
 * @param isShared whether other programs also use the data directory, and may need to read it
 */
function checkModes(settings: KeyLocationSettings, isShared: boolean): CheckResult {
  const { dataDir } = settings;
  const logDirectory = join(dataDir, 'log');
  const logFiles = hasLogFiles(dataDir) ? [logDirectory, ...pathsIn(logDirectory)] : [];
  const otherFiles = [
    ...(isShared ? [] : [dataDir]),
    ...['log.head', 'snapshots', 'control.sock'].map((name) => join(dataDir, name)),
    ...keyPaths(settings),
  ];
  const exposedLogFiles = logFiles.filter(isExposed);
  const exposedFiles = otherFiles.filter(isExposed);
  if (exposedLogFiles.length + exposedFiles.length === 0)
    return ok('modes', 'only their owner can access the log, the snapshots and the keys');
  const commands = [
    ...(exposedFiles.length > 0 ? [`chmod go= ${exposedFiles.map(quoteForShell).join(' ')}`] : []),
    ...(exposedLogFiles.length > 0 ? [`chmod -R go= ${quoteForShell(logDirectory)}`] : []),
  ];
  return finding(
    'modes',
    `other users can access ${listPaths([...exposedFiles, ...exposedLogFiles])}`,
    commands.join(' && '),
  );
}

const isExposed = (path: string): boolean => ((fileMode(path) ?? 0) & NON_OWNER_MODE_BITS) !== 0;

/**
 * Returns the paths of the key files and of their directory. Omits the directory if GRANTLOG_KEYS is set to a directory
 * that contains other directories, such as /etc, because other programs use that directory too.
 */
function keyPaths(settings: KeyLocationSettings): readonly string[] {
  const directory = keyDirectoryPath(settings);
  if (directory === undefined) return [];
  const paths = pathsIn(directory);
  const isOwn =
    settings.keys === null || !paths.some((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
  return [...(isOwn ? [directory] : []), ...paths.filter((path) => /\.keys?(?:\.|$)/.test(path))];
}

const quoteForShell = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

const MAX_LISTED_PATHS = 10;

function listPaths(paths: readonly string[]): string {
  const omission = paths.length > MAX_LISTED_PATHS ? ` and ${paths.length - MAX_LISTED_PATHS} more` : '';
  return `${paths.slice(0, MAX_LISTED_PATHS).join(', ')}${omission}`;
}

/**
 * Checks whether keys in a directory are damaged or missing.
 * @param hasEvents whether the log has events, which depend on keys
 */
export function checkKeys(settings: KeyLocationSettings, hasEvents: boolean): CheckResult {
  const { dataDir } = settings;
  const directory = keyDirectoryPath(settings);
  if (directory === undefined) return ok('keys', 'in the database; every node checks them when it starts');
  const directoryProblem = findDirectoryProblem(directory);
  if (directoryProblem !== undefined)
    return finding(
      'keys',
      `the key directory ${directory} cannot be used: ${directoryProblem}`,
      'set GRANTLOG_KEYS to the key directory',
    );
  const files = findUnusableKeys(directory, detectKeyHistory(dataDir, hasEvents));
  const lines = [PERSONAL_KEYS.file, CLIENT_KEYS.file, SIGNING_KEYS.file].flatMap((file) =>
    findDamagedLines(join(directory, file)).map((line) => `line ${line} of ${file}`),
  );
  const fileNames = (kind: 'damaged' | 'missing'): readonly string[] =>
    files.filter(({ problem }) => problem === kind).map(({ name }) => `${name}.key`);
  const damagedParts = [...fileNames('damaged'), ...lines];
  const missingFiles = fileNames('missing');
  if (damagedParts.length + missingFiles.length === 0) return ok('keys', 'none damaged or missing');
  const says = [
    ...(damagedParts.length > 0 ? [`damaged in ${directory}: ${listPaths(damagedParts)}`] : []),
    ...(missingFiles.length > 0 ? [`missing in ${directory}: ${listPaths(missingFiles)}`] : []),
  ];
  return finding(
    'keys',
    says.join('; '),
    'a running server may still have the keys in memory, so create a backup first (grantlog backup FILE). Then stop ' +
      'the server, restore a backup into another directory (grantlog restore FILE DIR), and copy the file or the ' +
      'lines from DIR/keys. If no backup contains the key file, see grantlog log repair --help',
  );
}

function describeMissingLog(dataDir: string): CheckResult {
  if (!hasRecordOfLog(dataDir))
    return finding('log', `${dataDir} contains no log`, 'start the server, or restore a backup');
  return finding(
    'log',
    `${join(dataDir, 'log')} contains no log, although other files in ${dataDir} show that there was one`,
    'run grantlog log verify, which reports how many events are missing; then put the log back, or restore the ' +
      'newest backup that passes verification (grantlog restore FILE DIR)',
  );
}

function checkLog(dataDir: string): readonly CheckResult[] {
  if (!hasLogFiles(dataDir)) return [describeMissingLog(dataDir)];
  const newestNumber = (part: string): number =>
    Math.max(
      0,
      ...listDirectory(join(dataDir, part))
        .map((name) => Number.parseInt(name, 10))
        .filter(Number.isFinite),
    );
  return checkWitnesses(readNewestSize(join(dataDir, 'checkpoints')), newestNumber('snapshots'));
}

function fileMode(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mode;
}

function listDirectory(directory: string): readonly string[] {
  return statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(directory) : [];
}

const pathsIn = (directory: string): readonly string[] => listDirectory(directory).map((name) => join(directory, name));
