import { join } from 'node:path';
import type { BenchOptions } from '../arguments.ts';
import { grantlog } from '../contenders/grantlog.ts';
import { passwordRequest } from '../contenders/requests.ts';
import { basicOf } from '../contenders/http-text.ts';
import { createBenchData } from '../grantlog/bench-data.ts';
import { startLoad } from '../load/load.ts';
import type { LoadReport } from '../load/protocol.ts';
import type { BenchResult, Session } from '../session.ts';
import { median, medianRatio } from '../statistics.ts';

const LOGINS_IN_FLIGHT = 100;
const TARGET = 2;

/**
 * Measures how logins, which hash passwords for several milliseconds each, affect other token requests. The server is
 * not pinned to a core, because hashes are computed on other threads.
 */
export async function argon2(
  { rounds, seconds, warmUpSeconds, connections, rate }: BenchOptions,
  { directory, cores, report: say }: Session,
): Promise<BenchResult> {
  const home = await createBenchData(join(directory, 'grantlog'), connections);
  const contender = await grantlog({ cores: undefined, connections }, home);
  const [load, loginLoad] = [startLoad(cores?.load), startLoad(cores?.load)];
  const { port } = contender.server;
  const tokens = async (length: number): Promise<LoadReport> =>
    load.run({ port, connections, seconds: length, rate, request: await contender.prepare('client_credentials', 0) });
  const logIn = (length: number): Promise<LoadReport> =>
    loginLoad.run({
      port,
      connections: LOGINS_IN_FLIGHT,
      seconds: length,
      request: passwordRequest(basicOf(home.clientId, home.clientSecret), home.username, home.password),
    });
  const without: LoadReport[] = [];
  const beside: LoadReport[] = [];
  const logInRates: number[] = [];
  try {
    await Promise.all([tokens(warmUpSeconds), logIn(warmUpSeconds)]);
    for (let round = 0; round < rounds; round += 1) {
      without.push(await tokens(seconds));
      const [report, loggedIn] = await Promise.all([tokens(seconds), logIn(seconds)]);
      beside.push(report);
      logInRates.push(loggedIn.rate);
      say(
        `round ${round + 1} of ${rounds}: p99 ${without.at(-1)?.p99.toFixed(1)} ms, ` +
          `with logins ${report.p99.toFixed(1)} ms`,
      );
    }
  } finally {
    load.end();
    loginLoad.end();
    await contender.server.end('SIGKILL');
  }
  const p99s = [without, beside].map((reports) => reports.map(({ p99 }) => p99));
  const ratio = medianRatio(p99s[1] ?? [], p99s[0] ?? []);
  return {
    method:
      `client_credentials at ${rate} requests/s, alone and with ${LOGINS_IN_FLIGHT} concurrent logins (password ` +
      `grant, ${median(logInRates).toFixed(0)} logins/s); medians of ${rounds} rounds of ${seconds} s`,
    cells: [
      ['client_credentials', 'requests/s', 'p50 ms', 'p99 ms', '× alone'],
      cells('alone', without, '1.00'),
      cells('with logins', beside, ratio.toFixed(2)),
    ],
    remarks:
      ratio > TARGET ? [`p99 with logins is ${ratio.toFixed(1)} × that without; the target is at most ${TARGET}`] : [],
    figures: { rate, ratio, without, beside, logInRates },
  };
}

function cells(name: string, reports: readonly LoadReport[], times: string): readonly string[] {
  const middle = (read: (report: LoadReport) => number): number => median(reports.map(read));
  return [
    name,
    middle(({ rate }) => rate).toFixed(0),
    middle(({ p50 }) => p50).toFixed(2),
    middle(({ p99 }) => p99).toFixed(2),
    times,
  ];
}
