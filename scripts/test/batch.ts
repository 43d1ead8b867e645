import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { normalize } from 'node:path';
import type { BatchReport } from '../../test/support/batch-report.ts';

export interface BatchResult {
  readonly files: readonly string[];
  readonly output: string;
  /** Problems of the run itself rather than of a test. */
  readonly problems: readonly string[];
  readonly report: BatchReport | undefined;
}

/**
 * Deals `files` into at most `count` batches that take about as long as each other, none of them empty. The slowest
 * files come first, each in the batch that has the least to do.
 * @param times milliseconds by file; files that are not in it count as fast ones
 */
export function dealBatches(files: readonly string[], count: number, times: ReadonlyMap<string, number>): string[][] {
  const timeOf = (file: string): number => Math.max(times.get(file) ?? 0, LEAST_MILLISECONDS);
  const batches = Array.from({ length: Math.min(count, files.length) }, () => ({ time: 0, files: [] as string[] }));
  for (const file of files.toSorted((a, b) => timeOf(b) - timeOf(a))) {
    const least = Math.min(...batches.map(({ time }) => time));
    const batch = batches.find(({ time }) => time === least);
    batch?.files.push(file);
    if (batch !== undefined) batch.time += timeOf(file);
  }
  return batches.map((batch) => batch.files);
}

/** Of a file whose tests take no time: to load it, and so that no batch stays empty. */
const LEAST_MILLISECONDS = 100;

/**
 * Threads that collect garbage wait for each other in busy loops. Where more processes than processors run, that takes
 * a fifth of all processor time.
 */
const V8_OPTIONS = ['--max-semi-space-size=32', '--single-threaded-gc'];

/**
 * Runs `files` in one process, which writes its report to `reportPath`.
 * @param runTypeScript the option of `node` for it
 */
export async function runBatch(
  files: readonly string[],
  reportPath: string,
  runTypeScript = '--import=tsx',
): Promise<BatchResult> {
  const words = [runTypeScript, ...V8_OPTIONS, 'scripts/test/run-batch.ts', reportPath, ...files];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
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
  if (report === undefined) return [`a process ended with ${status} and without a report; it ran ${files.join(' ')}`];
  const filesWithTests = new Set(report.files.filter(({ tests }) => tests > 0).map(({ file }) => file));
  const silent = files.filter((file) => !filesWithTests.has(normalize(file))).map((file) => `${file} ran no test`);
  const isLost = status !== 0 && report.failures === 0;
  return isLost
    ? [...silent, `a process ended with ${status} after its tests passed; it ran ${files.join(' ')}`]
    : silent;
}
