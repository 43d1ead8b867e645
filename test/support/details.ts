import type { Page } from './browser-session.ts';
import { authorizePath, openSession, parseRedirect } from './authorize-requests.ts';
import { ACCOUNTS, PAYMENT, RENT } from './detail-types.ts';
import { registerResource } from './resource-servers.ts';
import {
  REDIRECT_URI,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from './running-service.ts';

export const BANK = 'https://bank.example/api';

/** Registers the resource server that declares the types. */
export const registerBank = (running: RunningService, settings: Parameters<typeof registerResource>[1] = {}) =>
  registerResource(running, {
    uri: BANK,
    name: 'Bank',
    scopes: [],
    detailTypes: JSON.stringify([PAYMENT, ACCOUNTS]),
    ...settings,
  });

/** Returns the request parameter for these details. */
export const detailsParameter = (...details: readonly object[]) => ({ authorization_details: JSON.stringify(details) });

/** Opens the consent page for a request with details, without a scope. */
export async function consentPage(
  running: RunningService,
  client: TestClient,
  user: TestUser,
  parameters: Readonly<Record<string, string | null>> = detailsParameter(RENT),
): Promise<{ readonly page: Page; approve(): Promise<string> }> {
  const browser = await openSession(running, user);
  const page = await browser.get(authorizePath(client, parameters));
  return {
    page,
    async approve() {
      const response = await browser.submit(page, { allow: 'Authorize' });
      return parseRedirect(response).parameters['code'] ?? '';
    },
  };
}

/** Approves a request as a user. Returns the code. */
export async function approveForCode(
  running: RunningService,
  client: TestClient,
  user: TestUser,
  parameters?: Readonly<Record<string, string | null>>,
): Promise<string> {
  return (await consentPage(running, client, user, parameters)).approve();
}

export const redeemCode = (
  running: RunningService,
  client: TestClient,
  code: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<TestResponse> =>
  running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...parameters });

export const refreshWith = (
  running: RunningService,
  client: TestClient,
  token: unknown,
  parameters: Readonly<Record<string, string>> = {},
): Promise<TestResponse> =>
  running.token(client, { grant_type: 'refresh_token', refresh_token: String(token), ...parameters });

export async function introspect(running: RunningService, client: TestClient, token: unknown) {
  const { json } = await running.post('/o/introspect/', { token: String(token) }, { authorization: client.basic });
  return json ?? {};
}
