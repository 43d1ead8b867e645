import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { seededChoice } from '../seeded-choice.ts';
import { checkRound } from './checks.ts';
import type { DrillClient } from './client.ts';
import { getFault, type FaultName } from './faults.ts';
import { emptyLedger } from './ledger.ts';
import { generateLoad } from './load.ts';
import { createRequests, type Requests } from './requests.ts';
import type { DrillCluster } from './nodes.ts';
import { openScene, type Scene } from './scene.ts';
import type { StoredLog } from './stored-log.ts';

export interface ClusterDrill {
  /** An empty directory. */
  readonly directory: string;
  readonly faults: readonly FaultName[];
  /** The number of rounds for each fault. */
  readonly rounds: number;
  readonly seed: number;
  /** The number of concurrent clients. */
  readonly workers: number;
  /** Wraps the client in one that lies, to show that the drill notices. */
  readonly disguise?: (client: DrillClient) => DrillClient;
  /** Called after each round. */
  readonly progress: (fault: FaultName, totals: DrillTotals, findings: readonly string[]) => void;
}

export interface DrillTotals {
  /** By fault. */
  readonly rounds: Record<string, number>;
  tokens: number;
  /** The number of grants whose history was checked for linearizability. */
  histories: number;
  operations: number;
  /** The number of operations whose response does not show whether they took effect. */
  unknown: number;
  revoked: number;
  events: number;
  /** Responses by status; 0 is no response from a killed node. */
  readonly statuses: Record<string, number>;
  slowestMilliseconds: number;
  readonly findings: string[];
}

/** How long the load runs before and after a fault. */
const LOAD_MS = 600;
/** Each node verifies its cluster's whole log after each round, so the log must stay short. */
const ROUNDS_PER_CLUSTER = 20;

/** Injects each fault under load, and checks the responses after each round. */
export async function runClusterDrill(drill: ClusterDrill): Promise<DrillTotals> {
  const { directory, faults, rounds, seed, disguise = (client) => client, progress } = drill;
  const choice = seededChoice(seed);
  const totals = emptyTotals();
  let sceneCount = 0;
  let sharedScene: Scene | undefined;
  let sharedRounds = 0;
  let findings: string[] = [];
  const requests = createRequests((finding) => findings.push(finding));

  async function newScene(standby: boolean): Promise<Scene> {
    sceneCount += 1;
    const scene = await openScene(join(directory, `cluster-${sceneCount}`), { standby, requests });
    return { ...scene, client: disguise(scene.client) };
  }

  async function openSharedScene(): Promise<Scene> {
    if (sharedScene === undefined || sharedRounds === ROUNDS_PER_CLUSTER) {
      await sharedScene?.cluster.close();
      sharedScene = await newScene(false);
      sharedRounds = 0;
    }
    sharedRounds += 1;
    return sharedScene;
  }

  /** Closes the cluster after a failed round. The next round gets a new one, because this one could fail again. */
  async function closeScene(scene: Scene): Promise<void> {
    if (sharedScene === scene) sharedScene = undefined;
    await scene.cluster.close();
  }

  async function runRound(name: FaultName): Promise<void> {
    const fault = getFault(name);
    const scene = fault.needsStandby ? await newScene(true) : await openSharedScene();
    let isReusable = !fault.needsStandby;
    const { cluster, client, storedLog } = scene;
    const ledger = emptyLedger();
    const report = (finding: string): void => void findings.push(finding);
    let isStopped = false;
    const load = Array.from({ length: drill.workers }, () =>
      generateLoad({ client, nodes: cluster.nodes, ledger, choice, report }, () => isStopped),
    );
    try {
      await setTimeout(LOAD_MS);
      await fault.inject(cluster, choice);
      await setTimeout(LOAD_MS);
      isStopped = true;
      await Promise.all(load);
      await checkRound({ cluster, client, ledger, storedLog, report });
      count(name, ledger, storedLog);
    } catch (error) {
      isReusable = false;
      report(`${error instanceof Error ? error.stack : String(error)}\n${outputOf(cluster)}`);
    } finally {
      isStopped = true;
      await Promise.allSettled(load);
      if (!isReusable || findings.length > 0) await closeScene(scene);
    }
  }

  function count(
    name: FaultName,
    { accessTokens, grants, revoked }: ReturnType<typeof emptyLedger>,
    storedLog: StoredLog,
  ) {
    const operations = grants.flatMap(({ history }) => history);
    totals.rounds[name] = (totals.rounds[name] ?? 0) + 1;
    totals.tokens += accessTokens.size;
    totals.histories += grants.length;
    totals.operations += operations.length;
    totals.unknown += operations.filter(({ outcome }) => outcome === 'unknown').length;
    totals.revoked += revoked.size;
    totals.events = storedLog.events();
    countRequests(totals, requests);
  }

  try {
    for (let round = 1; round <= rounds; round += 1) {
      for (const name of faults) {
        findings = [];
        await runRound(name);
        totals.findings.push(...findings.map((finding) => `round ${round} of ${name}, seed ${seed}: ${finding}`));
        progress(name, totals, findings);
      }
    }
    return totals;
  } finally {
    await sharedScene?.cluster.close();
  }
}

function outputOf({ nodes }: DrillCluster): string {
  return nodes.map((node) => `${node.name}:\n${node.output()}`).join('\n');
}

function countRequests(totals: DrillTotals, { statuses, slowest }: Requests): void {
  for (const [status, responses] of statuses) totals.statuses[status] = responses;
  totals.slowestMilliseconds = Math.round(slowest());
}

function emptyTotals(): DrillTotals {
  return {
    rounds: {},
    tokens: 0,
    histories: 0,
    operations: 0,
    unknown: 0,
    revoked: 0,
    events: 0,
    statuses: {},
    slowestMilliseconds: 0,
    findings: [],
  };
}

/** Returns a client that reports invented tokens instead of the tokens that it received for a code. */
export function lyingClient(client: DrillClient): DrillClient {
  return {
    ...client,
    async redeem(node, code) {
      const response = await client.redeem(node, code);
      const tokens = { access_token: `gla_${code.slice(4)}`, refresh_token: `glr_${code.slice(4)}` };
      return { ...response, status: 200, text: JSON.stringify(tokens) };
    },
  };
}
