import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runScript } from '../run-script.ts';
import { runBatch, type BatchResult } from './batch.ts';
import { dealBatches } from './dealt.ts';
import { summary } from './summary.ts';

const USAGE = `Usage: npm test -- [--jobs N] [FILE...]

Runs the test suite, or the test files named, in several processes side by side. Each process runs a
batch of files and has its own exit status. The run fails if a test fails, if a process ends without
a report, or if a file ran no test.

  --jobs N   processes at a time; by default one for each processor, and at most 8
  --help     this text

Exit status: 0 all tests passed, 1 some did not, 2 the arguments could not be read.
`;

/** Enough batches that no processor is idle for long at the end, few enough that starting them costs little. */
const BATCHES_PER_JOB = 6;
const MAX_JOBS = 8;

interface Options {
  readonly help?: boolean;
  readonly jobs: number;
  readonly files: readonly string[];
}

await runScript<Options>(USAGE, readOptions, run);

function readOptions(words: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { jobs: { type: 'string' }, help: { type: 'boolean' } },
  });
  const jobs = values.jobs === undefined ? Math.min(MAX_JOBS, availableParallelism()) : Number(values.jobs);
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new Error(`--jobs must be a whole number from 1 on, not ${values.jobs}`);
  return { jobs, files: positionals, ...(values.help === true && { help: true }) };
}

async function run({ jobs, files }: Options): Promise<number> {
  const wanted = files.length > 0 ? files : findTestFiles();
  const waiting = dealBatches(wanted, jobs * BATCHES_PER_JOB);
  const results: BatchResult[] = [];
  const directory = mkdtempSync(join(tmpdir(), 'grantlog-suite-'));

  async function work(): Promise<void> {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      const result = await runBatch(batch, join(directory, `${waiting.length}.json`));
      process.stdout.write(result.output);
      results.push(result);
    }
  }

  try {
    await Promise.all(Array.from({ length: jobs }, work));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const { text, isGreen } = summary(results);
  process.stdout.write(text);
  return isGreen ? 0 : 1;
}

function findTestFiles(): readonly string[] {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file))
    .toSorted();
}
