import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { invitationKeyId } from '../src/domain/invitation-keys.ts';
import { operate } from '../src/operations/operations.ts';
import { REFRESHES_PER_SUMMARY } from '../src/domain/authorization-grant.ts';
import { decodeEvent, EVENT_TYPES } from '../src/domain/events.ts';
import type { ClientId, EpochSeconds } from '../src/domain/values.ts';
import type { User } from '../src/projections/users.ts';
import { CLIENT_KEYS } from '../src/platform/keys/client-keys.ts';
import type { Keyring } from '../src/platform/keys/keyring.ts';
import { PERSONAL_KEYS, type PersonalKeys } from '../src/platform/keys/personal-keys.ts';
import { SIGNING_KEYS } from '../src/platform/keys/signing-keyring.ts';
import {
  listCorpora,
  exportServerKeys,
  summarizeReplay,
  readEvents,
  readKeys,
  thaw,
  type FrozenKeys,
} from '../test/corpus/frozen.ts';
import { signAssertion, keyPairFor, registerKeys, withAssertion } from '../test/support/assertions.ts';
import { addPasskey, createAuthenticator, logInWithPasskey } from '../test/support/authenticator.ts';
import { authorizePath } from '../test/support/authorize-requests.ts';
import { startHostileServer } from '../test/support/hostile-server.ts';
import { pbkdf2Of } from '../test/support/quick-hasher.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../test/support/running-service.ts';
import { recordAuthorizationDetails } from './corpus/authorization-details.ts';
import { recordBoundTokens } from './corpus/bound-tokens.ts';
import { recordSettingChanges } from './corpus/changed-settings.ts';
import { recordDescribedClient } from './corpus/described-client.ts';
import { recordDisabledClients } from './corpus/disabled-client.ts';
import { recordDevices } from './corpus/devices.ts';
import { expectPage, elementText } from './corpus/expect-page.ts';
import { recordExchangePolicies, recordTokenExchanges } from './corpus/exchange-policies.ts';
import { recordGroupChanges } from './corpus/group-members.ts';
import { recordInvitations } from './corpus/invited-users.ts';
import { recordClockCorrection, recordTwoDaySession } from './corpus/long-sessions.ts';
import { recordManagedGrants } from './corpus/managed-grants.ts';
import { recordMembersAndLogo } from './corpus/members.ts';
import { recordPushedRequest } from './corpus/pushed-request.ts';
import { recordResourceRegistrations } from './corpus/recorded-resources.ts';
import { recordSelfRegisteredClients } from './corpus/self-registered.ts';
import { recordTrustedIssuers } from './corpus/trusted-issuers.ts';
import { recordUpstreamProviders } from './corpus/upstream-providers.ts';
import { recordTwoStepLogins } from './corpus/two-step-logins.ts';

const HELP = `\
Usage: node --import tsx scripts/make-corpus.ts --new DIRECTORY | --expected

  --new DIRECTORY  Write a log with every kind of event of this version, and freeze it.
  --expected       Update the expected projections of every frozen log, after an intended change to a
                   projection. The logs themselves do not change.

Add a log whenever there is a new event type, or a new version of one (a step in
src/domain/upcasters.ts), before the first release that writes it:

  1. Make this script cause the new event, unless it already does.
  2. Run it with --new test/corpus/vN, where N is one more than the number of the newest log.
  3. Run it with --expected. Only digests of projections affected by the change may change.
  4. Commit vN. Never change earlier logs: they represent logs in production.

test/corpus.test.ts replays and audits every log and uses its credentials. It fails if an event type,
or a version of one that has changed, occurs in none of them.
`;

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const SEED = 'corpus';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const CALENDAR = 'https://calendar.example/api';

type Credentials = FrozenKeys['credentials'];

async function writeCorpus(directory: string): Promise<void> {
  const personalKeys = PERSONAL_KEYS.inMemory();
  const clientKeys = CLIENT_KEYS.inMemory();
  const signingKeyring = SIGNING_KEYS.inMemory();
  const settings = {
    resources: [CALENDAR],
    outgoingHttp: true,
    outgoingNetworks: ['127.0.0.0/8'],
    clientDocuments: 'any',
    dynamicRegistration: 'open',
  } as const;
  const running = await runningService({ seed: SEED, personalKeys, clientKeys, signingKeyring, settings });
  try {
    const credentials = await recordEverything(running);
    await checkTypes(running);
    mkdirSync(directory); // throws if it exists: frozen logs never change
    writeFileSync(join(directory, 'events.jsonl'), await exportLog(running));
    writeJson(directory, 'keys.json', {
      frozenAt: running.clock.now(),
      server: exportServerKeys(running.service()),
      personal: await exportPersonalKeys(running, personalKeys),
      clients: exportKeys(clientKeys),
      signing: exportKeys(signingKeyring),
      credentials,
    } satisfies FrozenKeys);
  } finally {
    await running.close();
  }
}

/** Checks that every type occurs, because a change to a form could silently prevent its events. */
async function checkTypes(running: RunningService): Promise<void> {
  const types = new Set((await running.events()).map(({ type }) => type));
  const missing = EVENT_TYPES.filter((type) => !types.has(type));
  if (missing.length > 0) throw new Error(`this script does not cause ${missing.join(', ')}`);
}

async function freeze(directory: string): Promise<void> {
  const events = readEvents(directory);
  const running = await thaw(events, readKeys(directory));
  writeJson(directory, 'expected.json', summarizeReplay(events, running.service()));
  await running.close();
}

/** Returns the output of `grantlog log export`. */
async function exportLog(running: RunningService): Promise<string> {
  const lines: string[] = [];
  const neverAborted = new AbortController().signal;
  for await (const line of operate(running.service())('log export', {}, neverAborted)) lines.push(`${String(line)}\n`);
  return lines.join('');
}

async function exportPersonalKeys(running: RunningService, keys: PersonalKeys): Promise<FrozenKeys['personal']> {
  const ids = (await running.events())
    .map(decodeEvent)
    .flatMap(({ type, data }) => (type === 'UserRegistered' ? [data.userId] : []));
  const invitations = running.service().projections.sentInvitations.all();
  return Object.fromEntries(
    [...ids, ...invitations.map(({ stream }) => invitationKeyId(stream))].flatMap((userId) => {
      const key = keys.find(userId);
      return key === undefined ? [] : [[userId, key.toString('base64url')]];
    }),
  );
}

function exportKeys<Id extends string>(keys: Keyring<Id>): Readonly<Record<string, string>> {
  return Object.fromEntries(keys.ids().map((id) => [id, keys.find(id)?.toString('base64url') ?? '']));
}

function writeJson(directory: string, file: string, value: unknown): void {
  writeFileSync(join(directory, file), `${JSON.stringify(value, null, 2)}\n`);
}

/** Causes every kind of event, sequentially, so that the order is deterministic. */
async function recordEverything(running: RunningService): Promise<Credentials> {
  const anna = await setUpAnna(running);
  const [bert, carla, dora] = [
    await running.addUser('bert'),
    await running.addUser('carla'),
    await running.addUser('dora'),
  ];
  await recordAccountChanges(running, bert);
  for (const name of ['readers', 'writers']) await running.service().groupDirectory.create(name, OPERATOR);

  const client = await running.addClient({
    name: 'Everything',
    owner: bert.username,
    allowedOrigins: ['https://app.example'],
  });
  await recordApplicationChanges(running, anna);
  const importedClient = await importClient(running);
  await recordCodes(running, client, anna, bert);
  await recordPasswordsAndRefreshes(running, client, bert);
  await recordLongFamily(running, client, bert);
  await recordEndings(running, { client, carla, dora });
  running.clock.advance(3_600);
  await recordRestrictedScopes(running, anna, importedClient);
  await recordResourceServers(running, anna);
  await recordOpenIdSettings(running);
  await recordClientAssertion(running);
  await recordSigningKeys(running);
  await recordGrantsOfSessions(running, anna, bert);
  await recordLogoutTokens(running, anna);
  await importAccounts(running);
  await recordInvitations(running, findAccount(running, anna), findAccount(running, bert));
  await recordMembersAndLogo(running);
  await recordTwoStepLogins(running);
  await recordDevices(running, bert);
  await recordBoundTokens(running, bert);
  await recordPushedRequest(running, bert);
  await recordResourceRegistrations(running, findAccount(running, bert).userId);
  await recordExchangePolicies(running);
  await recordTokenExchanges(running);
  await recordManagedGrants(running);
  await recordTrustedIssuers(running);
  await recordDescribedClient(running, bert);
  await recordSelfRegisteredClients(running, bert);
  await recordGroupChanges(running, findAccount(running, anna), findAccount(running, bert));
  await recordAuthorizationDetails(running, bert);
  await recordUpstreamProviders(running);
  await recordSettingChanges(running);
  await recordDisabledClients(running);
  await recordTwoDaySession(running, findAccount(running, anna));
  await recordClockCorrection(running);
  return { ...(await createLiveCredentials(running, client, bert)), ...importedClient };
}

/** Creates the first administrator on the set-up page, and logs out. */
async function setUpAnna(running: RunningService): Promise<TestUser> {
  const browser = running.browser();
  const page = await browser.get(`/accounts/setup/?token=${running.service().setup.token() ?? ''}`);
  const anna = { username: 'anna', password: 'correct horse battery staple' };
  await browser.submit(page, { ...anna, email: 'anna@example.com' });
  await logOut(browser);
  return anna;
}

async function logOut(browser: ReturnType<RunningService['browser']>): Promise<void> {
  const { html } = await browser.get('/');
  await browser.post('/accounts/logout/', { csrf_token: /name="csrf_token" value="([^"]+)"/.exec(html)?.[1] ?? '' });
}

function findAccount(running: RunningService, { username }: TestUser): User {
  const account = running.service().projections.users.findByName(username);
  if (account === undefined) throw new Error(`there is no user ${username}`);
  return account;
}

/**
 * Changes the profile on the page, adds two passkeys, logs in with both, removes one, adds and removes a role, logs out
 * everywhere, and logs in again.
 */
async function recordAccountChanges(running: RunningService, user: TestUser): Promise<void> {
  const browser = running.browser();
  await browser.logIn(user.username, user.password);
  await browser.submit(
    await browser.get('/accounts/'),
    { email: 'bert@example.com', first_name: 'Bert', last_name: 'Blüm' },
    '/accounts/profile/',
  );
  const authenticators = [createAuthenticator(), createAuthenticator()] as const;
  for (const [index, name] of (['Old phone', 'Laptop'] as const).entries()) {
    await addPasskey(browser, user.password, authenticators[index] ?? authenticators[0], { name });
  }
  for (const device of authenticators) await logInWithPasskey(running.browser(), device);
  const page = await browser.get('/accounts/');
  const [removalPath = ''] = /\/accounts\/passkeys\/[\w-]{22}\/remove\//.exec(page.html) ?? [];
  await browser.submit(page, {}, removalPath);
  const { accounts } = running.service();
  for (const roles of [['auditor'], []] as const)
    await accounts.changeRoles(findAccount(running, user), roles, OPERATOR);
  await accounts.logOutEverywhere(findAccount(running, user), OPERATOR);
  await logInWithPasskey(running.browser(), authenticators[1]);
}

/** Registers an application, changes it, rotates its secret twice (the first time with an overlap), and removes it. */
async function recordApplicationChanges(running: RunningService, owner: TestUser): Promise<void> {
  const browser = running.browser();
  await browser.logIn(owner.username, owner.password);
  const fields = {
    client_type: 'confidential',
    authorization_grant_type: ['authorization-code', 'password'],
    redirect_uris: REDIRECT_URI,
  };
  const blankForm = await expectPage(browser.get('/o/applications/register/?view=expert'));
  const registrationPath = '/o/applications/register/';
  const registrationResult = await expectPage(
    browser.submitAndFollow(blankForm, { name: 'Anna’s application', ...fields }, registrationPath),
  );
  const [registered] = running.service().projections.clients.ownedBy(findAccount(running, owner).userId);
  const client_id = registered?.clientId ?? '';
  const applicationPath = `/o/applications/${client_id}/`;
  const submit = async (
    form: string,
    changedFields: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<void> => {
    const page = await expectPage(browser.get(`${applicationPath}${form}/`));
    await expectPage(browser.submit(page, changedFields, `${applicationPath}${form}/`));
  };
  await submit('update', { name: 'Anna’s other application', ...fields });
  await submit('rotate_secret', { old_secret: 'hour' });
  const client_secret = elementText(registrationResult, 'client-secret');
  await running.post('/o/token/', { grant_type: 'password', ...owner, client_id, client_secret });
  await submit('rotate_secret', { old_secret: 'now' });
  await submit('delete', { name: 'Anna’s other application' });
}

async function importClient(running: RunningService): Promise<Pick<Credentials, 'broughtId' | 'broughtSecret'>> {
  const [broughtId, broughtSecret] = ['brought-along', 'a secret that somebody chose'];
  const fields = {
    name: 'Brought along',
    clientType: 'confidential',
    grantTypes: ['client-credentials'],
    redirectUris: [],
    allowedOrigins: [],
    skipAuthorization: false,
    restrictedScopes: ['introspection'],
  };
  await running
    .service()
    .registration.register(fields, null, OPERATOR, { clientId: broughtId, clientSecret: broughtSecret });
  return { broughtId, broughtSecret };
}

/** Sends a logout token to one application, but not to another one that has removed its logout URI. */
async function recordLogoutTokens(running: RunningService, user: TestUser): Promise<void> {
  const clientServer = await startHostileServer(
    (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
  );
  const { registration, projections, logoutDeliveries } = running.service();
  const openid = { backchannelLogoutUri: `http://127.0.0.1:${clientServer.port}/logout` };
  const [listeningClient, withdrawnClient] = [
    await running.addClient({ name: 'Told of logouts', openid }),
    await running.addClient({ name: 'Not told of logouts', openid }),
  ];
  const browser = running.browser();
  await browser.logIn(user.username, user.password);
  for (const client of [listeningClient, withdrawnClient])
    await browser.submit(await browser.get(authorizePath(client, { scope: 'openid' })), { allow: 'Authorize' });
  await logOut(browser);
  const client = projections.clients.find(withdrawnClient.id);
  if (client === undefined) throw new Error('the application is not registered');
  const withoutLogoutUri = { ...client, openid: { ...client.openid, backchannelLogoutUri: null } };
  await registration.update(client.clientId, withoutLogoutUri, OPERATOR);
  logoutDeliveries.start();
  while (projections.logouts.counts().pending > 0) await new Promise(setImmediate);
  await logoutDeliveries.close();
  await clientServer.close();
}

/** Imports accounts and clients with PBKDF2 hashes, uses some of them, and disables one account. */
async function importAccounts(running: RunningService): Promise<void> {
  const { accounts, registration } = running.service();
  for (const [username, active] of [
    ['emil', true],
    ['fritz', false],
    ['gerda', true],
  ] as const) {
    await accounts.importAccount(
      { username, active, password: { hash: pbkdf2Of(`the password of ${username}`) } },
      OPERATOR,
    );
  }
  const fields = {
    clientType: 'confidential',
    grantTypes: ['password'],
    redirectUris: [],
    allowedOrigins: [],
    skipAuthorization: false,
  };
  for (const name of ['used', 'unused']) {
    await registration.register({ ...fields, name }, null, OPERATOR, {
      clientId: name,
      clientSecret: null,
      clientSecretHash: pbkdf2Of(`the secret of ${name}`),
    });
  }
  const basic = `Basic ${Buffer.from('used:the secret of used').toString('base64')}`;
  await running.token(
    { id: 'used', secret: '', basic },
    { grant_type: 'password', username: 'emil', password: 'the password of emil' },
  );
}

/**
 * Shows, remembers and skips consent; issues codes with and without PKCE; redeems and replays codes, and lets one
 * expire.
 */
async function recordCodes(running: RunningService, client: TestClient, anna: TestUser, bert: TestUser): Promise<void> {
  const redeem = (redeemingClient: TestClient, code: string, extraParameters: Readonly<Record<string, string>> = {}) =>
    running.token(redeemingClient, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      ...extraParameters,
    });

  await redeem(client, await running.authorize(client, bert, { scope: 'read write' }));
  await redeem(
    client,
    await authorizeWithoutConsent(running, bert, { client_id: client.id, scope: 'read', approval_prompt: 'auto' }),
  );
  const house = await running.addClient({
    name: 'Of the house',
    skipAuthorization: true,
    grantTypes: ['authorization-code'],
  });
  const replayedCode = await authorizeWithoutConsent(running, anna, { client_id: house.id });
  await redeem(house, replayedCode);
  await redeem(house, replayedCode);
  await running.authorize(client, anna); // never redeemed
  running.clock.advance(61);

  const app = await running.addClient({ name: 'Public', clientType: 'public', grantTypes: ['authorization-code'] });
  const verifier = 'a-verifier-of-at-least-forty-three-characters-in-all';
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const code = await running.authorize(app, anna, {
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope: 'groups',
  });
  await running.post('/o/token/', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    client_id: app.id,
    code_verifier: verifier,
  });
}

/** Authorizes without a consent page and returns the code. */
async function authorizeWithoutConsent(
  running: RunningService,
  user: TestUser,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const browser = running.browser();
  await browser.logIn(user.username, user.password);
  const query = new URLSearchParams({ response_type: 'code', redirect_uri: REDIRECT_URI, ...parameters });
  const { location } = await browser.get(`/o/authorize/?${query.toString()}`);
  const code = location === null ? null : new URL(location).searchParams.get('code');
  if (code === null) throw new Error('a consent page was shown');
  return code;
}

async function recordPasswordsAndRefreshes(running: RunningService, client: TestClient, user: TestUser): Promise<void> {
  const first = await requestTokens(running, client, { grant_type: 'password', ...user });
  const secondResponse = await requestTokens(running, client, {
    grant_type: 'refresh_token',
    refresh_token: first.refreshToken,
  });
  // A retry leaves no event.
  await requestTokens(running, client, { grant_type: 'refresh_token', refresh_token: first.refreshToken });
  await requestTokens(running, client, {
    grant_type: 'refresh_token',
    refresh_token: secondResponse.refreshToken,
    scope: 'read',
  });
  running.clock.advance(60);
  await running.token(client, { grant_type: 'refresh_token', refresh_token: first.refreshToken }); // reuse
  const tokensToRevoke = await requestTokens(running, client, { grant_type: 'password', ...user, scope: 'read' });
  await running.post('/o/revoke_token/', { token: tokensToRevoke.refreshToken }, { authorization: client.basic });
  await requestTokens(running, client, { grant_type: 'client_credentials' });

  await requestTokens(running, client, { grant_type: 'password', ...user });
  const browser = running.browser();
  await browser.logIn(user.username, user.password);
  const page = await browser.get('/o/authorized_tokens/');
  const [revocationPath] = /\/o\/authorized_tokens\/[\w-]{22}\/revoke\//.exec(page.html) ?? [];
  await browser.submit(page, {}, revocationPath ?? '');
}

/** Refreshes until the grant is summarized, and once more. */
async function recordLongFamily(running: RunningService, client: TestClient, user: TestUser): Promise<void> {
  let { refreshToken } = await requestTokens(running, client, { grant_type: 'password', ...user });
  for (let rotations = 0; rotations <= REFRESHES_PER_SUMMARY; rotations += 1) {
    running.clock.advance(60);
    ({ refreshToken } = await requestTokens(running, client, {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    }));
  }
}

async function requestTokens(
  running: RunningService,
  client: TestClient,
  parameters: Readonly<Record<string, string>>,
): Promise<Pick<Credentials, 'accessToken' | 'refreshToken'>> {
  const { status, text, json } = await running.token(client, parameters);
  if (status !== 200) throw new Error(text);
  return { accessToken: String(json?.['access_token']), refreshToken: String(json?.['refresh_token']) };
}

/** Disables and enables a user, changes a password, erases a user and reuses the name, and removes a client. */
async function recordEndings(
  running: RunningService,
  { client, carla, dora }: Readonly<{ client: TestClient; carla: TestUser; dora: TestUser }>,
): Promise<void> {
  const { accounts, registration } = running.service();
  for (const user of [carla, dora]) {
    await requestTokens(running, client, { grant_type: 'password', ...user });
    await running.browser().logIn(user.username, user.password);
  }
  await accounts.disable(findAccount(running, carla), OPERATOR);
  await accounts.enable(findAccount(running, carla), OPERATOR);
  await accounts.changePassword(findAccount(running, carla), 'another password', OPERATOR);
  await accounts.erase(findAccount(running, dora), OPERATOR);
  await running.addUser('dora');
  const removedClient = await running.addClient({ name: 'Removed' });
  await requestTokens(running, removedClient, {
    grant_type: 'password',
    username: carla.username,
    password: 'another password',
  });
  await registration.remove(removedClient.id as ClientId, OPERATOR);
}

/** A client uses a restricted scope; an administrator delegates one; the operator removes it; a refresh omits it. */
async function recordRestrictedScopes(
  running: RunningService,
  administrator: TestUser,
  { broughtId, broughtSecret }: Pick<Credentials, 'broughtId' | 'broughtSecret'>,
): Promise<void> {
  const client: TestClient = {
    id: broughtId,
    secret: broughtSecret,
    basic: `Basic ${Buffer.from(`${broughtId}:${broughtSecret}`).toString('base64')}`,
  };
  await requestTokens(running, client, { grant_type: 'client_credentials', scope: 'introspection' });
  const watcher = await running.addClient({ name: 'Watcher', restrictedScopes: ['audit', 'introspection'] });
  const delegatedTokens = await requestTokens(running, watcher, {
    grant_type: 'password',
    ...administrator,
    scope: 'read audit',
  });
  const { registration, projections } = running.service();
  const watcherClient = projections.clients.find(watcher.id);
  if (watcherClient === undefined) throw new Error('the client is not registered');
  await registration.update(
    watcherClient.clientId,
    { ...watcherClient, restrictedScopes: ['introspection'] },
    OPERATOR,
  );
  await requestTokens(running, watcher, { grant_type: 'refresh_token', refresh_token: delegatedTokens.refreshToken });
}

/** Requests JWT access tokens for some resource servers with each of four grant types. */
async function recordResourceServers(running: RunningService, user: TestUser): Promise<void> {
  const calendar = await running.addClient({ name: 'Calendar', accessTokenFormat: 'jwt' });
  const resourceParameters = `resource=${CALENDAR}&resource=${running.service().issuer()}`;
  const { json } = await running.post(
    '/o/token/',
    `grant_type=password&username=${user.username}&password=${user.password}&${resourceParameters}`,
    { authorization: calendar.basic },
  );
  await requestTokens(running, calendar, {
    grant_type: 'refresh_token',
    refresh_token: String(json?.['refresh_token']),
    resource: CALENDAR,
  });
  const code = await running.authorize(calendar, user, { scope: 'read', resource: CALENDAR });
  await requestTokens(running, calendar, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
  await requestTokens(running, calendar, { grant_type: 'client_credentials', resource: CALENDAR });
}

/** Registers a client with settings for OpenID Connect, and changes them. */
async function recordOpenIdSettings(running: RunningService): Promise<void> {
  const { id } = await running.addClient({
    name: 'Relying party',
    accessTokenFormat: 'jwt',
    accessTokenAlgorithm: 'ES256',
    openid: { subjectType: 'pairwise', postLogoutRedirectUris: [REDIRECT_URI], defaultMaxAgeSeconds: 3_600 },
  });
  const { registration, projections } = running.service();
  const client = projections.clients.find(id);
  if (client === undefined) throw new Error('the client is not registered');
  const openid = { ...client.openid, idTokenAlgorithm: 'PS256', requireAuthTime: true } as const;
  const presentation = { ...client.presentation, description: 'Shows who you are', homepageUri: 'https://rp.example/' };
  const limits = { mode: 'test', secondFactorRequired: true } as const;
  await registration.update(client.clientId, { ...client, openid, presentation, ...limits }, OPERATOR);
}

/** Authenticates a client with a key. */
async function recordClientAssertion(running: RunningService): Promise<void> {
  const client = await running.addClient({ name: 'Signing client', grantTypes: ['client-credentials'] });
  const key = keyPairFor('EdDSA');
  await registerKeys(running, client, key);
  const assertion = withAssertion(await signAssertion(running, client, key));
  const { status } = await running.post('/o/token/', { grant_type: 'client_credentials', ...assertion });
  if (status !== 200) throw new Error(`the token endpoint responded with ${status}`);
}

/** Signs with keys of two algorithms, replaces one of them, and retires it. */
async function recordSigningKeys(running: RunningService): Promise<void> {
  const { signingKeys: keys, keyRotation } = running.service();
  const now = Math.floor(running.clock.now() / 1000) as EpochSeconds;
  const { kid } = await keys.sign('ES256', 'JWT', {}, now);
  await keys.sign('RS256', 'JWT', {}, now);
  await keyRotation.introduce('ES256', now, 'requested');
  await keyRotation.retire(kid, now, OPERATOR);
}

/** Issues OpenID Connect grants that end with a session, and one that continues in another session. */
async function recordGrantsOfSessions(running: RunningService, user: TestUser, nextUser: TestUser): Promise<void> {
  const client = await running.addClient({ name: 'Log in with', skipAuthorization: true });
  const authorize = async (browser: ReturnType<RunningService['browser']>): Promise<void> => {
    const query = { response_type: 'code', client_id: client.id, redirect_uri: REDIRECT_URI, scope: 'openid read' };
    const { location } = await browser.get(`/o/authorize/?${new URLSearchParams(query).toString()}`);
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    await requestTokens(running, client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
  };
  for (const end of [
    logOut,
    (browser: ReturnType<RunningService['browser']>) => browser.logIn(nextUser.username, nextUser.password),
  ]) {
    const browser = running.browser({ 'user-agent': FIREFOX });
    await browser.logIn(user.username, user.password);
    await authorize(browser);
    await browser.logIn(user.username, user.password);
    await authorize(browser);
    await end(browser);
  }
}

async function createLiveCredentials(
  running: RunningService,
  client: TestClient,
  user: TestUser,
): Promise<Omit<Credentials, 'broughtId' | 'broughtSecret'>> {
  const tokens = await requestTokens(running, client, { grant_type: 'password', ...user, scope: 'read write' });
  return { ...user, clientId: client.id, clientSecret: client.secret, ...tokens };
}

const [option, directory] = process.argv.slice(2);
if (option === '--new' && directory !== undefined) {
  await writeCorpus(directory);
  await freeze(directory);
} else if (option === '--expected') {
  for (const corpus of listCorpora()) await freeze(corpus);
} else if (option === '--help') {
  console.log(HELP);
} else {
  console.error(HELP);
  process.exitCode = 2;
}
