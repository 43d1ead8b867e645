import { readFileSync, writeFileSync } from 'node:fs';
import type { FileReport } from '../../test/support/batch-report.ts';

const PATH = '.test-build/times.json';

/** The duration of the last run of each test file here, in milliseconds. Empty before the first run. */
export function readTimes(): ReadonlyMap<string, number> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(PATH, 'utf8')) as Readonly<Record<string, number>>));
  } catch {
    return new Map(); // times only balance the batches
  }
}

export function recordTimes(reports: readonly FileReport[]): void {
  const times = new Map(readTimes());
  for (const { file, milliseconds } of reports) times.set(file, Math.round(milliseconds));
  writeFileSync(PATH, JSON.stringify(Object.fromEntries(times)));
}
