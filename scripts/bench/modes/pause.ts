import { join } from 'node:path';
import type { BenchOptions } from '../arguments.ts';
import { bareKoa } from '../contenders/bare-koa.ts';
import type { Contender } from '../contenders/contender.ts';
import { grantlog } from '../contenders/grantlog.ts';
import { pinningOf } from '../cores.ts';
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
const HEAD = [
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

interface Measured {
  readonly contender: Contender;
  /** The requests that the load consists of. */
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
 * The load has a fixed rate, because at full load every turn of the loop lasts as long as all its requests. A snapshot
 * is written in the first interval.
 */
export async function pause(
  { tokens, rounds, seconds, connections, rate, warmUpSeconds }: BenchOptions,
  { directory, cores, report: say }: Session,
): Promise<BenchResult> {
  const load = startLoad(cores?.load);
  const measured: Measured[] = [];
  try {
    measured.push({
      contender: await bareKoa({ directory, cores, connections }, { withProbe: true }),
      row: 'client_credentials',
      tokens: undefined,
      intervals: [],
    });
    for (const [row, live, home] of [
      ['client_credentials', 0, await createBenchData(join(directory, 'empty'), connections)],
      ['client_credentials', tokens, copyFilledDirectory(tokens, join(directory, 'filled'), say)],
      ['private_key_jwt', 0, await createBenchData(join(directory, 'with-assertions'), connections)],
      ['private_key_jwt-rs256', 0, await createBenchData(join(directory, 'with-rsa'), connections)],
      ['dpop', 0, await createBenchData(join(directory, 'with-proofs'), connections)],
    ] as const) {
      const snapshotEvents = (await sinceSnapshot(home.dataDir)) + Math.ceil(rate * (warmUpSeconds + seconds / 3));
      const settings = { GRANTLOG_SNAPSHOT_EVENTS: String(snapshotEvents) };
      measured.push({
        contender: await grantlog({ cores, connections }, home, { withProbe: true, settings }),
        row,
        tokens: live,
        intervals: [],
      });
    }
    const job = { connections, rate };
    for (const each of measured) await interval(each, load, { ...job, seconds: warmUpSeconds });
    const before = await snapshotsOf(measured);
    for (let round = 0; round < rounds; round += 1) {
      for (const each of rotate(measured, round)) each.intervals.push(await interval(each, load, { ...job, seconds }));
      const longest = measured.map(({ intervals }) => intervals.at(-1)?.pauses.longest.toFixed(1));
      say(`round ${round + 1} of ${rounds}: ${longest.join(', ')} ms`);
    }
    const after = await snapshotsOf(measured);
    return {
      method:
        `${rate} requests/s over ${connections} connections, ${rounds} interleaved intervals ` +
        `of ${seconds} s; event loop delay in milliseconds, medians of the intervals; ${pinningOf(cores)}`,
      cells: [HEAD, ...measured.map((each, at) => pauseTable(each, after[at] !== before[at]))],
      remarks: [],
      figures: {
        rate,
        measured: measured.map(({ contender: { name }, row, tokens: live, intervals }) => ({
          name,
          row,
          tokens: live,
          intervals,
        })),
      },
    };
  } finally {
    load.end();
    await Promise.all(measured.map(({ contender }) => contender.server.end('SIGKILL')));
  }
}

function pauseTable({ contender, row, tokens, intervals }: Measured, snapshotWritten: boolean): Cells[number] {
  const typical = (read: (interval: Interval) => number): string => median(intervals.map(read)).toFixed(1);
  const worst = (read: (interval: Interval) => number): string => Math.max(...intervals.map(read)).toFixed(1);
  const stored =
    tokens === undefined
      ? { tokens: '', target: '', snapshot: '' }
      : { tokens: String(tokens), target: String(TARGET_MS), snapshot: snapshotWritten ? 'yes' : 'no' };
  return [
    contender.name,
    row,
    stored.tokens,
    typical(({ pauses }) => pauses.longest),
    worst(({ pauses }) => pauses.longest),
    stored.target,
    typical(({ pauses }) => pauses.p99),
    stored.snapshot,
    typical(({ report }) => report.p99),
    worst(({ report }) => report.longest),
  ];
}

type Job = Omit<LoadJob, 'port' | 'request'> & { readonly rate: number };

async function interval({ contender, row }: Measured, load: Load, job: Job): Promise<Interval> {
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

/** The position of each server's newest snapshot; undefined for bare Koa. */
async function snapshotsOf(measured: readonly Measured[]): Promise<readonly (number | undefined)[]> {
  return Promise.all(
    measured.map(async ({ contender, tokens }) =>
      tokens === undefined ? undefined : readMetric(contender.server, 'grantlog_snapshot_position'),
    ),
  );
}

/** The number of events after the newest snapshot, which count towards the next one. */
async function sinceSnapshot(dataDir: string): Promise<number> {
  const settings = { GRANTLOG_SNAPSHOT_EVENTS: '1000000000' }; // writes no snapshot
  const server = await startGrantlog(dataDir, { settings });
  try {
    return (await logHead(server)) - (await readMetric(server, 'grantlog_snapshot_position'));
  } finally {
    await server.end('SIGTERM');
  }
}
