import { expect } from 'chai';
import { authorizePath, openSession, parseRedirect } from './authorize-requests.ts';
import type { Page } from './browser-session.ts';
import {
  REDIRECT_URI,
  type TestResponse,
  type ClientOptions,
  type RunningService,
  type TestClient,
  type TestUser,
} from './running-service.ts';
import { expectAccessToken } from './token-exchange.ts';

export const MANAGEMENT_SCOPES = ['grant_management_query', 'grant_management_revoke'] as const;

type Fields = Readonly<Record<string, string>>;

/** Registers a client that may manage its grants. */
export const addManager = (running: RunningService, options: Partial<ClientOptions> = {}): Promise<TestClient> =>
  running.addClient({
    grantTypes: ['authorization-code', 'client-credentials'],
    restrictedScopes: MANAGEMENT_SCOPES,
    ...options,
  });

export const create = { grant_management_action: 'create' } as const;
export const replace = (id: string) => ({ grant_management_action: 'replace', grant_id: id }) as const;
export const merge = (id: string) => ({ grant_management_action: 'merge', grant_id: id }) as const;

/** Sends an authorization request and returns the response: the consent page, an error page or a redirect. */
export async function open(
  running: RunningService,
  client: TestClient,
  user: TestUser,
  parameters: Fields,
): Promise<Page> {
  return (await openSession(running, user)).get(authorizePath(client, parameters));
}

export const redeem = (running: RunningService, client: TestClient, code: string): Promise<TestResponse> =>
  running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });

/** A managed grant, as known to its client. */
export interface ManagedGrantTokens {
  readonly id: string;
  readonly access: string;
  readonly refresh: string;
  readonly scope: string;
}

export function readManagedGrant(response: TestResponse): ManagedGrantTokens {
  expect(response.status, response.text).to.equal(200);
  const { grant_id: id, refresh_token: refresh, scope } = response.json ?? {};
  return { id: String(id), access: expectAccessToken(response), refresh: String(refresh), scope: String(scope) };
}

/** Authorizes with these parameters and redeems the code. */
export async function obtain(
  running: RunningService,
  client: TestClient,
  user: TestUser,
  parameters: Fields,
): Promise<ManagedGrantTokens> {
  return readManagedGrant(await redeem(running, client, await running.authorize(client, user, parameters)));
}

/** Gets a token that the client uses to manage its own grants. */
export async function managementToken(
  running: RunningService,
  client: TestClient,
  scope: string = MANAGEMENT_SCOPES.join(' '),
): Promise<string> {
  return expectAccessToken(await running.token(client, { grant_type: 'client_credentials', scope }));
}

export async function callGrant(
  running: RunningService,
  method: 'GET' | 'DELETE',
  id: string,
  token: string | undefined,
): Promise<TestResponse> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return running.send(`/o/grants/${id}`, { method, headers });
}

export const errorOf = (page: Page): string | undefined => parseRedirect(page).parameters['error'];
