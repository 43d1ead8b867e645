import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { runScript } from '../run-script.ts';
import { buildServer, compile, RUN_COMPILED } from './compile.ts';
import { distributeFiles, runBatch, type BatchResult } from './batch.ts';
import { readTimes, recordTimes } from './recorded-times.ts';
import { expectedTimes, findFastTestFiles } from './slow-tests.ts';
import { summarize } from './summary.ts';
import { findTests, isTestFile } from './test-kinds.ts';

const USAGE = `Usage: npm test -- [--fast | --browser | --sweeps | --system | --distribution] [--jobs N] [FILE...]

Runs the test suite, or the given test files, in several concurrent processes. Each process runs a
batch of files. The run fails if a test fails, if a process exits without a report, or if a file ran
no test or uses \`only\`. The suite needs only Node.

  --fast     only files that do not start a process or browser, use the disk, request every route or set
             a timeout, and that took at most 0.75 s of processor time in their last run here; lists
             the files that took longer
  --browser  only the tests of the pages in Chromium, which are not part of the suite
  --sweeps   only the sweeps, which are not part of the suite: they visit every page, route, form,
             operation and input, or send random requests to all of them
  --system   only the system tests, which are not part of the suite: they start Grantlog as a process and
             kill it, run several nodes on PostgreSQL, or use programs in other languages
  --distribution
             only the tests of the distribution, which are not part of the suite: the package, its build,
             the commands in the documents, and the examples
  --jobs N   concurrent processes (default: two more than processors, and one for each with --fast;
             at most 8); up to 64
  --help     show this help

Exit status 0: all tests passed. 1: a test failed. 2: usage error.
`;

/** The options that select tests. */
const SELECTIONS = ['fast', 'browser', 'sweeps', 'system', 'distribution'] as const;
type Selection = (typeof SELECTIONS)[number] | 'suite';

const MAX_JOBS = 8;
const MAX_GIVEN_JOBS = 64;

/** Slow tests wait for disks, browsers and processes, so more jobs than processors keep the processors busy. */
const EXTRA_JOBS = 2;

/**
 * Each batch starts a process, which takes seconds. With several batches per job, processors are less idle at the end.
 */
const BATCHES_PER_JOB = 3;

interface Options {
  readonly help?: boolean;
  readonly tests: Selection;
  readonly jobs: number;
  readonly files: readonly string[];
}

await runScript<Options>(USAGE, readOptions, run);

function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      fast: { type: 'boolean' },
      browser: { type: 'boolean' },
      sweeps: { type: 'boolean' },
      system: { type: 'boolean' },
      distribution: { type: 'boolean' },
      jobs: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const [tests = 'suite', secondSelection] = SELECTIONS.filter((name) => values[name]);
  const jobs = values.jobs === undefined ? defaultJobs(tests) : Number(values.jobs);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > MAX_GIVEN_JOBS)
    throw new Error(`--jobs must be a whole number from 1 to ${MAX_GIVEN_JOBS}, not ${values.jobs}`);
  if (secondSelection !== undefined) throw new Error(`--${tests} and --${secondSelection} cannot be combined`);
  if (tests !== 'suite' && positionals.length > 0)
    throw new Error(`--${tests} selects the files itself; omit the file names`);
  const missing = positionals.find((path) => statSync(path, { throwIfNoEntry: false })?.isFile() !== true);
  if (missing !== undefined) throw new Error(`${missing} is not a file; specify test files, or none to run the suite`);
  const files = positionals.map((path) => relative('.', path));
  const otherFile = files.find((file) => !isTestFile(file));
  if (otherFile !== undefined)
    throw new Error(`${otherFile} is not a test; specify files in test whose names end with .test.ts, or none`);
  return { tests, jobs, files, ...(values.help === true && { help: true }) };
}

function defaultJobs(tests: Selection): number {
  return Math.min(MAX_JOBS, availableParallelism() + (tests === 'fast' ? 0 : EXTRA_JOBS));
}

function selectFiles(tests: Selection): readonly string[] {
  return tests === 'fast' ? selectFast() : findTests(tests);
}

function selectFast(): readonly string[] {
  const { fast, tooSlow } = findFastTestFiles(readTimes());
  if (tooSlow.length > 0)
    process.stdout.write(`Left out, because they took more than 0.75 s of processor time: ${tooSlow.join(' ')}\n`);
  return fast;
}

async function run({ tests, jobs, files }: Options): Promise<number> {
  const selectedFiles = files.length > 0 ? files : selectFiles(tests);
  const times = expectedTimes(selectedFiles, readTimes());
  const pendingBatches = distributeFiles(selectedFiles, jobs * (tests === 'fast' ? 1 : BATCHES_PER_JOB), times);
  const results: BatchResult[] = [];
  compile();
  if (tests !== 'fast') buildServer();
  const directory = mkdtempSync(join(tmpdir(), 'grantlog-suite-'));

  async function work(): Promise<void> {
    for (let batch = pendingBatches.shift(); batch !== undefined; batch = pendingBatches.shift()) {
      const result = await runBatch(batch, join(directory, `${pendingBatches.length}.json`), RUN_COMPILED);
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
  const { text, isGreen } = summarize(results);
  process.stdout.write(text);
  return isGreen ? 0 : 1;
}
