import { TOKEN_TYPES } from '../../src/oauth/exchange/token-types.ts';
import { DEVICE_GRANT_TYPE } from '../../src/oauth/grant-types/device-code.ts';
import { JWT_BEARER_GRANT_TYPE } from '../../src/oauth/grant-types/jwt-bearer.ts';
import { TOKEN_EXCHANGE_GRANT_TYPE } from '../../src/oauth/grant-types/token-exchange.ts';
import { approveDevice, requestCodes } from './devices.ts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { EpochSeconds } from '../../src/domain/values.ts';
import { createApp } from '../../src/http/app.ts';
import type { FieldName, ParameterName, PathParameter, QueryName } from '../../src/config/input-limits.ts';
import { methodsOf, routesOf } from './app-routes.ts';
import { addPasskey, createAuthenticator } from './authenticator.ts';
import { MANAGEMENT_SCOPES } from './managed-grants.ts';
import { hiddenFields, type BrowserSession } from './browser-session.ts';
import { setExchangePolicy } from './exchange-policies.ts';
import { setProvider } from './scripted-provider.ts';
import { FILES, registerResource } from './resource-servers.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningOptions,
  type RunningService,
  type TestClient,
} from './running-service.ts';
import { ownToken, userTokens } from './token-exchange.ts';
import { signForeignToken, OTHER_ISSUER, trustIssuer } from './trusted-issuers.ts';

/** A route's path pattern, and one of its methods. */
export interface InputRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

type Headers = Readonly<Record<string, string>>;

export interface InputRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: string;
}

export interface InputResponse {
  readonly status: number;
  readonly location: string | undefined;
}

/** A service with an item of every kind that a route can act on, and an administrator with access to every route. */
export interface InputService {
  readonly running: RunningService;
  /** Read from the routers, so a new route is included. */
  readonly routes: readonly InputRoute[];
  /**
   * Sends a request to a server that accepts larger heads and bodies than by default, so that the limits of the fields
   * apply.
   */
  send(request: InputRequest): Promise<InputResponse>;
  /** Recreates all items if the log has grown since they were created, because requests may have removed them. */
  recreate(): Promise<void>;
  /** Returns the URL path of a route. Its parameters identify existing items, except those in `overrides`. */
  pathFor(route: InputRoute, overrides?: Readonly<Partial<Record<PathParameter, string>>>): string;
  /** Returns the parameters in a route's path. */
  pathParameters(route: InputRoute): readonly PathParameter[];
  /**
   * Returns the administrator's cookies, a bearer token for the APIs, or a client's credentials for the protocol
   * endpoints.
   */
  credentials(route: InputRoute): Headers;
  /** Returns a valid value for each field, wherever it is read. */
  validFields(route: InputRoute): Readonly<Record<FieldName, string>>;
  validQuery(route: InputRoute): Readonly<Record<QueryName, string>>;
  /** Parameters of a successful token request; without a grant type, of an authorization request. */
  validParameters(grantType?: string): Promise<Readonly<Partial<Record<ParameterName, string>>>>;
  close(): Promise<void>;
}

/** The limits for a head and a body, far above the limit of every field. */
const HEAD_BYTES = 1_048_576;
const BODY_BYTES = 1_048_576;

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
/** RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

interface Fixtures {
  readonly admin: { readonly username: string; readonly password: string };
  readonly browser: BrowserSession;
  readonly client: TestClient;
  readonly bearer: string;
  readonly grantId: string;
  readonly sessionHash: string;
  /** The hash of one of the other user's sessions. */
  readonly otherSessionHash: string;
  readonly passkeyId: string;
  /** The id of the other user. */
  readonly pk: number;
  /** The id of one of the other user's grants. */
  readonly otherGrantId: string;
  readonly resourceId: string;
  readonly exchangePolicyId: string;
  readonly providerId: string;
  readonly trustedIssuerId: string;
  readonly csrfToken: string;
  readonly sealedRequest: string;
}

export async function startInputService(options: Pick<RunningOptions, 'hasher'>): Promise<InputService> {
  const running = await runningService({
    settings: { signup: 'open', jsonTokenRequests: true, bodyLimitBytes: BODY_BYTES },
    ...options,
  });
  const failures: unknown[] = [];
  const app = createApp(running.service(), { error: ({ err }) => void failures.push(err) });
  const listener = app.callback();
  const server = createServer(
    { maxHeaderSize: HEAD_BYTES },
    (incoming, outgoing) => void listener(incoming, outgoing),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let fixtures = await createFixtures(running);
  let head = running.log.head();
  let nameCount = 0;

  return {
    running,
    routes: routesOf(app).flatMap((route) =>
      (['GET', 'POST'] as const)
        .filter((method) => methodsOf(route).includes(method))
        .map((method) => ({ method, path: route.path })),
    ),
    send: (request) => sendRequest(port, request),
    async recreate() {
      if (running.log.head() === head) return;
      fixtures = await createFixtures(running);
      head = running.log.head();
    },
    pathFor: (route, overrides = {}) => fillPath(route, { ...pathValues(route, fixtures), ...overrides }),
    pathParameters: ({ path }) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as PathParameter),

    credentials({ path }) {
      if (/^\/o\/(?:token|device[_-]authorization|revoke_token|introspect)/.test(path))
        return { authorization: fixtures.client.basic };
      if (/^\/(?:users|groups|o\/events|o\/log|o\/userinfo|o\/grants|o\/admin)/.test(path))
        return { authorization: `Bearer ${fixtures.bearer}` };
      return { cookie: [...fixtures.browser.cookies()].map((pair) => pair.join('=')).join('; ') };
    },

    validFields: (route) => validFields(route, fixtures, `newcomer ${(nameCount += 1)}`),
    validQuery: (route) => validQuery(route, fixtures),
    validParameters: (grantType) => validParameters(running, fixtures, grantType),

    async close() {
      server.closeAllConnections();
      server.close();
      await running.close();
      if (failures.length > 0) throw new Error('the service had unexpected errors', { cause: failures[0] });
    },
  };
}

async function createFixtures(running: RunningService): Promise<Fixtures> {
  const [admin, otherUser] = [await running.addUser(), await running.addUser()];
  const { accounts, projections } = running.service();
  const [account, otherAccount] = [
    projections.users.findByName(admin.username),
    projections.users.findByName(otherUser.username),
  ];
  if (account === undefined || otherAccount === undefined) throw new Error('the users are missing');
  await accounts.changeRoles(account, ['administrator'], OPERATOR);
  await addSpareScope(running);
  const client = await running.addClient({
    owner: admin.username,
    restrictedScopes: ['admin', 'audit', 'introspection', ...MANAGEMENT_SCOPES],
    grantTypes: ['authorization-code', 'client-credentials', 'password', 'device-code', 'token-exchange', 'jwt-bearer'],
  });
  const browser = running.browser();
  await browser.logIn(admin.username, admin.password);
  const device = createAuthenticator();
  await addPasskey(browser, admin.password, device);
  const consent = await browser.get(authorizePath(client));
  const { csrf_token: csrfToken = '', request: sealedRequest = '' } = hiddenFields(consent.html);
  for (const user of [admin, otherUser]) await running.authorize(client, user);
  const now = Math.floor(running.clock.now() / 1000) as EpochSeconds;
  const grantOf = (userId: typeof account.userId): string =>
    projections.grants.listByUser(userId, now)[0]?.grantId ?? '';
  const scope = ['read write groups admin audit', ...MANAGEMENT_SCOPES].join(' ');
  const { json } = await running.token(client, { grant_type: 'client_credentials', scope });
  return {
    admin,
    browser,
    client,
    csrfToken,
    sealedRequest,
    bearer: String(json?.['access_token']),
    grantId: grantOf(account.userId),
    otherGrantId: grantOf(otherAccount.userId),
    sessionHash: running.service().loginSessions.listByUser(account.userId, now).at(-1)?.sessionHash ?? '',
    otherSessionHash: running.service().loginSessions.listByUser(otherAccount.userId, now).at(-1)?.sessionHash ?? '',
    passkeyId: projections.passkeys.findByCredentialId(device.credentialId)?.passkeyId ?? '',
    pk: otherAccount.id,
    resourceId: (await registerResource(running)).resourceId,
    providerId: await addProvider(running),
    exchangePolicyId: (await setExchangePolicy(running, client, client)).policyId,
    trustedIssuerId: (await trustIssuer(running, client)).issuerId,
  };
}

/** Adds a scope that requests may remove. */
async function addSpareScope(running: RunningService): Promise<void> {
  const { config, settingChanges } = running.service();
  const scopes = { ...config.configured.scopes, spare: 'Read spare data' };
  await settingChanges.change({ set: { scopes }, reset: [] }, OPERATOR);
}

function authorizePath({ id }: TestClient): string {
  const query = new URLSearchParams({ response_type: 'code', client_id: id, redirect_uri: REDIRECT_URI });
  return `/o/authorize/?${query.toString()}`;
}

function pathValues({ path }: InputRoute, fixtures: Fixtures): Readonly<Partial<Record<PathParameter, string>>> {
  const ids: readonly (readonly [string, string])[] = [
    ['/accounts/sessions/', fixtures.sessionHash],
    ['/accounts/passkeys/', fixtures.passkeyId],
    ['/o/authorized_tokens/', fixtures.grantId],
    ['/o/grants/', fixtures.grantId],
    ['/o/applications/', fixtures.client.id],
    ['/admin/applications/', fixtures.client.id],
    ['/admin/users/', fixtures.otherSessionHash],
    ['/o/resources/', fixtures.resourceId],
    ['/o/resource-metadata/', fixtures.resourceId],
    ['/admin/exchange-policies/', fixtures.exchangePolicyId],
    ['/admin/providers/', fixtures.providerId],
    ['/accounts/login/provider/', fixtures.providerId],
    ['/accounts/ways/link/', fixtures.providerId],
    ['/accounts/ways/', 'none'],
    ['/admin/trusted-issuers/', fixtures.trustedIssuerId],
    ['/o/refusals/', 'r'.repeat(22)],
    ['/o/admin/api/sessions/', fixtures.otherSessionHash],
    ['/o/admin/api/grants/', fixtures.otherGrantId],
    ['/o/admin/api/', fixtures.client.id],
  ];
  const id = ids.find(([prefix]) => path.startsWith(prefix))?.[1];
  return {
    pk: String(fixtures.pk),
    group: '1',
    setting: 'refreshReuseWindowSeconds',
    text: 'login.title',
    language: 'en',
    grant: fixtures.otherGrantId,
    username: 'nobody',
    name: 'staff',
    uri: 'https://api.example',
    domain: 'app.example',
    provider: fixtures.providerId,
    client: fixtures.client.id,
    page: 'shown-before',
    key: 'k'.repeat(43),
    position: '1',
    request: 'r',
    ...(id === undefined ? {} : { id }),
  };
}

/** @throws Error if the path has a parameter without a value here; add one */
function fillPath({ path }: InputRoute, values: Readonly<Partial<Record<PathParameter, string>>>): string {
  const pattern = path
    .replace(/\{.*\}/, '')
    .replace('*path', '0/000.p/1')
    .replace(/\/$/, '');
  const filledPath = pattern.replaceAll(/:(\w+)/g, (_, name: PathParameter) => {
    const value = values[name];
    if (value === undefined) throw new Error(`there is no value for the parameter ${name} of ${path}`);
    return encodeURIComponent(value);
  });
  return path.startsWith('/o/log/') ? filledPath : `${filledPath}/`;
}

function validFields(
  { path }: InputRoute,
  { admin, client, csrfToken, sealedRequest }: Fixtures,
  newName: string,
): Readonly<Record<FieldName, string>> {
  return {
    csrf_token: csrfToken,
    domain: 'app.example',
    language: 'de',
    group_name: 'staff',
    group_title: 'Our staff',
    skip_authorization: 'yes',
    rule: 'allowed',
    token: 'the link of nobody',
    source: 'the token of nobody',
    source_kind: 'token',
    time: '',
    time_zone: 'Europe/Berlin',
    position: '',
    next: '/',
    allow: 'Authorize',
    request: sealedRequest,
    scope: 'none of them',
    leave_out: 'none of them',
    form_id: 'AAAAAAAAAAAAAAAAAAAAAA',
    confirmed: 'yes',
    old_secret: 'now',
    role: 'auditor',
    new_member: '2',
    member_role: 'owner',
    mode: 'test',
    invitation: 'the invitation of nobody',
    username: /signup|setup|users/.test(path) ? newName : admin.username,
    password: admin.password,
    provider_id: 'new-provider',
    provider_preset: 'custom',
    provider_name: 'A provider',
    provider_issuer: 'https://login.example',
    provider_tenants: '',
    provider_client_id: 'grantlog',
    provider_authentication: 'none',
    provider_secret: '',
    provider_scopes: 'openid',
    provider_linking: 'explicit',
    provider_option: 'creates-users',
    provider_state: 'disabled',
    provider_domains: 'example.org',
    setting_value: '60',
    setting_unit: 'seconds',
    brand_name: 'Harbour & Sons',
    brand_color: '#9a1f5c',
    brand_color_dark: '#ffb3d9',
    brand_support: 'mailto:help@harbour.example',
    brand_privacy: 'https://harbour.example/privacy',
    brand_terms: 'https://harbour.example/terms',
    brand_scheme: 'light',
    key_algorithm: 'ES256',
    key_start: 'later',
    session_hash: 'h'.repeat(43),
    own_text_en: 'Log in to {brand}',
    own_text_de: 'Bei {brand} anmelden',
    scope_name: /edit|remove/.test(path) ? 'spare' : newName.replaceAll(' ', '-'),
    scope_description: 'Read your invoices',
    scope_icon: 'file',
    scope_sensitivity: 'normal',
    provider_groups_claim: 'groups',
    provider_roles: 'auditor=auditors',
    provider_groups: 'staff=employees',
    provider_second_factor: 'mfa',
    second_factor: 'optional',
    code: '000000',
    recovery_code: '',
    current_password: admin.password,
    new_password: 'owl moon tea kettle',
    email: 'somebody@mail.example',
    first_name: 'Some',
    last_name: 'Body',
    middle_name: 'Of',
    nickname: 'One',
    gender: 'any',
    birthdate: '1985-04-23',
    profile: 'https://some.example/body',
    website: 'https://some.example/',
    picture: 'https://some.example/body.png',
    phone_number: '+442079460123',
    zoneinfo: 'Europe/London',
    locale: 'en-GB',
    street_address: '1 Some Street',
    locality: 'Some Town',
    region: 'Someshire',
    postal_code: 'SO1 1ME',
    country: 'Someland',
    name: 'A name',
    answer: '{}',
    application_kind: '',
    presentation: 'yes',
    description: 'A description',
    homepage_uri: 'https://app.example/',
    policy_uri: 'https://app.example/privacy',
    tos_uri: 'https://app.example/terms',
    client_type: 'confidential',
    authorization_grant_type: 'authorization-code',
    access_token_format: 'opaque',
    access_token_algorithm: 'RS256',
    access_token_lifetime: '600',
    resource_uri: 'https://api.example/',
    resource_scopes: 'files:read Read your files',
    publish_metadata: 'on',
    detail_types: '',
    introspection_client: '',
    exchange_client: client.id,
    exchange_subject: client.id,
    exchange_mode: 'delegation',
    exchange_scope: 'read',
    exchange_resources: FILES,
    trust_issuer: OTHER_ISSUER,
    trust_audience: '',
    trust_use: 'assertion',
    trust_claims: 'repository=acme/api',
    trust_mapping: 'client',
    trust_name_claim: '',
    trust_users: '',
    trust_clients: client.id,
    trust_scope: 'read',
    trust_resources: '',
    trust_token_lifetime: '3600',
    trust_assertion_age: '600',
    openid: 'yes',
    id_token_algorithm: 'RS256',
    userinfo_algorithm: '',
    subject_type: 'public',
    sector_identifier_uri: '',
    post_logout_redirect_uris: REDIRECT_URI,
    backchannel_logout_uri: 'https://app.example/logout',
    initiate_login_uri: 'https://app.example/login',
    default_max_age: '3600',
    openid_requirement: 'session',
    security: 'yes',
    security_profile: '',
    token_binding: '',
    request_requirement: 'pushed',
    request_object_algorithm: '',
    request_uris: '',
    authorization_response_algorithm: 'RS256',
    introspection_algorithm: 'RS256',
    auth_method: 'client_secret_basic',
    client_keys: '',
    tls_subject_kind: 'subject_dn',
    tls_subject: '',
    jwks_uri: '',
    restricted_scope: 'audit',
    redirect_uris: REDIRECT_URI,
    builtin_callback: 'yes',
    allowed_origins: 'https://app.example',
    detail_type_limit: 'listed',
    allowed_detail_types: 'pay',
  };
}

function validQuery({ path }: InputRoute, { admin, client }: Fixtures): Readonly<Record<QueryName, string>> {
  return {
    token: 'the link of nobody',
    invitation: 'the invitation of nobody',
    next: '/',
    login_hint: admin.username,
    q: 'user',
    page: '1',
    limit: '10',
    after: '0',
    light: '9a1f5c',
    preset: 'github',
    dark: 'ffb3d9',
    retired: 'true',
    changed: 'true',
    own: 'false',
    mail: 'reset',
    from: '5',
    position: path.includes('blast-radius') ? '' : '5',
    time: /as-of|blast-radius/.test(path) ? '' : '2026-01-01',
    time_zone: 'Europe/Berlin',
    key: '',
    session: '',
    grant: '',
    since: '2026-01-01',
    until: '2027-01-01',
    type: 'UserRegistered',
    user: admin.username,
    client: client.id,
    scope: 'read',
    user_code: 'WDJB-MJHT',
    language: 'go',
    code: 'glc_code',
    error: 'access_denied',
    state: 'the state of nobody',
    iss: 'https://login.example',
    response: 'e30.e30.signature',
    format: 'csv',
    view: 'expert',
    sort: 'name',
    cursor: path.startsWith('/o/admin/api/')
      ? `0.${'a'.repeat(16)}`
      : Buffer.from('["after","a",1]').toString('base64url'),
    status: 'active',
    role: 'auditor',
    two_step: 'on',
    client_type: 'public',
    mode: 'test',
    owner: 'users',
    requested_by: 'allowed',
    v: '5',
    resource: 'acct:ada@localhost:8000',
    rel: 'http://openid.net/specs/connect/1.0/issuer',
  };
}

async function validParameters(
  running: RunningService,
  { admin, client }: Fixtures,
  grantType?: string,
): Promise<Readonly<Partial<Record<ParameterName, string>>>> {
  const resource = 'http://localhost:8000';
  switch (grantType) {
    case 'client_credentials':
      return { grant_type: grantType, scope: 'read', resource };
    case 'password':
      return { grant_type: grantType, ...admin, scope: 'read', resource };
    case 'authorization_code': {
      const code = await running.authorize(client, admin, {
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
        redirect_uri: REDIRECT_URI,
      });
      return { grant_type: grantType, code, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER, resource };
    }
    case DEVICE_GRANT_TYPE: {
      const codes = await requestCodes(running, client);
      await approveDevice(running, admin, codes);
      return { grant_type: grantType, device_code: codes.device, resource };
    }
    case JWT_BEARER_GRANT_TYPE:
      return { grant_type: grantType, assertion: await signForeignToken(running), scope: 'read', resource };
    case TOKEN_EXCHANGE_GRANT_TYPE: {
      const { access } = await userTokens(running, client, admin);
      return {
        grant_type: grantType,
        subject_token: access,
        subject_token_type: TOKEN_TYPES.accessToken,
        actor_token: await ownToken(running, client),
        actor_token_type: TOKEN_TYPES.accessToken,
        requested_token_type: TOKEN_TYPES.accessToken,
        scope: 'read',
        resource,
        audience: resource,
      };
    }
    case 'refresh_token': {
      const { json } = await running.token(client, { grant_type: 'password', ...admin });
      return { grant_type: grantType, refresh_token: String(json?.['refresh_token']), scope: 'read', resource };
    }
    case undefined:
    default:
      return {
        response_type: 'code',
        response_mode: 'query',
        client_id: client.id,
        redirect_uri: REDIRECT_URI,
        scope: 'read',
        state: 's',
        resource,
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
        prompt: 'consent',
        max_age: '1000',
        approval_prompt: 'auto',
      };
  }
}

/** Writes to the socket directly: an HTTP client would parse the URL and the headers in this process. */
async function sendRequest(
  port: number,
  { method, path, headers = {}, body = '' }: InputRequest,
): Promise<InputResponse> {
  const lines = Object.entries({
    host: 'localhost',
    connection: 'close',
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
  });
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {}); // the server may respond and close before it has read everything
  socket.write(
    `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => socket.once('close', resolve));
  const [head = ''] = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n', 1);
  return {
    status: Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)),
    location: /^location: (.*)$/im.exec(head)?.[1],
  };
}

async function addProvider(running: RunningService): Promise<string> {
  await setProvider(running, { issuer: 'https://login.example' });
  return 'corp';
}
