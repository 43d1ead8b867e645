import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Modules with which test code starts processes, drives a browser, uses the disk, or requests every route. */
const SLOW_IMPORTS = [
  /^(?:node:child_process|playwright-core|level)$/,
  /^src\/(?:composition\/open-service|event-store\/engines\/level)/,
  /^test\/support\/(?:app-routes|described-api)\.ts$/,
];
const SETS_TIMEOUT = /(?:\bthis|\))\.timeout\(/;
const WRITES_TO_DISK = /\bmkdtemp(?:Sync)?\(/;
const IMPORTS = /^(?:import|export)\s(?!type\b)[^'";]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'/gm;

/** Tests of the package, its build, the commands in the documents and the examples. */
const DISTRIBUTION = join('test', 'distribution');

/** All files of the suite, relative to the project root. */
export function findTestFiles(): readonly string[] {
  return testFilesIn('test').filter((file) => !file.startsWith(DISTRIBUTION));
}

/** The tests of the distribution. They are slow, because they install packages, and few changes affect them. */
export function findDistributionTests(): readonly string[] {
  return testFilesIn(DISTRIBUTION);
}

function testFilesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(folder, file))
    .toSorted();
}

/** A file whose last run here took longer is too slow to run on every save. */
const MAX_MILLISECONDS = 2_000;

/**
 * `fast` lists the files that are fast enough to run on every save. `tooSlow` lists files that took too long in their
 * last run, although nothing in them is known to be slow.
 * @param times durations of earlier runs on this machine, in milliseconds
 */
export function findFastTestFiles(times: ReadonlyMap<string, number>): {
  readonly fast: readonly string[];
  readonly tooSlow: readonly string[];
} {
  const candidates = findTestFiles().filter((file) => findSlowness(file) === undefined);
  const isQuick = (file: string): boolean => (times.get(file) ?? 0) <= MAX_MILLISECONDS;
  return { fast: candidates.filter(isQuick), tooSlow: candidates.filter((file) => !isQuick(file)) };
}

/**
 * The assumed duration in milliseconds of files that start processes or browsers, of other slow files, and of fast
 * files.
 */
const ESTIMATES = { processes: 6_000, slow: 2_000, fast: 500 };

/**
 * The expected duration of each file in milliseconds: that of its last run here, or an estimate. Estimates balance the
 * batches even in a new checkout.
 */
export function expectedTimes(
  files: readonly string[],
  recorded: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  return new Map(files.map((file) => [file, recorded.get(file) ?? estimateTime(file)]));
}

function estimateTime(file: string): number {
  const slowness = findSlowness(file);
  if (slowness === undefined) return ESTIMATES.fast;
  return STARTS_PROCESSES.test(slowness) ? ESTIMATES.processes : ESTIMATES.slow;
}

const STARTS_PROCESSES = /^(?:node:child_process|playwright-core|this\.timeout)$/;

/**
 * The reason why a test file is too slow to run on every save; undefined if it is fast. A file is slow if it sets a
 * timeout, imports a slow module, or creates a temporary directory. Imports are followed through test code and scripts.
 */
export function findSlowness(file: string): string | undefined {
  return SETS_TIMEOUT.test(readFileSync(file, 'utf8')) ? 'this.timeout' : findSlowImport(file, new Set());
}

function findSlowImport(file: string, seen: Set<string>): string | undefined {
  if (seen.has(file)) return undefined;
  seen.add(file);
  const imports = importsOf(file);
  const ownImports = imports.filter((path) => /^(?:test|scripts)\/.*\.ts$/.test(path) && existsSync(path));
  return (
    imports.find((path) => SLOW_IMPORTS.some((slow) => slow.test(path))) ??
    ownImports.map((path) => findSlowImport(path, seen)).find((slow) => slow !== undefined) ??
    (WRITES_TO_DISK.test(readFileSync(file, 'utf8')) ? 'mkdtemp' : undefined)
  );
}

function importsOf(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORTS)].map(([, from, sideEffect]) => {
    const path = from ?? sideEffect ?? '';
    return path.startsWith('.') ? join(dirname(file), path) : path;
  });
}
