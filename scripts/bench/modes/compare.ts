import { join } from 'node:path';
import type { BenchOptions } from '../arguments.ts';
import { comparisonTable, comparisonRemarks } from '../comparison.ts';
import { startBaseline } from '../contenders/baseline.ts';
import { startBareKoa } from '../contenders/bare-koa.ts';
import type { Contender } from '../contenders/contender.ts';
import { startDjangoToolkit } from '../contenders/django-toolkit.ts';
import { startGrantlogContender } from '../contenders/grantlog.ts';
import { installPeers, PEERS, startPeer } from '../contenders/peer.ts';
import { describePinning } from '../cores.ts';
import { createBenchData } from '../grantlog/bench-data.ts';
import { startLoad } from '../load/load.ts';
import { runRounds } from '../rounds.ts';
import type { BenchResult, Session } from '../session.ts';

/** Compares Grantlog and peers with bare Koa. */
export async function compare(options: BenchOptions, { directory, cores, report }: Session): Promise<BenchResult> {
  const context = { directory, cores, connections: options.connections };
  if (options.peers) installPeers(); // first, because it may fail
  const load = startLoad(cores?.load);
  const contenders: Contender[] = [];
  try {
    contenders.push(
      await startBareKoa(context),
      await startGrantlogContender(context, await createBenchData(join(directory, 'grantlog'), codesFor(options))),
    );
    if (options.baseline !== undefined)
      contenders.push(await startBaseline(context, options.baseline, codesFor(options)));
    if (options.peers) for (const peer of PEERS) contenders.push(await startPeer(peer, context));
    if (options.peers) contenders.push(...(await startDjangoToolkit(context, report)));
    const results = await runRounds(options, contenders, load, report);
    const verifications = await Promise.all(contenders.flatMap((contender) => contender.verifyRecords?.() ?? []));
    return {
      method:
        `${options.connections} connections, medians of ${options.rounds} interleaved rounds of ` +
        `${options.seconds} s; ${describePinning(cores)}`,
      cells: comparisonTable(results),
      remarks: [...verifications, ...comparisonRemarks(results)],
      figures: results,
    };
  } finally {
    load.end();
    await Promise.all(contenders.map(({ server }) => server.end('SIGKILL')));
  }
}

/** An upper bound for the codes that a server redeems per second. */
export const MAX_CODES_PER_SECOND = 12_000;

/** Returns the number of codes to issue before the server starts, including one for each connection's refresh chain. */
export function codesFor({
  rows,
  rounds,
  seconds,
  warmUpSeconds,
  connections,
}: Pick<BenchOptions, 'rows' | 'rounds' | 'seconds' | 'warmUpSeconds' | 'connections'>): number {
  return (
    connections +
    (rows.includes('code-cold') ? Math.ceil((rounds * seconds + 2 * warmUpSeconds) * MAX_CODES_PER_SECOND) : 0)
  );
}
