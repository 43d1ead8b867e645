import { expect } from 'chai';
import type { ClientId } from '../src/domain/values.ts';
import type { User } from '../src/projections/users.ts';
import { addPasskey, authenticator, logInWithPasskey } from './support/authenticator.ts';
import { hiddenFields, type BrowserSession } from './support/browser-session.ts';
import { readDocument, tableRows } from './support/documents.ts';
import { isAccepted } from './support/protocol-answers.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from './support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** A grant of a user to an application, with its credentials. */
interface Given {
  readonly client: TestClient;
  readonly code: string;
  readonly access: string;
  readonly refresh: string;
}

/** Ada, with an application of her own, two sessions and authorizations of two applications; and Bob. */
interface World {
  readonly running: RunningService;
  readonly ada: TestUser;
  readonly home: BrowserSession;
  readonly phone: BrowserSession;
  /** Ada's own application, which Bob uses, too. */
  engine: TestClient;
  toEngine: Given;
}

/** Everything that can end, by name, with a check whether it still works. */
type Things = Readonly<Record<string, () => Promise<boolean>>>;

async function begin(): Promise<{ readonly world: World; readonly things: Things }> {
  const running = await runningService();
  const [ada, bob] = [await running.addUser('ada'), await running.addUser('bob')];
  const [engine, loom] = [
    await running.addClient({ owner: 'ada', restrictedScopes: ['introspection'] }),
    await running.addClient(),
  ];
  const [home, phone, office] = [running.browser(), running.browser(), running.browser()];
  for (const browser of [home, phone]) await browser.logIn(ada.username, ada.password);
  const passkey = authenticator();
  await addPasskey(home, ada.password, passkey);
  await office.logIn(bob.username, bob.password);

  async function give(client: TestClient, user: TestUser): Promise<Given> {
    const code = await running.authorize(client, user);
    const { json } = await redeem(client, code);
    return { client, code, access: String(json?.['access_token']), refresh: String(json?.['refresh_token']) };
  }
  const redeem = (client: TestClient, code: string) =>
    running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
  const forItself = (client: TestClient) => running.token(client, { grant_type: 'client_credentials' });
  const isRefreshLive = async ({ client, refresh }: Given): Promise<boolean> =>
    (await running.post('/o/introspect/', { token: refresh }, { authorization: client.basic })).json?.['active'] ===
    true;
  const isLoggedIn = async (browser: BrowserSession): Promise<boolean> =>
    (await browser.get('/')).html.includes('Log out');
  const logsIn = async ({ username, password }: TestUser): Promise<boolean> =>
    (await running.browser().logIn(username, password)).status === 302;

  const world: World = { running, ada, home, phone, engine, toEngine: await give(engine, ada) };
  const [toLoom, ofBob] = [await give(loom, ada), await give(engine, bob)];
  const ownToken = String((await forItself(engine)).json?.['access_token']);
  const pending = await running.authorize(engine, ada);
  const withRightSecret = (given: Given): Given =>
    given.client.id === engine.id ? { ...given, client: world.engine } : given;

  return {
    world,
    things: {
      "Ada's session at home": () => isLoggedIn(home),
      "Ada's session on her phone": () => isLoggedIn(phone),
      "Bob's session": () => isLoggedIn(office),
      "Ada's password": () => logsIn(ada),
      "Ada's passkey": async () => (await logInWithPasskey(running.browser(), passkey)).status === 302,
      "the engine's secret": async () => (await forItself(engine)).status === 200,
      "the engine's own access token": () => isAccepted(running, ownToken),
      "Ada's access token at the engine": () => isAccepted(running, world.toEngine.access),
      "Ada's refresh token at the engine": () => isRefreshLive(withRightSecret(world.toEngine)),
      "Ada's access token at the loom": () => isAccepted(running, toLoom.access),
      "Ada's refresh token at the loom": () => isRefreshLive(toLoom),
      "Bob's access token at the engine": () => isAccepted(running, ofBob.access),
      "Bob's refresh token at the engine": () => isRefreshLive(withRightSecret(ofBob)),
      // Last, for looking spends it.
      "Ada's code on its way to the engine": async () => (await redeem(world.engine, pending)).status === 200,
    },
  };
}

const userOf = ({ running, ada }: World): User => {
  const user = running.service().projections.users.findByName(ada.username);
  if (user === undefined) throw new Error('there is no such user');
  return user;
};

/** The engine's new secret, by its owner on the pages. */
async function replaceSecret(world: World, old_secret: 'now' | 'hour'): Promise<TestClient> {
  const path = `/o/applications/${world.engine.id}/`;
  const page = await world.home.submitAndFollow(await world.home.get(`${path}rotate_secret/`), { old_secret });
  const secret = /id="client-secret"[^>]*>([^<]+)</.exec(page.html)?.[1] ?? '';
  world.engine = {
    id: world.engine.id,
    secret,
    basic: `Basic ${Buffer.from(`${world.engine.id}:${secret}`).toString('base64')}`,
  };
  return world.engine;
}

async function postAtHome({ home }: World, path: string): Promise<void> {
  const { csrf_token = '' } = hiddenFields((await home.get('/o/authorized_tokens/')).html);
  expect((await home.post(path, { csrf_token })).status).to.equal(302);
}

const revoke = async ({ running, engine }: World, token: string): Promise<void> => {
  expect((await running.post('/o/revoke_token/', { token }, { authorization: engine.basic })).status).to.equal(200);
};

const useRefresh = ({ running, engine, toEngine }: World) =>
  running.token(engine, { grant_type: 'refresh_token', refresh_token: toEngine.refresh });

const SESSIONS_OF_ADA = ["Ada's session at home", "Ada's session on her phone"];
const GRANT_TO_ENGINE = ["Ada's access token at the engine", "Ada's refresh token at the engine"];
const GRANTS_OF_ADA = [
  ...GRANT_TO_ENGINE,
  "Ada's access token at the loom",
  "Ada's refresh token at the loom",
  "Ada's code on its way to the engine",
];

interface Row {
  readonly happens: (world: World) => Promise<unknown>;
  /** Exactly the items that no longer work then. */
  readonly ends: readonly string[];
  /** Checks of items outside of that world. */
  readonly besides?: (world: World) => Promise<void>;
}

/** By the first column of the table in docs/lifecycle.md. */
const ROWS: Readonly<Record<string, Row>> = {
  'A user is disabled': {
    happens: (world) => world.running.service().accounts.disable(userOf(world), OPERATOR),
    ends: [...SESSIONS_OF_ADA, "Ada's password", "Ada's passkey", ...GRANTS_OF_ADA],
    async besides({ running, ada, toEngine }) {
      const { accounts, projections } = running.service();
      await accounts.enable(projections.users.findByName(ada.username)!, OPERATOR);
      expect(await isAccepted(running, toEngine.access), 'enabled again, and the token with it').to.equal(false);
      expect(
        (await running.browser().logIn(ada.username, ada.password)).status,
        'enabled again, and the password with it',
      ).to.equal(302);
    },
  },
  'A user is erased': {
    happens: (world) => world.running.service().accounts.erase(userOf(world), OPERATOR),
    ends: [...SESSIONS_OF_ADA, "Ada's password", "Ada's passkey", ...GRANTS_OF_ADA],
    async besides({ running, ada }) {
      await running.addUser(ada.username);
      expect((await running.browser().logIn(ada.username, ada.password)).status, 'the name is free').to.equal(302);
    },
  },
  "A user's roles change": {
    async happens(world) {
      const { accounts } = world.running.service();
      await accounts.changeRoles(userOf(world), ['auditor'], OPERATOR);
      await accounts.changeRoles(userOf(world), [], OPERATOR);
    },
    ends: [],
    async besides({ running }) {
      const watcher = await running.addClient({ restrictedScopes: ['audit'] });
      const anna = { username: 'anna', password: 'the password of an auditor' };
      const added = await running.service().accounts.register({ ...anna, roles: ['auditor'] }, OPERATOR);
      const { json } = await running.token(watcher, { grant_type: 'password', ...anna, scope: 'read audit' });
      const statusOf = async (path: string): Promise<number> =>
        (await running.get(path, { authorization: `Bearer ${String(json?.['access_token'])}` })).status;
      expect(await statusOf('/o/events/')).to.equal(200);
      await running.service().accounts.changeRoles('user' in added ? added.user : expect.fail(), [], OPERATOR);
      expect([await statusOf('/o/events/'), await statusOf('/users/')]).to.deep.equal([403, 200]);
    },
  },
  'A password is changed': {
    happens: (world) => world.running.service().accounts.changePassword(userOf(world), 'another password', OPERATOR),
    ends: [...SESSIONS_OF_ADA, "Ada's password"],
    async besides(world) {
      const other = await begin();
      try {
        const { running, home, phone, ada } = other.world;
        await home.submit(await home.get('/accounts/password/'), {
          current_password: ada.password,
          new_password: 'another password',
        });
        const isLoggedIn = async (browser: BrowserSession): Promise<boolean> =>
          (await browser.get('/')).html.includes('Log out');
        expect([await isLoggedIn(home), await isLoggedIn(phone)], 'on the account page').to.deep.equal([true, false]);
        expect(await isAccepted(running, other.world.toEngine.access)).to.equal(true);
      } finally {
        await other.world.running.close();
      }
      expect((await world.running.browser().logIn(world.ada.username, 'another password')).status).to.equal(302);
    },
  },
  'A passkey is removed': {
    async happens(world) {
      const [passkey] = world.running.service().projections.passkeys.listByUser(userOf(world).userId);
      await postAtHome(world, `/accounts/passkeys/${passkey?.passkeyId ?? ''}/remove/`);
    },
    ends: ["Ada's passkey"],
    async besides({ running, ada, home }) {
      const [kept, removed] = [authenticator(), authenticator()];
      const browsers = [running.browser(), running.browser()] as const;
      for (const [index, device] of [kept, removed].entries()) {
        await addPasskey(home, ada.password, device);
        await logInWithPasskey(browsers[index] ?? expect.fail(), device);
      }
      const passkey = running.service().projections.passkeys.findByCredentialId(removed.credentialId);
      const page = await browsers[1].get('/accounts/');
      await browsers[1].submit(page, {}, `/accounts/passkeys/${passkey?.passkeyId ?? ''}/remove/`);
      const pages = await Promise.all([...browsers, home].map((browser) => browser.get('/accounts/')));
      const statuses = pages.map(({ status }) => status);
      expect(statuses, 'the session that it started, and no other').to.deep.equal([200, 302, 200]);
      expect((await browsers[1].get('/accounts/login/')).html).to.include('please log in again');
    },
  },
  'A user logs out': {
    happens: (world) => postAtHome(world, '/accounts/logout/'),
    ends: ["Ada's session at home"],
  },
  'A user logs out everywhere': {
    happens: (world) => postAtHome(world, '/accounts/logout/everywhere/'),
    ends: SESSIONS_OF_ADA,
  },
  'An application revokes a token': {
    happens: (world) => revoke(world, world.toEngine.access),
    ends: GRANT_TO_ENGINE,
  },
  "A user revokes an application's access": {
    happens: (world) => postAtHome(world, `/o/authorized_tokens/applications/${world.engine.id}/revoke/`),
    ends: [...GRANT_TO_ENGINE, "Ada's code on its way to the engine"],
  },
  'A user revokes one authorization of an application': {
    async happens(world) {
      const { projections } = world.running.service();
      const own = projections.grants
        .listByUser(userOf(world).userId, world.running.clock.now() / 1000)
        .find(({ clientId }) => clientId === world.engine.id);
      await postAtHome(world, `/o/authorized_tokens/${own?.grantId}/revoke/`);
    },
    ends: GRANT_TO_ENGINE,
  },
  'A code is replayed': {
    happens: ({ running, engine, toEngine }) =>
      running.token(engine, { grant_type: 'authorization_code', code: toEngine.code, redirect_uri: REDIRECT_URI }),
    ends: GRANT_TO_ENGINE,
  },
  'A refresh token is used': {
    async happens(world) {
      const { running, toEngine } = world;
      const { json } = await useRefresh(world);
      running.clock.advance(29);
      expect(await isAccepted(running, toEngine.access), 'within the retry window').to.equal(true);
      running.clock.advance(1);
      expect(await isAccepted(running, String(json?.['access_token'])), 'the new access token').to.equal(true);
      world.toEngine = { ...toEngine, refresh: String(json?.['refresh_token']) };
    },
    ends: ["Ada's access token at the engine"],
  },
  'A refresh token is reused': {
    async happens(world) {
      const { json } = await useRefresh(world);
      world.running.clock.advance(30);
      expect((await useRefresh(world)).status).to.equal(400);
      expect(await isAccepted(world.running, world.toEngine.access), 'the access token before the refresh').to.equal(
        false,
      );
      world.toEngine = {
        ...world.toEngine,
        access: String(json?.['access_token']),
        refresh: String(json?.['refresh_token']),
      };
    },
    ends: GRANT_TO_ENGINE,
  },
  'A client secret is rotated': {
    happens: (world) => replaceSecret(world, 'now'),
    ends: ["the engine's secret"],
  },
  'A client secret is rotated with an overlap': {
    happens: (world) => replaceSecret(world, 'hour'),
    ends: [],
    async besides(world) {
      const { running } = world;
      const works = async ({ basic }: TestClient): Promise<boolean> =>
        (await running.token({ id: '', secret: '', basic }, { grant_type: 'client_credentials' })).status === 200;
      const second = world.engine;
      running.clock.advance(1_800);
      const third = await replaceSecret(world, 'hour');
      expect(
        [await works(world.toEngine.client), await works(second), await works(third)],
        'the first ends with the third',
      ).to.deep.equal([false, true, true]);
      running.clock.advance(3_600);
      expect([await works(second), await works(third)], 'the second after the overlap').to.deep.equal([false, true]);
    },
  },
  'A restricted scope is removed from an application': {
    async happens({ running, engine }) {
      const { projections, registration } = running.service();
      await registration.update(
        engine.id as ClientId,
        { ...projections.clients.find(engine.id)!, restrictedScopes: [] },
        OPERATOR,
      );
    },
    ends: [],
    async besides(world) {
      const other = await begin();
      try {
        const { json } = await other.world.running.token(other.world.engine, {
          grant_type: 'client_credentials',
          scope: 'introspection',
        });
        const access = String(json?.['access_token']);
        const introspect = () =>
          other.world.running.post('/o/introspect/', { token: access }, { authorization: `Bearer ${access}` });
        expect((await introspect()).status).to.equal(200);
        await ROWS['A restricted scope is removed from an application']?.happens(other.world);
        expect((await introspect()).status, 'of a token that was issued with it').to.equal(401);
      } finally {
        await other.world.running.close();
      }
      expect(
        (await world.running.token(world.engine, { grant_type: 'client_credentials', scope: 'introspection' })).status,
      ).to.equal(400);
    },
  },
  'A grant type is removed from an application': {
    async happens({ running, engine }) {
      const { projections, registration } = running.service();
      const known = projections.clients.find(engine.id)!;
      const grantTypes = ['client-credentials', 'password'];
      await registration.update(known.clientId, { ...known, grantTypes }, OPERATOR);
    },
    ends: [
      "Ada's refresh token at the engine",
      "Bob's refresh token at the engine",
      "Ada's code on its way to the engine",
    ],
    async besides(world) {
      expect((await useRefresh(world)).json).to.include({ error: 'unauthorized_client' });
    },
  },
  'A scope is removed from the settings': {
    happens: ({ running }) => running.restart({ scopes: { read: 'Read', groups: 'Groups' } }),
    ends: [],
    async besides(world) {
      const { running, engine, toEngine } = world;
      const scopeOf = async (token: string): Promise<unknown> =>
        (await running.post('/o/introspect/', { token }, { authorization: engine.basic })).json?.['scope'];
      expect(await scopeOf(toEngine.access)).to.equal('read');
      const { json } = await useRefresh(world);
      expect([json?.['scope'], await scopeOf(String(json?.['access_token']))]).to.deep.equal(['read', 'read']);
    },
  },
  'A resource server is removed from the settings': {
    happens: ({ running }) => running.restart({ resources: [] }),
    ends: [],
    async besides({ running, engine, ada }) {
      await running.restart({ resources: ['https://api.example'] });
      const { json } = await running.token(engine, { grant_type: 'password', ...ada, resource: 'https://api.example' });
      const tokens = { access: String(json?.['access_token']), refresh: String(json?.['refresh_token']) };
      const isActive = async (token: string): Promise<unknown> =>
        (await running.post('/o/introspect/', { token }, { authorization: engine.basic })).json?.['active'];
      for (const token of Object.values(tokens)) expect(await isActive(token)).to.equal(true);
      await running.restart({ resources: [] });
      for (const token of Object.values(tokens)) expect(await isActive(token)).to.equal(false);
      const refused = await running.token(engine, { grant_type: 'refresh_token', refresh_token: tokens.refresh });
      expect(refused.json).to.include({ error: 'invalid_target' });
    },
  },
  'The settings no longer allow a redirect URI': {
    happens: ({ running }) => running.restart({ plainHttpRedirectUris: false }),
    ends: [],
    async besides({ running, ada }) {
      const redirect_uri = 'http://intranet.example/callback';
      await running.restart({ plainHttpRedirectUris: true });
      const client = await running.addClient({ redirectUris: [redirect_uri] });
      const redeem = async (code: string): Promise<number> =>
        (await running.token(client, { grant_type: 'authorization_code', code, redirect_uri })).status;
      const ask = () => running.authorize(client, ada, { redirect_uri });
      const codes = [await ask(), await ask()] as const;
      expect(await redeem(codes[0])).to.equal(200);
      await running.restart({ plainHttpRedirectUris: false });
      expect(await redeem(codes[1])).to.equal(400);
      expect(await ask().catch(() => 'no code')).to.equal('no code');
    },
  },
  'An application is removed': {
    async happens(world) {
      const path = `/o/applications/${world.engine.id}/delete/`;
      await world.home.submit(await world.home.get(path), {}, path);
    },
    ends: [
      "the engine's secret",
      "the engine's own access token",
      ...GRANT_TO_ENGINE,
      "Bob's access token at the engine",
      "Bob's refresh token at the engine",
      "Ada's code on its way to the engine",
    ],
  },
};

describe('What ends when', () => {
  let world: World;
  let things: Things;

  beforeEach(async () => ({ world, things } = await begin()));
  afterEach(() => world.running.close());

  async function dead(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const [name, lives] of Object.entries(things)) if (!(await lives())) found.push(name);
    return found;
  }

  it('everything works before any event', async () => {
    expect(await dead()).to.deep.equal([]);
  });

  for (const [title, { happens, ends, besides }] of Object.entries(ROWS)) {
    it(title, async () => {
      await happens(world);
      expect(await dead()).to.have.members(ends);
      await besides?.(world);
    });

    if (ends.length > 0) {
      it(`${title}: permanently, also after a restart`, async () => {
        await happens(world);
        await world.running.restart();
        expect(await dead()).to.have.members(ends);
      });
    }
  }

  it('the table in docs/lifecycle.md lists the same, row by row', () => {
    const rows = tableRows(readDocument('docs/lifecycle.md').text);
    expect(rows.map(([first]) => first)).to.deep.equal(Object.keys(ROWS));
  });
});
