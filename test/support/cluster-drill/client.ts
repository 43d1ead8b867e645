import { callControl } from '../../../src/operations/control/client.ts';
import { controlSocketPath } from '../../../src/cli/operation-target.ts';
import { browserSession } from '../browser-session.ts';
import type { DrillNode } from './nodes.ts';
import type { TimedResponse, Requests, Target } from './requests.ts';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** A client application and its user's browser. Each method takes the node that gets the request. */
export interface DrillClient {
  /** @returns the code, or undefined if the node did not issue one */
  authorize(node: Target): Promise<string | undefined>;
  redeem(node: Target, code: string): Promise<TimedResponse>;
  refresh(node: Target, refreshToken: string): Promise<TimedResponse>;
  /** Requests an access token with client credentials. */
  requestToken(node: Target): Promise<TimedResponse>;
  revoke(node: Target, token: string): Promise<TimedResponse>;
  introspect(node: Target, token: string): Promise<TimedResponse>;
  /** Requests a resource with the token. */
  requestResource(node: Target, accessToken: string): Promise<TimedResponse>;
}

const REDIRECT_URI = 'https://drill.example/callback';
const USERNAME = 'driller';
const PASSWORD = 'the password of the driller';

/** Registers a user and a trusted client with the grant types that the drill uses, and logs in. */
export async function registerClient(node: DrillNode, requests: Requests): Promise<DrillClient> {
  const control = controlSocketPath(node.dataDir);
  const user = { username: USERNAME, password: PASSWORD, email: '', firstName: '', lastName: '', roles: [] };
  await callOnce(control, 'user add', user);
  const row = (await callOnce(control, 'client add', {
    name: 'Drill',
    clientType: 'confidential',
    grantTypes: ['authorization-code', 'client-credentials'],
    redirectUris: [REDIRECT_URI],
    allowedOrigins: [],
    skipAuthorization: true,
    owner: null,
    credentials: null,
  })) as { readonly client_id: string; readonly client_secret: string };
  const browser = browserSession(() => `http://127.0.0.1:${node.port()}`);
  const { status } = await browser.logIn(USERNAME, PASSWORD);
  if (status !== 302 && status !== 303) throw new Error(`the login got status ${status}`);
  return drillClient(requests, row.client_id, row.client_secret, browser.cookieHeader('/o/authorize/'));
}

function drillClient(requests: Requests, id: string, secret: string, cookie: string): DrillClient {
  const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const post = (node: Target, path: string, body: Readonly<Record<string, string>>): Promise<TimedResponse> =>
    requests.send(node, {
      method: 'POST',
      path,
      headers: { authorization: basic },
      body: new URLSearchParams(body).toString(),
    });
  const query = new URLSearchParams({ response_type: 'code', client_id: id, redirect_uri: REDIRECT_URI }).toString();
  return {
    async authorize(node) {
      const page = { method: 'GET', path: `/o/authorize/?${query}`, headers: { cookie, accept: 'text/html' } } as const;
      const { headers } = await requests.send(node, page);
      return headers.location === undefined
        ? undefined
        : (new URL(headers.location, REDIRECT_URI).searchParams.get('code') ?? undefined);
    },
    redeem: (node, code) =>
      post(node, '/o/token/', { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI }),
    refresh: (node, token) => post(node, '/o/token/', { grant_type: 'refresh_token', refresh_token: token }),
    requestToken: (node) => post(node, '/o/token/', { grant_type: 'client_credentials', scope: 'read' }),
    revoke: (node, token) => post(node, '/o/revoke_token/', { token }),
    introspect: (node, token) => post(node, '/o/introspect/', { token }),
    requestResource: (node, token) =>
      requests.send(node, { method: 'GET', path: '/users/', headers: { authorization: `Bearer ${token}` } }),
  };
}

export function parseTokens({ status, text }: TimedResponse): Tokens | undefined {
  return status === 200 ? (JSON.parse(text) as Tokens) : undefined;
}

/** Returns the state of the token according to the response to an introspection or a bearer request. */
export function tokenState({ status, text }: TimedResponse): 'active' | 'inactive' | 'unknown' {
  if (status === 401) return 'inactive';
  if (status !== 200) return 'unknown';
  return text === '{"active":false}' ? 'inactive' : 'active';
}

async function callOnce(control: string, operation: string, input: unknown): Promise<unknown> {
  for await (const result of callControl(control, operation, input)) return result;
  throw new Error(`${operation} returned no result`);
}
