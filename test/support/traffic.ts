import { expect } from 'chai';
import fc from 'fast-check';
import type { ClientId } from '../../src/domain/values.ts';
import {
  decideRedemption,
  decideRefresh,
  decideRevocation,
  endAll,
  recordTokens,
  isAccessAlive,
  isListed,
  isRefreshAlive,
  LIFETIMES,
  type Client,
  type Grant,
  type Model,
  type User,
  type Verdict,
} from './authorization-model.ts';
import type { BrowserSession, Page } from './browser-session.ts';
import { REDIRECT_URI, type TestResponse, type RunningService, type TestClient } from './running-service.ts';

/** The service and the lifetime of its refresh tokens. */
export interface Traffic {
  readonly running: RunningService;
  readonly refreshLifetime: number;
}

export type TrafficCommand = fc.AsyncCommand<Model, Traffic>;

/** Returns settings that match the model's lifetimes; `refreshLifetime` may be Infinity. */
export function settingsFor(refreshLifetime: number) {
  return {
    authorizationCodeLifetimeSeconds: LIFETIMES.code,
    accessTokenLifetimeSeconds: LIFETIMES.access,
    refreshTokenLifetimeSeconds: refreshLifetime === Infinity ? null : refreshLifetime,
    refreshReuseWindowSeconds: LIFETIMES.reuseWindow,
  };
}

/** Creates a model with two clients, one with JWT access tokens, and two users with a grant each. */
export async function createModel(traffic: Traffic): Promise<Model> {
  const { running } = traffic;
  const model: Model = { now: 0, clients: [], users: [], grants: [] };
  for (const accessTokenFormat of ['opaque', 'jwt']) {
    model.clients.push({
      credentials: await running.addClient({ accessTokenFormat }),
      previous: null,
      isRemoved: false,
    });
    model.users.push({ login: await running.addUser(), state: 'active' });
    await requestTokens(model, 0, 0, traffic, { grant_type: 'password' }, true);
  }
  return model;
}

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const MAX_ITEMS = 4;

/** Generates an index that counts back from the newest item, so that shorter sequences select the same items. */
const someIndex = fc.constantFrom(0, 0, 0, 1, 2);
const fromNewest = <Entry>(entries: readonly Entry[], index: number): Entry | undefined => entries.at(-1 - index);
const reference = (list: string, index: number): string => `${list}.at(${-1 - index})`;
const someOwnership = fc.constantFrom('its own', 'its own', 'its own', 'another');
type Ownership = 'its own' | 'another';

/** Creates a command that afterwards checks that the server and the model agree on which tokens are valid. */
function command(
  text: string,
  check: (model: Model) => boolean,
  run: (model: Model, traffic: Traffic) => Promise<void>,
): TrafficCommand {
  return {
    check,
    toString: () => text,
    async run(model, traffic) {
      await run(model, traffic);
      await expectAgreement(model, traffic);
    },
  };
}

function grantCommand(
  text: string,
  index: number,
  check: (grant: Grant, model: Model) => boolean,
  run: (grant: Grant, model: Model, traffic: Traffic) => Promise<void>,
): TrafficCommand {
  return command(
    `${reference('grants', index)}: ${text}`,
    (model) => {
      const grant = fromNewest(model.grants, index);
      return grant !== undefined && check(grant, model);
    },
    async (model, traffic) => run(fromNewest(model.grants, index) as Grant, model, traffic),
  );
}

async function expectAgreement(model: Model, { running }: Traffic): Promise<void> {
  await Promise.all(
    model.grants.flatMap((grant, index) => [
      ...grant.access.map(async (access, tokenIndex) => {
        const status = isAccessAlive(model, grant, access) ? statusForScope(access.scope) : 401;
        const response = await running.get('/users/', { authorization: `Bearer ${access.value}` });
        expect(response.status, `GET /users/ with access token ${tokenIndex} of grant ${index}`).to.equal(status);
      }),
      ...(grant.client.isRemoved ? [] : grant.refresh).map(async (token, tokenIndex) => {
        const response = await running.post(
          '/o/introspect/',
          { token: token.value },
          { authorization: grant.client.credentials.basic },
        );
        expect(response.json?.['active'], `refresh token ${tokenIndex} of grant ${index} is active`).to.equal(
          isRefreshAlive(model, grant, token),
        );
      }),
    ]),
  );
}

function statusForScope(scope: readonly string[]): number {
  return scope.includes('read') ? 200 : 403;
}

function expectVerdict({ status, json, text }: TestResponse, verdict: Verdict): void {
  if (verdict === 'granted' || verdict === 'repeated') expect(status, text).to.equal(200);
  else {
    expect(json, text).to.include({ error: verdict });
    expect(status, text).to.equal(verdict === 'invalid_client' ? 401 : 400);
  }
}

function recordResponse(
  response: TestResponse,
  grant: Grant,
  model: Model,
  { refreshLifetime }: Traffic,
): readonly string[] {
  const scope = String(response.json?.['scope']).split(' ');
  const refresh = response.json?.['refresh_token'] as string | undefined;
  recordTokens(model, grant, scope, String(response.json?.['access_token']), refresh, refreshLifetime);
  return scope;
}

/** Returns the grant's own client, or the newest of the others. */
function clientFor(model: Model, grant: Grant, ownership: Ownership): Client | undefined {
  return ownership === 'its own' ? grant.client : model.clients.findLast((client) => client !== grant.client);
}

function newGrant(client: Client, owner: User | null, scope: readonly string[], code: Grant['code'] = null): Grant {
  return { client, owner, scope, isEnded: false, code, access: [], refresh: [] };
}

async function requestTokens(
  model: Model,
  index: number,
  user: number,
  traffic: Traffic,
  parameters: Readonly<Record<string, string>>,
  isOwned: boolean,
): Promise<void> {
  const client = fromNewest(model.clients, index) as Client;
  const owner = isOwned ? (fromNewest(model.users, user) as User) : null;
  const response = await traffic.running.token(client.credentials, {
    ...parameters,
    ...(owner === null ? {} : owner.login),
  });
  const userVerdict = owner === null || owner.state === 'active' ? 'granted' : 'invalid_grant';
  const verdict: Verdict = client.isRemoved ? 'invalid_client' : userVerdict;
  expectVerdict(response, verdict);
  if (verdict !== 'granted') return;
  const grant = newGrant(client, owner, String(response.json?.['scope']).split(' '));
  model.grants.push(grant);
  recordResponse(response, grant, model, traffic);
}

const registerClient = fc.constantFrom('opaque', 'jwt').map((accessTokenFormat) =>
  command(
    `register a client, ${accessTokenFormat}`,
    ({ clients }) => clients.length < MAX_ITEMS,
    async ({ clients }, { running }) => {
      clients.push({ credentials: await running.addClient({ accessTokenFormat }), previous: null, isRemoved: false });
    },
  ),
);

const addUser = fc.constant(
  command(
    'add a user',
    ({ users }) => users.length < MAX_ITEMS,
    async ({ users }, { running }) => {
      users.push({ login: await running.addUser(), state: 'active' });
    },
  ),
);

const authorize = fc
  .tuple(someIndex, someIndex, fc.constantFrom('', 'read', 'read write groups'))
  .map(([clientIndex, userIndex, scope]) =>
    command(
      `${reference('users', userIndex)} authorizes ${reference('clients', clientIndex)}, scope "${scope}"`,
      (model) =>
        fromNewest(model.clients, clientIndex)?.isRemoved === false &&
        fromNewest(model.users, userIndex)?.state === 'active',
      async (model, { running }) => {
        const [client, owner] = [
          fromNewest(model.clients, clientIndex) as Client,
          fromNewest(model.users, userIndex) as User,
        ];
        const value = await running.authorize(client.credentials, owner.login, scope === '' ? {} : { scope });
        const grantedScope = scope === '' ? ['read', 'write'] : scope.split(' ');
        model.grants.push(
          newGrant(client, owner, grantedScope, { value, expiresAt: model.now + LIFETIMES.code, redeemed: false }),
        );
      },
    ),
  );

const redeem = fc
  .tuple(
    someIndex,
    someOwnership,
    fc.constantFrom(REDIRECT_URI, REDIRECT_URI, REDIRECT_URI, 'https://app.example/other'),
  )
  .map(([index, ownership, redirectUri]) =>
    grantCommand(
      `redeem the code by ${ownership} client, redirect_uri ${redirectUri}`,
      index,
      (grant, model) => grant.code !== null && clientFor(model, grant, ownership) !== undefined,
      async (grant, model, traffic) => {
        const client = clientFor(model, grant, ownership) as Client;
        const response = await traffic.running.token(client.credentials, {
          grant_type: 'authorization_code',
          code: grant.code?.value ?? '',
          redirect_uri: redirectUri,
        });
        const verdict = decideRedemption(model, grant, client, redirectUri === REDIRECT_URI);
        expectVerdict(response, verdict);
        if (verdict === 'granted') expect(recordResponse(response, grant, model, traffic)).to.deep.equal(grant.scope);
      },
    ),
  );

const passwordGrant = fc.tuple(someIndex, someIndex).map(([client, user]) =>
  command(
    `password grant of ${reference('users', user)} to ${reference('clients', client)}`,
    (model) => fromNewest(model.clients, client) !== undefined && fromNewest(model.users, user) !== undefined,
    async (model, traffic) => requestTokens(model, client, user, traffic, { grant_type: 'password' }, true),
  ),
);

const clientCredentials = someIndex.map((client) =>
  command(
    `client credentials of ${reference('clients', client)}`,
    (model) => fromNewest(model.clients, client) !== undefined,
    async (model, traffic) => requestTokens(model, client, 0, traffic, { grant_type: 'client_credentials' }, false),
  ),
);

const refresh = fc
  .tuple(
    someIndex,
    fc.constantFrom(0, 0, 1, 1, 2),
    someOwnership,
    fc.constantFrom('', '', '', 'read', 'write', 'groups'),
  )
  .map(([index, token, ownership, scope]) =>
    grantCommand(
      `refresh with ${reference('refresh', token)} by ${ownership} client, scope "${scope}"`,
      index,
      (grant, model) =>
        fromNewest(grant.refresh, token) !== undefined && clientFor(model, grant, ownership) !== undefined,
      async (grant, model, traffic) => {
        const refreshToken = fromNewest(grant.refresh, token) as Grant['refresh'][number];
        const client = clientFor(model, grant, ownership) as Client;
        const response = await traffic.running.token(client.credentials, {
          grant_type: 'refresh_token',
          refresh_token: refreshToken.value,
          scope,
        });
        const verdict = decideRefresh(model, grant, refreshToken, client, scope === '' ? [] : [scope]);
        expectVerdict(response, verdict);
        if (verdict === 'repeated') expect(response.text).to.equal(refreshToken.rotation?.response);
        if (verdict !== 'granted') return;
        refreshToken.rotation = {
          at: model.now,
          scope: recordResponse(response, grant, model, traffic),
          response: response.text,
        };
        expect(refreshToken.rotation.scope).to.deep.equal(scope === '' ? grant.scope : [scope]);
      },
    ),
  );

const revoke = fc
  .tuple(someIndex, fc.constantFrom('access' as const, 'refresh' as const), someIndex, someOwnership)
  .map(([index, kind, token, ownership]) =>
    grantCommand(
      `revoke ${reference(kind, token)} by ${ownership} client`,
      index,
      (grant, model) =>
        fromNewest<unknown>(grant[kind], token) !== undefined && clientFor(model, grant, ownership) !== undefined,
      async (grant, model, { running }) => {
        const value = grant[kind].at(-1 - token)?.value ?? '';
        const client = clientFor(model, grant, ownership) as Client;
        const response = await running.post(
          '/o/revoke_token/',
          { token: value },
          { authorization: client.credentials.basic },
        );
        const verdict = decideRevocation(model, grant, value, client);
        if (verdict === 'invalid_client') expectVerdict(response, verdict);
        else expect({ status: response.status, text: response.text }).to.deep.equal({ status: 200, text: '' });
      },
    ),
  );

const revokeOnPage = fc.tuple(someIndex, someIndex).map(([index, visitor]) =>
  grantCommand(
    `revoked on the page by ${reference('users', visitor)}`,
    index,
    (grant, model) =>
      grant.owner !== null &&
      fromNewest(model.users, visitor)?.state === 'active' &&
      (grant.isEnded || isListed(model, grant)),
    async (grant, model, { running }) => {
      const user = fromNewest(model.users, visitor) as User;
      const browser = running.browser();
      await browser.logIn(user.login.username, user.login.password);
      const page = await browser.get('/o/authorized_tokens/');
      await expectListed(
        browser,
        page,
        model.grants.filter((candidate) => candidate.owner === user && isListed(model, candidate)),
      );
      const { status } = await browser.post(`/o/authorized_tokens/${extractGrantId(grant)}/revoke/`, {
        csrf_token: extractCsrfToken(page),
      });
      const isTheirs = grant.owner === user && !grant.isEnded;
      expect(status).to.equal(isTheirs ? 302 : 404);
      if (isTheirs) grant.isEnded = true;
    },
  ),
);

/** Expects a row for each application on the page, and a row for each grant on the application's own page. */
async function expectListed(browser: BrowserSession, { html }: Page, grants: readonly Grant[]): Promise<void> {
  const applications = [...html.matchAll(/authorized_tokens\/applications\/(\w+)\/revoke/g)].map(([, id]) => id);
  expect(applications).to.have.members([...new Set(grants.map(({ client }) => client.credentials.id))]);
  for (const id of applications) {
    const page = await browser.get(`/o/authorized_tokens/applications/${id}/`);
    const grantIds = [...page.html.matchAll(/authorized_tokens\/([\w-]{22})\/revoke/g)].map(([, grantId]) => grantId);
    expect(grantIds).to.have.members(grants.filter(({ client }) => client.credentials.id === id).map(extractGrantId));
  }
}

const extractCsrfToken = ({ html }: Page): string => /name="csrf_token" value="([^"]+)"/.exec(html)?.[1] ?? '';

const revokeApplication = fc.tuple(someIndex, someIndex).map(([clientIndex, userIndex]) =>
  command(
    `${reference('users', userIndex)} revokes the access of ${reference('clients', clientIndex)} on the page`,
    (model) =>
      fromNewest(model.users, userIndex)?.state === 'active' && fromNewest(model.clients, clientIndex) !== undefined,
    async (model, { running }) => {
      const [user, client] = [
        fromNewest(model.users, userIndex) as User,
        fromNewest(model.clients, clientIndex) as Client,
      ];
      const browser = running.browser();
      await browser.logIn(user.login.username, user.login.password);
      const isAffected = (grant: Grant): boolean => grant.owner === user && grant.client === client;
      const hasAccess = model.grants.some((grant) => isAffected(grant) && isListed(model, grant));
      const csrf_token = extractCsrfToken(await browser.get('/o/authorized_tokens/'));
      const { status } = await browser.post(`/o/authorized_tokens/applications/${client.credentials.id}/revoke/`, {
        csrf_token,
      });
      expect(status).to.equal(hasAccess ? 302 : 404);
      if (hasAccess) endAll(model, isAffected);
    },
  ),
);

/** Extracts the grant ID, which codes and refresh tokens contain after a prefix of four characters. */
function extractGrantId(grant: Grant): string {
  return (grant.code?.value ?? grant.refresh[0]?.value ?? '').slice(4, 26);
}

function userCommand(
  text: string,
  states: readonly User['state'][],
  run: (user: User, model: Model, traffic: Traffic) => Promise<void>,
): fc.Arbitrary<TrafficCommand> {
  return someIndex.map((index) =>
    command(
      `${text} ${reference('users', index)}`,
      ({ users }) => states.includes(fromNewest(users, index)?.state ?? 'erased'),
      async (model, traffic) => run(fromNewest(model.users, index) as User, model, traffic),
    ),
  );
}

function account({ login }: User, { running }: Traffic) {
  const user = running.service().projections.users.findByName(login.username);
  if (user === undefined) throw new Error(`${login.username} is gone`);
  return user;
}

const disableUser = userCommand('disable', ['active', 'disabled'], async (user, model, traffic) => {
  await traffic.running.service().accounts.disable(account(user, traffic), OPERATOR);
  user.state = 'disabled';
  endAll(model, (grant) => grant.owner === user);
});

const enableUser = userCommand('enable', ['active', 'disabled'], async (user, _model, traffic) => {
  await traffic.running.service().accounts.enable(account(user, traffic), OPERATOR);
  user.state = 'active';
});

const changePassword = userCommand('change the password of', ['active'], async (user, _model, traffic) => {
  const password = `${user.login.password}!`;
  await traffic.running.service().accounts.changePassword(account(user, traffic), password, OPERATOR);
  user.login = { ...user.login, password };
});

const eraseUser = userCommand('erase', ['active', 'disabled'], async (user, model, traffic) => {
  await traffic.running.service().accounts.erase(account(user, traffic), OPERATOR);
  user.state = 'erased';
  endAll(model, (grant) => grant.owner === user);
});

const removeClient = someIndex.map((index) =>
  command(
    `remove ${reference('clients', index)}`,
    ({ clients }) => fromNewest(clients, index) !== undefined,
    async (model, { running }) => {
      const client = fromNewest(model.clients, index) as Client;
      await running.service().registration.remove(client.credentials.id as ClientId, OPERATOR);
      client.isRemoved = true;
      endAll(model, (grant) => grant.client === client);
    },
  ),
);

const rotateSecret = fc.tuple(someIndex, fc.constantFrom(0, 60, 7_200)).map(([index, overlap]) =>
  command(
    `rotate the secret of ${reference('clients', index)}, overlap ${overlap} s`,
    ({ clients }) => fromNewest(clients, index)?.isRemoved === false,
    async ({ clients, now }, { running }) => {
      const client = fromNewest(clients, index) as Client;
      const { credentials: oldCredentials, previous } = client;
      const secret = await running
        .service()
        .registration.rotateSecret(oldCredentials.id as ClientId, OPERATOR, overlap);
      client.credentials = withSecret(oldCredentials, secret ?? '');
      client.previous = { credentials: oldCredentials, until: now + overlap };
      if (previous !== null)
        expectVerdict(
          await running.token(previous.credentials, { grant_type: 'client_credentials' }),
          'invalid_client',
        );
    },
  ),
);

const usePreviousSecret = someIndex.map((index) =>
  command(
    `the previous secret of ${reference('clients', index)}`,
    ({ clients }) => (fromNewest(clients, index)?.previous ?? null) !== null,
    async ({ clients, now }, { running }) => {
      const { previous, isRemoved } = fromNewest(clients, index) as Client;
      const response = await running.token(previous?.credentials as TestClient, { grant_type: 'client_credentials' });
      expectVerdict(response, previous !== null && !isRemoved && now < previous.until ? 'granted' : 'invalid_client');
    },
  ),
);

function withSecret({ id }: TestClient, secret: string): TestClient {
  return { id, secret, basic: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

const restart = fc.constant(
  command(
    'restart',
    () => true,
    async (_model, { running }) => running.restart(),
  ),
);

const wait = fc
  .constantFrom(1, 1, 28, 29, 30, 30, 31, 59, 60, 3_599, 3_600, 7_500, 7_500, 10_800, 90_000)
  .map((seconds) =>
    command(
      `wait ${seconds} s`,
      () => true,
      async (model, { running }) => {
        running.clock.advance(seconds);
        model.now += seconds;
      },
    ),
  );

function repeat(
  times: number,
  ...commands: readonly fc.Arbitrary<TrafficCommand>[]
): readonly fc.Arbitrary<TrafficCommand>[] {
  return commands.flatMap((entry) => Array.from({ length: times }, () => entry));
}

/**
 * All commands except erasure, because a replay would not find the erased name. Commands that end many grants are rare,
 * so that most grants stay alive.
 */
export const COMMON_COMMANDS: readonly fc.Arbitrary<TrafficCommand>[] = [
  ...repeat(16, refresh),
  ...repeat(8, redeem),
  ...repeat(6, authorize, wait),
  ...repeat(4, passwordGrant),
  ...repeat(2, clientCredentials, revoke, revokeOnPage, enableUser, restart),
  revokeApplication,
  registerClient,
  addUser,
  disableUser,
  changePassword,
  removeClient,
  ...repeat(2, rotateSecret, usePreviousSecret),
];

export const ALL_COMMANDS: readonly fc.Arbitrary<TrafficCommand>[] = [...COMMON_COMMANDS, eraseUser];
