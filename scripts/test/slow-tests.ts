import { readFileSync } from 'node:fs';
import { findImport, importedTestCode } from './imports.ts';
import type { FileTimes } from './recorded-times.ts';
import { findTests } from './test-kinds.ts';

/** Modules that test code uses to start processes, drive a browser, access the disk, or request every route. */
const SLOW_IMPORTS = [
  /^(?:node:child_process|playwright-core|level)$/,
  /^src\/(?:composition\/open-service|event-store\/engines\/level)/,
  /^test\/support\/(?:app-routes|described-api)\.ts$/,
];
const SETS_TIMEOUT = /(?:\bthis|\))\.timeout\(/;
const WRITES_TO_DISK = /\bmkdtemp(?:Sync)?\(/;

/** A file that took more processor time in its last run on this machine is too slow for every save. */
const MAX_PROCESSOR_MILLISECONDS = 750;

/**
 * Returns the files that are fast enough to run on every save, and those that took too long in their last run.
 * @param times of earlier runs on this machine
 */
export function findFastTestFiles(times: ReadonlyMap<string, FileTimes>): {
  readonly fast: readonly string[];
  readonly tooSlow: readonly string[];
} {
  const quickKinds = findTests('suite').filter((file) => findSlowness(file) === undefined);
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
  recordedTimes: ReadonlyMap<string, FileTimes>,
): ReadonlyMap<string, number> {
  return new Map(files.map((file) => [file, recordedTimes.get(file)?.milliseconds ?? estimateTime(file)]));
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
  return findImport(file, SLOW_IMPORTS) ?? (writesToDisk(file) ? 'mkdtemp' : undefined);
}

function writesToDisk(file: string): boolean {
  return [file, ...importedTestCode(file)].some((path) => WRITES_TO_DISK.test(readFileSync(path, 'utf8')));
}
