import type { Measurement, Result } from './rounds.ts';
import { P99_MARGIN_MS, type RowName } from './rows.ts';
import { median, quantile, ratiosByRound } from './statistics.ts';
import type { Cells } from './table.ts';
import { BASELINE } from './contenders/baseline.ts';
import { BARE_KOA } from './contenders/bare-koa.ts';
import { GRANTLOG } from './contenders/grantlog.ts';
import { LARGEST_PEER } from './contenders/peer.ts';

/** Above this share of its core, the load generator may be the bottleneck. */
const BUSY_LOAD_SHARE = 0.9;

const HEADER = [
  'row',
  'server',
  'requests/s',
  '× bare Koa',
  'by CPU',
  'target',
  'p50 ms',
  'p99 ms',
  'server µs',
  'load core',
];

export function comparisonTable(results: readonly Result[]): Cells {
  return [
    HEADER,
    ...results.map(({ row, contender, rate, ratio, cpuRatio, target, p50, p99, serverCpu, loadCpuShare }) => [
      row,
      contender,
      String(Math.round(rate)),
      ratio.toFixed(2),
      formatFigure(cpuRatio, 2),
      target === undefined ? '' : target.toFixed(2),
      p50.toFixed(2),
      p99.toFixed(2),
      formatFigure((serverCpu ?? Number.NaN) * 1000, 0),
      `${Math.round(loadCpuShare * 100)}%`,
    ]),
  ];
}

function formatFigure(value: number, digits: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(digits);
}

/** Returns caveats for the reader of the table. They do not fail the run, because machines are shared. */
export function comparisonRemarks(results: readonly Result[]): readonly string[] {
  const baseP99 = new Map(results.filter(({ contender }) => contender === BARE_KOA).map(({ row, p99 }) => [row, p99]));
  const peerRatios = results
    .filter(({ contender }) => contender === LARGEST_PEER)
    .map(({ row, ratio }) => {
      const grantlogRatio = grantlogResult(row, results)?.ratio ?? Number.NaN;
      return `${row}: ${(grantlogRatio / ratio).toFixed(1)} × ${LARGEST_PEER}`;
    });
  return [
    ...peerRatios,
    ...results.filter(({ contender }) => contender === BASELINE).map((result) => baselineRemark(result, results)),
    ...results.flatMap(({ row, contender, ratio, target, p99, loadCpuShare }) => [
      ...(loadCpuShare > BUSY_LOAD_SHARE
        ? [
            `${row}, ${contender}: the load generator used ${Math.round(loadCpuShare * 100)}% of its core; ` +
              'the server may be faster',
          ]
        : []),
      ...(target !== undefined && ratio < target
        ? [`${row}: ${ratio.toFixed(2)} × bare Koa, below the target of ${target.toFixed(2)}`]
        : []),
      ...(target !== undefined && p99 > (baseP99.get(row) ?? p99) + P99_MARGIN_MS
        ? [`${row}: p99 of ${p99.toFixed(1)} ms, more than ${P99_MARGIN_MS} ms above bare Koa's`]
        : []),
    ]),
  ];
}

function grantlogResult(rowName: RowName, results: readonly Result[]): Result | undefined {
  return results.find(({ row, contender }) => row === rowName && contender === GRANTLOG);
}

/** Compares Grantlog with the baseline, round by round, because slow rounds slow down both. */
function baselineRemark(baseline: Result, results: readonly Result[]): string {
  const { rounds = [] } = grantlogResult(baseline.row, results) ?? {};
  const compareRounds = (read: (measurement: Measurement) => number): string =>
    describeRatios(ratiosByRound(rounds.map(read), baseline.rounds.map(read)));
  return (
    `${baseline.row}: ${compareRounds(({ rate }) => rate)} × ${BASELINE}; ` +
    `by CPU ${compareRounds(({ serverCpu = Number.NaN }) => 1 / serverCpu)}`
  );
}

/** Formats the median and the quartiles. */
function describeRatios(ratios: readonly number[]): string {
  const sorted = ratios.toSorted((a, b) => a - b);
  const [middle, lower, upper] = [median(ratios), quantile(sorted, 0.25), quantile(sorted, 0.75)];
  return `${formatFigure(middle, 2)} (quartiles ${formatFigure(lower, 2)} to ${formatFigure(upper, 2)})`;
}
