import { setTimeout } from 'node:timers/promises';
import type { TokenPair } from '../linearizability/grant-history.ts';
import type { Choice } from '../seeded-choice.ts';
import { tokenState, parseTokens, type DrillClient } from './client.ts';
import { recordGrant, type Ledger, type RecordedGrant } from './ledger.ts';
import type { DrillNode } from './nodes.ts';

export interface LoadDeps {
  readonly client: DrillClient;
  readonly nodes: readonly DrillNode[];
  readonly ledger: Ledger;
  readonly choice: Choice;
  readonly report: (finding: string) => void;
}

/** The number of steps in a grant's life. Each consists of one to three concurrent requests. */
const STEPS = 5;
/** How long a client waits after a response that asks it to try again. */
const PAUSE_MS = 50;

/** Sends the requests of clients and their users, one grant at a time, to random nodes until `isStopped`. */
export async function generateLoad(deps: LoadDeps, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) await (deps.choice.below(3) === 0 ? useClientCredentials(deps) : useGrant(deps));
}

async function useClientCredentials({ client, nodes, ledger, choice, report }: LoadDeps): Promise<void> {
  const token = parseTokens(await client.requestToken(anyOf(nodes, choice)))?.access_token;
  if (token === undefined) return setTimeout(PAUSE_MS);
  ledger.accessTokens.add(token);
  const response = await client.requestResource(anyOf(nodes, choice), token);
  if (tokenState(response) === 'inactive') report(`a token was refused right after it was issued: ${response.text}`);
  if (choice.below(2) === 0) return void ledger.live.add(token);
  const revocation = await client.revoke(anyOf(nodes, choice), token);
  if (revocation.status === 200) ledger.revoked.add(token);
}

async function useGrant(deps: LoadDeps): Promise<void> {
  const { client, nodes, ledger, choice } = deps;
  const code = await client.authorize(anyOf(nodes, choice));
  if (code === undefined) return setTimeout(PAUSE_MS);
  const grant = recordGrant(code, client, ledger);
  ledger.grants.push(grant);
  const redemptions = choice.below(6) === 0 ? 2 : 1; // a second one revokes the grant
  await Promise.all(Array.from({ length: redemptions }, () => grant.redeem(anyOf(nodes, choice))));
  for (let step = 0; step < STEPS; step += 1) {
    const pair = grant.newest();
    if (pair === undefined) await grant.redeem(anyOf(nodes, choice));
    else await Promise.all(Array.from({ length: 1 + choice.below(3) }, () => useTokens(grant, pair, deps)));
    if (grant.history.some(({ kind }) => kind === 'revoke') && choice.below(2) === 0) return;
  }
}

function useTokens(grant: RecordedGrant, pair: TokenPair, { nodes, choice }: LoadDeps): Promise<void> {
  const node = anyOf(nodes, choice);
  const kind = choice.below(20);
  if (kind < 9) return grant.refresh(node, pair);
  if (kind < 10) return grant.refresh(node, grant.previous() ?? pair);
  if (kind < 14) return grant.introspect(node, pair);
  return kind < 18 ? grant.requestResource(node, pair) : grant.revoke(node, pair);
}

function anyOf(nodes: readonly DrillNode[], choice: Choice): DrillNode {
  return choice.of(nodes) as DrillNode;
}
