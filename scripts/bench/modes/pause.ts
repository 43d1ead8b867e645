import { join } from 'node:path';
import type { BenchOptions } from '../arguments.ts';
import { startBareKoa } from '../contenders/bare-koa.ts';
import type { Contender } from '../contenders/contender.ts';
import { startGrantlogContender } from '../contenders/grantlog.ts';
import { describePinning } from '../cores.ts';
import { copyFilledDirectory } from '../grantlog/filled-directory.ts';
import { createBenchData } from '../grantlog/bench-data.ts';
import { logHead, readMetric, startGrantlog } from '../grantlog/server.ts';
import { startLoad, type Load } from '../load/load.ts';
import type { LoadJob, LoadReport } from '../load/protocol.ts';
import type { RowName } from '../rows.ts';
import { readPauses, type Pauses } from '../probe.ts';
import type { BenchResult, Session } from '../session.ts';
import { median, rotate } from '../statistics.ts';
import type { Cells } from '../table.ts';

const TARGET_MS = 20;
const HEADER = [
  'server',
  'requests',
  'live tokens',
  'longest pause',
  'in the worst interval',
  'target ≤',
  'pause p99',
  'snapshot',
  'request p99',
  'longest request',
];

interface Series {
  readonly contender: Contender;
  /** The kind of request in the load. */
  readonly row: RowName;
  /** Undefined for bare Koa, which stores nothing. */
  readonly tokens: number | undefined;
  readonly intervals: Interval[];
}

interface Interval {
  readonly report: LoadReport;
  readonly pauses: Pauses;
}

/**
 * Measures event loop delay under load, with many tokens and with none. Bare Koa shows the delay caused by the machine.
 * The load has a fixed rate, because at full load each iteration of the event loop processes many requests. A snapshot
 * is written in the first interval.
 */
export async function pause(
  { tokens, rounds, seconds, connections, rate, warmUpSeconds }: BenchOptions,
  { directory, cores, report }: Session,
): Promise<BenchResult> {
  const load = startLoad(cores?.load);
  const allSeries: Series[] = [];
  try {
    allSeries.push({
      contender: await startBareKoa({ directory, cores, connections }, { withProbe: true }),
      row: 'client_credentials',
      tokens: undefined,
      intervals: [],
    });
    for (const [row, liveTokens, data] of [
      ['client_credentials', 0, await createBenchData(join(directory, 'empty'), connections)],
      ['client_credentials', tokens, copyFilledDirectory(tokens, join(directory, 'filled'), report)],
      ['private_key_jwt', 0, await createBenchData(join(directory, 'with-assertions'), connections)],
      ['private_key_jwt-rs256', 0, await createBenchData(join(directory, 'with-rsa'), connections)],
      ['dpop', 0, await createBenchData(join(directory, 'with-proofs'), connections)],
    ] as const) {
      const snapshotEvents =
        (await eventsSinceSnapshot(data.dataDir)) + Math.ceil(rate * (warmUpSeconds + seconds / 3));
      const settings = { GRANTLOG_SNAPSHOT_EVENTS: String(snapshotEvents) };
      allSeries.push({
        contender: await startGrantlogContender({ cores, connections }, data, { withProbe: true, settings }),
        row,
        tokens: liveTokens,
        intervals: [],
      });
    }
    const job = { connections, rate };
    for (const series of allSeries) await runInterval(series, load, { ...job, seconds: warmUpSeconds });
    const positionsBefore = await readSnapshotPositions(allSeries);
    for (let round = 0; round < rounds; round += 1) {
      for (const series of rotate(allSeries, round))
        series.intervals.push(await runInterval(series, load, { ...job, seconds }));
      const longest = allSeries.map(({ intervals }) => intervals.at(-1)?.pauses.longest.toFixed(1));
      report(`round ${round + 1} of ${rounds}: ${longest.join(', ')} ms`);
    }
    const positionsAfter = await readSnapshotPositions(allSeries);
    return {
      method:
        `${rate} requests/s over ${connections} connections, ${rounds} interleaved intervals ` +
        `of ${seconds} s; event loop delay in milliseconds, medians of the intervals; ${describePinning(cores)}`,
      cells: [
        HEADER,
        ...allSeries.map((series, index) => formatRow(series, positionsAfter[index] !== positionsBefore[index])),
      ],
      remarks: [],
      figures: {
        rate,
        series: allSeries.map(({ contender: { name }, row, tokens: liveTokens, intervals }) => ({
          name,
          row,
          tokens: liveTokens,
          intervals,
        })),
      },
    };
  } finally {
    load.end();
    await Promise.all(allSeries.map(({ contender }) => contender.server.end('SIGKILL')));
  }
}

function formatRow({ contender, row, tokens, intervals }: Series, wasSnapshotWritten: boolean): Cells[number] {
  const medianOf = (read: (interval: Interval) => number): string => median(intervals.map(read)).toFixed(1);
  const maximumOf = (read: (interval: Interval) => number): string => Math.max(...intervals.map(read)).toFixed(1);
  const storage =
    tokens === undefined
      ? { tokens: '', target: '', snapshot: '' }
      : { tokens: String(tokens), target: String(TARGET_MS), snapshot: wasSnapshotWritten ? 'yes' : 'no' };
  return [
    contender.name,
    row,
    storage.tokens,
    medianOf(({ pauses }) => pauses.longest),
    maximumOf(({ pauses }) => pauses.longest),
    storage.target,
    medianOf(({ pauses }) => pauses.p99),
    storage.snapshot,
    medianOf(({ report }) => report.p99),
    maximumOf(({ report }) => report.longest),
  ];
}

type Job = Omit<LoadJob, 'port' | 'request'> & { readonly rate: number };

async function runInterval({ contender, row }: Series, load: Load, job: Job): Promise<Interval> {
  const request = await contender.prepare(row, Math.ceil(job.rate * job.seconds));
  await readPauses(contender.server); // resets the measurement
  const report = await load.run({
    port: contender.server.port,
    ...job,
    request,
  });
  const pauses = await readPauses(contender.server);
  await contender.verify(row, report);
  return { report, pauses };
}

/** Returns the position of each server's latest snapshot; undefined for bare Koa, which has none. */
async function readSnapshotPositions(allSeries: readonly Series[]): Promise<readonly (number | undefined)[]> {
  return Promise.all(
    allSeries.map(async ({ contender, tokens }) =>
      tokens === undefined ? undefined : readMetric(contender.server, 'grantlog_snapshot_position'),
    ),
  );
}

/** Counts the events after the latest snapshot, which count toward the next one. */
async function eventsSinceSnapshot(dataDir: string): Promise<number> {
  const settings = { GRANTLOG_SNAPSHOT_EVENTS: '1000000000' }; // prevents a new snapshot
  const server = await startGrantlog(dataDir, { settings });
  try {
    return (await logHead(server)) - (await readMetric(server, 'grantlog_snapshot_position'));
  } finally {
    await server.end('SIGTERM');
  }
}
