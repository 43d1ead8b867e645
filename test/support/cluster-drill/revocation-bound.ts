import { performance } from 'node:perf_hooks';
import { tokenState, parseTokens, type DrillClient } from './client.ts';
import type { DrillNode } from './nodes.ts';
import { createRequests } from './requests.ts';
import { openScene } from './scene.ts';

export interface RevocationDrill {
  /** An empty directory. */
  readonly directory: string;
  readonly revocations: number;
  /** Called after each hundredth revocation. */
  readonly progress: (done: number) => void;
}

export interface RevocationBounds {
  readonly introspection: RevocationBound;
  readonly bearer: RevocationBound;
  readonly findings: readonly string[];
}

/**
 * Times in milliseconds from the response to a revocation until a client sends the first request that the slowest other
 * node refuses.
 */
export interface RevocationBound {
  readonly revocations: number;
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
  /** The number of revocations after which another node accepted the token at least once. */
  readonly accepted: number;
}

const REVOCATIONS_PER_REPORT = 100;

/** Revokes tokens on one node, one at a time, and asks the other nodes without a pause until they refuse the token. */
export async function runRevocationDrill({
  directory,
  revocations,
  progress,
}: RevocationDrill): Promise<RevocationBounds> {
  const findings: string[] = [];
  const requests = createRequests((finding) => findings.push(finding));
  const { cluster, client } = await openScene(directory, { standby: false, requests });
  const { nodes } = cluster;

  async function measure(index: number, ask: DrillClient['requestResource']): Promise<number> {
    const revokingNode = nodes[index % nodes.length] ?? nodes[0];
    const otherNodes = nodes.filter((node) => node !== revokingNode);
    const token = parseTokens(await client.requestToken(revokingNode))?.access_token ?? '';
    for (const node of otherNodes) {
      if (tokenState(await ask(node, token)) !== 'active') findings.push('a new token is not active');
    }
    await client.revoke(revokingNode, token);
    const respondedAt = performance.now();
    return Math.max(...(await Promise.all(otherNodes.map((node) => firstRefusal(node, token, respondedAt, ask)))));
  }

  try {
    const introspections: number[] = [];
    const bearerRequests: number[] = [];
    for (let index = 0; index < revocations; index += 1) {
      introspections.push(await measure(index, client.introspect));
      bearerRequests.push(await measure(index, client.requestResource));
      if (introspections.length % REVOCATIONS_PER_REPORT === 0) progress(introspections.length);
    }
    return { introspection: summarize(introspections), bearer: summarize(bearerRequests), findings };
  } finally {
    await cluster.close();
  }
}

/** @returns the time of the first refused request, in milliseconds after `from`; 0 if the first request was refused */
async function firstRefusal(
  node: DrillNode,
  token: string,
  from: number,
  ask: DrillClient['requestResource'],
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await ask(node, token);
    const activity = tokenState(response);
    if (activity === 'unknown') throw new Error(`${node.name} responded with ${response.status} ${response.text}`);
    if (activity === 'inactive') return attempt === 1 ? 0 : response.start - from;
  }
}

function summarize(delays: readonly number[]): RevocationBound {
  const sorted = delays.toSorted((a, b) => a - b);
  const percentile = (share: number): number => Number((sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(1));
  const acceptedCount = delays.filter((delay) => delay > 0).length;
  return {
    revocations: delays.length,
    accepted: acceptedCount,
    median: percentile(0.5),
    p99: percentile(0.99),
    longest: percentile(1),
  };
}
