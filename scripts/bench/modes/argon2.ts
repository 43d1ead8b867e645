import { join } from 'node:path';
import type { BenchOptions } from '../arguments.ts';
import { startGrantlogContender } from '../contenders/grantlog.ts';
import { passwordRequest } from '../contenders/requests.ts';
import { basicAuthHeader } from '../contenders/http-text.ts';
import { createBenchData } from '../grantlog/bench-data.ts';
import { startLoad } from '../load/load.ts';
import type { LoadReport } from '../load/protocol.ts';
import type { BenchResult, Session } from '../session.ts';
import { median, medianRatio } from '../statistics.ts';

const LOGINS_IN_FLIGHT = 100;
const TARGET = 2;

/**
 * Measures the effect of logins, which hash passwords for several milliseconds each, on other token requests. The
 * server is not pinned to a core, because hashes are computed on other threads.
 */
export async function argon2(
  { rounds, seconds, warmUpSeconds, connections, rate }: BenchOptions,
  { directory, cores, report: print }: Session,
): Promise<BenchResult> {
  const data = await createBenchData(join(directory, 'grantlog'), connections);
  const contender = await startGrantlogContender({ cores: undefined, connections }, data);
  const [load, loginLoad] = [startLoad(cores?.load), startLoad(cores?.load)];
  const { port } = contender.server;
  const requestTokens = async (length: number): Promise<LoadReport> =>
    load.run({ port, connections, seconds: length, rate, request: await contender.prepare('client_credentials', 0) });
  const logIn = (length: number): Promise<LoadReport> =>
    loginLoad.run({
      port,
      connections: LOGINS_IN_FLIGHT,
      seconds: length,
      request: passwordRequest(basicAuthHeader(data.clientId, data.clientSecret), data.username, data.password),
    });
  const reportsAlone: LoadReport[] = [];
  const reportsWithLogins: LoadReport[] = [];
  const loginRates: number[] = [];
  try {
    await Promise.all([requestTokens(warmUpSeconds), logIn(warmUpSeconds)]);
    for (let round = 0; round < rounds; round += 1) {
      reportsAlone.push(await requestTokens(seconds));
      const [report, loginReport] = await Promise.all([requestTokens(seconds), logIn(seconds)]);
      reportsWithLogins.push(report);
      loginRates.push(loginReport.rate);
      print(
        `round ${round + 1} of ${rounds}: p99 ${reportsAlone.at(-1)?.p99.toFixed(1)} ms, ` +
          `with logins ${report.p99.toFixed(1)} ms`,
      );
    }
  } finally {
    load.end();
    loginLoad.end();
    await contender.server.end('SIGKILL');
  }
  const p99s = [reportsAlone, reportsWithLogins].map((reports) => reports.map(({ p99 }) => p99));
  const ratio = medianRatio(p99s[1] ?? [], p99s[0] ?? []);
  return {
    method:
      `client_credentials at ${rate} requests/s, alone and with ${LOGINS_IN_FLIGHT} concurrent logins (password ` +
      `grant, ${median(loginRates).toFixed(0)} logins/s); medians of ${rounds} rounds of ${seconds} s`,
    cells: [
      ['client_credentials', 'requests/s', 'p50 ms', 'p99 ms', '× alone'],
      cells('alone', reportsAlone, '1.00'),
      cells('with logins', reportsWithLogins, ratio.toFixed(2)),
    ],
    remarks:
      ratio > TARGET
        ? [`p99 with logins is ${ratio.toFixed(1)} × the p99 without; the target is at most ${TARGET}`]
        : [],
    figures: { rate, ratio, alone: reportsAlone, withLogins: reportsWithLogins, loginRates },
  };
}

function cells(name: string, reports: readonly LoadReport[], times: string): readonly string[] {
  const medianOf = (read: (report: LoadReport) => number): number => median(reports.map(read));
  return [
    name,
    medianOf(({ rate }) => rate).toFixed(0),
    medianOf(({ p50 }) => p50).toFixed(2),
    medianOf(({ p99 }) => p99).toFixed(2),
    times,
  ];
}
