import { MAX_LENGTH } from '../../src/domain/lengths.ts';
import { LIMITS } from '../../src/platform/limits/limits.ts';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import { LogUnavailable } from '../../src/event-store/event-log.ts';
import { hashCredential } from '../../src/oauth/credentials/credentials.ts';
import { inviteEve } from './invite-eve.ts';
import { addPasskey, createAuthenticator } from './authenticator.ts';
import { clientKeys, keyPairFor, registerKeys } from './assertions.ts';
import { findFreePort } from './free-port.ts';
import { mailbox } from './mailbox.ts';
import { oneTimePassword } from './one-time-passwords.ts';
import { quickHasher } from './quick-hasher.ts';
import { setProvider } from './scripted-provider.ts';
import { setExchangePolicy } from './exchange-policies.ts';
import { FILES, registerResource } from './resource-servers.ts';
import { allowExchange, exchangeForToken, ownToken } from './token-exchange.ts';
import { trustIssuer } from './trusted-issuers.ts';
import {
  runningService,
  type RunningOptions,
  type RunningService,
  type TestClient,
  type TestUser,
} from './running-service.ts';

/** Strings that users enter and pages show. */
export interface SceneTexts {
  readonly member: string;
  readonly colleague: string;
  readonly auditor: string;
  readonly administrator: string;
  readonly newcomer: string;
  readonly careful: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly applications: readonly [string, string, string, string];
  readonly redirectUri: string;
  readonly scopeDescriptions: Readonly<Record<string, string>>;
  /** A value that makes the server refuse the form it is entered into. */
  readonly invalidInput: string;
}

/** The user who views a page. The careful user has two-step login and has entered only the password so far. */
export type Viewer = 'visitor' | 'newcomer' | 'member' | 'auditor' | 'administrator' | 'careful';

/** Options for the language of the pages; English by default. */
export type SceneLanguage = Pick<RunningOptions, 'translators'> & {
  readonly settings?: Pick<NonNullable<RunningOptions['settings']>, 'languages'>;
};

/** A server with users of every kind and their data, and three servers in special states. */
export interface Scene {
  readonly running: RunningService;
  /** A server without users, as on its first startup. */
  readonly fresh: RunningService;
  /** A server that cannot append to its log, and where `FAILING_PASSWORD` causes an internal error. */
  readonly broken: RunningService;
  /** A server that requires all users to have a second factor; the member has none yet. */
  readonly strict: RunningService;
  close(): Promise<void>;
  readonly texts: SceneTexts;
  readonly users: Readonly<Record<Exclude<Viewer, 'visitor'>, TestUser>>;
  /** The member's main application. */
  readonly application: TestClient;
  readonly publicApplication: TestClient;
  /** The member's application that authenticates with a key, pushes its requests and binds its tokens. */
  readonly protectedApplication: TestClient;
  /** A colleague's application, which requests the member's authorization. */
  readonly requestingApplication: TestClient;
  /** The colleague's other application, registered within the last hour. */
  readonly newApplication: TestClient;
  /** The colleague's application in test mode. */
  readonly testedApplication: TestClient;
  /** The colleague's application for devices. */
  readonly deviceApplication: TestClient;
  /** The path to the page of a resource server that the member manages. */
  readonly resourceServerPath: string;
  /** The path to the page of an exchange policy. */
  readonly exchangePolicyPath: string;
  /** The agent that the member authorized for files. Its token has been exchanged. */
  readonly agent: TestClient;
  /** The path to the page of a trusted issuer. */
  readonly trustedIssuerPath: string;
  /** The path to the page about the exchanges of the agent's token. */
  readonly exchangesPath: string;
  /** The `invitation` parameter of the link that invites a user to test the member's application. */
  readonly invitation: string;
  /** The link that invites a person to create an account. */
  readonly accountInvitationLink: string;
}

/** A password that makes the broken server fail. */
export const FAILING_PASSWORD = 'unexpected';

export const PASSWORD = 'correct horse battery staple';
const MINUTE = 60;
const DAY = 86_400;

export const PLAIN_TEXTS: SceneTexts = {
  member: 'ada',
  colleague: 'charles',
  auditor: 'grace',
  administrator: 'margaret',
  newcomer: 'linus',
  careful: 'hedy',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  applications: ['Harbour Calendar', 'Tidewater', 'Lantern Reports', 'Photo Frame'],
  redirectUri: 'https://calendar.example/oauth/callback',
  scopeDescriptions: { read: 'Read your data', write: 'Change your data', groups: 'See your groups' },
  invalidInput: 'not an address',
};

/** Uses `text` for all strings. Every page must show it literally. */
export function textsFrom(text: string): SceneTexts {
  const name = text.normalize('NFKC'); // as accounts store it
  const names = {
    member: `${name}1`,
    colleague: `${name}2`,
    auditor: `${name}3`,
    administrator: `${name}4`,
    newcomer: `${name}5`,
    careful: `${name}6`,
  };
  return {
    ...names,
    firstName: text,
    lastName: text,
    email: `${text.replaceAll(/[\s@]/g, '')}@example.org`,
    applications: [text, text, text, text],
    redirectUri: `https://app.example/${encodeURIComponent(text)}'&x=1`,
    scopeDescriptions: { read: text, write: text, groups: text },
    invalidInput: text,
  };
}

/** Creates the scene. The caller must close it. */
export async function createScene(texts: SceneTexts = PLAIN_TEXTS, language: SceneLanguage = {}): Promise<Scene> {
  const port = await findFreePort();
  const issuer = `http://localhost:${port}`; // browsers create passkeys only for host names, and only at the issuer
  const { settings: languages = {}, ...translators } = language;
  const settings = { signup: 'open', issuer, ...languages } as const;
  const limits = { ...LIMITS, 'set-up-by-address': { max: 1, windowSeconds: 10 * MINUTE } };
  const mailTransport = mailbox().transport;
  const running = await runningService({
    ...translators,
    mailTransport,
    settings,
    limits,
    port,
    startsAt: Date.UTC(2026, 9, 12, 8, 5),
  });
  const scopeDisplay = { read: { icon: 'file', sensitivity: 'sensitive' } };
  await running
    .service()
    .settingChanges.change({ set: { scopes: texts.scopeDescriptions, scopeDisplay }, reset: [] }, OPERATOR);
  const mainUsers = {
    administrator: await addUser(running, texts.administrator, ['administrator']),
    auditor: await addUser(running, texts.auditor, ['auditor']),
    member: await addUser(running, texts.member, [], texts),
    newcomer: await addUser(running, texts.newcomer, []),
  };
  await verifyEmail(running, texts.member);
  await fillInProfile(running, texts);
  const colleague = await addUser(running, texts.colleague, []);
  const redirectUris = [texts.redirectUri];
  const [ownName, publicName, serviceName, colleaguesName] = texts.applications;
  const application = await running.addClient({
    owner: texts.member,
    name: ownName,
    redirectUris: [...redirectUris, 'https://staging.calendar.example/oauth/callback'],
  });
  await addKey(running, application);
  running.clock.advance(3 * DAY + 42 * MINUTE);
  const publicApplication = await running.addClient({
    owner: texts.member,
    name: publicName,
    clientType: 'public',
    grantTypes: ['authorization-code'],
    redirectUris,
    allowedOrigins: ['https://tidewater.example'],
    accessTokenFormat: 'jwt',
    openid: {
      subjectType: 'pairwise',
      postLogoutRedirectUris: [...redirectUris, 'https://tidewater.example/goodbye'],
      backchannelLogoutUri: 'https://tidewater.example/session/ended-by-the-account-server',
      backchannelLogoutSessionRequired: true,
      defaultMaxAgeSeconds: 28_800,
      requireAuthTime: true,
    },
  });
  const service = await running.addClient({
    owner: texts.member,
    name: serviceName,
    grantTypes: ['client-credentials'],
    redirectUris: [],
  });
  const protectedApplication = await running.addClient({
    owner: texts.member,
    name: ownName,
    grantTypes: ['authorization-code', 'client-credentials'],
    redirectUris,
    security: { dpopBoundAccessTokens: true, requirePushedAuthorizationRequests: true },
  });
  await registerKeys(running, protectedApplication, keyPairFor('ES256', 'key of 2026'));
  const requestingApplication = await running.addClient({ owner: texts.colleague, name: colleaguesName, redirectUris });
  running.clock.advance(2 * DAY + 97 * MINUTE);
  await getTokens(running, requestingApplication, mainUsers.member, texts, 'read');
  running.clock.advance(4 * DAY + 13 * MINUTE);
  await getTokens(running, application, mainUsers.member, texts, 'read write');
  await getTokens(running, application, colleague, texts, 'read write');
  for (const minutes of [610, 300, 45, 30, 61, 17, 4, 88, 170, 35]) {
    running.clock.advance(minutes * MINUTE);
    await running.token(service, { grant_type: 'client_credentials' });
    if (minutes < 100) await running.token(application, { grant_type: 'client_credentials' });
  }
  running.clock.advance(55 * MINUTE);
  await running.token(application, { grant_type: 'authorization_code', code: 'x', redirect_uri: texts.redirectUri });
  await running.post('/o/token/', {
    grant_type: 'client_credentials',
    client_id: application.id,
    client_secret: texts.invalidInput,
  });
  const newApplication = await running.addClient({ owner: texts.colleague, name: colleaguesName, redirectUris });
  await addPasskeyFor(running, mainUsers.member, texts.applications[0].slice(0, MAX_PASSKEY_NAME_LENGTH), issuer);
  await running.get('/accounts/setup/?token=guessed'); // reaches the limit for the next request
  const testedApplication = await running.addClient({ owner: texts.colleague, name: colleaguesName, redirectUris });
  await switchToTestMode(running, testedApplication);
  const deviceApplication = await running.addClient({
    owner: texts.colleague,
    name: colleaguesName,
    clientType: 'public',
    grantTypes: ['device-code'],
    redirectUris: [],
  });
  await createGroup(running, texts);
  const resourceServer = await registerFiles(running, texts);
  const { policyId } = await setExchangePolicy(running, application, deviceApplication, {
    scope: ['read', 'files:read'],
    resources: [FILES],
  });
  await setProvider(running, { issuer: 'https://login.example' }, { name: ownName.slice(0, MAX_PROVIDER_NAME_LENGTH) });
  const exchangePolicy = `/admin/exchange-policies/${policyId}/`;
  const { issuerId } = await trustIssuer(running, application, {
    claims: [`group=${texts.applications[0]}`],
    mapping: 'table',
    users: [`248289761001=${texts.member}`],
  });
  const trustedIssuer = `/admin/trusted-issuers/${issuerId}/`;
  const agent = await running.addClient({ owner: texts.colleague, name: colleaguesName, redirectUris });
  const agentToken = await getTokens(running, agent, mainUsers.member, texts, 'files:read');
  const exchanges = await exchangeAgentToken(running, agent, agentToken, texts);
  const accountInvitation = await inviteEve(running);
  const invitation = await inviteTestUser(running, application, texts.member);
  const users = { ...mainUsers, careful: await addUser(running, texts.careful, []) };
  await addAuthenticatorApp(running, texts.careful);
  const fresh = await runningService({ ...language });
  const broken = await startBrokenService(language);
  const strict = await runningService({ ...language, settings: { ...languages, requireSecondFactor: 'all' } });
  await addUser(strict, texts.member, []);
  const close = async (): Promise<void> => {
    // closing the broken service rejects, because its errors are unexpected for the service
    await Promise.all([running.close(), fresh.close(), strict.close(), broken.close().catch(() => {})]);
  };
  return {
    running,
    fresh,
    broken,
    strict,
    close,
    texts,
    users,
    application,
    publicApplication,
    protectedApplication,
    requestingApplication,
    newApplication,
    testedApplication,
    deviceApplication,
    resourceServerPath: resourceServer,
    exchangePolicyPath: exchangePolicy,
    trustedIssuerPath: trustedIssuer,
    agent,
    exchangesPath: exchanges,
    invitation,
    accountInvitationLink: accountInvitation,
  };
}

async function registerFiles(running: RunningService, texts: SceneTexts): Promise<string> {
  const [name] = texts.applications;
  const { resourceId } = await registerResource(running, {
    name: name.slice(0, MAX_LENGTH.resourceName),
    ownerId: running.service().projections.users.findByName(texts.member)?.userId ?? null,
    scopes: [{ name: 'files:read', description: name.slice(0, MAX_LENGTH.scopeDescription) }],
    accessTokenFormat: 'jwt',
    accessTokenLifetimeSeconds: 600,
  });
  return `/o/resources/${resourceId}/`;
}

async function createGroup(running: RunningService, { applications: [name], member }: SceneTexts): Promise<void> {
  const { groupDirectory, projections } = running.service();
  await groupDirectory.create(name, OPERATOR);
  const [group, user] = [projections.groups.all()[0], projections.users.findByName(member)];
  if (group === undefined || user === undefined) throw new Error('the group or its member is missing');
  await groupDirectory.changeGroups(user, { add: [group], remove: [] }, OPERATOR);
}

async function startBrokenService(language: SceneLanguage): Promise<RunningService> {
  const log = createMemoryLog();
  let isWritable = true;
  const broken = await runningService({
    ...language,
    log: {
      ...log,
      append: (...change) =>
        isWritable ? log.append(...change) : Promise.reject(new LogUnavailable('no space left on the device')),
    },
    hasher: {
      ...quickHasher,
      verify: (phc, password) =>
        password === FAILING_PASSWORD ? Promise.reject(new Error('unforeseen')) : quickHasher.verify(phc, password),
    },
  });
  await addUser(broken, PLAIN_TEXTS.member, []);
  isWritable = false;
  return broken;
}

async function fillInProfile(running: RunningService, { member, firstName, lastName }: SceneTexts): Promise<void> {
  const service = running.service();
  const user = service.projections.users.findByName(member);
  if (user === undefined) throw new Error(`there is no user ${member}`);
  const profile = {
    nickname: firstName,
    birthdate: '1985-12-10',
    website: 'https://ada.example/notes-on-the-engine',
    phone_number: '+442079460123',
    street_address: `12 ${lastName} Street\nFlat 3`,
    postal_code: 'SW1Y 4LB',
    locality: lastName,
    country: 'United Kingdom',
    zoneinfo: 'Europe/London',
  };
  const refusal = await service.accounts.changeProfile(user, { profile }, OPERATOR);
  if (refusal !== undefined) throw new Error(JSON.stringify(refusal.errors));
}

async function switchToTestMode(running: RunningService, { id }: TestClient): Promise<void> {
  const { projections, registration } = running.service();
  const client = projections.clients.find(id);
  if (client === undefined) throw new Error('the application is not registered');
  await registration.update(client.clientId, { ...client, mode: 'test' }, OPERATOR);
}

async function inviteTestUser(running: RunningService, { id }: TestClient, owner: string): Promise<string> {
  const { projections, memberships } = running.service();
  const [client, user] = [projections.clients.find(id), projections.users.findByName(owner)];
  if (client === undefined || user === undefined) throw new Error('the application or its owner is missing');
  return memberships.invite(client, 'test-user', user.userId);
}

/** Turns on two-step login with an authenticator app whose secret is discarded. */
async function addAuthenticatorApp(running: RunningService, username: string): Promise<void> {
  const { projections, secondFactorChanges } = running.service();
  const user = projections.users.findByName(username);
  if (user === undefined) throw new Error(`there is no user ${username}`);
  const { secret } = secondFactorChanges.offerApp(user, username);
  const code = oneTimePassword(secret, Math.floor(running.clock.now() / 1000));
  await secondFactorChanges.addApp(user, { code, session: username, first: { method: 'password' } }, OPERATOR);
}

async function verifyEmail(running: RunningService, username: string): Promise<void> {
  const { accounts, projections } = running.service();
  const user = projections.users.findByName(username);
  if (user !== undefined) await accounts.verifyEmail(user, OPERATOR);
}

async function addUser(
  running: RunningService,
  username: string,
  roles: readonly ('administrator' | 'auditor')[],
  profile?: SceneTexts,
): Promise<TestUser> {
  const { firstName, lastName, email } = profile ?? {};
  const account = {
    username,
    password: PASSWORD,
    roles,
    ...(profile === undefined ? {} : { firstName, lastName, email }),
  };
  const result = await running
    .service()
    .accounts.register(
      account as Parameters<ReturnType<RunningService['service']>['accounts']['register']>[0],
      OPERATOR,
    );
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return { username, password: PASSWORD };
}

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

async function getTokens(
  running: RunningService,
  client: TestClient,
  user: TestUser,
  { redirectUri }: SceneTexts,
  scope: string,
): Promise<string> {
  const code = await running.authorize(client, user, { redirect_uri: redirectUri, scope });
  const { status, text, json } = await running.token(client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
  });
  if (status !== 200) throw new Error(text);
  return String(json?.['access_token']);
}

/**
 * Has one service exchange the token, and a second one exchange the result. The second service also exchanges the token
 * directly and revokes the new token.
 * @returns the path to the page about these exchanges
 */
async function exchangeAgentToken(
  running: RunningService,
  agent: TestClient,
  token: string,
  { colleague, applications: [, otherName, service] }: SceneTexts,
): Promise<string> {
  const grantTypes = ['client-credentials', 'token-exchange'] as const;
  const firstService = await running.addClient({ owner: colleague, name: service, grantTypes, redirectUris: [] });
  const secondService = await running.addClient({ owner: colleague, name: otherName, grantTypes, redirectUris: [] });
  for (const [client, subject] of [
    [firstService, agent],
    [secondService, firstService],
    [secondService, agent],
  ] as const)
    await allowExchange(running, client, subject);
  const grant = running.service().projections.accessTokens.find(hashCredential(token), running.clock.now() / 1000);
  const actor = await ownToken(running, firstService, { scope: 'files:read' });
  await exchangeForToken(running, secondService, await exchangeForToken(running, firstService, token, { actor }));
  const revokedToken = await exchangeForToken(running, secondService, token);
  await running.post('/o/revoke_token/', { token: revokedToken }, { authorization: secondService.basic });
  return `/audit/grants/${grant?.grantId ?? ''}/`;
}

const MAX_PASSKEY_NAME_LENGTH = 60;
const MAX_PROVIDER_NAME_LENGTH = 60;

/** Adds a passkey to the user's account. */
async function addPasskeyFor(
  running: RunningService,
  { username, password }: TestUser,
  name: string,
  origin: string,
): Promise<void> {
  const session = running.browser();
  await session.logIn(username, password);
  const { status, html } = await addPasskey(session, password, createAuthenticator(), { name, overrides: { origin } });
  if (status !== 302) throw new Error(html);
}

async function addKey(running: RunningService, { id }: TestClient): Promise<void> {
  const { registration, projections } = running.service();
  const client = projections.clients.find(id);
  if (client === undefined) throw new Error('the application is gone');
  const authentication = { ...client.authentication, keys: await clientKeys(keyPairFor('ES256')) };
  await registration.update(client.clientId, { ...client, authentication }, OPERATOR);
}
