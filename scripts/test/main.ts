import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runScript } from '../run-script.ts';
import { buildServer, compile, RUN_COMPILED } from './compile.ts';
import { dealBatches, runBatch, type BatchResult } from './batch.ts';
import { readTimes, recordTimes } from './recorded-times.ts';
import { expectedTimes, findFastTestFiles, findTestFiles } from './slow-tests.ts';
import { summary } from './summary.ts';

const USAGE = `Usage: npm test -- [--fast] [--jobs N] [FILE...]

Runs the test suite, or the given test files, in several concurrent processes. Each process runs a
batch of files. The run fails if a test fails, if a process ends without a report, or if a file ran
no test.

  --fast     only files that start no process or browser, do not use the disk, do not request every
             route, need no longer timeout than mocha's default, and took at most two seconds when they
             last ran here; lists those that took longer
  --jobs N   concurrent processes (default: two more than processors, and one for each with --fast;
             at most 8)
  --help     this text

Exit status 0: all tests passed. 1: a test failed. 2: wrong usage.
`;

/** Starting a process costs seconds. Slow files need several batches, or processors are idle at the end. */
const BATCHES_PER_JOB = { fast: 1, whole: 3 } as const;
const MAX_JOBS = 8;
/** Slow tests wait for disks, browsers and processes. More jobs keep the processors busy. Fast tests hardly wait. */
const EXTRA_JOBS = { fast: 0, whole: 2 } as const;

interface Options {
  readonly help?: boolean;
  readonly isFast: boolean;
  readonly jobs: number;
  readonly files: readonly string[];
}

await runScript<Options>(USAGE, readOptions, run);

function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { fast: { type: 'boolean' }, jobs: { type: 'string' }, help: { type: 'boolean' } },
  });
  const kind = values.fast === true ? 'fast' : 'whole';
  const jobs =
    values.jobs === undefined ? Math.min(MAX_JOBS, availableParallelism() + EXTRA_JOBS[kind]) : Number(values.jobs);
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new Error(`--jobs must be a positive whole number, not ${values.jobs}`);
  if (values.fast === true && positionals.length > 0)
    throw new Error('--fast selects the files itself; omit the file names');
  return { isFast: values.fast === true, jobs, files: positionals, ...(values.help === true && { help: true }) };
}

function selectFast(): readonly string[] {
  const { fast, tookTooLong } = findFastTestFiles(readTimes());
  if (tookTooLong.length > 0)
    process.stdout.write(`Left out, because they took more than two seconds: ${tookTooLong.join(' ')}\n`);
  return fast;
}

async function run({ isFast, jobs, files }: Options): Promise<number> {
  const selected = files.length > 0 ? files : isFast ? selectFast() : findTestFiles();
  const times = expectedTimes(selected, readTimes());
  const waiting = dealBatches(selected, jobs * BATCHES_PER_JOB[isFast ? 'fast' : 'whole'], times);
  const results: BatchResult[] = [];
  compile();
  if (!isFast) buildServer();
  const directory = mkdtempSync(join(tmpdir(), 'grantlog-suite-'));

  async function work(): Promise<void> {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      const result = await runBatch(batch, join(directory, `${waiting.length}.json`), RUN_COMPILED);
      process.stdout.write(result.output);
      results.push(result);
    }
  }

  try {
    await Promise.all(Array.from({ length: jobs }, work));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  recordTimes(results.flatMap(({ report }) => report?.files ?? []));
  const { text, isGreen } = summary(results);
  process.stdout.write(text);
  return isGreen ? 0 : 1;
}
