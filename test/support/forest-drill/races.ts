import { audit } from '../../../src/audit/rules/auditor.ts';
import { decodeEvent } from '../../../src/domain/events.ts';
import { grantIdOfToken } from '../../../src/domain/token-exchange.ts';
import { START } from '../../../src/event-store/event-log.ts';
import { seededChoice } from '../seeded-choice.ts';
import type { TestResponse, RunningService, TestClient } from '../running-service.ts';
import { accessTokenOf, allowExchange, exchange, exchangeForToken, userTokens } from '../token-exchange.ts';
import { ENGINES, type EngineName } from './engines.ts';

export interface RaceOptions {
  readonly engine: EngineName;
  readonly races: number;
  readonly seed: number;
  readonly progress?: (done: number, totals: RaceTotals) => void;
}

export interface RaceTotals {
  /** The number of extensions that were recorded before the end of the chain. */
  readonly extensionsBeforeEnd: number;
  /** The number of extensions that were refused. */
  readonly refusedExtensions: number;
  readonly findings: readonly string[];
}

/** The number of chains in flight at the same time. */
const WORKERS = 8;
const RACES_PER_LINE = 500;

/**
 * Extends a chain while its root is being revoked, many times. Afterwards no token of a chain may be accepted, and
 * no exchange may be recorded after the end of its root.
 */
export async function raceChains({ engine, races, seed, progress }: RaceOptions): Promise<RaceTotals> {
  const servers = await ENGINES[engine](`races ${seed}`);
  const choice = seededChoice(`races ${seed}`);
  const findings: string[] = [];
  const totals = { extensionsBeforeEnd: 0, refusedExtensions: 0, findings };
  const [first] = servers.nodes;
  const anyNode = (): RunningService => choice.of(servers.nodes) ?? first;
  const clients: TestClient[] = [];
  let completedRaces = 0;

  async function race(web: TestClient, username: string): Promise<void> {
    const [api, mid] = clients as [TestClient, TestClient];
    const { access: root } = await userTokens(first, web, { username, password: `${username}'s password` });
    const token = await exchangeForToken(first, api, root);
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
      if (response.json?.['access_token'] !== undefined) tokens.push(accessTokenOf(response));
      else if (response.status !== 200) totals.refusedExtensions += 1;
    }
    totals.extensionsBeforeEnd += tokens.length - 2;
    for (const chainToken of tokens) {
      const { json } = await anyNode().post('/o/introspect/', { token: chainToken }, { authorization: web.basic });
      if (json?.['active'] !== false)
        findings.push(`a token is valid after the end of its root: ${String(completedRaces)}`);
    }
    completedRaces += 1;
    if (completedRaces % RACES_PER_LINE === 0) progress?.(completedRaces, totals);
  }

  try {
    const web = await first.addClient({ name: 'Web' });
    for (const name of ['Api', 'Mid'])
      clients.push(await first.addClient({ name, grantTypes: ['token-exchange'], redirectUris: [] }));
    const [api, mid] = clients as [TestClient, TestClient];
    await allowExchange(first, api, web);
    await allowExchange(first, mid, api);
    const { username } = await first.addUser('ada');
    await servers.settle();
    let remaining = races;
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        for (; remaining > 0;) {
          remaining -= 1;
          await race(web, username);
        }
      }),
    );
    findings.push(...(await lateExchanges(first)));
    for await (const item of audit(first.log.readAll(START)))
      if ('rule' in item) findings.push(`audit: ${JSON.stringify(item)}`);
    return totals;
  } finally {
    await servers.close();
  }
}

/** Finds the exchanges that come after the revocation of a grant above them. */
async function lateExchanges(running: RunningService): Promise<readonly string[]> {
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
          findings.push(`the exchange at position ${event.position} comes after the end of ${ancestor}`);
    }
  }
  return findings;
}
