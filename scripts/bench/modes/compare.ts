import { join } from 'node:path';
import type { BenchOptions } from '../arguments.ts';
import { comparedCells, remarksOn } from '../compared.ts';
import { bareKoa } from '../contenders/bare-koa.ts';
import type { Contender } from '../contenders/contender.ts';
import { grantlog } from '../contenders/grantlog.ts';
import { installPeers, PEERS, startPeer } from '../contenders/peer.ts';
import { pinningOf } from '../cores.ts';
import { furnish } from '../grantlog/furnish.ts';
import { startLoad } from '../load/load.ts';
import { MOST_REQUESTS_A_SECOND, runRounds, WARM_ANSWERS } from '../rounds.ts';
import type { Outcome, Session } from '../session.ts';

/** Grantlog and others beside bare Koa. */
export async function compare(options: BenchOptions, { directory, cores, say }: Session): Promise<Outcome> {
  const surroundings = { directory, cores, connections: options.connections };
  const load = startLoad(cores?.load);
  const contenders: Contender[] = [];
  if (options.peers) installPeers();
  try {
    contenders.push(await bareKoa(surroundings), await grantlog(surroundings, await furnish(join(directory, 'grantlog'), codesFor(options))));
    if (options.peers) for (const peer of PEERS) contenders.push(await startPeer(peer, surroundings));
    const results = await runRounds(options, contenders, load, say);
    const held = await Promise.all(contenders.flatMap((contender) => contender.lookBack?.() ?? []));
    return {
      how: `${options.connections} connections, medians of ${options.rounds} interleaved rounds of ${options.seconds} s; ${pinningOf(cores)}`,
      cells: comparedCells(results), remarks: [...held, ...remarksOn(results)], figures: results,
    };
  } finally {
    load.end();
    await Promise.all(contenders.map(({ server }) => server.end('SIGKILL')));
  }
}

/** As many as the row can use up, and one for each connection's chain of refreshes. */
export function codesFor({ rows, rounds, seconds, warmUpSeconds, connections }: Pick<BenchOptions, 'rows' | 'rounds' | 'seconds' | 'warmUpSeconds' | 'connections'>): number {
  const used = rows.includes('code') ? Math.ceil((rounds * seconds + warmUpSeconds) * MOST_REQUESTS_A_SECOND) + WARM_ANSWERS : 0;
  return used + connections;
}
