import { parseArgs } from 'node:util';
import { runFuzzDrill, HEAP_BOUND_BYTES, type FuzzTotals } from '../test/support/fuzz-drill.ts';
import { MAX_COST } from '../test/support/fuzz-costs.ts';
import { OPEN_REQUEST_BOUND_BYTES } from '../test/support/fuzz-open.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/fuzz-drill.ts [--requests N] [--seed S] [--json]

Sends N requests, most of them malformed, to all routes of a server: abnormal methods, headers, encodings,
sizes, nesting, parameters and framing, with and without an account. No response may be a server error (500
and above, except for documented 501 and 503), no error may be unhandled, unauthenticated requests must not
grow the event log, all but ${HEAP_BOUND_BYTES / 1024 / 1024} MiB of memory must be released, and the server
must respond afterwards. No request may repeatedly take ${MAX_COST} times the processor time of a normal one.
An unfinished request may take at most ${OPEN_REQUEST_BOUND_BYTES / 1024} KiB of memory.

  --requests N   number of requests (100000)
  --seed S       a whole number, to repeat a run (default: random)
  --json         print the totals as JSON
  --help         show this help

Exit status 0: no findings. 1: a finding. 2: usage error.
`;

const MAX_SEED = 1_000_000_000;
const REQUESTS_PER_LINE = 10_000;

interface Options {
  readonly requests: number;
  readonly seed: number;
  readonly json: boolean;
  readonly help: boolean;
}

async function run({ requests, seed, json }: Options): Promise<number> {
  const print = (line: string): void => void (json ? process.stderr : process.stdout).write(`${line}\n`);
  print(`${requests} requests, seed ${seed}`);
  let nextLine = REQUESTS_PER_LINE;
  const progress = (sentCount: number): void => {
    if (sentCount < nextLine) return;
    print(`${sentCount} sent`);
    nextLine += REQUESTS_PER_LINE;
  };
  try {
    const totals = await runFuzzDrill({ requests, seed, progress });
    if (json) process.stdout.write(`${JSON.stringify({ seed, ...totals })}\n`);
    else print(describe(totals));
    if (totals.heapGrowthBytes <= HEAP_BOUND_BYTES) return 0;
    process.stderr.write(
      `unauthenticated requests grew the heap by ${totals.heapGrowthBytes} bytes, more than ${HEAP_BOUND_BYTES}\n`,
    );
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof Error && error.cause !== undefined) console.error(error.cause);
    process.stderr.write(`to repeat: --requests ${requests} --seed ${seed}\n`);
  }
  return 1;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      requests: { type: 'string', default: '100000' },
      seed: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const seed = values.seed ?? String(Math.floor(Math.random() * MAX_SEED));
  if (!/^[1-9]\d{0,7}$/.test(values.requests) || !/^\d{1,9}$/.test(seed)) {
    throw new Error('--requests and --seed take whole numbers');
  }
  return { ...values, requests: Number(values.requests), seed: Number(seed) };
}

function describe({
  requests,
  responses,
  routes,
  fewestRequests,
  events,
  heapGrowthBytes,
  openRequestBytes,
  highestCost,
}: FuzzTotals): string {
  const counts = Object.entries(responses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
  return [
    `${requests} requests to ${routes} routes, at least ${fewestRequests} to each`,
    `responses ${counts}`,
    `${events} events by authenticated users`,
    `heap growth ${kibibytes(heapGrowthBytes)}, ${kibibytes(openRequestBytes)} per open request`,
    `the most expensive request cost ${highestCost.toFixed(1)} times as much as a normal one`,
    'no findings',
  ].join('; ');
}

function kibibytes(bytes: number): string {
  return `${Math.round(bytes / 1024)} KiB`;
}

await runScript(USAGE, readOptions, run);
