import { expect } from 'chai';
import { EVE, inviteEve } from './support/invite-eve.ts';
import { detailsParameter, BANK, introspect, registerBank } from './support/details.ts';
import { PAYMENT, RENT } from './support/detail-types.ts';
import { decodeProtectedHeader } from 'jose';
import { operate } from '../src/operations/operations.ts';
import type { ClientId, EpochSeconds, KeyId, SigningAlgorithm } from '../src/domain/values.ts';
import type { ResourceServerSettings } from '../src/domain/resource-settings.ts';
import type { User } from '../src/projections/users.ts';
import { signAssertion, keyPairFor, registerKeys, withAssertion, type ClientKeyPair } from './support/assertions.ts';
import { authorizePath, openSession } from './support/authorize-requests.ts';
import {
  authorizePathWithDocument,
  DOCUMENT_REDIRECT_URI,
  DOCUMENT_SETTINGS,
  DOCUMENT_URL,
  clientDocument,
  startDocumentServer,
  serveDocumentsAt,
} from './support/client-documents.ts';
import {
  openConsentPage,
  obtainCode,
  redeem as redeemCode,
  registerSuccessfully,
  registerWithToken,
  VERIFIER,
  type RegistrationResponse,
} from './support/registrations.ts';
import { answerDevice, approveDevice, requestCodes, poll } from './support/devices.ts';
import { addPasskey, createAuthenticator, logInWithPasskey } from './support/authenticator.ts';
import { hiddenFields, type BrowserSession, type Page } from './support/browser-session.ts';
import { seconds } from './support/domain-values.ts';
import { setExchangePolicy } from './support/exchange-policies.ts';
import { readDocument, tableRows } from './support/documents.ts';
import {
  addManager,
  callGrant,
  create,
  managementToken,
  merge,
  obtain,
  redeem as redeemManaged,
  replace,
} from './support/managed-grants.ts';
import {
  beginLogin,
  linkAccount,
  logInThrough,
  LOOPBACK_PROVIDERS,
  startScriptedProvider,
  setProvider,
  type ScriptedProvider,
} from './support/scripted-provider.ts';
import { oneTimePassword } from './support/one-time-passwords.ts';
import { signProof, updateSecuritySettings, NONCE_PERIOD_SECONDS } from './support/dpop.ts';
import { expectRefusal, isAccepted } from './support/protocol-responses.ts';
import { registerResource } from './support/resource-servers.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from './support/running-service.ts';
import { JWT_BEARER_GRANT_TYPE } from '../src/oauth/grant-types/jwt-bearer.ts';
import {
  expectAccessToken,
  allowExchange,
  exchange,
  exchangeForToken,
  ownToken,
  userTokens,
} from './support/token-exchange.ts';
import { signForeignToken, OTHER_ISSUER, trustIssuer } from './support/trusted-issuers.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

async function changeSettings(running: RunningService, set: Readonly<Record<string, unknown>>): Promise<void> {
  expect(await running.service().settingChanges.change({ set, reset: [] }, OPERATOR)).to.have.property('position');
}

/** Creates two managed grants from the user to a new client, and a code for an update to the first one. */
async function createManagedGrants(running: RunningService, user: TestUser) {
  const client = await addManager(running);
  const grant = await obtain(running, client, user, { scope: 'read', ...create });
  const otherGrant = await obtain(running, client, user, { scope: 'read', ...create });
  const code = await running.authorize(client, user, { scope: 'read write', ...merge(grant.id) });
  return { client, grant, otherGrant, code };
}

async function setDisabled(running: RunningService, { id }: TestClient, isDisabled: boolean): Promise<void> {
  await running.service().registration.setDisabled(id as ClientId, isDisabled, OPERATOR);
}

/** A user's grant to an application, with its credentials. */
interface Authorization {
  readonly client: TestClient;
  readonly code: string;
  readonly access: string;
  readonly refresh: string;
}

/** Ada has an application, two sessions and authorizations for two applications. Bob also uses her application. */
interface Scenario {
  readonly running: RunningService;
  readonly ada: TestUser;
  readonly home: BrowserSession;
  readonly phone: BrowserSession;
  /** Ada's application. */
  engine: TestClient;
  engineGrant: Authorization;
  /** An OpenID Connect application, and its grant from Ada's session at home. */
  readonly lantern: TestClient;
  readonly fromHome: Authorization;
}

/** Functions that report whether an item still works, keyed by the name of the item. */
type Checks = Readonly<Record<string, () => Promise<boolean>>>;

async function createScenario(): Promise<{ readonly scenario: Scenario; readonly checks: Checks }> {
  const running = await runningService();
  const [ada, bob] = [await running.addUser('ada'), await running.addUser('bob')];
  const [engine, loom, lantern] = [
    await running.addClient({ owner: 'ada', restrictedScopes: ['introspection'] }),
    await running.addClient(),
    await running.addClient(), // for OpenID Connect
  ];
  const [home, phone, office] = [running.browser(), running.browser(), running.browser()];
  for (const browser of [home, phone]) await browser.logIn(ada.username, ada.password);
  const passkey = createAuthenticator();
  await addPasskey(home, ada.password, passkey);
  await office.logIn(bob.username, bob.password);

  async function authorize(client: TestClient, user: TestUser): Promise<Authorization> {
    const code = await running.authorize(client, user);
    const { json } = await redeem(client, code);
    return { client, code, access: String(json?.['access_token']), refresh: String(json?.['refresh_token']) };
  }
  const redeem = (client: TestClient, code: string) =>
    running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
  const requestOwnToken = (client: TestClient) => running.token(client, { grant_type: 'client_credentials' });
  const isRefreshLive = async ({ client, refresh }: Authorization): Promise<boolean> =>
    (await running.post('/o/introspect/', { token: refresh }, { authorization: client.basic })).json?.['active'] ===
    true;
  const isLoggedIn = async (browser: BrowserSession): Promise<boolean> =>
    (await browser.get('/')).html.includes('Log out');
  const canLogIn = async ({ username, password }: TestUser): Promise<boolean> =>
    (await running.browser().logIn(username, password)).status === 302;

  /** Creates a grant that ends with the browser's session. */
  async function authorizeLantern(browser: BrowserSession): Promise<Authorization> {
    const page = await browser.get(authorizePath(lantern, { scope: 'openid read' }));
    const { location } = await browser.submit(page, { allow: 'Authorize' });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const { json } = await redeem(lantern, code);
    return { client: lantern, code, access: String(json?.['access_token']), refresh: String(json?.['refresh_token']) };
  }

  const [homeGrant, phoneGrant] = [await authorizeLantern(home), await authorizeLantern(phone)];
  const [engineGrant, loomGrant, bobsGrant] = [
    await authorize(engine, ada),
    await authorize(loom, ada),
    await authorize(engine, bob),
  ];
  const scenario: Scenario = { running, ada, home, phone, engine, engineGrant, lantern, fromHome: homeGrant };
  const engineToken = String((await requestOwnToken(engine)).json?.['access_token']);
  const pendingCode = await running.authorize(engine, ada);
  const withCurrentSecret = (authorization: Authorization): Authorization =>
    authorization.client.id === engine.id ? { ...authorization, client: scenario.engine } : authorization;

  return {
    scenario,
    checks: {
      "Ada's session at home": () => isLoggedIn(home),
      "Ada's session on her phone": () => isLoggedIn(phone),
      "Bob's session": () => isLoggedIn(office),
      "Ada's password": () => canLogIn(ada),
      "Ada's passkey": async () => (await logInWithPasskey(running.browser(), passkey)).status === 302,
      "the engine's secret": async () => (await requestOwnToken(engine)).status === 200,
      "the engine's own access token": () => isAccepted(running, engineToken),
      "Ada's access token at the engine": () => isAccepted(running, scenario.engineGrant.access),
      "Ada's refresh token at the engine": () => isRefreshLive(withCurrentSecret(scenario.engineGrant)),
      "Ada's access token at the loom": () => isAccepted(running, loomGrant.access),
      "Ada's refresh token at the loom": () => isRefreshLive(loomGrant),
      "Bob's access token at the engine": () => isAccepted(running, bobsGrant.access),
      "Bob's refresh token at the engine": () => isRefreshLive(withCurrentSecret(bobsGrant)),
      "the lantern's access token from Ada's home": () => isAccepted(running, homeGrant.access),
      "the lantern's refresh token from Ada's home": () => isRefreshLive(homeGrant),
      "the lantern's access token from Ada's phone": () => isAccepted(running, phoneGrant.access),
      "the lantern's refresh token from Ada's phone": () => isRefreshLive(phoneGrant),
      // Last, because this check redeems it.
      "Ada's pending code at the engine": async () => (await redeem(scenario.engine, pendingCode)).status === 200,
    },
  };
}

const findAda = ({ running, ada }: Scenario): User => {
  const user = running.service().projections.users.findByName(ada.username);
  if (user === undefined) throw new Error('there is no user ada');
  return user;
};

const nowInSeconds = ({ running }: Scenario): number => Math.floor(running.clock.now() / 1000);

/** Adds an authenticator app to Ada's account in the browser at home. */
async function addApp(
  scenario: Scenario,
): Promise<{ readonly secret: string; readonly recoveryCodes: readonly string[] }> {
  const { home, ada } = scenario;
  const page = await home.get('/accounts/two-step/app/');
  const secret = /id="secret"[^>]*>([^<]+)</.exec(page.html)?.[1] ?? expect.fail('no secret');
  const fields = { code: oneTimePassword(secret, nowInSeconds(scenario)), password: ada.password };
  const { html } = await home.submitAndFollow(page, fields, '/accounts/two-step/app/');
  const codes = /id="codes"[^>]*>([^<]+)</.exec(html)?.[1] ?? expect.fail('no codes');
  return { secret, recoveryCodes: codes.trim().split(/\s+/) };
}

/** Enters Ada's password in a new browser. Returns the browser and the page for the second step. */
async function enterPassword({
  running,
  ada,
}: Scenario): Promise<{ readonly phone: BrowserSession; readonly page: Page }> {
  const phone = running.browser();
  const { location } = await phone.logIn(ada.username, ada.password);
  return { phone, page: await phone.get(location ?? '') };
}

async function removeSecondFactor({ home }: Scenario, path: string): Promise<void> {
  expect((await home.submit(await home.get(path), {}, path)).status).to.equal(302);
}

/** Rotates the engine's secret on its owner's pages. */
async function replaceSecret(scenario: Scenario, old_secret: 'now' | 'hour'): Promise<TestClient> {
  const path = `/o/applications/${scenario.engine.id}/`;
  const page = await scenario.home.submitAndFollow(await scenario.home.get(`${path}rotate_secret/`), { old_secret });
  const secret = /id="client-secret"[^>]*>([^<]+)</.exec(page.html)?.[1] ?? '';
  scenario.engine = {
    id: scenario.engine.id,
    secret,
    basic: `Basic ${Buffer.from(`${scenario.engine.id}:${secret}`).toString('base64')}`,
  };
  return scenario.engine;
}

async function postAtHome({ home }: Scenario, path: string): Promise<void> {
  const { csrf_token = '' } = hiddenFields((await home.get('/accounts/')).html);
  expect((await home.post(path, { csrf_token })).status).to.equal(302);
}

const revoke = async ({ running, engine }: Scenario, token: string): Promise<void> => {
  expect((await running.post('/o/revoke_token/', { token }, { authorization: engine.basic })).status).to.equal(200);
};

const BROKER = { grantTypes: ['token-exchange', 'client-credentials'], redirectUris: [] } as const;

const redeemAt = (running: RunningService, app: TestClient, assertion: string) =>
  running.token(app, { grant_type: JWT_BEARER_GRANT_TYPE, assertion });

/** Adds an application that redeems tokens from a trusted issuer, by default for itself. */
async function addTrustedApp(running: RunningService) {
  const app = await running.addClient({ grantTypes: ['jwt-bearer'], redirectUris: [] });
  await trustIssuer(running, app);
  return {
    app,
    async redeem(claims: Readonly<Record<string, unknown>> = {}, mapping = 'client') {
      await trustIssuer(running, app, { mapping });
      return expectAccessToken(await redeemAt(running, app, await signForeignToken(running, { claims })));
    },
  };
}

/**
 * Exchanges Ada's token several times. `tokens` contains her token, a token exchanged for it, a token exchanged for
 * that one with an actor, and another token exchanged for hers.
 */
async function createExchangeChain(running: RunningService, ada: TestUser, engine: TestClient) {
  const options = { grantTypes: ['token-exchange', 'client-credentials'], redirectUris: [] } as const;
  const [first, second] = [await running.addClient(options), await running.addClient(options)];
  await setExchangePolicy(running, first, engine, { modes: ['impersonation'] });
  await setExchangePolicy(running, second, engine, { modes: ['impersonation'] });
  await setExchangePolicy(running, second, first);
  const { access } = await userTokens(running, engine, ada, { scope: 'read' });
  const exchangedToken = await exchangeForToken(running, first, access);
  const actor = await ownToken(running, second);
  const tokens = [access, exchangedToken, await exchangeForToken(running, second, exchangedToken, { actor })];
  const revokeToken = (client: TestClient, token: string) =>
    running.post('/o/revoke_token/', { token }, { authorization: client.basic });
  return {
    tokens: [...tokens, await exchangeForToken(running, second, access)],
    revokeAt: (index: number) => revokeToken([engine, first, second][index] ?? engine, tokens[index] ?? ''),
    revokeActor: () => revokeToken(second, actor),
  };
}

const useRefresh = ({ running, engine, engineGrant }: Scenario) =>
  running.token(engine, { grant_type: 'refresh_token', refresh_token: engineGrant.refresh });

const ADA_SESSIONS = ["Ada's session at home", "Ada's session on her phone"];
const GRANT_TO_ENGINE = ["Ada's access token at the engine", "Ada's refresh token at the engine"];
/** Grants with OpenID Connect but without offline_access. */
const HOME_SESSION_GRANTS = [
  "the lantern's access token from Ada's home",
  "the lantern's refresh token from Ada's home",
];
const PHONE_SESSION_GRANTS = [
  "the lantern's access token from Ada's phone",
  "the lantern's refresh token from Ada's phone",
];
/** The effects of turning on two-step login at home. */
const PASSWORD_SESSIONS = ["Ada's session on her phone", ...PHONE_SESSION_GRANTS];
const ADA_GRANTS = [
  ...HOME_SESSION_GRANTS,
  ...PHONE_SESSION_GRANTS,
  ...GRANT_TO_ENGINE,
  "Ada's access token at the loom",
  "Ada's refresh token at the loom",
  "Ada's pending code at the engine",
];

interface Row {
  readonly change: (scenario: Scenario) => Promise<unknown>;
  /** Exactly the items that no longer work after `change`. */
  readonly endedItems: readonly string[];
  /** Checks items that are not in `endedItems`. */
  readonly alsoCheck?: (scenario: Scenario) => Promise<void>;
}

const PROVIDER_ACCOUNT = { sub: 'ada there', email: 'ada@example.org' };

/** Calls `use` with Ada logged in with her password in one browser and through a provider in another. */
async function withLinkedAccount(
  use: (linked: {
    readonly running: RunningService;
    readonly provider: ScriptedProvider;
    readonly passwordSession: BrowserSession;
    readonly providerSession: BrowserSession;
  }) => Promise<void>,
): Promise<void> {
  const running = await runningService({ settings: LOOPBACK_PROVIDERS });
  const provider = await startScriptedProvider(running.clock.now);
  try {
    await setProvider(running, provider);
    const { username, password } = await running.addUser('ada');
    const [passwordSession, providerSession] = [running.browser(), running.browser()];
    await passwordSession.logIn(username, password);
    await linkAccount(passwordSession, provider, PROVIDER_ACCOUNT);
    await logInThrough(providerSession, provider, PROVIDER_ACCOUNT);
    await use({ running, provider, passwordSession, providerSession });
  } finally {
    await running.close();
    await provider.close();
  }
}

/** Keyed by the first column in the table in docs/lifecycle.md. */
const ROWS: Readonly<Record<string, Row>> = {
  'A user is disabled': {
    change: (scenario) => scenario.running.service().accounts.disable(findAda(scenario), OPERATOR),
    endedItems: [...ADA_SESSIONS, "Ada's password", "Ada's passkey", ...ADA_GRANTS],
    async alsoCheck({ running, ada, engineGrant }) {
      const { accounts, projections } = running.service();
      await accounts.enable(projections.users.findByName(ada.username)!, OPERATOR);
      expect(
        await isAccepted(running, engineGrant.access),
        'the old token after the user has been enabled again',
      ).to.equal(false);
      expect(
        (await running.browser().logIn(ada.username, ada.password)).status,
        'the password after the user has been enabled again',
      ).to.equal(302);
    },
  },
  'A user is erased': {
    change: (scenario) => scenario.running.service().accounts.erase(findAda(scenario), OPERATOR),
    endedItems: [...ADA_SESSIONS, "Ada's password", "Ada's passkey", ...ADA_GRANTS],
    async alsoCheck({ running, ada }) {
      await running.addUser(ada.username);
      expect((await running.browser().logIn(ada.username, ada.password)).status, 'the name is free').to.equal(302);
    },
  },
  "A user's roles change": {
    async change(scenario) {
      const { accounts } = scenario.running.service();
      await accounts.changeRoles(findAda(scenario), ['auditor'], OPERATOR);
      await accounts.changeRoles(findAda(scenario), [], OPERATOR);
    },
    endedItems: [],
    async alsoCheck({ running }) {
      const auditClient = await running.addClient({ restrictedScopes: ['audit'] });
      const anna = { username: 'anna', password: 'the password of an auditor' };
      const registration = await running.service().accounts.register({ ...anna, roles: ['auditor'] }, OPERATOR);
      const { json } = await running.token(auditClient, { grant_type: 'password', ...anna, scope: 'read audit' });
      const statusOf = async (path: string): Promise<number> =>
        (await running.get(path, { authorization: `Bearer ${String(json?.['access_token'])}` })).status;
      expect(await statusOf('/o/events/')).to.equal(200);
      await running
        .service()
        .accounts.changeRoles('user' in registration ? registration.user : expect.fail(), [], OPERATOR);
      expect([await statusOf('/o/events/'), await statusOf('/users/')]).to.deep.equal([403, 200]);
    },
  },
  'A password is changed': {
    change: (scenario) =>
      scenario.running.service().accounts.changePassword(findAda(scenario), 'another password', OPERATOR),
    endedItems: [...ADA_SESSIONS, ...HOME_SESSION_GRANTS, ...PHONE_SESSION_GRANTS, "Ada's password"],
    async alsoCheck(scenario) {
      const otherSetup = await createScenario();
      try {
        const { running, home, phone, ada } = otherSetup.scenario;
        await home.submit(await home.get('/accounts/password/'), {
          current_password: ada.password,
          new_password: 'another password',
        });
        const isLoggedIn = async (browser: BrowserSession): Promise<boolean> =>
          (await browser.get('/')).html.includes('Log out');
        expect([await isLoggedIn(home), await isLoggedIn(phone)], 'on the account page').to.deep.equal([true, false]);
        expect(await isAccepted(running, otherSetup.scenario.engineGrant.access)).to.equal(true);
      } finally {
        await otherSetup.scenario.running.close();
      }
      expect((await scenario.running.browser().logIn(scenario.ada.username, 'another password')).status).to.equal(302);
    },
  },
  'A passkey is removed': {
    async change(scenario) {
      const [passkey] = scenario.running.service().projections.passkeys.listByUser(findAda(scenario).userId);
      await postAtHome(scenario, `/accounts/passkeys/${passkey?.passkeyId ?? ''}/remove/`);
    },
    endedItems: ["Ada's passkey"],
    async alsoCheck({ running, ada, home }) {
      const [keptDevice, removedDevice] = [createAuthenticator(), createAuthenticator()];
      const browsers = [running.browser(), running.browser()] as const;
      for (const [index, device] of [keptDevice, removedDevice].entries()) {
        await addPasskey(home, ada.password, device);
        await logInWithPasskey(browsers[index] ?? expect.fail(), device);
      }
      const passkey = running.service().projections.passkeys.findByCredentialId(removedDevice.credentialId);
      const page = await browsers[1].get('/accounts/');
      await browsers[1].submit(page, {}, `/accounts/passkeys/${passkey?.passkeyId ?? ''}/remove/`);
      const pages = await Promise.all([...browsers, home].map((browser) => browser.get('/accounts/')));
      const statuses = pages.map(({ status }) => status);
      expect(statuses, 'only the session that it started has ended').to.deep.equal([200, 302, 200]);
      expect((await browsers[1].get('/accounts/login/')).html).to.include('please log in again');
    },
  },
  'A user unlinks an account at a provider': {
    change: async () => {},
    endedItems: [],
    alsoCheck: () =>
      withLinkedAccount(async ({ running, provider, passwordSession, providerSession }) => {
        const [, path = ''] =
          /href="([^"]+\/unlink\/)"/.exec((await passwordSession.get('/accounts/ways/')).html) ?? [];
        await passwordSession.submit(await passwordSession.get(path), {}, path);
        expect((await providerSession.get('/accounts/')).status, 'the session through the provider').to.equal(302);
        expect((await passwordSession.get('/accounts/')).status, 'the session with the password').to.equal(200);
        expect((await logInThrough(running.browser(), provider, PROVIDER_ACCOUNT)).status, 'the login').to.equal(403);
      }),
  },
  'A provider is removed or disabled, or its settings change': {
    change: async () => {},
    endedItems: [],
    alsoCheck: () =>
      withLinkedAccount(async ({ running, provider, providerSession }) => {
        const { providerRegistry, projections } = running.service();
        const browser = running.browser();
        const callback = provider.authorize(await beginLogin(browser), PROVIDER_ACCOUNT);
        await providerRegistry.remove(projections.upstreamProviders.find('corp')!, OPERATOR);
        expect((await browser.get(callback)).status, 'a pending login').to.equal(409);
        expect((await providerSession.get('/accounts/')).status, 'a session through it').to.equal(200);
        await setProvider(running, provider, { disabled: true });
        expect((await running.browser().get('/accounts/login/')).html).to.not.include('/accounts/login/provider/corp/');
        expect((await providerSession.get('/accounts/')).status, 'a session through it').to.equal(200);
        await setProvider(running, provider);
        expect((await logInThrough(running.browser(), provider, PROVIDER_ACCOUNT)).location).to.equal('/accounts/');
      }),
  },
  'A user logs out': {
    change: (scenario) => postAtHome(scenario, '/accounts/logout/'),
    endedItems: ["Ada's session at home", ...HOME_SESSION_GRANTS],
  },
  'A user ends a session on the page *Your sessions*': {
    async change(scenario) {
      const { projections } = scenario.running.service();
      const openSessions = projections.sessions.listByUser(
        findAda(scenario).userId,
        scenario.running.clock.now() / 1000,
      );
      // This is the second session that was started.
      await postAtHome(scenario, `/accounts/sessions/${openSessions.at(-2)?.sessionHash}/end/`);
    },
    endedItems: ["Ada's session on her phone", ...PHONE_SESSION_GRANTS],
  },
  "An administrator or the operator ends a user's session": {
    async change(scenario) {
      const { loginSessions, projections } = scenario.running.service();
      const { userId } = findAda(scenario);
      const now = Math.floor(scenario.running.clock.now() / 1000) as EpochSeconds;
      const openSessions = projections.sessions.listByUser(userId, now);
      // This is the second session that was started.
      await loginSessions.endForUser(openSessions.at(-2)?.sessionHash ?? '', userId, now, OPERATOR);
    },
    endedItems: ["Ada's session on her phone", ...PHONE_SESSION_GRANTS],
  },
  'An administrator ends chosen sessions of several users at once': {
    async change(scenario) {
      const { running } = scenario;
      const { projections } = running.service();
      const root = await running.addUser('root', ['administrator']);
      const browser = running.browser();
      await browser.logIn(root.username, root.password);
      const ids = ['ada', 'bob'].map((name) => projections.users.findByName(name)?.userId ?? expect.fail(name));
      const [ada = [], bob = []] = ids.map((userId) => projections.sessions.listByUser(userId, nowInSeconds(scenario)));
      const chosenHashes = [ada.at(-2), ...bob].map((session) => session?.sessionHash ?? '');
      const action = '/admin/sessions/end/';
      const confirmation = await browser.submit(
        await browser.get('/admin/sessions/'),
        { session_hash: chosenHashes },
        action,
      );
      expect((await browser.submit(confirmation, { session_hash: chosenHashes }, action)).status).to.equal(302);
    },
    endedItems: ["Ada's session on her phone", ...PHONE_SESSION_GRANTS, "Bob's session"],
  },
  'A user turns on two-step login': {
    change: addApp,
    endedItems: PASSWORD_SESSIONS,
    async alsoCheck({ running, home }) {
      expect((await home.get('/accounts/two-step/')).html, 'the session at home').to.include('Authenticator app');
      const reasons = (await running.events()).flatMap(({ type, data }) =>
        type === 'SessionEnded' ? [(data as { readonly reason: string }).reason] : [],
      );
      expect([...new Set(reasons)]).to.deep.equal(['logged-in-again', 'two-step-turned-on']);
    },
  },
  'An authenticator app is removed': {
    async change(scenario) {
      const { secret } = await addApp(scenario);
      const { phone, page } = await enterPassword(scenario);
      await removeSecondFactor(scenario, '/accounts/two-step/remove-app/');
      const fields = { code: oneTimePassword(secret, nowInSeconds(scenario) + 30) };
      expect((await phone.submit(page, fields, '/accounts/login/second-step/')).status).not.to.equal(302);
    },
    endedItems: PASSWORD_SESSIONS,
  },
  'Two-step login is turned off': {
    async change(scenario) {
      await addApp(scenario);
      await removeSecondFactor(scenario, '/accounts/two-step/off/');
      const { projections } = scenario.running.service();
      expect(projections.secondFactors.totpOf(findAda(scenario).userId)).to.equal(undefined);
      expect(projections.secondFactors.recoveryCodesOf(findAda(scenario).userId)).to.equal(undefined);
    },
    endedItems: PASSWORD_SESSIONS,
  },
  'New recovery codes are generated': {
    async change(scenario) {
      const { recoveryCodes } = await addApp(scenario);
      const { secondFactorChanges } = scenario.running.service();
      const newCodes = secondFactorChanges.generateRecoveryCodes();
      await secondFactorChanges.replaceRecoveryCodes(findAda(scenario), newCodes, OPERATOR);
      const logIn = async (code = ''): Promise<number> => {
        const { phone, page } = await enterPassword(scenario);
        return (await phone.submit(page, { recovery_code: code }, '/accounts/login/second-step/')).status;
      };
      expect([await logIn(recoveryCodes[0]), await logIn(newCodes.recoveryCodes[0])]).to.deep.equal([422, 302]);
    },
    endedItems: PASSWORD_SESSIONS,
  },
  "An administrator or the operator removes a user's second factors": {
    async change(scenario) {
      await addApp(scenario);
      await scenario.running.service().secondFactorChanges.removeAll(findAda(scenario), 'lost', OPERATOR);
    },
    endedItems: [
      "Ada's session at home",
      "Ada's session on her phone",
      "Ada's passkey",
      ...HOME_SESSION_GRANTS,
      ...PHONE_SESSION_GRANTS,
    ],
  },
  'A user logs in again with the same browser': {
    change: ({ home, ada }) => home.logIn(ada.username, ada.password),
    endedItems: [],
    async alsoCheck(scenario) {
      await postAtHome(scenario, '/accounts/logout/');
      const { json } = await scenario.running.token(scenario.lantern, {
        grant_type: 'refresh_token',
        refresh_token: scenario.fromHome.refresh,
      });
      expect(json, 'after the logout from the new session').to.include({ error: 'invalid_grant' });
    },
  },
  'Another user logs in with the same browser': {
    async change({ running, home }) {
      const carla = await running.addUser('carla');
      await home.logIn(carla.username, carla.password);
    },
    endedItems: HOME_SESSION_GRANTS,
  },
  'A user logs out everywhere': {
    change: (scenario) => postAtHome(scenario, '/accounts/logout/everywhere/'),
    endedItems: [...ADA_SESSIONS, ...HOME_SESSION_GRANTS, ...PHONE_SESSION_GRANTS],
  },
  'An application revokes a token': {
    change: (scenario) => revoke(scenario, scenario.engineGrant.access),
    endedItems: GRANT_TO_ENGINE,
  },
  "A user revokes an application's access": {
    change: (scenario) => postAtHome(scenario, `/o/authorized_tokens/applications/${scenario.engine.id}/revoke/`),
    endedItems: [...GRANT_TO_ENGINE, "Ada's pending code at the engine"],
  },
  'A user revokes one authorization of an application': {
    async change(scenario) {
      const { projections } = scenario.running.service();
      const grant = projections.grants
        .listByUser(findAda(scenario).userId, scenario.running.clock.now() / 1000)
        .find(({ clientId }) => clientId === scenario.engine.id);
      await postAtHome(scenario, `/o/authorized_tokens/${grant?.grantId}/revoke/`);
    },
    endedItems: GRANT_TO_ENGINE,
  },
  'A user ends the access of one or all agents': {
    change: async () => {},
    endedItems: [],
    async alsoCheck(scenario) {
      const { running, ada } = scenario;
      const resource = 'http://localhost:8000';
      const [agent, otherAgent] = [
        await running.addClient({ name: 'One' }),
        await running.addClient({ name: 'Other' }),
      ];
      const grant = { grant_type: 'password', username: ada.username, password: ada.password, scope: 'read' };
      const requestRefreshToken = async (client: TestClient, more: Readonly<Record<string, string>>): Promise<string> =>
        String((await running.token(client, { ...grant, ...more })).json?.['refresh_token']);
      const refresh = async (client: TestClient, token: string): Promise<number> =>
        (await running.token(client, { grant_type: 'refresh_token', refresh_token: token })).status;
      const tokens = [
        await requestRefreshToken(agent, { resource }),
        await requestRefreshToken(otherAgent, { resource }),
      ] as const;
      const unrestrictedToken = await requestRefreshToken(agent, {});
      await postAtHome(scenario, `/accounts/agents/${agent.id}/end/`);
      expect([await refresh(agent, tokens[0]), await refresh(agent, unrestrictedToken)]).to.deep.equal([400, 400]);
      expect(await refresh(otherAgent, tokens[1])).to.equal(200);
      await postAtHome(scenario, '/accounts/agents/end/');
      expect(await refresh(otherAgent, tokens[1])).to.equal(400);
    },
  },
  'A code is replayed': {
    change: ({ running, engine, engineGrant }) =>
      running.token(engine, { grant_type: 'authorization_code', code: engineGrant.code, redirect_uri: REDIRECT_URI }),
    endedItems: GRANT_TO_ENGINE,
  },
  "A user denies a device's request": {
    change: async () => {},
    endedItems: [],
    async alsoCheck({ running, ada }) {
      const tv = await running.addClient({ clientType: 'public', grantTypes: ['device-code'], redirectUris: [] });
      const [approvedCodes, deniedCodes] = [await requestCodes(running, tv), await requestCodes(running, tv)];
      await approveDevice(running, ada, approvedCodes);
      const access = String((await poll(running, tv, approvedCodes)).json?.['access_token']);
      await answerDevice(await openSession(running, ada), deniedCodes, { deny: 'Deny' });
      expect((await poll(running, tv, deniedCodes)).json).to.include({ error: 'access_denied' });
      expect(await isAccepted(running, access), 'an earlier grant').to.equal(true);
    },
  },
  'A device code is presented again': {
    change: async () => {},
    endedItems: [],
    async alsoCheck({ running, ada }) {
      const tv = await running.addClient({ clientType: 'public', grantTypes: ['device-code'], redirectUris: [] });
      const [codes, otherCodes] = [await requestCodes(running, tv), await requestCodes(running, tv)];
      const access: string[] = [];
      for (const deviceCodes of [codes, otherCodes]) {
        await approveDevice(running, ada, deviceCodes);
        access.push(String((await poll(running, tv, deviceCodes)).json?.['access_token']));
      }
      expect((await poll(running, tv, codes)).json).to.include({ error: 'invalid_grant' });
      const areAccepted = await Promise.all(access.map((token) => isAccepted(running, token)));
      expect(areAccepted).to.deep.equal([false, true]);
    },
  },
  'A refresh token is used': {
    async change(scenario) {
      const { running, engineGrant } = scenario;
      const { json } = await useRefresh(scenario);
      running.clock.advance(29);
      expect(await isAccepted(running, engineGrant.access), 'within the retry window').to.equal(true);
      running.clock.advance(1);
      expect(await isAccepted(running, String(json?.['access_token'])), 'the new access token').to.equal(true);
      scenario.engineGrant = { ...engineGrant, refresh: String(json?.['refresh_token']) };
    },
    endedItems: ["Ada's access token at the engine"],
  },
  'A refresh token is reused': {
    async change(scenario) {
      const { json } = await useRefresh(scenario);
      scenario.running.clock.advance(30);
      expect((await useRefresh(scenario)).status).to.equal(400);
      expect(
        await isAccepted(scenario.running, scenario.engineGrant.access),
        'the access token before the refresh',
      ).to.equal(false);
      scenario.engineGrant = {
        ...scenario.engineGrant,
        access: String(json?.['access_token']),
        refresh: String(json?.['refresh_token']),
      };
    },
    endedItems: GRANT_TO_ENGINE,
  },
  'A client secret is rotated': {
    change: (scenario) => replaceSecret(scenario, 'now'),
    endedItems: ["the engine's secret"],
  },
  'A client secret is rotated with an overlap': {
    change: (scenario) => replaceSecret(scenario, 'hour'),
    endedItems: [],
    async alsoCheck(scenario) {
      const { running } = scenario;
      const isSecretAccepted = async ({ basic }: TestClient): Promise<boolean> =>
        (await running.token({ id: '', secret: '', basic }, { grant_type: 'client_credentials' })).status === 200;
      const second = scenario.engine;
      running.clock.advance(1_800);
      const third = await replaceSecret(scenario, 'hour');
      expect(
        [
          await isSecretAccepted(scenario.engineGrant.client),
          await isSecretAccepted(second),
          await isSecretAccepted(third),
        ],
        'the first secret expires when the third is created',
      ).to.deep.equal([false, true, true]);
      running.clock.advance(3_600);
      expect(
        [await isSecretAccepted(second), await isSecretAccepted(third)],
        'the second after the overlap',
      ).to.deep.equal([false, true]);
    },
  },
  'A restricted scope is removed from an application': {
    async change({ running, engine }) {
      const { projections, registration } = running.service();
      await registration.update(
        engine.id as ClientId,
        { ...projections.clients.find(engine.id)!, restrictedScopes: [] },
        OPERATOR,
      );
    },
    endedItems: [],
    async alsoCheck(scenario) {
      const otherSetup = await createScenario();
      try {
        const { json } = await otherSetup.scenario.running.token(otherSetup.scenario.engine, {
          grant_type: 'client_credentials',
          scope: 'introspection',
        });
        const access = String(json?.['access_token']);
        const introspectAccess = () =>
          otherSetup.scenario.running.post('/o/introspect/', { token: access }, { authorization: `Bearer ${access}` });
        expect((await introspectAccess()).status).to.equal(200);
        await ROWS['A restricted scope is removed from an application']?.change(otherSetup.scenario);
        expect((await introspectAccess()).status, 'a token that was issued with the scope').to.equal(401);
      } finally {
        await otherSetup.scenario.running.close();
      }
      expect(
        (await scenario.running.token(scenario.engine, { grant_type: 'client_credentials', scope: 'introspection' }))
          .status,
      ).to.equal(400);
    },
  },
  'A grant type is removed from an application': {
    async change({ running, engine }) {
      const { projections, registration } = running.service();
      const client = projections.clients.find(engine.id)!;
      const grantTypes = ['client-credentials', 'password'];
      await registration.update(client.clientId, { ...client, grantTypes }, OPERATOR);
    },
    endedItems: [
      "Ada's refresh token at the engine",
      "Bob's refresh token at the engine",
      "Ada's pending code at the engine",
    ],
    async alsoCheck(scenario) {
      expect((await useRefresh(scenario)).json).to.include({ error: 'unauthorized_client' });
    },
  },
  'The subject type of an application changes': {
    async change({ running, lantern }) {
      const { projections, registration } = running.service();
      const client = projections.clients.find(lantern.id)!;
      const openid = { ...client.openid, subjectType: 'pairwise' };
      await registration.update(client.clientId, { ...client, openid }, OPERATOR);
    },
    endedItems: [],
    async alsoCheck(scenario) {
      const readSubject = async ({ running, fromHome }: Scenario): Promise<unknown> =>
        (await running.get('/o/userinfo', { authorization: `Bearer ${fromHome.access}` })).json?.['sub'];
      expect(await readSubject(scenario))
        .to.be.a('string')
        .and.not.equal(findAda(scenario).userId);
      const otherSetup = await createScenario();
      try {
        expect(await readSubject(otherSetup.scenario)).to.equal(findAda(otherSetup.scenario).userId);
      } finally {
        await otherSetup.scenario.running.close();
      }
    },
  },
  "A user's e-mail address changes": {
    async change({ running, ada }) {
      const { accounts, accountLinks, clock, projections } = running.service();
      const account = (): User => projections.users.findByName(ada.username) ?? expect.fail();
      const loginStatus = async (name: string): Promise<number> =>
        (await running.browser().logIn(name, ada.password)).status;
      const linkStatus = async (link: string): Promise<number> => {
        const { pathname, search } = new URL(link);
        return (await running.browser().get(`${pathname}${search}`)).status;
      };
      await accounts.changeProfile(account(), { email: 'ada@example.org' }, OPERATOR);
      await accounts.verifyEmail(account(), OPERATOR);
      const link = accountLinks.resetUrl(account(), Math.floor(clock.now() / 1000));
      expect([await loginStatus('ada@example.org'), await linkStatus(link)]).to.deep.equal([302, 200]);
      await accounts.changeProfile(account(), { email: 'new@example.org' }, OPERATOR);
      expect([await loginStatus('ada@example.org'), await linkStatus(link)]).to.deep.equal([422, 404]);
      expect(await loginStatus('new@example.org'), 'not verified').to.equal(422);
    },
    endedItems: [],
  },
  'A user changes or clears a profile field': {
    async change({ running, home, lantern, ada }) {
      await home.submit(await home.get('/accounts/details/'), { nickname: 'Countess', locality: 'London' });
      const code = await running.authorize(lantern, ada, { scope: 'openid profile address' });
      const parameters = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
      const { json } = await running.token(lantern, parameters);
      const readUserinfo = async () =>
        (await running.get('/o/userinfo/', { authorization: `Bearer ${String(json?.['access_token'])}` })).json;
      expect(await readUserinfo()).to.deep.include({
        nickname: 'Countess',
        address: { formatted: 'London', locality: 'London' },
      });
      await home.submit(await home.get('/accounts/details/'), { nickname: 'Ada', locality: '' });
      expect(await readUserinfo())
        .to.include({ nickname: 'Ada' })
        .and.not.have.property('address');
    },
    endedItems: [],
  },
  'A user leaves a group, or the group is removed': {
    async change({ running, lantern, ada }) {
      const { groupDirectory, projections } = running.service();
      for (const name of ['staff', 'editors']) await groupDirectory.create(name, OPERATOR);
      const [staff, editors] = ['staff', 'editors'].flatMap((name) => projections.groups.findByName(name) ?? []);
      const account = () => projections.users.findByName(ada.username);
      const change = (add: typeof staff, remove: typeof staff) =>
        groupDirectory.changeGroups(
          account() ?? expect.fail('Ada is missing'),
          { add: add === undefined ? [] : [add], remove: remove === undefined ? [] : [remove] },
          OPERATOR,
        );
      await change(staff, undefined);
      await change(editors, undefined);
      const code = await running.authorize(lantern, ada, { scope: 'openid groups' });
      const parameters = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
      const { json } = await running.token(lantern, parameters);
      const token = String(json?.['access_token']);
      const readGroups = async () => {
        const response = await running.get('/o/userinfo/', { authorization: `Bearer ${token}` });
        const introspection = await running.post('/o/introspect/', { token }, { authorization: lantern.basic });
        return [response.json?.['groups'], introspection.json?.['groups']];
      };
      expect(await readGroups()).to.deep.equal([
        ['editors', 'staff'],
        ['editors', 'staff'],
      ]);
      await change(undefined, staff);
      expect(await readGroups()).to.deep.equal([['editors'], ['editors']]);
      if (editors !== undefined) await groupDirectory.remove(editors, OPERATOR);
      expect(await readGroups()).to.deep.equal([[], []]);
    },
    endedItems: [],
  },
  'A claim is removed from a scope in the settings (`scopeClaims`)': {
    async change({ running, fromHome }) {
      const readUserinfo = async () =>
        (await running.get('/o/userinfo/', { authorization: `Bearer ${fromHome.access}` })).json;
      await running.restart({ scopeClaims: { read: ['preferred_username'] } });
      expect(await readUserinfo()).to.have.property('preferred_username', 'ada');
      await running.restart({});
      expect(await readUserinfo()).to.have.all.keys('sub');
    },
    endedItems: [],
  },
  'A scope is removed from the settings': {
    change: ({ running }) => running.restart({ scopes: { read: 'Read', groups: 'Groups' } }),
    endedItems: [],
    async alsoCheck(scenario) {
      const { running, engine, engineGrant } = scenario;
      const scopeOf = async (token: string): Promise<unknown> =>
        (await running.post('/o/introspect/', { token }, { authorization: engine.basic })).json?.['scope'];
      expect(await scopeOf(engineGrant.access)).to.equal('read');
      const { json } = await useRefresh(scenario);
      expect([json?.['scope'], await scopeOf(String(json?.['access_token']))]).to.deep.equal(['read', 'read']);
    },
  },
  'A resource server is removed from the settings': {
    change: ({ running }) => running.restart({ resources: [] }),
    endedItems: [],
    async alsoCheck({ running, engine, ada }) {
      await running.restart({ resources: ['https://api.example'] });
      const { json } = await running.token(engine, { grant_type: 'password', ...ada, resource: 'https://api.example' });
      const tokens = { access: String(json?.['access_token']), refresh: String(json?.['refresh_token']) };
      const isActive = async (token: string): Promise<unknown> =>
        (await running.post('/o/introspect/', { token }, { authorization: engine.basic })).json?.['active'];
      for (const token of Object.values(tokens)) expect(await isActive(token)).to.equal(true);
      await running.restart({ resources: [] });
      for (const token of Object.values(tokens)) expect(await isActive(token)).to.equal(false);
      const refusal = await running.token(engine, { grant_type: 'refresh_token', refresh_token: tokens.refresh });
      expect(refusal.json).to.include({ error: 'invalid_target' });
    },
  },
  'A registered resource server is removed': {
    change: ({ running }) => running.service().resourceRegistry.remove('https://notes.example/', OPERATOR),
    endedItems: [],
    async alsoCheck({ running, engine, ada }) {
      const { resourceRegistry } = running.service();
      const resource = 'https://notes.example/mcp';
      const fields = {
        name: 'Notes',
        ownerId: null,
        scopes: [{ name: 'notes:read', description: 'Read notes' }],
        accessTokenFormat: null,
        accessTokenAlgorithm: null,
        accessTokenLifetimeSeconds: null,
        publishesMetadata: false,
        detailTypes: '',
      };
      await resourceRegistry.register(resource, fields, OPERATOR);
      const { json } = await running.token(engine, { grant_type: 'password', ...ada, scope: 'notes:read', resource });
      const isActive = async (name: string): Promise<unknown> => {
        const token = String(json?.[name]);
        return (await running.post('/o/introspect/', { token }, { authorization: engine.basic })).json?.['active'];
      };
      const readActiveStates = async () => [await isActive('access_token'), await isActive('refresh_token')];
      expect(await readActiveStates()).to.deep.equal([true, true]);
      await resourceRegistry.remove(resource, OPERATOR);
      expect(await readActiveStates()).to.deep.equal([false, false]);
      await resourceRegistry.register(resource, fields, OPERATOR);
      expect(await readActiveStates(), 'after the resource server is registered again').to.deep.equal([true, true]);
    },
  },
  'A registered resource server requires a different signature algorithm for its JWTs': {
    change: async () => {},
    endedItems: [],
    async alsoCheck({ running, engine }) {
      running.clock.advance(NONCE_PERIOD_SECONDS);
      const key = keyPairFor('ES256');
      const client = await running.addClient({ grantTypes: ['client-credentials'] });
      await registerKeys(running, client, key);
      await updateSecuritySettings(running, client, { profile: 'fapi2' });
      const resource = 'https://signed.example';
      const registerWith = (accessTokenAlgorithm: SigningAlgorithm) =>
        registerResource(running, { uri: resource, scopes: [], accessTokenFormat: 'jwt', accessTokenAlgorithm });
      const request = async () =>
        running.post(
          '/o/token/',
          { grant_type: 'client_credentials', resource, ...withAssertion(await signAssertion(running, client, key)) },
          { dpop: await signProof(running, key) },
        );
      await registerWith('ES256');
      const token = String((await request()).json?.['access_token']);
      await running.service().resourceRegistry.remove(resource, OPERATOR);
      await registerWith('RS256');
      expectRefusal(await request(), 'invalid_target');
      const { json } = await running.post('/o/introspect/', { token: token }, { authorization: engine.basic });
      expect(json?.['active']).to.equal(true);
    },
  },
  'A token from which others were exchanged is revoked': {
    change: async () => {},
    endedItems: [],
    async alsoCheck({ running, ada, engine }) {
      const { tokens, revokeAt } = await createExchangeChain(running, ada, engine);
      await revokeAt(1);
      const areAccepted = await Promise.all(tokens.map((token) => isAccepted(running, token)));
      expect(areAccepted).to.deep.equal([true, false, false, true]);
    },
  },
  "An actor's token is revoked": {
    change: async () => {},
    endedItems: [],
    async alsoCheck({ running, ada, engine }) {
      const { tokens, revokeActor } = await createExchangeChain(running, ada, engine);
      await revokeActor();
      const areAccepted = await Promise.all(tokens.map((token) => isAccepted(running, token)));
      expect(areAccepted).to.deep.equal([true, true, false, true]);
    },
  },
  'An application revokes an authorization by its id (grant management)': {
    change: async () => {},
    endedItems: [],
    async alsoCheck({ running, ada }) {
      const { client, grant, otherGrant, code } = await createManagedGrants(running, ada);
      await callGrant(running, 'DELETE', grant.id, await managementToken(running, client));
      expectRefusal(await redeemManaged(running, client, code), 'invalid_grant');
      expect(await isAccepted(running, grant.access)).to.equal(false);
      expect(await isAccepted(running, otherGrant.access)).to.equal(true);
    },
  },
  'The code of an update is redeemed (grant management, `replace` or `merge`)': {
    change: async () => {},
    endedItems: [],
    async alsoCheck({ running, ada }) {
      const { client, grant, otherGrant, code } = await createManagedGrants(running, ada);
      const update = await obtain(running, client, ada, { scope: 'read', ...replace(grant.id) });
      expectRefusal(await redeemManaged(running, client, code), 'invalid_grant');
      expect(await isAccepted(running, grant.access)).to.equal(false);
      expect([update.id, await isAccepted(running, update.access)]).to.deep.equal([grant.id, true]);
      expect(await isAccepted(running, otherGrant.access)).to.equal(true);
    },
  },
  'A leak is contained (`log blast-radius --end`, or the page *Blast radius*)': {
    change: async () => {},
    endedItems: [],
    async alsoCheck({ running, ada, engine }) {
      const { access } = await userTokens(running, engine, ada);
      const { access: otherAccess } = await userTokens(running, engine, ada);
      const signal = new AbortController().signal;
      const result = await operate(running.service())('log blast-radius end', { token: access }, signal).next();
      expect(result.value).to.include({ left: 0 });
      expect(await isAccepted(running, access)).to.equal(false);
      expect(await isAccepted(running, otherAccess)).to.equal(true);
    },
  },
  'A policy for token exchange is removed': {
    change: async () => {},
    endedItems: [],
    async alsoCheck({ running, ada, engine }) {
      const broker = await running.addClient({ grantTypes: ['token-exchange'], redirectUris: [] });
      const policy = await setExchangePolicy(running, broker, engine, { modes: ['impersonation'] });
      const { access } = await userTokens(running, engine, ada);
      const earlierToken = await exchangeForToken(running, broker, access);
      await running.service().exchangePolicyRegistry.remove(policy, OPERATOR);
      expectRefusal(await exchange(running, broker, access), 'invalid_request');
      expect(await isAccepted(running, earlierToken), 'a token exchanged before').to.equal(true);
      await setExchangePolicy(running, broker, engine, { modes: ['impersonation'] });
      expect(
        await isAccepted(running, await exchangeForToken(running, broker, access)),
        'after the policy is set again',
      ).to.equal(true);
    },
  },
  'A registered resource server no longer declares a type of authorization details': {
    async change({ running, engine }) {
      await registerBank(running);
      const { resourceRegistry, projections } = running.service();
      const bank = projections.resources.find(BANK) ?? expect.fail('not registered');
      const { json } = await running.token(engine, { grant_type: 'client_credentials', ...detailsParameter(RENT) });
      const introspection = () => introspect(running, engine, json?.['access_token']);
      expect(await introspection()).to.deep.include({ active: true, authorization_details: [RENT] });
      await resourceRegistry.update(BANK, { ...bank, detailTypes: '' }, OPERATOR);
      expect(await introspection()).to.deep.include({ active: true, authorization_details: [] });
      await resourceRegistry.update(BANK, { ...bank, detailTypes: JSON.stringify([PAYMENT]) }, OPERATOR);
      expect(await introspection(), 'after the type is declared again').to.deep.include({
        authorization_details: [RENT],
      });
    },
    endedItems: [],
  },
  'The trust in an issuer is removed': {
    change: async () => {},
    endedItems: [],
    async alsoCheck({ running, ada }) {
      const { app, redeem } = await addTrustedApp(running);
      const userToken = await redeem({ sub: ada.username }, 'user-name');
      const clientToken = await redeem();
      const [broker, assertion] = [await running.addClient(BROKER), await signForeignToken(running)];
      await allowExchange(running, broker, app);
      const exchangedToken = await exchangeForToken(running, broker, clientToken);
      await redeemAt(running, app, assertion);
      const trustedIssuer = running.service().projections.trustedIssuers.find(OTHER_ISSUER) ?? expect.fail();
      await running.service().trustedIssuerRegistry.remove(trustedIssuer, OPERATOR);
      const tokens = [clientToken, userToken, exchangedToken];
      expect(await Promise.all(tokens.map((token) => isAccepted(running, token)))).to.deep.equal([false, false, false]);
      const newToken = await redeem();
      expect(await Promise.all(tokens.map((token) => isAccepted(running, token)))).to.deep.equal([false, false, false]);
      expect(await isAccepted(running, newToken), 'a new assertion').to.equal(true);
      expectRefusal(await redeemAt(running, app, assertion), 'invalid_grant');
    },
  },
  'The settings of a trusted issuer change': {
    change: async () => {},
    endedItems: [],
    async alsoCheck({ running }) {
      const { app, redeem } = await addTrustedApp(running);
      const earlierToken = await redeem();
      await trustIssuer(running, app, { claims: ['environment=live'] });
      expectRefusal(await redeemAt(running, app, await signForeignToken(running)), 'invalid_grant');
      expect(await isAccepted(running, earlierToken), 'a token issued before').to.equal(true);
    },
  },
  'A registered resource server no longer defines a scope': {
    change: ({ running }) => running.service().resourceRegistry.remove('https://notes.example/', OPERATOR),
    endedItems: [],
    async alsoCheck({ running, engine, ada }) {
      const { resourceRegistry } = running.service();
      const resource = 'https://notes.example/mcp';
      const [readScope, writeScope] = [
        { name: 'notes:read', description: 'Read notes' },
        { name: 'notes:write', description: 'Write notes' },
      ];
      const fieldsWith = (...scopes: readonly ResourceServerSettings['scopes'][number][]) => ({
        name: 'Notes',
        ownerId: null,
        scopes,
        accessTokenFormat: null,
        accessTokenAlgorithm: null,
        accessTokenLifetimeSeconds: null,
        publishesMetadata: false,
        detailTypes: '',
      });
      await resourceRegistry.register(resource, fieldsWith(readScope, writeScope), OPERATOR);
      const scope = 'notes:read notes:write';
      const { json } = await running.token(engine, { grant_type: 'password', ...ada, scope, resource });
      const scopeOf = async (token: unknown): Promise<unknown> =>
        (await running.post('/o/introspect/', { token: String(token) }, { authorization: engine.basic })).json?.[
          'scope'
        ];
      const refresh = (token: unknown) =>
        running.token(engine, { grant_type: 'refresh_token', refresh_token: String(token) });
      await resourceRegistry.update(resource, fieldsWith(readScope), OPERATOR);
      const { json: refreshedTokens } = await refresh(json?.['refresh_token']);
      const tokens = [json?.['access_token'], refreshedTokens?.['access_token']];
      for (const token of tokens) expect(await scopeOf(token)).to.equal('notes:read');
      await resourceRegistry.update(resource, fieldsWith(readScope, writeScope), OPERATOR);
      expect(await scopeOf(json?.['access_token']), 'after the scope is defined again').to.equal(scope);
      const { json: later } = await refresh(refreshedTokens?.['refresh_token']);
      expect(await scopeOf(later?.['access_token']), 'after the scope is defined again').to.equal(scope);
    },
  },
  'A changed document of an application is accepted, because a user consents to it': {
    change: ({ running }) => running.service().domainList.setRule('app.example', null, OPERATOR),
    endedItems: [],
    async alsoCheck({ running, ada }) {
      await running.restart(DOCUMENT_SETTINGS);
      const server = await startDocumentServer(clientDocument({ redirect_uris: [DOCUMENT_REDIRECT_URI] }));
      try {
        serveDocumentsAt(running, server);
        const browser = await openSession(running, ada);
        const redeem = (code: string) => redeemCode(running, { client_id: DOCUMENT_URL }, code, DOCUMENT_REDIRECT_URI);
        const requestCode = () => obtainCode(browser, DOCUMENT_URL, DOCUMENT_REDIRECT_URI);
        const codes = [await requestCode(), await requestCode()];
        const { json } = await redeem(codes[0] ?? '');
        const client = () => running.service().projections.clients.find(DOCUMENT_URL)!;
        const changedClient = { ...client(), accessTokenFormat: 'jwt' } as const;
        await running.service().registration.update(client().clientId, changedClient, OPERATOR);
        server.publish(clientDocument({ redirect_uris: ['https://app.example/new'] }));
        running.clock.advance(61);
        await obtainCode(browser, DOCUMENT_URL, 'https://app.example/new');
        expect((await redeem(codes[1] ?? '')).json).to.include({ error: 'invalid_grant' });
        expect((await browser.get(authorizePathWithDocument())).status, 'the former redirect URI').to.equal(400);
        const authorization = `Bearer ${String(json?.['access_token'])}`;
        expect((await running.get('/users/', { authorization })).status).to.equal(200);
        const refreshResponse = await running.post('/o/token/', {
          grant_type: 'refresh_token',
          client_id: DOCUMENT_URL,
          refresh_token: String(json?.['refresh_token']),
        });
        expect(refreshResponse.status).to.equal(200);
        expect(client().accessTokenFormat).to.equal('jwt');
      } finally {
        await server.close();
      }
    },
  },
  'A program does not use its registration for the time in `registrationLifetimeSeconds`': {
    change: async ({ running }) => running.clock.advance(1),
    endedItems: [],
    async alsoCheck({ running, ada }) {
      await running.restart({ dynamicRegistration: 'open', registrationLifetimeSeconds: 600 });
      const [usedRegistration, unusedRegistration] = [
        await registerSuccessfully(running),
        await registerSuccessfully(running),
      ];
      const registeredWithToken = await registerWithToken(running);
      const browser = await openSession(running, ada);
      const { json } = await redeemCode(
        running,
        usedRegistration,
        await obtainCode(browser, usedRegistration.client_id),
      );
      running.clock.advance(600);
      expect((await openConsentPage(browser, unusedRegistration.client_id)).status).to.equal(400);
      for (const { client_id } of [usedRegistration, registeredWithToken])
        expect((await openConsentPage(browser, client_id)).status).to.equal(200);
      expect(await isAccepted(running, String(json?.['access_token']))).to.equal(true);
      await running.service().registration.remove(registeredWithToken.client_id as ClientId, OPERATOR);
      expect((await openConsentPage(browser, registeredWithToken.client_id)).status, 'removed').to.equal(400);
    },
  },
  'Registration is turned off, or requires an initial access token (`dynamicRegistration`)': {
    change: ({ running }) => running.restart({ dynamicRegistration: 'off' }),
    endedItems: [],
    async alsoCheck({ running, ada }) {
      await running.restart({ dynamicRegistration: 'open' });
      const [usedRegistration, unusedRegistration] = [
        await registerSuccessfully(running),
        await registerSuccessfully(running),
      ];
      const code = await obtainCode(await openSession(running, ada), usedRegistration.client_id);
      const { json } = await redeemCode(running, usedRegistration, code);
      const readRegistration = ({
        registration_client_uri: uri,
        registration_access_token: token,
      }: RegistrationResponse) => running.get(new URL(uri).pathname, { authorization: `Bearer ${token}` });
      for (const dynamicRegistration of ['token', 'off', 'open'] as const) {
        await running.restart({ dynamicRegistration });
        const browser = await openSession(running, ada);
        const statuses = [
          (await openConsentPage(browser, unusedRegistration.client_id)).status,
          (await readRegistration(usedRegistration)).status,
        ];
        expect(statuses, dynamicRegistration).to.deep.equal(
          { token: [400, 200], off: [400, 404], open: [200, 200] }[dynamicRegistration],
        );
        expect((await openConsentPage(browser, usedRegistration.client_id)).status, dynamicRegistration).to.equal(200);
        expect(await isAccepted(running, String(json?.['access_token'])), dynamicRegistration).to.equal(true);
      }
    },
  },
  'A domain that hosts metadata documents is blocked, or no longer allowed': {
    change: ({ running }) => running.service().domainList.setRule('app.example', 'blocked', OPERATOR),
    endedItems: [],
    async alsoCheck({ running, ada }) {
      await running.restart(DOCUMENT_SETTINGS);
      const server = await startDocumentServer(clientDocument({ redirect_uris: [REDIRECT_URI] }));
      try {
        serveDocumentsAt(running, server);
        const { domainList } = running.service();
        await domainList.setRule('app.example', null, OPERATOR);
        const browser = await openSession(running, ada);
        const client_id = DOCUMENT_URL;
        const redeem = (code: string) =>
          running.post('/o/token/', {
            grant_type: 'authorization_code',
            client_id,
            code,
            redirect_uri: REDIRECT_URI,
            code_verifier: VERIFIER,
          });
        const codes = [
          await obtainCode(browser, client_id, REDIRECT_URI),
          await obtainCode(browser, client_id, REDIRECT_URI),
        ];
        const { json } = await redeem(codes[0] ?? '');
        const refresh = () =>
          running.post('/o/token/', {
            grant_type: 'refresh_token',
            client_id,
            refresh_token: String(json?.['refresh_token']),
          });
        await domainList.setRule('app.example', 'blocked', OPERATOR);
        for (const response of [await redeem(codes[1] ?? ''), await refresh()])
          expect(response.json).to.include({ error: 'unauthorized_client' });
        const authorization = `Bearer ${String(json?.['access_token'])}`;
        expect((await running.get('/users/', { authorization })).status, 'until it expires').to.equal(200);
        await domainList.setRule('app.example', null, OPERATOR);
        expect((await refresh()).status, 'after the domain is allowed again').to.equal(200);
      } finally {
        await server.close();
      }
    },
  },
  'A setting is changed while the server runs, on the page or with a command': {
    change: ({ running }) => changeSettings(running, { accessTokenLifetimeSeconds: 60, approvalPrompt: 'auto' }),
    endedItems: [],
    async alsoCheck({ running }) {
      const client = await running.addClient();
      const expiresIn = async () =>
        (await running.token(client, { grant_type: 'client_credentials' })).json?.['expires_in'];
      expect(await expiresIn()).to.equal(60);
      await changeSettings(running, { requireDpop: true });
      expect(await expiresIn()).to.equal(undefined);
      await changeSettings(running, { requireDpop: false });
      expect(await expiresIn()).to.equal(60);
    },
  },
  'The settings no longer allow a redirect URI': {
    change: ({ running }) => running.restart({ plainHttpRedirectUris: false }),
    endedItems: [],
    async alsoCheck({ running, ada }) {
      const redirect_uri = 'http://intranet.example/callback';
      await running.restart({ plainHttpRedirectUris: true });
      const client = await running.addClient({ redirectUris: [redirect_uri] });
      const redeem = async (code: string): Promise<number> =>
        (await running.token(client, { grant_type: 'authorization_code', code, redirect_uri })).status;
      const requestCode = () => running.authorize(client, ada, { redirect_uri });
      const codes = [await requestCode(), await requestCode()] as const;
      expect(await redeem(codes[0])).to.equal(200);
      await running.restart({ plainHttpRedirectUris: false });
      expect(await redeem(codes[1])).to.equal(400);
      expect(await requestCode().catch(() => 'no code')).to.equal('no code');
    },
  },
  'An owner or test user of an application is removed or leaves': {
    async change({ running, engine }) {
      const { memberships, projections } = running.service();
      const currentClient = () => projections.clients.find(engine.id)!;
      const findUser = (name: string) => projections.users.findByName(name)!;
      await memberships.add(currentClient(), findUser('bob'), 'owner', OPERATOR);
      expect(await memberships.remove(currentClient(), findUser('ada').userId, OPERATOR)).to.equal(undefined);
    },
    endedItems: [],
    async alsoCheck(scenario) {
      const statusAtHome = async ({ home, engine }: Scenario): Promise<number> =>
        (await home.get(`/o/applications/${engine.id}/`)).status;
      expect(await statusAtHome(scenario), 'the pages of the application').to.equal(404);
      const otherSetup = await createScenario();
      try {
        const { running, ada, engine } = otherSetup.scenario;
        const { memberships, projections } = running.service();
        const [client, owner] = [projections.clients.find(engine.id)!, projections.users.findByName(ada.username)!];
        const invitation = memberships.readInvitation(await memberships.invite(client, 'test-user', owner.userId))!;
        const eve = await running.addUser('eve');
        const openInvitation = () =>
          memberships.openInvitation(invitation, projections.users.findByName(eve.username)!.userId);
        expect(await openInvitation(), 'an invitation by the owner').to.be.an('object');
        expect(await statusAtHome(otherSetup.scenario)).to.equal(200);
        await ROWS['An owner or test user of an application is removed or leaves']?.change(otherSetup.scenario);
        expect(await openInvitation()).to.equal('invitation-withdrawn');
      } finally {
        await otherSetup.scenario.running.close();
      }
    },
  },
  'An invitation to create an account is withdrawn': {
    async change({ running }) {
      await inviteEve(running);
      const { invitations } = running.service();
      expect(await invitations.withdraw(invitations.listPending()[0]!, OPERATOR)).to.equal(true);
    },
    endedItems: [],
    async alsoCheck({ running }) {
      const { invitations } = running.service();
      const links = [await inviteEve(running), await inviteEve(running)];
      await invitations.withdraw(invitations.listPending()[0]!, OPERATOR);
      const statuses = links.map(async (link) => {
        const { pathname, search } = new URL(link);
        return (await running.browser().get(pathname + search)).status;
      });
      expect(await Promise.all(statuses)).to.deep.equal([404, 200]);
      expect(invitations.listPending()).to.have.length(1);
    },
  },
  'An administrator who sent an invitation to create an account loses the role, or is disabled or erased': {
    async change({ running }) {
      await inviteAsAdministrator(running, 'gone');
      await running.service().accounts.changeRoles(findAdministrator(running, 'gone'), [], OPERATOR);
    },
    endedItems: [],
    async alsoCheck({ running }) {
      const { accounts, invitations } = running.service();
      const link = await inviteAsAdministrator(running, 'returning');
      const returningAdministrator = findAdministrator(running, 'returning');
      await accounts.changeRoles(returningAdministrator, [], OPERATOR);
      await accounts.changeRoles(returningAdministrator, ['administrator'], OPERATOR);
      expect((await running.browser().get(link)).status).to.equal(404);
      expect(invitations.listPending()).to.deep.equal([]);
      await inviteAsAdministrator(running, 'second');
      await invitations.resend(invitations.listPending()[0]!, null, OPERATOR);
      await accounts.disable(findAdministrator(running, 'second'), OPERATOR);
      expect(invitations.listPending()).to.have.length(1);
    },
  },
  'An application is switched to test mode': {
    async change({ running, engine }) {
      const { projections, registration } = running.service();
      const client = projections.clients.find(engine.id)!;
      await registration.update(client.clientId, { ...client, mode: 'test' }, OPERATOR);
    },
    endedItems: [],
    async alsoCheck(scenario) {
      const { running, engine } = scenario;
      const bert = await running.addUser('bert');
      const { projections, registration } = running.service();
      const switchTo = async (mode: 'live' | 'test') => {
        const client = projections.clients.find(engine.id)!;
        await registration.update(client.clientId, { ...client, mode }, OPERATOR);
      };
      await switchTo('live');
      const { json } = await running.token(engine, { grant_type: 'password', ...bert });
      const parameters = { grant_type: 'refresh_token', refresh_token: String(json?.['refresh_token']) };
      await switchTo('test');
      expect((await running.token(engine, parameters)).status, 'a refresh by another user').to.equal(400);
      expect((await useRefresh(scenario)).status, 'a refresh by an owner').to.equal(200);
      expect((await running.token(engine, { grant_type: 'password', ...bert })).status).to.equal(400);
      await switchTo('live');
      expect((await running.token(engine, parameters)).status, 'in live mode again').to.equal(200);
    },
  },
  'An application is disabled': {
    change: ({ running, engine }) => setDisabled(running, engine, true),
    endedItems: [
      "the engine's secret",
      "the engine's own access token",
      ...GRANT_TO_ENGINE,
      "Bob's access token at the engine",
      "Bob's refresh token at the engine",
      "Ada's pending code at the engine",
    ],
    async alsoCheck({ running, home, engine, engineGrant: { access } }) {
      await setDisabled(running, engine, true);
      expect((await home.get(authorizePath(engine))).status).to.equal(400);
      await setDisabled(running, engine, false);
      expect(await isAccepted(running, access), 'enabled again').to.equal(true);
    },
  },
  'An application is enabled': {
    async change({ running, engine }) {
      await setDisabled(running, engine, true);
      await setDisabled(running, engine, false);
    },
    endedItems: [],
  },
  'An application is removed': {
    async change(scenario) {
      const path = `/o/applications/${scenario.engine.id}/delete/`;
      await scenario.home.submit(await scenario.home.get(path), { name: 'Test application' }, path);
    },
    endedItems: [
      "the engine's secret",
      "the engine's own access token",
      ...GRANT_TO_ENGINE,
      "Bob's access token at the engine",
      "Bob's refresh token at the engine",
      "Ada's pending code at the engine",
    ],
    async alsoCheck({ running }) {
      const [removedClient, otherClient] = [await running.addClient(), await running.addClient()];
      for (const [client, subject] of [
        [removedClient, otherClient],
        [otherClient, removedClient],
        [otherClient, otherClient],
      ] as const)
        await setExchangePolicy(running, client, subject);
      const { registration, projections } = running.service();
      await registration.remove(removedClient.id as ClientId, OPERATOR);
      expect(
        projections.exchangePolicies.all().map(({ clientId, subjectClientId }) => [clientId, subjectClientId]),
      ).to.deep.equal([[otherClient.id, otherClient.id]]);
    },
  },
  'A public key of an application is removed': {
    change: async () => {},
    endedItems: [],
    async alsoCheck({ running }) {
      const [oldKey, newKey] = [keyPairFor('ES256'), keyPairFor('EdDSA')];
      const client = await running.addClient({ grantTypes: ['client-credentials'] });
      await registerKeys(running, client, oldKey, newKey);
      const response = await requestWithKey(running, client, oldKey);
      await registerKeys(running, client, newKey);
      expect(await isAccepted(running, String(response.json?.['access_token']))).to.equal(true);
      const statuses = [oldKey, newKey].map(async (key) => (await requestWithKey(running, client, key)).status);
      expect(await Promise.all(statuses)).to.deep.equal([401, 200]);
    },
  },
  'The authentication methods of an application change': {
    change: async () => {},
    endedItems: [],
    async alsoCheck({ running }) {
      const client = await running.addClient({ grantTypes: ['client-credentials'] });
      const requestWithSecret = () => running.token(client, { grant_type: 'client_credentials' });
      const token = String((await requestWithSecret()).json?.['access_token']);
      await registerKeys(running, client, keyPairFor('ES256'));
      expect([(await requestWithSecret()).status, await isAccepted(running, token)]).to.deep.equal([401, true]);
      const { registration, projections } = running.service();
      const currentSettings = projections.clients.find(client.id) ?? expect.fail('the client is not registered');
      const authentication = { methods: ['client_secret_basic'], keys: [] };
      await registration.update(currentSettings.clientId, { ...currentSettings, authentication }, OPERATOR);
      expect((await requestWithSecret()).status).to.equal(200);
    },
  },
  'New signing keys are introduced': {
    change: async () => {},
    endedItems: [],
    async alsoCheck({ running }) {
      const client = await running.addClient({ accessTokenFormat: 'jwt', accessTokenAlgorithm: 'ES256' });
      const requestToken = async (): Promise<string> =>
        String((await running.token(client, { grant_type: 'client_credentials' })).json?.['access_token']);
      const firstToken = await requestToken();
      const now = seconds(Math.floor(running.clock.now() / 1000));
      await running.service().keyRotation.rotate({ algorithms: ['ES256'], start: 'now' }, now, OPERATOR);
      const secondToken = await requestToken();
      expect(decodeProtectedHeader(secondToken).kid).not.to.equal(decodeProtectedHeader(firstToken).kid);
      expect([await isAccepted(running, firstToken), await isAccepted(running, secondToken)]).to.deep.equal([
        true,
        true,
      ]);
    },
  },
  'A signing key is retired early': {
    change: async () => {},
    endedItems: [],
    async alsoCheck({ running }) {
      const requestToken = async (accessTokenAlgorithm: SigningAlgorithm): Promise<string> => {
        const client = await running.addClient({ accessTokenFormat: 'jwt', accessTokenAlgorithm });
        return String((await running.token(client, { grant_type: 'client_credentials' })).json?.['access_token']);
      };
      const [token, otherToken] = [await requestToken('RS256'), await requestToken('ES256')];
      const { keyRotation } = running.service();
      const now = seconds(Math.floor(running.clock.now() / 1000));
      await keyRotation.introduce('RS256', now, 'requested');
      const { kid } = decodeProtectedHeader(token);
      expect(await keyRotation.retire(kid as KeyId, now, OPERATOR)).to.equal(undefined);
      expect([await isAccepted(running, token), await isAccepted(running, otherToken)]).to.deep.equal([false, true]);
    },
  },
};

const findAdministrator = ({ service }: RunningService, name: string): User =>
  service().projections.users.findByName(name) ?? expect.fail(name);

/** Adds two administrators, the second of whom invites Eve. Returns the path of the invitation link. */
async function inviteAsAdministrator(running: RunningService, name: string): Promise<string> {
  await running.addUser(`${name} beside`, ['administrator']);
  await running.addUser(name, ['administrator']);
  const invitationFields = { email: EVE, roles: [], invitedBy: findAdministrator(running, name).userId };
  const invitation = await running.service().invitations.invite(invitationFields, OPERATOR);
  const { pathname, search } = new URL(invitation?.link ?? '');
  return pathname + search;
}

/** Requests a token with a client assertion signed by the key. */
async function requestWithKey(running: RunningService, client: TestClient, key: ClientKeyPair) {
  const assertion = withAssertion(await signAssertion(running, client, key));
  return running.post('/o/token/', { grant_type: 'client_credentials', ...assertion });
}

describe('The lifecycle table', () => {
  let scenario: Scenario;
  let checks: Checks;

  beforeEach(async () => ({ scenario, checks } = await createScenario()));
  afterEach(() => scenario.running.close());

  async function findEndedItems(): Promise<readonly string[]> {
    const names: string[] = [];
    for (const [name, isValid] of Object.entries(checks)) if (!(await isValid())) names.push(name);
    return names;
  }

  it('has no ended items before an event happens', async () => {
    expect(await findEndedItems()).to.deep.equal([]);
  });

  for (const [title, { change, endedItems, alsoCheck }] of Object.entries(ROWS)) {
    it(title, async () => {
      await change(scenario);
      expect(await findEndedItems()).to.have.members(endedItems);
      await alsoCheck?.(scenario);
    });

    if (endedItems.length > 0) {
      it(`${title}: permanently, even after a restart`, async () => {
        await change(scenario);
        await scenario.running.restart();
        expect(await findEndedItems()).to.have.members(endedItems);
      });
    }
  }

  it('has the same rows as docs/lifecycle.md', () => {
    const rows = tableRows(readDocument('docs/lifecycle.md').text);
    expect(rows.map(([firstCell]) => firstCell)).to.deep.equal(Object.keys(ROWS));
  });
});
