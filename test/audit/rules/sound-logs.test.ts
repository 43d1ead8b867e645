import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { audit } from '../../../src/audit/rules/auditor.ts';
import type { ClientId } from '../../../src/domain/values.ts';
import { createMemoryLog } from '../../../src/event-store/engines/memory.ts';
import { DecisionOutdated, START, type EventLog } from '../../../src/event-store/event-log.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../../support/running-service.ts';
import { repetitions } from '../../support/repetitions.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const MAX_IN_FLIGHT_SECONDS = 30;
const RUNS = repetitions(20);
const MAX_TURNS = 29;

/** The items that actions pick from at random. */
interface Pool {
  readonly running: RunningService;
  readonly clients: TestClient[];
  readonly users: TestUser[];
  readonly codes: (readonly [TestClient, string])[];
  readonly refreshTokens: (readonly [TestClient, string])[];
  readonly accessTokens: (readonly [TestClient, string])[];
}

type Action = (pool: Pool, choice: number) => Promise<unknown>;

const GRANT_TYPES = [
  ['authorization-code'],
  ['password'],
  ['client-credentials', 'password'],
  ['authorization-code', 'client-credentials', 'password'],
] as const;
const pickGrantTypes = (choice: number) => GRANT_TYPES[choice % GRANT_TYPES.length] ?? GRANT_TYPES[0];
const RESTRICTED_SCOPES = [[], ['introspection'], ['introspection', 'audit'], ['audit']] as const;
const pickRestrictedScopes = (choice: number) => RESTRICTED_SCOPES[choice % RESTRICTED_SCOPES.length] ?? [];
const pickScope = (choice: number): Readonly<Record<string, string>> =>
  choice % 3 === 0 ? { scope: 'introspection' } : {};
const pickRecent = <T>(list: readonly T[], choice: number): T | undefined =>
  list.at(-1 - (choice % Math.max(1, Math.min(3, list.length))));

async function requestTokens(
  { running, accessTokens, refreshTokens }: Pool,
  client: TestClient | undefined,
  parameters: Readonly<Record<string, string>>,
): Promise<void> {
  if (client === undefined) return;
  const { json } = await running.token(client, parameters);
  if (typeof json?.['access_token'] === 'string') accessTokens.push([client, json['access_token']]);
  if (typeof json?.['refresh_token'] === 'string') refreshTokens.push([client, json['refresh_token']]);
}

const pickAccount = ({ running, users }: Pool, choice: number) => {
  const user = pickRecent(users, choice);
  return user === undefined ? undefined : running.service().projections.users.findByName(user.username);
};

const ACTIONS: Readonly<Record<string, Action>> = {
  addUser: async ({ running, users }) => users.push(await running.addUser()),
  addClient: async ({ running, clients }, choice) =>
    clients.push(
      await running.addClient({
        grantTypes: pickGrantTypes(choice),
        restrictedScopes: pickRestrictedScopes(choice >> 2),
      }),
    ),
  async authorize({ running, clients, users, codes }, choice) {
    const [client, user] = [pickRecent(clients, choice), pickRecent(users, choice >> 2)];
    if (client === undefined || user === undefined) return;
    // Fails if the user is disabled, the client is removed or lacks the grant type, or the scope is not allowed.
    const code = await running.authorize(client, user, pickScope(choice)).catch(() => undefined);
    if (code !== undefined) codes.push([client, code]);
  },
  redeem: async (pool, choice) => {
    const [client, code = ''] = pickRecent(pool.codes, choice) ?? [];
    await requestTokens(pool, client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
  },
  password: async (pool, choice) =>
    requestTokens(pool, pickRecent(pool.clients, choice), {
      grant_type: 'password',
      ...pickRecent(pool.users, choice >> 2),
      ...pickScope(choice),
    }),
  clientCredentials: async (pool, choice) =>
    requestTokens(pool, pickRecent(pool.clients, choice), { grant_type: 'client_credentials', ...pickScope(choice) }),
  refresh: async (pool, choice) => {
    const [client, refreshToken = ''] = pickRecent(pool.refreshTokens, choice) ?? [];
    await requestTokens(pool, client, {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      ...(choice % 5 === 0 ? { scope: 'read' } : {}),
    });
  },
  async revoke({ running, accessTokens, refreshTokens }, choice) {
    const [client, token = ''] = pickRecent(choice % 2 === 0 ? accessTokens : refreshTokens, choice) ?? [];
    if (client !== undefined) await running.post('/o/revoke_token/', { token }, { authorization: client.basic });
  },
  async updateClient({ running, clients }, choice) {
    const client = pickRecent(clients, choice);
    const registeredClient = client === undefined ? undefined : running.service().projections.clients.find(client.id);
    if (registeredClient === undefined) return;
    const { clientId, name, clientType, redirectUris, allowedOrigins, skipAuthorization } = registeredClient;
    const settings = {
      name,
      clientType,
      redirectUris,
      allowedOrigins,
      skipAuthorization,
      grantTypes: pickGrantTypes(choice >> 2),
      restrictedScopes: pickRestrictedScopes(choice >> 4),
    };
    await running.service().registration.update(clientId, settings, OPERATOR);
  },
  async removeClient({ running, clients }, choice) {
    const client = pickRecent(clients, choice);
    if (client !== undefined) await running.service().registration.remove(client.id as ClientId, OPERATOR);
  },
  async logInAndOut({ running, users }, choice) {
    const user = pickRecent(users, choice);
    if (user === undefined) return;
    const browser = running.browser();
    await browser.logIn(user.username, user.password);
    const home = await browser.get('/');
    const csrfToken = /name="csrf_token" value="([^"]+)"/.exec(home.html)?.[1] ?? '';
    if (choice % 2 === 0) await browser.post('/accounts/logout/', { csrf_token: csrfToken });
  },
  async disable(pool, choice) {
    const user = pickAccount(pool, choice);
    if (user !== undefined) await pool.running.service().accounts.disable(user, OPERATOR);
  },
  async enable(pool, choice) {
    const user = pickAccount(pool, choice);
    if (user !== undefined) await pool.running.service().accounts.enable(user, OPERATOR);
  },
  async erase(pool, choice) {
    const user = choice % 3 === 0 ? pickAccount(pool, choice) : undefined;
    if (user !== undefined) await pool.running.service().accounts.erase(user, OPERATOR);
  },
  async changePassword(pool, choice) {
    const user = choice % 3 === 0 ? pickAccount(pool, choice) : undefined;
    if (user !== undefined)
      await pool.running.service().accounts.changePassword(user, `${user.username}'s password`, OPERATOR);
  },
  addGroup: async ({ running }, choice) => running.service().groupDirectory.create(`group ${choice % 4}`, OPERATOR),
  async removeGroup({ running }, choice) {
    const group = running.service().projections.groups.findByName(`group ${choice % 4}`);
    if (group !== undefined) await running.service().groupDirectory.remove(group, OPERATOR);
  },
  async changeGroups(pool, choice) {
    const { groupDirectory, projections } = pool.running.service();
    const [user, group] = [pickAccount(pool, choice), projections.groups.findByName(`group ${choice % 4}`)];
    if (user === undefined || group === undefined) return;
    const changes = choice % 3 === 0 ? { add: [], remove: [group] } : { add: [group], remove: [] };
    await groupDirectory.changeGroups(user, changes, OPERATOR).catch((error: unknown) => {
      if (!(error instanceof DecisionOutdated)) throw error; // a concurrent action removed the group
    });
  },
  passTime: async ({ running }, choice) => running.clock.advance(choice % MAX_IN_FLIGHT_SECONDS),
};

/** Actions that issue credentials, and actions that race with them, occur more often than administrative actions. */
const FREQUENT_ACTIONS = [
  'authorize',
  'redeem',
  'password',
  'refresh',
  'refresh',
  'redeem',
  'clientCredentials',
  'enable',
];
const step = fc.tuple(
  fc.constantFrom(...Object.keys(ACTIONS), ...FREQUENT_ACTIONS, ...FREQUENT_ACTIONS),
  fc.nat(1_000),
);
/** Concurrent actions, and the number of seconds that pass after them. */
const round = fc.tuple(fc.array(step, { minLength: 1, maxLength: 6 }), fc.constantFrom(0, 0, 1, 29, 61, 3_601));

/** Delays appends to grants and sessions, so that decisions may be outdated when they are recorded. */
function createReorderingLog(log: EventLog, turns: number): EventLog {
  return {
    ...log,
    async append(stream, ...append) {
      for (let count = 0; count < turns && /^(?:grant|session)-/.test(stream); count += 1) await turn();
      return log.append(stream, ...append);
    },
  };
}

describe('the log of a running service', function () {
  this.timeout(300_000);

  it('has no audit findings after any concurrent actions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(round, { minLength: 5, maxLength: 20 }),
        fc.constantFrom(0, 3, 10, 30),
        async (rounds, turns) => {
          const running = await runningService({
            log: createReorderingLog(createMemoryLog(), turns),
            settings: { refreshTokenLifetimeSeconds: 7_200 },
          });
          try {
            await runRounds(running, rounds);
            const findings: unknown[] = [];
            for await (const item of audit(running.log.readAll(START)))
              if ('rule' in item && item.severity === 'finding') findings.push(item);
            expect(findings).to.deep.equal([]);
          } finally {
            await running.close();
          }
        },
      ),
      { numRuns: RUNS },
    );
  });
});

async function runRounds(
  running: RunningService,
  rounds: readonly (readonly [readonly (readonly [string, number])[], number])[],
): Promise<void> {
  const pool: Pool = { running, clients: [], users: [], codes: [], refreshTokens: [], accessTokens: [] };
  for (const action of ['addUser', 'addClient', 'addUser', 'addClient']) await run(action, pool, 3);
  for (const [steps, seconds] of rounds) {
    await Promise.all(steps.map(([action, choice]) => run(action, pool, choice)));
    running.clock.advance(seconds);
  }
}

/** Delays the action by some event-loop turns, so that actions that make no request do not always come first. */
async function run(action: string, pool: Pool, choice: number): Promise<void> {
  for (let count = 0; count < choice % MAX_TURNS; count += 1) await turn();
  await ACTIONS[action]?.(pool, choice);
}
