import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from '../arguments.ts';
import { BARE_KOA, startBareKoa } from '../contenders/bare-koa.ts';
import type { Contender } from '../contenders/contender.ts';
import { GRANTLOG, startGrantlogContender } from '../contenders/grantlog.ts';
import { describePinning } from '../cores.ts';
import { copyFilledDirectory } from '../grantlog/filled-directory.ts';
import { createBenchData } from '../grantlog/bench-data.ts';
import { startLoad } from '../load/load.ts';
import { runRounds, type Result } from '../rounds.ts';
import type { BenchResult, Session } from '../session.ts';
import { drawLineChart } from '../svg.ts';

const LEVELS = [0, 1_000_000, 5_000_000, 10_000_000];
const CONNECTIONS = [1, 16, 64, 256, 1024];

interface Point extends Result {
  readonly tokens: number;
  readonly connections: number;
}

/** Measures how client_credentials scales with the number of live tokens and of connections, compared with bare Koa. */
export async function growth(options: BenchOptions, { directory, cores, report }: Session): Promise<BenchResult> {
  const levels = [...new Set([...LEVELS.filter((level) => level < options.tokens), options.tokens])];
  const load = startLoad(cores?.load);
  const contenders: Contender[] = [];
  const points: Point[] = [];
  try {
    contenders.push(await startBareKoa({ directory, cores, connections: options.connections }));
    for (const level of levels) {
      const data =
        level === 0
          ? await createBenchData(join(directory, 'tokens-0'), 0)
          : copyFilledDirectory(level, join(directory, `tokens-${level}`), report);
      contenders.push(await startGrantlogContender({ cores, connections: 0 }, data, { name: contenderName(level) }));
    }
    const plan = { ...options, rows: ['client_credentials'] as const };
    for (const result of await runRounds(plan, contenders, load, report)) {
      points.push({
        ...result,
        tokens: levels.find((level) => contenderName(level) === result.contender) ?? 0,
        connections: options.connections,
      });
    }
    for (const connections of CONNECTIONS.filter((count) => count !== options.connections)) {
      for (const result of await runRounds({ ...plan, connections }, contenders.slice(0, 2), load, report))
        points.push({ ...result, tokens: 0, connections });
    }
  } finally {
    load.end();
    await Promise.all(contenders.map(({ server }) => server.end('SIGKILL')));
  }
  if (options.svg !== undefined) drawCharts(options.svg, points, levels, options.connections);
  return {
    method:
      `client_credentials; medians of ${options.rounds} interleaved rounds of ${options.seconds} s; ` +
      describePinning(cores),
    cells: [
      ['server', 'live tokens', 'connections', 'requests/s', '× bare Koa', 'by CPU', 'p50 ms', 'p99 ms'],
      ...points
        .toSorted((a, b) => a.connections - b.connections)
        .map(({ contender, tokens, connections, rate, ratio, cpuRatio, p50, p99 }) => [
          ...(contender === BARE_KOA ? [BARE_KOA, ''] : [GRANTLOG, String(tokens)]),
          String(connections),
          rate.toFixed(0),
          ratio.toFixed(2),
          cpuRatio.toFixed(2),
          p50.toFixed(2),
          p99.toFixed(2),
        ]),
    ],
    remarks: [],
    figures: points,
  };
}

function contenderName(level: number): string {
  return `${GRANTLOG} with ${level} tokens`;
}

function drawCharts(
  directory: string,
  points: readonly Point[],
  levels: readonly number[],
  connectionCount: number,
): void {
  const valueAt = (predicate: (point: Point) => boolean, read: (point: Point) => number): number => {
    const point = points.find(predicate);
    return point === undefined ? Number.NaN : read(point);
  };
  const seriesByTokens = (read: (point: Point) => number) =>
    levels.map((level) => valueAt(({ contender }) => contender === contenderName(level), read));
  const connections = [...new Set(points.map((point) => point.connections))].toSorted((a, b) => a - b);
  const seriesByConnections = (name: string, read: (point: Point) => number) =>
    connections.map((count) => valueAt((point) => point.connections === count && point.contender === name, read));
  const labels = levels.map((level) => (level === 0 ? '0' : `${level / 1_000_000} million`));
  const charts = {
    'tokens-rate.svg': drawLineChart({
      title: `Throughput by live access tokens (${connectionCount} connections)`,
      unit: '× bare Koa',
      labels,
      series: [{ name: GRANTLOG, values: seriesByTokens(({ ratio }) => ratio) }],
    }),
    'tokens-p99.svg': drawLineChart({
      title: `99th percentile by live access tokens (${connectionCount} connections)`,
      unit: 'ms',
      labels,
      series: [{ name: GRANTLOG, values: seriesByTokens(({ p99 }) => p99) }],
    }),
    'connections-rate.svg': drawLineChart({
      title: 'Requests per second by connections',
      unit: 'requests/s',
      labels: connections.map(String),
      series: [
        { name: BARE_KOA, values: seriesByConnections(BARE_KOA, ({ rate }) => rate) },
        { name: GRANTLOG, values: seriesByConnections(contenderName(0), ({ rate }) => rate) },
      ],
    }),
  };
  mkdirSync(directory, { recursive: true });
  for (const [file, svg] of Object.entries(charts)) writeFileSync(join(directory, file), svg);
}
