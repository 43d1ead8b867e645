import { createHash } from 'node:crypto';
import { HashingOverloadedError } from '../../../src/platform/hashing/hashing-overloaded.ts';
import type { RefusalRule } from '../../../src/oauth/refusals/refusal.ts';
import { authorizePath } from '../authorize-requests.ts';
import type { BrowserSession } from '../browser-session.ts';
import { parseCertificate, TRUSTED_PROXY } from '../certificate-clients.ts';
import { AUTHORITY } from './certificates.ts';
import { quickHasher } from '../quick-hasher.ts';
import {
  REDIRECT_URI,
  runningService,
  type ClientOptions,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../running-service.ts';

/** A request that must be refused, and the expected explanation. */
export interface RefusedRequest {
  readonly rule: RefusalRule;
  readonly name: string;
  /** Some of the expected fields of the refusal. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Where the explanation is listed: under the client's authenticated requests, requests that name it, or neither. */
  readonly about: 'proven' | 'named' | 'nobody';
  send(scenario: RefusalScenario): Promise<{ readonly headers: Headers; readonly text?: string }>;
}

/** A new client and user for each request, with their credentials. */
export interface RefusalScenario {
  readonly running: RunningService;
  readonly client: TestClient;
  readonly user: TestUser;
  readonly browser: BrowserSession;
  /** Registers another client, with the default settings unless `options` change them. */
  addOtherClient(options?: Partial<ClientOptions>): Promise<TestClient>;
  /** Gets a code for the client. */
  code(parameters?: Readonly<Record<string, string>>): Promise<string>;
  /** Gets tokens with the password grant. */
  tokens(
    scope?: string,
    more?: Readonly<Record<string, string>>,
  ): Promise<{ readonly access: string; readonly refresh: string }>;
}

export const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
export const OVERLOADING_PASSWORD = 'a password that the hasher cannot queue';

/** Starts the service that receives the requests. */
export function startServiceForRefusals(): Promise<RunningService> {
  return runningService({
    clientAuthorities: [parseCertificate(AUTHORITY)],
    settings: {
      ...TRUSTED_PROXY,
      resources: ['https://api.example'],
      jsonTokenRequests: true,
      clientDocuments: 'any',
      outgoingHttp: true,
      outgoingNetworks: ['127.0.0.0/8'],
      dynamicRegistration: 'open',
      softwareStatementIssuers: { 'https://trust.example': 'https://trust.example/jwks.json' },
      refreshTokenLifetimeSeconds: 86_400,
      defaultScopes: { 'client-credentials': [] },
    },
    hasher: {
      ...quickHasher,
      verify: async (phc, password) => {
        if (password === OVERLOADING_PASSWORD) throw new HashingOverloadedError('line-full', 7);
        return quickHasher.verify(phc, password);
      },
    },
  });
}

/** Creates a client and a user for one request. Calls `recordSecret` with each of their secrets. */
export async function createScenario(
  running: RunningService,
  recordSecret: (secret: string) => void,
  options: Partial<ClientOptions> = {},
): Promise<RefusalScenario> {
  const user = await running.addUser();
  const owner = options.owner === undefined ? {} : { owner: user.username };
  const client = await running.addClient({ ...options, ...owner });
  const browser = running.browser();
  await browser.logIn(user.username, user.password);
  for (const secret of [
    user.password,
    client.secret,
    client.basic.slice('Basic '.length),
    ...browser.cookies().values(),
  ])
    recordSecret(secret);
  return {
    running,
    client,
    user,
    browser,
    async addOtherClient(more = {}) {
      const otherClient = await running.addClient(more);
      recordSecret(otherClient.secret);
      return otherClient;
    },
    async code(parameters = {}) {
      const code = await running.authorize(client, user, parameters);
      recordSecret(code);
      return code;
    },
    async tokens(scope = 'read', more = {}) {
      const { json } = await running.post('/o/token/', {
        grant_type: 'password',
        scope,
        client_id: client.id,
        ...(client.secret === '' ? {} : { client_secret: client.secret }),
        username: user.username,
        password: user.password,
        ...more,
      });
      const tokens = { access: String(json?.['access_token']), refresh: String(json?.['refresh_token']) };
      recordSecret(tokens.access);
      recordSecret(tokens.refresh);
      return tokens;
    },
  };
}

export const requestToken = ({ running, client }: RefusalScenario, parameters: Readonly<Record<string, string>>) =>
  running.token(client, parameters);
export const redeem = (scenario: RefusalScenario, code: string, more: Readonly<Record<string, string>> = {}) =>
  requestToken(scenario, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...more });
export const refresh = (scenario: RefusalScenario, refreshToken: string, more: Readonly<Record<string, string>> = {}) =>
  requestToken(scenario, { grant_type: 'refresh_token', refresh_token: refreshToken, ...more });
export const requestAuthorization = (
  { browser, client }: RefusalScenario,
  parameters: Readonly<Record<string, string | null>>,
) => browser.get(authorizePath(client, parameters));
export const callApi = ({ running }: RefusalScenario, accessToken: string, method = 'GET') =>
  running.send('/users/', { method, headers: { authorization: `Bearer ${accessToken}` } });
export const requestAsClient = (scenario: RefusalScenario, id: string, secret: string) =>
  scenario.running.post('/o/token/', { grant_type: 'client_credentials', client_id: id, client_secret: secret });
export const disableUser = async ({ running, user }: RefusalScenario) => {
  const account = running.service().projections.users.findByName(user.username);
  if (account !== undefined) await running.service().accounts.disable(account, OPERATOR);
};
export const endSessions = async ({ running, user }: RefusalScenario) => {
  const account = running.service().projections.users.findByName(user.username);
  if (account !== undefined) await running.service().accounts.logOutEverywhere(account, OPERATOR);
};
export const findStoredClient = ({ running, client: { id } }: RefusalScenario) => {
  const storedClient = running.service().projections.clients.find(id);
  if (storedClient === undefined) throw new Error('the client is gone');
  return storedClient;
};
const s256 = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const VERIFIERS = [VERIFIER, s256(VERIFIER)];
export const CHALLENGE = { code_challenge: s256(VERIFIER), code_challenge_method: 'S256' };
