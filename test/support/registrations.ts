import { expect } from 'chai';
import { authorizePath, parseRedirect } from './authorize-requests.ts';
import type { BrowserSession } from './browser-session.ts';
import type { TestResponse, RunningService } from './running-service.ts';

export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CHALLENGE = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

/** The metadata that an editor's MCP client registers. */
export const EDITOR = {
  client_name: 'Editor',
  client_uri: 'https://editor.example',
  redirect_uris: ['http://localhost/callback', 'https://editor.example/redirect'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
};

export const LOOPBACK_REDIRECT_URI = 'http://localhost:51004/callback';

/** The members that tests read from a response. */
export interface RegistrationResponse {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly registration_access_token: string;
  readonly registration_client_uri: string;
  readonly [member: string]: unknown;
}

export function register(
  running: RunningService,
  metadata: unknown = EDITOR,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  return running.send('/o/register/', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  });
}

export async function registerSuccessfully(
  running: RunningService,
  metadata: unknown = EDITOR,
): Promise<RegistrationResponse> {
  const response = await register(running, metadata);
  expect(response.status, response.text).to.equal(201);
  return response.json as unknown as RegistrationResponse;
}

/** Opens the consent page for an authorization request from the client. */
export function openConsentPage(browser: BrowserSession, clientId: string, redirectUri = LOOPBACK_REDIRECT_URI) {
  return browser.get(
    authorizePath({ id: clientId, secret: '', basic: '' }, { redirect_uri: redirectUri, ...CHALLENGE }),
  );
}

/** Approves an authorization request from the client, and returns the code. */
export async function obtainCode(
  browser: BrowserSession,
  clientId: string,
  redirectUri = LOOPBACK_REDIRECT_URI,
): Promise<string> {
  const page = await openConsentPage(browser, clientId, redirectUri);
  return parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters['code'] ?? '';
}

export function redeem(
  running: RunningService,
  { client_id, client_secret }: Pick<RegistrationResponse, 'client_id' | 'client_secret'>,
  code: string,
  redirectUri = LOOPBACK_REDIRECT_URI,
): Promise<TestResponse> {
  return running.post('/o/token/', {
    grant_type: 'authorization_code',
    code,
    client_id,
    ...(client_secret !== undefined && { client_secret }),
    redirect_uri: redirectUri,
    code_verifier: VERIFIER,
  });
}

/** Registers a client with an initial access token, so that it is recorded immediately. */
export async function registerWithToken(running: RunningService): Promise<RegistrationResponse> {
  const { basic } = await running.addClient({ restrictedScopes: ['clients:register'] });
  const request = { grant_type: 'client_credentials', scope: 'clients:register' };
  const { json } = await running.post('/o/token/', request, { authorization: basic });
  const response = await register(running, EDITOR, { authorization: `Bearer ${String(json?.['access_token'])}` });
  expect(response.status, response.text).to.equal(201);
  return response.json as unknown as RegistrationResponse;
}
