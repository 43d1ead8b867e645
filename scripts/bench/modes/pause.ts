import { join } from 'node:path';
import type { BenchOptions } from '../arguments.ts';
import { grantlog } from '../contenders/grantlog.ts';
import type { Contender } from '../contenders/contender.ts';
import { pinningOf } from '../cores.ts';
import { filled } from '../grantlog/filled.ts';
import { furnish } from '../grantlog/furnish.ts';
import { logHead, metricOf, pausesOf, startGrantlog, type Pauses } from '../grantlog/server.ts';
import { startLoad, type Load } from '../load/load.ts';
import type { LoadReport } from '../load/protocol.ts';
import type { Outcome, Session } from '../session.ts';
import type { Cells } from '../table.ts';

const TARGET_MS = 20;
const HEAD = ['live tokens', 'requests/s', 'longest pause', 'target ≤', 'pause p99', 'snapshot', 'request p99', 'longest request'];

interface Seen {
  readonly report: LoadReport;
  readonly pauses: Pauses;
  readonly snapshotWritten: boolean;
}

/**
 * How long the event loop stands still under load, with many tokens and with none. The load comes at a fixed rate: under one that
 * takes all there is, every turn of the loop is as long as its requests together. A snapshot falls into it.
 */
export async function pause({ tokens, seconds, connections, rate, warmUpSeconds }: BenchOptions, { directory, cores, say }: Session): Promise<Outcome> {
  const load = startLoad(cores?.load);
  const contenders: Contender[] = [];
  try {
    for (const home of [await furnish(join(directory, 'empty'), connections), filled(tokens, join(directory, 'filled'), say)]) {
      const snapshotEvents = (await sinceSnapshot(home.dataDir)) + Math.ceil(rate * (warmUpSeconds + seconds / 3));
      contenders.push(await grantlog({ cores, connections }, home, { probed: true, settings: { GRANTLOG_SNAPSHOT_EVENTS: String(snapshotEvents) } }));
    }
    for (const contender of contenders) await seen(contender, load, { seconds: warmUpSeconds, connections, rate });
    const [none, many] = await inTurn(contenders, (contender) => seen(contender, load, { seconds, connections, rate }));
    return {
      how: `client_credentials at ${rate} requests/s for ${seconds} s over ${connections} connections; the event loop's delay as the ` +
        `server measures it, in milliseconds; ${pinningOf(cores)}`,
      cells: [HEAD, ...cellsOf('0', none), ...cellsOf(String(tokens), many)],
      remarks: [], figures: { tokens, rate, none, many },
    };
  } finally {
    load.end();
    await Promise.all(contenders.map(({ server }) => server.end('SIGKILL')));
  }
}

function cellsOf(tokens: string, one: Seen | undefined): Cells {
  if (one === undefined) return [];
  const { report, pauses, snapshotWritten } = one;
  return [[
    tokens, report.rate.toFixed(0), pauses.longest.toFixed(1), String(TARGET_MS), pauses.p99.toFixed(1), snapshotWritten ? 'yes' : 'no',
    report.p99.toFixed(1), report.longest.toFixed(1),
  ]];
}

async function seen(contender: Contender, load: Load, order: { readonly seconds: number; readonly connections: number; readonly rate: number }): Promise<Seen> {
  const snapshotBefore = await newestSnapshot(contender);
  await pausesOf(contender.server); // from here on
  const report = await load.run({ port: contender.server.port, ...order, request: await contender.prepare('client_credentials', 0) });
  const pauses = await pausesOf(contender.server);
  await contender.settle('client_credentials', report);
  return { report, pauses, snapshotWritten: (await newestSnapshot(contender)) > snapshotBefore };
}

function newestSnapshot({ server }: Contender): Promise<number> {
  return metricOf(server, 'grantlog_snapshot_position');
}

/** How many events a start replays, which count towards the next snapshot. */
async function sinceSnapshot(dataDir: string): Promise<number> {
  const server = await startGrantlog(dataDir, { settings: { GRANTLOG_SNAPSHOT_EVENTS: '1000000000' } }); // and writes none
  try {
    return (await logHead(server)) - (await metricOf(server, 'grantlog_snapshot_position'));
  } finally {
    await server.end('SIGTERM');
  }
}

async function inTurn<Item, Result>(items: readonly Item[], act: (item: Item) => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await act(item));
  return results;
}
