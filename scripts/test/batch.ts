import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { normalize } from 'node:path';
import type { BatchReport } from '../../test/support/batch-report.ts';

export interface BatchResult {
  readonly files: readonly string[];
  readonly output: string;
  /** Problems other than failed tests. */
  readonly problems: readonly string[];
  readonly report: BatchReport | undefined;
}

/**
 * Distributes `files` over at most `count` batches that take about the same time. No batch is empty. Each file,
 * starting with the slowest, is added to the batch with the shortest total time.
 * @param times milliseconds by file; files without a time are assumed to be fast
 */
export function distributeFiles(
  files: readonly string[],
  count: number,
  times: ReadonlyMap<string, number>,
): string[][] {
  const timeOf = (file: string): number => Math.max(times.get(file) ?? 0, MIN_MILLISECONDS);
  const batches = Array.from({ length: Math.min(count, files.length) }, () => ({ time: 0, files: [] as string[] }));
  for (const file of files.toSorted((a, b) => timeOf(b) - timeOf(a))) {
    const shortestTime = Math.min(...batches.map(({ time }) => time));
    const batch = batches.find(({ time }) => time === shortestTime);
    batch?.files.push(file);
    if (batch !== undefined) batch.time += timeOf(file);
  }
  return batches.map((batch) => batch.files);
}

/** The minimum time of a file: it must be loaded, and no batch may stay empty. */
const MIN_MILLISECONDS = 100;

/**
 * V8's garbage collection threads wait for each other in busy loops. With more processes than processors, this takes a
 * fifth of all processor time.
 */
const V8_OPTIONS = ['--max-semi-space-size=32', '--single-threaded-gc'];

/**
 * Runs `files` in one process, which writes its report to `reportPath`.
 * @param runTypeScript the `node` option that loads TypeScript
 */
export async function runBatch(
  files: readonly string[],
  reportPath: string,
  runTypeScript = '--import=tsx',
): Promise<BatchResult> {
  const args = [runTypeScript, ...V8_OPTIONS, 'scripts/test/run-batch.ts', reportPath, ...files];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const status = await new Promise<number | string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  const report = readReport(reportPath);
  return { files, output: Buffer.concat(chunks).toString(), report, problems: findProblems(files, status, report) };
}

function readReport(path: string): BatchReport | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as BatchReport;
  } catch {
    return undefined; // reported as a problem below
  }
}

function findProblems(files: readonly string[], status: number | string, report: BatchReport | undefined): string[] {
  if (report === undefined) return [`a process exited with ${status} and without a report; it ran ${files.join(' ')}`];
  const filesWithResults = new Set(
    report.files.filter(({ tests, failures }) => tests + failures > 0).map(({ file }) => file),
  );
  const emptyFiles = files
    .filter((file) => !filesWithResults.has(normalize(file)))
    .map((file) => `${file} ran no test`);
  const isLost = status !== 0 && report.failures === 0;
  return isLost
    ? [...emptyFiles, `a process exited with ${status} after its tests passed; it ran ${files.join(' ')}`]
    : emptyFiles;
}
