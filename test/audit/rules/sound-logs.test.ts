import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { audit } from '../../../src/audit/rules/auditor.ts';
import type { ClientId } from '../../../src/domain/values.ts';
import { createMemoryLog } from '../../../src/event-store/engines/memory.ts';
import { START, type EventLog } from '../../../src/event-store/event-log.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const MAX_IN_FLIGHT_SECONDS = 30;
const RUNS = 40;
const TURNS = 29;

/** The existing items; random numbers select from them. */
interface Pool {
  readonly running: RunningService;
  readonly clients: TestClient[];
  readonly users: TestUser[];
  readonly codes: (readonly [TestClient, string])[];
  readonly refreshTokens: (readonly [TestClient, string])[];
  readonly accessTokens: (readonly [TestClient, string])[];
}

type Act = (pool: Pool, nr: number) => Promise<unknown>;

const GRANT_TYPES = [
  ['authorization-code'],
  ['password'],
  ['client-credentials', 'password'],
  ['authorization-code', 'client-credentials', 'password'],
] as const;
const grantTypesOf = (nr: number) => GRANT_TYPES[nr % GRANT_TYPES.length] ?? GRANT_TYPES[0];
const RESTRICTED = [[], ['introspection'], ['introspection', 'audit'], ['audit']] as const;
const restrictedOf = (nr: number) => RESTRICTED[nr % RESTRICTED.length] ?? [];
const scopeOf = (nr: number): Readonly<Record<string, string>> => (nr % 3 === 0 ? { scope: 'introspection' } : {});
const newestFirst = <T>(list: readonly T[], nr: number): T | undefined =>
  list.at(-1 - (nr % Math.max(1, Math.min(3, list.length))));

async function exchange(
  { running, accessTokens, refreshTokens }: Pool,
  client: TestClient | undefined,
  parameters: Readonly<Record<string, string>>,
): Promise<void> {
  if (client === undefined) return;
  const { json } = await running.token(client, parameters);
  if (typeof json?.['access_token'] === 'string') accessTokens.push([client, json['access_token']]);
  if (typeof json?.['refresh_token'] === 'string') refreshTokens.push([client, json['refresh_token']]);
}

const account = ({ running, users }: Pool, nr: number) => {
  const user = newestFirst(users, nr);
  return user === undefined ? undefined : running.service().projections.users.findByName(user.username);
};

const ACTS: Readonly<Record<string, Act>> = {
  addUser: async ({ running, users }) => users.push(await running.addUser()),
  addClient: async ({ running, clients }, nr) =>
    clients.push(await running.addClient({ grantTypes: grantTypesOf(nr), restrictedScopes: restrictedOf(nr >> 2) })),
  async authorize({ running, clients, users, codes }, nr) {
    const [client, user] = [newestFirst(clients, nr), newestFirst(users, nr >> 2)];
    if (client === undefined || user === undefined) return;
    // Refused if the user is disabled, the client removed or not registered for it, or the scope not allowed.
    const code = await running.authorize(client, user, scopeOf(nr)).catch(() => undefined);
    if (code !== undefined) codes.push([client, code]);
  },
  redeem: async (pool, nr) => {
    const [client, code = ''] = newestFirst(pool.codes, nr) ?? [];
    await exchange(pool, client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
  },
  password: async (pool, nr) =>
    exchange(pool, newestFirst(pool.clients, nr), {
      grant_type: 'password',
      ...newestFirst(pool.users, nr >> 2),
      ...scopeOf(nr),
    }),
  clientCredentials: async (pool, nr) =>
    exchange(pool, newestFirst(pool.clients, nr), { grant_type: 'client_credentials', ...scopeOf(nr) }),
  refresh: async (pool, nr) => {
    const [client, refreshToken = ''] = newestFirst(pool.refreshTokens, nr) ?? [];
    await exchange(pool, client, {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      ...(nr % 5 === 0 ? { scope: 'read' } : {}),
    });
  },
  async revoke({ running, accessTokens, refreshTokens }, nr) {
    const [client, token = ''] = newestFirst(nr % 2 === 0 ? accessTokens : refreshTokens, nr) ?? [];
    if (client !== undefined) await running.post('/o/revoke_token/', { token }, { authorization: client.basic });
  },
  async updateClient({ running, clients }, nr) {
    const client = newestFirst(clients, nr);
    const known = client === undefined ? undefined : running.service().projections.clients.find(client.id);
    if (known === undefined) return;
    const { clientId, name, clientType, redirectUris, allowedOrigins, skipAuthorization } = known;
    const changed = {
      name,
      clientType,
      redirectUris,
      allowedOrigins,
      skipAuthorization,
      grantTypes: grantTypesOf(nr >> 2),
      restrictedScopes: restrictedOf(nr >> 4),
    };
    await running.service().registration.update(clientId, changed, OPERATOR);
  },
  async removeClient({ running, clients }, nr) {
    const client = newestFirst(clients, nr);
    if (client !== undefined) await running.service().registration.remove(client.id as ClientId, OPERATOR);
  },
  async logInAndOut({ running, users }, nr) {
    const user = newestFirst(users, nr);
    if (user === undefined) return;
    const browser = running.browser();
    await browser.logIn(user.username, user.password);
    const home = await browser.get('/');
    const csrfToken = /name="csrf_token" value="([^"]+)"/.exec(home.html)?.[1] ?? '';
    if (nr % 2 === 0) await browser.post('/accounts/logout/', { csrf_token: csrfToken });
  },
  async disable(pool, nr) {
    const user = account(pool, nr);
    if (user !== undefined) await pool.running.service().accounts.disable(user, OPERATOR);
  },
  async enable(pool, nr) {
    const user = account(pool, nr);
    if (user !== undefined) await pool.running.service().accounts.enable(user, OPERATOR);
  },
  async erase(pool, nr) {
    const user = nr % 3 === 0 ? account(pool, nr) : undefined;
    if (user !== undefined) await pool.running.service().accounts.erase(user, OPERATOR);
  },
  async changePassword(pool, nr) {
    const user = nr % 3 === 0 ? account(pool, nr) : undefined;
    if (user !== undefined)
      await pool.running.service().accounts.changePassword(user, `${user.username}'s password`, OPERATOR);
  },
  addGroup: async ({ running }, nr) => running.service().groupDirectory.create(`group ${nr % 4}`, OPERATOR),
  passTime: async ({ running }, nr) => running.clock.advance(nr % MAX_IN_FLIGHT_SECONDS),
};

/** Acts that issue credentials, and acts that may race with them, are more frequent than rare administrative ones. */
const OFTEN = ['authorize', 'redeem', 'password', 'refresh', 'refresh', 'redeem', 'clientCredentials', 'enable'];
const step = fc.tuple(fc.constantFrom(...Object.keys(ACTS), ...OFTEN, ...OFTEN), fc.nat(1_000));
/** Concurrent acts, and the seconds that pass after them. */
const round = fc.tuple(fc.array(step, { minLength: 1, maxLength: 6 }), fc.constantFrom(0, 0, 1, 29, 61, 3_601));

/** Delays appends for grants and sessions, so that decisions may be outdated when they are recorded. */
function reorderingLog(log: EventLog, turns: number): EventLog {
  return {
    ...log,
    async append(stream, ...append) {
      for (let passed = 0; passed < turns && /^(?:grant|session)-/.test(stream); passed += 1) await turn();
      return log.append(stream, ...append);
    },
  };
}

describe('the log of a running service', function () {
  this.timeout(300_000);

  it('has no findings, whatever happens concurrently', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(round, { minLength: 5, maxLength: 20 }),
        fc.constantFrom(0, 3, 10, 30),
        async (rounds, turns) => {
          const running = await runningService({
            log: reorderingLog(createMemoryLog(), turns),
            settings: { refreshTokenLifetimeSeconds: 7_200 },
          });
          try {
            await drive(running, rounds);
            const found: unknown[] = [];
            for await (const item of audit(running.log.readAll(START)))
              if ('rule' in item && item.severity === 'finding') found.push(item);
            expect(found).to.deep.equal([]);
          } finally {
            await running.close();
          }
        },
      ),
      { numRuns: RUNS },
    );
  });
});

async function drive(
  running: RunningService,
  rounds: readonly (readonly [readonly (readonly [string, number])[], number])[],
): Promise<void> {
  const pool: Pool = { running, clients: [], users: [], codes: [], refreshTokens: [], accessTokens: [] };
  for (const act of ['addUser', 'addClient', 'addUser', 'addClient']) await run(act, pool, 3);
  for (const [steps, seconds] of rounds) {
    await Promise.all(steps.map(([act, nr]) => run(act, pool, nr)));
    running.clock.advance(seconds);
  }
}

/** Starts some turns late, so that acts without a connection are not always first. */
async function run(act: string, pool: Pool, nr: number): Promise<void> {
  for (let passed = 0; passed < nr % TURNS; passed += 1) await turn();
  await ACTS[act]?.(pool, nr);
}
