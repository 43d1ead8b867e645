import { inParallel } from '../drill-client.ts';
import { findViolation } from './checks.ts';
import { openScene } from './scene.ts';
import { emptyLedger, recordGrant, type RecordedGrant } from './ledger.ts';
import { createRequests } from './requests.ts';

export interface RaceDrill {
  /** An empty directory. */
  readonly directory: string;
  /** Half of them redeem a code, and half refresh tokens; each does so on all nodes at the same time. */
  readonly races: number;
  /** Called after each hundredth race. */
  readonly progress: (raceCount: number, findings: readonly string[]) => void;
}

export interface RaceTotals {
  redemptions: number;
  refreshes: number;
  /** The number of races for a code where a later redemption revoked the grant before the first response. */
  endedMeanwhile: number;
  /** Responses by status. */
  readonly statuses: Record<string, number>;
  readonly findings: readonly string[];
}

const CONCURRENCY = 4;
const RACES_PER_REPORT = 100;

/** Sends the same code or refresh token to all nodes at the same time, without a fault. */
export async function runRaceDrill({ directory, races, progress }: RaceDrill): Promise<RaceTotals> {
  const findings: string[] = [];
  const report = (finding: string): void => void findings.push(finding);
  const requests = createRequests(report);
  const { cluster, client, storedLog } = await openScene(directory, { standby: false, requests });
  const { nodes } = cluster;
  const ledger = emptyLedger();
  const totals = { redemptions: 0, refreshes: 0, endedMeanwhile: 0 };

  async function race(index: number): Promise<void> {
    const code = await client.authorize(nodes[index % nodes.length] ?? nodes[0]);
    if (code === undefined) return report('a node issued no code');
    const grant = recordGrant(code, client, ledger);
    ledger.grants.push(grant);
    if (index % 2 === 0) await raceRedemptions(grant);
    else await raceRefreshes(grant, index);
    const violation = findViolation(grant);
    if (violation !== undefined) report(violation);
    const raceCount = totals.redemptions + totals.refreshes;
    if (raceCount % RACES_PER_REPORT === 0) progress(raceCount, findings);
  }

  async function raceRedemptions(grant: RecordedGrant): Promise<void> {
    await Promise.all(nodes.map((node) => grant.redeem(node)));
    const successes = grant.history.filter(({ outcome }) => typeof outcome === 'object').length;
    const refusals = grant.history.filter(({ outcome }) => outcome === 'refused').length;
    if (successes === 0) totals.endedMeanwhile += 1;
    if (successes > 1 || successes + refusals !== nodes.length)
      report(`of ${nodes.length} redemptions, ${successes} succeeded and ${refusals} were refused`);
    totals.redemptions += 1;
  }

  /** Checks that all responses are the same, as they must be for a client that did not receive the first one. */
  async function raceRefreshes(grant: RecordedGrant, index: number): Promise<void> {
    await grant.redeem(nodes[(index + 1) % nodes.length] ?? nodes[0]);
    const pair = grant.newest();
    if (pair === undefined) return report('a new code was not redeemed');
    await Promise.all(nodes.map((node) => grant.refresh(node, pair)));
    const responses = new Set(grant.history.slice(1).map(({ outcome }) => JSON.stringify(outcome)));
    if (responses.size !== 1 || typeof grant.history.at(-1)?.outcome !== 'object')
      report(`the refreshes of a token got different responses: ${[...responses].join(' and ')}`);
    totals.refreshes += 1;
  }

  try {
    await inParallel(Array.from({ length: races }).keys(), CONCURRENCY, race);
    for (const finding of await storedLog.readOn(cluster.url())) report(finding);
    storedLog.findMissing(ledger).forEach(report);
    return { ...totals, statuses: Object.fromEntries(requests.statuses), findings };
  } finally {
    await cluster.close();
  }
}
