import { readFileSync, writeFileSync } from 'node:fs';
import type { FileReport } from '../../test/support/batch-report.ts';

/** In milliseconds. */
export type FileTimes = Pick<FileReport, 'milliseconds' | 'processorMilliseconds'>;

const PATH = '.test-build/times.json';

/** Reads the durations of each test file in its last run on this machine. Returns an empty map before the first run. */
export function readTimes(): ReadonlyMap<string, FileTimes> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(PATH, 'utf8')) as Readonly<Record<string, FileTimes>>));
  } catch {
    return new Map(); // the times only balance the batches and select the fast tests
  }
}

export function recordTimes(reports: readonly FileReport[]): void {
  const times = new Map(readTimes());
  for (const { file, milliseconds, processorMilliseconds } of reports)
    times.set(file, {
      milliseconds: Math.round(milliseconds),
      processorMilliseconds: Math.round(processorMilliseconds),
    });
  writeFileSync(PATH, JSON.stringify(Object.fromEntries(times)));
}
