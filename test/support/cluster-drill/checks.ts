import { setTimeout } from 'node:timers/promises';
import { callControl } from '../../../src/operations/control/client.ts';
import { controlSocketPath } from '../../../src/cli/operation-target.ts';
import { inParallel } from '../drill-client.ts';
import { findGrantViolation, type GrantRules } from '../linearizability/grant-history.ts';
import { tokenState, type DrillClient } from './client.ts';
import type { Ledger, RecordedGrant } from './ledger.ts';
import { MAX_STALENESS_SECONDS, type DrillCluster, type DrillNode } from './nodes.ts';
import type { TimedResponse } from './requests.ts';
import type { StoredLog } from './stored-log.ts';

export interface CheckDeps {
  readonly cluster: DrillCluster;
  readonly client: DrillClient;
  readonly ledger: Ledger;
  readonly storedLog: StoredLog;
  readonly report: (finding: string) => void;
}

/** How long every node may take to respond again after a fault has ended. */
const RECOVERY_DEADLINE_MS = 60_000;
const POLL_MS = 20;
const CONCURRENCY = 8;

const RULES: GrantRules = {
  reuseWindowMilliseconds: 30_000,
  clockErrorMilliseconds: 1_000,
  stalenessMilliseconds: MAX_STALENESS_SECONDS * 1000,
};

/**
 * Checks that a grant behaved as if the requests of its client had been executed one at a time.
 * @returns the first violation, or undefined if no rule is violated
 */
export function findViolation({ history, refusals }: RecordedGrant): string | undefined {
  const violation = findGrantViolation(history, RULES);
  return violation === undefined ? undefined : `a grant: ${violation}\nrefusals: ${[...refusals].join(', ')}`;
}

/** Compares the log and every node with the responses that clients got in a round, after the load has ended. */
export async function checkRound(deps: CheckDeps): Promise<void> {
  const { cluster, ledger, storedLog, report } = deps;
  await waitUntilReady(cluster.nodes, report);
  for (const finding of await storedLog.readOn(cluster.url())) report(finding);
  storedLog.findMissing(ledger).forEach(report);
  await askEveryNode(deps);
  for (const grant of ledger.grants) {
    const violation = findViolation(grant);
    if (violation !== undefined) report(violation);
  }
  await compareHeads(cluster.nodes, report);
}

async function waitUntilReady(nodes: readonly DrillNode[], report: (finding: string) => void): Promise<void> {
  const deadline = performance.now() + RECOVERY_DEADLINE_MS;
  for (const node of nodes) {
    let problem: string | undefined = 'unknown';
    while (problem !== undefined && performance.now() < deadline) {
      problem = await readinessProblem(node);
      if (problem !== undefined) await setTimeout(POLL_MS);
    }
    if (problem !== undefined) report(`${node.name} is not ready a minute later: ${problem}\n${node.output()}`);
  }
}

async function readinessProblem(node: DrillNode): Promise<string | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${node.port()}/readyz`);
    const text = await response.text();
    return response.status === 200 ? undefined : text;
  } catch (error) {
    return String(error);
  }
}

async function askEveryNode({ cluster: { nodes }, client, ledger, report }: CheckDeps): Promise<void> {
  async function expect(
    responsePromise: Promise<TimedResponse>,
    expected: 'active' | 'inactive',
    token: string,
  ): Promise<void> {
    const response = await responsePromise;
    const actual = tokenState(response);
    if (actual !== expected) report(`${token} is ${actual}: ${response.status} ${response.text}`);
  }

  for (const node of nodes) {
    await inParallel(ledger.live, CONCURRENCY, (token) =>
      expect(client.introspect(node, token), 'active', `on ${node.name}, a token that was issued`),
    );
    await inParallel(ledger.revoked, CONCURRENCY, async (token) => {
      await expect(client.introspect(node, token), 'inactive', `on ${node.name}, a revoked token`);
      await expect(
        client.requestResource(node, token),
        'inactive',
        `on ${node.name}, a revoked token as a bearer token`,
      );
    });
    await inParallel(ledger.grants, CONCURRENCY, async (grant) => {
      const pair = grant.newest();
      if (pair !== undefined) await grant.introspect(node, pair);
    });
  }
}

interface VerifyItem {
  readonly root?: string;
  readonly size?: number;
  readonly damage?: string;
  readonly finding?: string;
}

/** Makes each node verify the whole log with its own tree, and compares the nodes' heads. */
async function compareHeads(nodes: readonly DrillNode[], report: (finding: string) => void): Promise<void> {
  const heads = new Set<string>();
  for (const { name, dataDir } of nodes) {
    for await (const item of callControl(controlSocketPath(dataDir), 'log verify', {})) {
      const { damage, finding, root, size } = item as VerifyItem;
      if (damage !== undefined || finding !== undefined) report(`log verify on ${name}: ${JSON.stringify(item)}`);
      if (root !== undefined) heads.add(`${size} ${root}`);
    }
  }
  if (heads.size !== 1) report(`the nodes have different heads: ${[...heads].join(', ')}`);
}
