import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Modules with which test code starts processes, drives a browser, uses the disk, or requests every route. */
const SLOW_IMPORTS = [
  /^(?:node:child_process|playwright-core|level)$/,
  /^src\/(?:composition\/open-service|event-store\/engines\/level)/,
  /^test\/support\/(?:app-routes|described-api)\.ts$/,
];
const ASKS_FOR_MORE_TIME = /(?:\bthis|\))\.timeout\(/;
const WRITES_TO_DISK = /\bmkdtemp(?:Sync)?\(/;
const IMPORTS = /^(?:import|export)\s(?!type\b)[^'";]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'/gm;

/** Tests of what users receive: the package, its build, the commands in the documents and the examples. */
const DISTRIBUTION = join('test', 'distribution');

/** All files of the suite, relative to the project root. */
export function findTestFiles(): readonly string[] {
  return testFilesIn('test').filter((file) => !file.startsWith(DISTRIBUTION));
}

/** The tests of the distribution: they install packages and start many processes, and few changes concern them. */
export function findDistributionTests(): readonly string[] {
  return testFilesIn(DISTRIBUTION);
}

function testFilesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(folder, file))
    .toSorted();
}

/** A file that took longer when it last ran here is too slow for every save. */
const MOST_MILLISECONDS = 2_000;

/**
 * The files that are fast enough to run on every save, and those that would be if they had not taken too long.
 * @param times of earlier runs on this machine, in milliseconds
 */
export function findFastTestFiles(times: ReadonlyMap<string, number>): {
  readonly fast: readonly string[];
  readonly tookTooLong: readonly string[];
} {
  const quickKinds = findTestFiles().filter((file) => findSlowness(file) === undefined);
  const isQuick = (file: string): boolean => (times.get(file) ?? 0) <= MOST_MILLISECONDS;
  return { fast: quickKinds.filter(isQuick), tookTooLong: quickKinds.filter((file) => !isQuick(file)) };
}

/** Milliseconds that files take: those that start processes or browsers, other slow ones, and fast ones. */
const GUESSES = { processes: 6_000, slow: 2_000, fast: 500 };

/**
 * How long each file is expected to take: as long as it took when it last ran here, or as others of its kind do. A
 * checkout that never ran the suite gets balanced batches, too.
 */
export function expectedTimes(
  files: readonly string[],
  recorded: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  return new Map(files.map((file) => [file, recorded.get(file) ?? guessTime(file)]));
}

function guessTime(file: string): number {
  const slowness = findSlowness(file);
  if (slowness === undefined) return GUESSES.fast;
  return STARTS_PROCESSES.test(slowness) ? GUESSES.processes : GUESSES.slow;
}

const STARTS_PROCESSES = /^(?:node:child_process|playwright-core|this\.timeout)$/;

/**
 * Why a test file is too slow to run on every save; undefined if it is fast. It is slow if it sets a timeout, imports a
 * slow module, or makes a temporary directory. Imports are followed through test code and scripts.
 */
export function findSlowness(file: string): string | undefined {
  return ASKS_FOR_MORE_TIME.test(readFileSync(file, 'utf8')) ? 'this.timeout' : findSlowImport(file, new Set());
}

function findSlowImport(file: string, seen: Set<string>): string | undefined {
  if (seen.has(file)) return undefined;
  seen.add(file);
  const imports = importsOf(file);
  const followed = imports.filter((path) => /^(?:test|scripts)\/.*\.ts$/.test(path) && existsSync(path));
  return (
    imports.find((path) => SLOW_IMPORTS.some((slow) => slow.test(path))) ??
    followed.map((path) => findSlowImport(path, seen)).find((slow) => slow !== undefined) ??
    (WRITES_TO_DISK.test(readFileSync(file, 'utf8')) ? 'mkdtemp' : undefined)
  );
}

function importsOf(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORTS)].map(([, from, bare]) => {
    const path = from ?? bare ?? '';
    return path.startsWith('.') ? join(dirname(file), path) : path;
  });
}
