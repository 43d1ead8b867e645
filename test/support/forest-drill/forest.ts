import { audit } from '../../../src/audit/rules/auditor.ts';
import { START } from '../../../src/event-store/event-log.ts';
import { allowExchange, exchange } from '../token-exchange.ts';
import { seededChoice } from '../seeded-choice.ts';
import type { TestResponse, RunningService, TestClient, TestUser } from '../running-service.ts';
import { ENGINES, type EngineName } from './engines.ts';
import { createForestModel, type ModelGrant } from './model.ts';

export interface ForestOptions {
  readonly engine: EngineName;
  readonly operations: number;
  readonly seed: number;
  readonly progress?: (operationCount: number, totals: ForestTotals) => void;
}

export interface ForestTotals {
  readonly exchanges: number;
  readonly refusals: number;
  /** The number of revoked grants, removed clients, and disabled or erased users. */
  readonly ends: number;
  readonly checks: number;
  readonly deepest: number;
  readonly findings: readonly string[];
}

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const CLIENT_COUNT = 6;
const USER_COUNT = 3;
/** The default lifetime of access tokens, in seconds. */
const LIFETIME_SECONDS = 36_000;
/**
 * The number of newest grants that most operations and checks choose from, so that chains get deep before they expire.
 */
const NEWEST = 40;
const OPERATIONS_PER_REPORT = 500;
const SCOPES = [['read'], ['write'], ['read', 'write'], [], [], []] as const;

interface TestedGrant extends ModelGrant {
  readonly token: string;
}

/**
 * Performs random operations, most of them over HTTP. Compares every response with the model, and after every operation
 * the validity, scope and expiry of random tokens. Finally compares every token, and audits the log.
 */
export async function runForestDrill({ engine, operations, seed, progress }: ForestOptions): Promise<ForestTotals> {
  const servers = await ENGINES[engine](`forest ${seed}`);
  const choice = seededChoice(`forest ${seed}`);
  const model = createForestModel(LIFETIME_SECONDS);
  const grants: TestedGrant[] = [];
  const clients: TestClient[] = [];
  const users: TestUser[] = [];
  const findings: string[] = [];
  const totals = { exchanges: 0, refusals: 0, ends: 0, checks: 0, deepest: 0, findings };
  const clientsById = new Map<string, TestClient>();
  const anyNode = (): RunningService => choice.of(servers.nodes) ?? servers.nodes[0];
  const now = (): number => Math.floor(servers.nodes[0].clock.now() / 1000);
  const anyGrant = (): TestedGrant | undefined =>
    choice.below(8) === 0 ? choice.of(grants) : choice.of(grants.slice(-NEWEST));
  const anyScope = (): readonly string[] => choice.of(SCOPES) ?? [];

  async function addClient(): Promise<void> {
    const client = await servers.nodes[0].addClient({
      grantTypes: ['password', 'client-credentials', 'token-exchange'],
      redirectUris: [],
    });
    await servers.settle();
    clientsById.set(client.id, client);
    clients.push(client);
    for (const existingClient of clients) {
      await setPolicy(client, existingClient);
      if (existingClient !== client) await setPolicy(existingClient, client);
    }
  }

  async function setPolicy(client: TestClient, subject: TestClient): Promise<void> {
    const limit = choice.below(4) === 0 ? ['read'] : ['read', 'write'];
    await allowExchange(servers.nodes[0], client, subject, { scope: limit });
    await servers.settle();
    model.policies.set(model.pair(client.id, subject.id), limit);
  }

  async function addUser(): Promise<void> {
    users.push(await servers.nodes[0].addUser(`${engine}${totals.ends}x${users.length}`));
    await servers.settle();
  }

  function recordGrant(response: TestResponse, grant: Omit<ModelGrant, 'scope'>, scope: readonly string[]): void {
    grants.push({ ...grant, scope, token: String(response.json?.['access_token']) });
  }

  async function authorize(): Promise<void> {
    const [client, user] = [choice.of(clients), choice.below(4) === 0 ? null : (choice.of(users) ?? null)];
    if (client === undefined) return;
    const requestedScope = choice.of(SCOPES.slice(0, 3)) ?? ['read'];
    const form = {
      grant_type: user === null ? 'client_credentials' : 'password',
      ...user,
      scope: requestedScope.join(' '),
    };
    const response = await anyNode().token(client, form);
    if (response.status !== 200) return void findings.push(`authorize got status ${response.status}: ${response.text}`);
    recordGrant(
      response,
      { client: client.id, user: user?.username ?? null, expiresAt: now() + LIFETIME_SECONDS },
      requestedScope,
    );
  }

  async function exchangeToken(): Promise<void> {
    const [subject, client] = [
      anyGrant(),
      choice.below(12) === 0 ? choice.of([...clientsById.values()]) : choice.of(clients),
    ];
    if (subject === undefined || client === undefined) return;
    const clientGrants = grants
      .filter((candidate) => candidate.client === client.id && candidate.parent === undefined)
      .slice(-4);
    const actor = choice.below(2) === 0 ? undefined : choice.below(10) === 0 ? anyGrant() : choice.of(clientGrants);
    const scope = anyScope();
    const expected = model.exchange({ client: client.id, subject, actor, scope }, now());
    const response = await exchange(anyNode(), client, subject.token, {
      ...(actor && { actor: actor.token }),
      ...(scope.length > 0 && { scope: scope.join(' ') }),
    });
    if ((response.status === 200) !== (expected !== undefined) || response.status >= 500)
      return void findings.push(
        `exchange got status ${response.status}: ${response.text}; the model says ${JSON.stringify(expected)}`,
      );
    if (expected === undefined) totals.refusals += 1;
    else {
      totals.exchanges += 1;
      recordGrant(response, expected, String(response.json?.['scope']).split(' '));
      let depth = 0;
      for (let ancestor: ModelGrant | undefined = expected.parent; ancestor !== undefined; ancestor = ancestor.parent)
        depth += 1;
      totals.deepest = Math.max(totals.deepest, depth);
    }
  }

  async function revoke(): Promise<void> {
    const grant = anyGrant();
    const client = grant && clientsById.get(grant.client);
    if (grant === undefined || client === undefined || model.ended.has(client.id)) return;
    await anyNode().post('/o/revoke_token/', { token: grant.token }, { authorization: client.basic });
    model.ended.add(grant);
    totals.ends += 1;
  }

  async function removeClient(): Promise<void> {
    const [client] = clients.splice(choice.below(clients.length), 1);
    const { projections, registration } = servers.nodes[0].service();
    const storedClient = client && projections.clients.find(client.id);
    if (client === undefined || storedClient === undefined) return;
    await registration.remove(storedClient.clientId, OPERATOR);
    model.ended.add(client.id);
    totals.ends += 1;
    await servers.settle();
    await addClient();
  }

  async function disableUser(): Promise<void> {
    const [user] = users.splice(choice.below(users.length), 1);
    const { projections, accounts } = servers.nodes[0].service();
    const storedUser = user && projections.users.findByName(user.username);
    if (user === undefined || storedUser === undefined) return;
    await (choice.below(2) === 0 ? accounts.disable(storedUser, OPERATOR) : accounts.erase(storedUser, OPERATOR));
    model.ended.add(user.username);
    totals.ends += 1;
    await addUser();
  }

  async function changePolicy(): Promise<void> {
    const [client, subject] = [choice.of(clients), choice.of(clients)];
    if (client === undefined || subject === undefined) return;
    const { projections, exchangePolicyRegistry } = servers.nodes[0].service();
    const policy = projections.exchangePolicies.find(client.id, subject.id);
    if (policy === undefined || choice.below(2) === 0) return setPolicy(client, subject);
    await exchangePolicyRegistry.remove(policy, OPERATOR);
    model.policies.delete(model.pair(client.id, subject.id));
  }

  async function check(grant: TestedGrant): Promise<void> {
    const caller = clients[0];
    if (caller === undefined) return;
    const { json } = await anyNode().post('/o/introspect/', { token: grant.token }, { authorization: caller.basic });
    totals.checks += 1;
    const expected = model.isLive(grant, now());
    const isCorrect =
      json?.['active'] === expected &&
      (!expected || (json['scope'] === grant.scope.join(' ') && json['exp'] === grant.expiresAt));
    if (!isCorrect)
      findings.push(`introspection says ${JSON.stringify(json)}; the model says ${expected} ${grant.scope.join(' ')}`);
  }

  const ACTIONS = [
    { weight: 20, act: authorize },
    { weight: 60, act: exchangeToken },
    { weight: 9, act: revoke },
    { weight: 1, act: removeClient },
    { weight: 1, act: disableUser },
    { weight: 3, act: changePolicy },
    { weight: 6, act: async () => servers.advance(60 * choice.below(60)) },
  ] as const;
  const totalWeight = ACTIONS.reduce((sum, { weight }) => sum + weight, 0);

  async function performStep(): Promise<void> {
    let remainingWeight = choice.below(totalWeight);
    for (const { weight, act } of ACTIONS) {
      remainingWeight -= weight;
      if (remainingWeight < 0) return act();
    }
  }

  try {
    for (let count = 0; count < CLIENT_COUNT; count += 1) await addClient();
    for (let count = 0; count < USER_COUNT; count += 1) await addUser();
    for (let operationCount = 1; operationCount <= operations; operationCount += 1) {
      await performStep();
      await servers.settle();
      for (const grant of [anyGrant(), anyGrant()]) if (grant !== undefined) await check(grant);
      if (operationCount % OPERATIONS_PER_REPORT === 0) progress?.(operationCount, totals);
    }
    for (const grant of grants) await check(grant);
    for await (const item of audit(servers.nodes[0].log.readAll(START)))
      if ('rule' in item) findings.push(`audit: ${JSON.stringify(item)}`);
    return totals;
  } finally {
    await servers.close();
  }
}
