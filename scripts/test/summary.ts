import { textTable } from '../bench/table.ts';
import type { BatchResult } from './batch.ts';

const MAX_SLOWEST = 15;

/** Formats the totals of a run, its failures and its slowest files, and reports whether it passed. */
export function summarize(results: readonly BatchResult[]): { readonly text: string; readonly isGreen: boolean } {
  const reports = results.flatMap(({ report }) => report ?? []);
  const total = (member: 'passes' | 'failures' | 'pending'): number =>
    reports.reduce((sum, report) => sum + report[member], 0);
  const problems = results.flatMap((result) => result.problems);
  const slowest = reports
    .flatMap(({ files }) => files)
    .toSorted((a, b) => b.processorMilliseconds - a.processorMilliseconds)
    .slice(0, MAX_SLOWEST)
    .map(({ file, tests, milliseconds, processorMilliseconds }) => [
      formatSeconds(processorMilliseconds),
      formatSeconds(milliseconds),
      String(tests),
      file,
    ]);
  const text = [
    '',
    textTable([['processor seconds', 'seconds', 'tests', 'file'], ...slowest]),
    '',
    `${total('passes')} passing, ${total('failures')} failing, ${total('pending')} pending`,
    ...reports.flatMap(({ failureLines }) => failureLines).map((line) => `Failed: ${line}`),
    ...problems.map((problem) => `Problem: ${problem}`),
    '',
  ].join('\n');
  return { text, isGreen: total('failures') === 0 && problems.length === 0 };
}

function formatSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
