import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileTimes } from './recorded-times.ts';

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

/** Tests that damage or kill servers, that run several nodes, or that use programs in other languages. */
const SYSTEM_FOLDERS = ['crash', 'cluster', 'clients'].map((name) => join('test', name, '/'));

/** Modules with which test code starts Grantlog as a process, PostgreSQL, or programs in other languages. */
const STARTS_PROGRAMS = [
  /^test\/support\/(?:typescript|server-process|drill-client|login-drill|snippets)\.ts$/,
  /^scripts\/(?:postgres\/server|cluster\/node-process)\.ts$/,
];

/** Lists the files of the suite, relative to the project root. */
export function findTestFiles(): readonly string[] {
  return testFilesIn('test').filter((file) => !file.startsWith(DISTRIBUTION) && !isSystemTest(file));
}

/** Lists the tests that start Grantlog as a process, PostgreSQL, or other programs. They take as long as the suite. */
export function findSystemTests(): readonly string[] {
  return testFilesIn('test').filter((file) => !file.startsWith(DISTRIBUTION) && isSystemTest(file));
}

function isSystemTest(file: string): boolean {
  return (
    SYSTEM_FOLDERS.some((folder) => file.startsWith(folder)) ||
    findImport(file, STARTS_PROGRAMS, new Set()) !== undefined
  );
}

/** Lists the tests of the distribution. They are slow, because they install packages, and few changes affect them. */
export function findDistributionTests(): readonly string[] {
  return testFilesIn(DISTRIBUTION);
}

function testFilesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(folder, file))
    .toSorted();
}

/** A file that took more processor time in its last run on this machine is too slow for every save. */
const MAX_PROCESSOR_MILLISECONDS = 1_000;

/**
 * Returns the files that are fast enough to run on every save, and those that took too long in their last run.
 * @param times of earlier runs on this machine
 */
export function findFastTestFiles(times: ReadonlyMap<string, FileTimes>): {
  readonly fast: readonly string[];
  readonly tooSlow: readonly string[];
} {
  const quickKinds = findTestFiles().filter((file) => findSlowness(file) === undefined);
  // Other work on the machine changes the elapsed time, but hardly the processor time.
  const isQuick = (file: string): boolean =>
    (times.get(file)?.processorMilliseconds ?? 0) <= MAX_PROCESSOR_MILLISECONDS;
  return { fast: quickKinds.filter(isQuick), tooSlow: quickKinds.filter((file) => !isQuick(file)) };
}

/**
 * The assumed duration in milliseconds of files that start processes or browsers, of other slow files, and of fast
 * files.
 */
const ESTIMATES = { processes: 6_000, slow: 2_000, fast: 500 };

/**
 * Returns the expected duration of each file in milliseconds: that of its last run on this machine, or an estimate.
 * Estimates balance the batches even in a new checkout.
 */
export function expectedTimes(
  files: readonly string[],
  recorded: ReadonlyMap<string, FileTimes>,
): ReadonlyMap<string, number> {
  return new Map(files.map((file) => [file, recorded.get(file)?.milliseconds ?? estimateTime(file)]));
}

function estimateTime(file: string): number {
  const slowness = findSlowness(file);
  if (slowness === undefined) return ESTIMATES.fast;
  return STARTS_PROCESSES.test(slowness) ? ESTIMATES.processes : ESTIMATES.slow;
}

const STARTS_PROCESSES = /^(?:node:child_process|playwright-core|this\.timeout)$/;

/**
 * Returns the reason why a test file is too slow to run on every save, or undefined if it is fast. A file is slow if it
 * sets a timeout, imports a slow module, or creates a temporary directory. Imports are followed through test code and
 * scripts.
 */
export function findSlowness(file: string): string | undefined {
  if (SETS_TIMEOUT.test(readFileSync(file, 'utf8'))) return 'this.timeout';
  return findImport(file, SLOW_IMPORTS, new Set()) ?? (writesToDisk(file, new Set()) ? 'mkdtemp' : undefined);
}

/** Finds the first import of one of `modules`, in the file or in test code and scripts that it imports. */
function findImport(file: string, modules: readonly RegExp[], seen: Set<string>): string | undefined {
  if (seen.has(file)) return undefined;
  seen.add(file);
  return (
    importsOf(file).find((path) => modules.some((module) => module.test(path))) ??
    followedImports(file)
      .map((path) => findImport(path, modules, seen))
      .find((found) => found !== undefined)
  );
}

function writesToDisk(file: string, seen: Set<string>): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  return (
    WRITES_TO_DISK.test(readFileSync(file, 'utf8')) || followedImports(file).some((path) => writesToDisk(path, seen))
  );
}

function followedImports(file: string): readonly string[] {
  return importsOf(file).filter((path) => /^(?:test|scripts)\/.*\.ts$/.test(path) && existsSync(path));
}

function importsOf(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORTS)].map(([, from, sideEffect]) => {
    const path = from ?? sideEffect ?? '';
    return path.startsWith('.') ? join(dirname(file), path) : path;
  });
}
