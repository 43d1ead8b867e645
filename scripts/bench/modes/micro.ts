import { join } from 'node:path';
import type { BenchOptions } from '../arguments.ts';
import { credentialPairs } from '../micro/credentials.ts';
import { eventPairs } from '../micro/events.ts';
import { openLogPairs } from '../micro/log.ts';
import { metricPairs } from '../micro/metrics.ts';
import type { AsyncPair, Pair } from '../micro/pair.ts';
import { signaturePairs } from '../micro/signatures.ts';
import { tokenPairs } from '../micro/tokens.ts';
import type { BenchResult, Session } from '../session.ts';
import { median, medianRatio } from '../statistics.ts';

/** The minimum processor time per round of each function in a synchronous pair. */
const ROUND_MICROSECONDS = 30_000;
const ASYNC_CALLS = 500;

interface Comparison {
  readonly name: string;
  readonly file: string;
  /** Nanoseconds of processor time per call, by round. */
  readonly optimized: readonly number[];
  readonly baseline: readonly number[];
}

/** Times optimized code against its baseline, in interleaved rounds. */
export async function micro({ rounds }: BenchOptions, { directory, report }: Session): Promise<BenchResult> {
  const comparisons: Comparison[] = [];
  for (const pair of [...credentialPairs(), ...metricPairs(), ...tokenPairs(), ...eventPairs()]) {
    report(pair.name);
    comparisons.push(compareSync(pair, rounds));
  }
  for (const pair of signaturePairs()) {
    report(pair.name);
    comparisons.push(await compareAsync(pair, rounds));
  }
  const log = await openLogPairs(join(directory, 'log'));
  try {
    for (const pair of log.pairs) comparisons.push(await compareAsync(pair, rounds));
  } finally {
    await log.close();
  }
  const figures = comparisons.map(({ name, file, optimized, baseline }) => ({
    name,
    file,
    optimized: median(optimized),
    baseline: median(baseline),
    ratio: medianRatio(baseline, optimized),
  }));
  return {
    method: `processor time of this process for one call; medians of ${rounds} interleaved rounds`,
    cells: [
      ['pair (optimized; baseline)', 'file in src', 'optimized ns', 'baseline ns', 'baseline / optimized'],
      ...figures.map(({ name, file, optimized, baseline, ratio }) => [
        name,
        file,
        optimized.toFixed(0),
        baseline.toFixed(0),
        ratio.toFixed(2),
      ]),
    ],
    remarks: figures
      .filter(({ ratio }) => ratio < 1)
      .map(({ name, ratio }) => `${name}: the baseline is faster (baseline / optimized: ${ratio.toFixed(2)})`),
    figures,
  };
}

function compareSync({ name, file, optimized, baseline }: Pair, rounds: number): Comparison {
  const calls = { optimized: callsPerRound(optimized), baseline: callsPerRound(baseline) };
  const times = { optimized: [] as number[], baseline: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    times.optimized.push(timeCalls(optimized, calls.optimized));
    times.baseline.push(timeCalls(baseline, calls.baseline));
  }
  return { name, file, ...times };
}

/** Doubles the number of calls until they fill a round, which also warms up the compiler. */
function callsPerRound(act: () => unknown): number {
  let calls = 1_000;
  while ((timeCalls(act, calls) * calls) / 1000 < ROUND_MICROSECONDS) calls *= 2;
  return calls;
}

/** Keeps results reachable, so that the compiler cannot optimize the calls away. */
const results: unknown[] = Array.from({ length: 16 });

/** Returns the nanoseconds per call. */
function timeCalls(act: () => unknown, calls: number): number {
  const startUsage = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) results[call % results.length] = act();
  return nanosecondsSince(startUsage) / calls;
}

function nanosecondsSince(startUsage: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(startUsage);
  return (user + system) * 1000;
}

async function compareAsync({ name, file, optimized, baseline }: AsyncPair, rounds: number): Promise<Comparison> {
  for (const act of [optimized, baseline]) await timeAsyncCalls(act);
  const times = { optimized: [] as number[], baseline: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    times.optimized.push(await timeAsyncCalls(optimized));
    times.baseline.push(await timeAsyncCalls(baseline));
  }
  return { name, file, ...times };
}

async function timeAsyncCalls(act: () => Promise<unknown>): Promise<number> {
  const startUsage = process.cpuUsage();
  for (let call = 0; call < ASYNC_CALLS; call += 1) await act();
  return nanosecondsSince(startUsage) / ASYNC_CALLS;
}
