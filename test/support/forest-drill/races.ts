import { audit } from '../../../src/audit/rules/auditor.ts';
import { decodeEvent } from '../../../src/domain/events.ts';
import { grantIdOfToken } from '../../../src/domain/token-exchange.ts';
import { START } from '../../../src/event-store/event-log.ts';
import { seededChoice } from '../seeded-choice.ts';
import type { TestResponse, RunningService, TestClient } from '../running-service.ts';
import { expectAccessToken, allowExchange, exchange, exchangeForToken, userTokens } from '../token-exchange.ts';
import { ENGINES, type EngineName } from './engines.ts';

export interface RaceOptions {
  readonly engine: EngineName;
  readonly races: number;
  readonly seed: number;
  readonly progress?: (raceCount: number, totals: RaceTotals) => void;
}

export interface RaceTotals {
  /** The number of exchanges that were recorded before the root was revoked. */
  readonly extensionsBeforeEnd: number;
  /** The number of exchanges that were refused. */
  readonly refusedExtensions: number;
  readonly findings: readonly string[];
}

/** The number of races that run concurrently. */
const WORKERS = 8;
const RACES_PER_REPORT = 500;

/**
 * Repeatedly extends a chain while its root is being revoked. Afterwards no token of the chain may be accepted, and no
 * exchange may have been recorded after the root was revoked.
 */
export async function raceChains({ engine, races, seed, progress }: RaceOptions): Promise<RaceTotals> {
  const servers = await ENGINES[engine](`races ${seed}`);
  const choice = seededChoice(`races ${seed}`);
  const findings: string[] = [];
  const totals = { extensionsBeforeEnd: 0, refusedExtensions: 0, findings };
  const [firstNode] = servers.nodes;
  const anyNode = (): RunningService => choice.of(servers.nodes) ?? firstNode;
  const clients: TestClient[] = [];
  let completedRaces = 0;

  async function race(web: TestClient, username: string): Promise<void> {
    const [api, mid] = clients as [TestClient, TestClient];
    const { access: root } = await userTokens(firstNode, web, { username, password: `${username}'s password` });
    const token = await exchangeForToken(firstNode, api, root);
    await servers.settle();
    const requests: (() => Promise<TestResponse>)[] = [
      () => exchange(anyNode(), mid, token),
      () => exchange(anyNode(), api, root),
    ];
    const revoke = () => anyNode().post('/o/revoke_token/', { token: root }, { authorization: web.basic });
    requests.splice(choice.below(requests.length + 1), 0, revoke);
    const responses = await Promise.all(requests.map((send) => send()));
    await servers.settle();
    const tokens = [root, token];
    for (const response of responses) {
      if (response.status >= 500) findings.push(`${response.status} ${response.text}`);
      if (response.json?.['access_token'] !== undefined) tokens.push(expectAccessToken(response));
      else if (response.status !== 200) totals.refusedExtensions += 1;
    }
    totals.extensionsBeforeEnd += tokens.length - 2;
    for (const chainToken of tokens) {
      const { json } = await anyNode().post('/o/introspect/', { token: chainToken }, { authorization: web.basic });
      if (json?.['active'] !== false)
        findings.push(`a token is still valid after its root was revoked, in race ${String(completedRaces)}`);
    }
    completedRaces += 1;
    if (completedRaces % RACES_PER_REPORT === 0) progress?.(completedRaces, totals);
  }

  try {
    const web = await firstNode.addClient({ name: 'Web' });
    for (const name of ['Api', 'Mid'])
      clients.push(await firstNode.addClient({ name, grantTypes: ['token-exchange'], redirectUris: [] }));
    const [api, mid] = clients as [TestClient, TestClient];
    await allowExchange(firstNode, api, web);
    await allowExchange(firstNode, mid, api);
    const { username } = await firstNode.addUser('ada');
    await servers.settle();
    let remainingRaces = races;
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        for (; remainingRaces > 0;) {
          remainingRaces -= 1;
          await race(web, username);
        }
      }),
    );
    findings.push(...(await findLateExchanges(firstNode)));
    for await (const item of audit(firstNode.log.readAll(START)))
      if ('rule' in item) findings.push(`audit: ${JSON.stringify(item)}`);
    return totals;
  } finally {
    await servers.close();
  }
}

/** Reports the exchanges that were recorded after a grant above them was revoked. */
async function findLateExchanges(running: RunningService): Promise<readonly string[]> {
  const endedStreams = new Set<string>();
  const parents = new Map<string, string>();
  const findings: string[] = [];
  for await (const events of running.log.readAll(START)) {
    for (const event of events) {
      const { type, data } = decodeEvent(event);
      if (type === 'GrantRevoked') endedStreams.add(event.stream);
      if (type !== 'TokenExchanged') continue;
      parents.set(event.stream, `grant-${grantIdOfToken(data.parent)}`);
      for (let ancestor = parents.get(event.stream); ancestor !== undefined; ancestor = parents.get(ancestor))
        if (endedStreams.has(ancestor))
          findings.push(`the exchange at position ${event.position} was recorded after ${ancestor} was revoked`);
    }
  }
  return findings;
}
