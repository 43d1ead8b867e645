import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import type { ProviderFields } from '../../src/oauth/upstream/provider-rules.ts';
import { newProviderFields } from '../../src/oauth/upstream/provider-fields.ts';
import { keyPairFor, type ClientKeyPair } from './assertions.ts';
import type { BrowserSession, Page } from './browser-session.ts';
import type { RunningService } from './running-service.ts';

type Json = Readonly<Record<string, unknown>>;

/** How the provider responds. A test changes the script to make the provider misbehave. */
export interface Script {
  /** Replaces members of the metadata. */
  metadata: Json;
  keys: readonly ClientKeyPair[];
  signsWith: ClientKeyPair;
  /** The header of its ID tokens. */
  header: { readonly alg: string; readonly kid?: string };
  /** Replaces claims of the ID token; undefined removes one. */
  claims: Json;
  /** Replaces the whole ID token. */
  idToken: string | undefined;
  userinfo: Json | null;
  /** The error that the token endpoint returns; null to return tokens. */
  tokenError: string | null;
  /** Replaces parameters of the authorization response; undefined removes one. */
  response: Readonly<Record<string, string | undefined>>;
  /** Paths where the provider never responds. */
  hangingPaths: readonly string[];
  /** Runs before the tokens are issued. */
  beforeTokens: () => Promise<void>;
}

export interface ReceivedRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly form: URLSearchParams;
}

/** An OpenID provider with scripted responses. */
export interface ScriptedProvider {
  readonly issuer: string;
  readonly script: Script;
  readonly requests: readonly ReceivedRequest[];
  /** Logs in with `account`, and returns the path and query that the provider redirects the browser to. */
  authorize(authorizationUrl: string, account: Json): string;
  close(): Promise<void>;
}

const CLIENT_ID = 'grantlog';
export const CLIENT_SECRET = 'secret of the provider';

/** * Starts the provider on 127.0.0.1. * @param now in milliseconds since the epoch */
export async function startScriptedProvider(now: () => number): Promise<ScriptedProvider> {
  const key = keyPairFor('ES256', 'provider');
  const script: Script = {
    metadata: {},
    keys: [key],
    signsWith: key,
    header: { alg: 'ES256', kid: 'provider' },
    claims: {},
    idToken: undefined,
    userinfo: null,
    tokenError: null,
    response: {},
    hangingPaths: [],
    beforeTokens: async () => {},
  };
  const requests: ReceivedRequest[] = [];
  const codes = new Map<string, Json>();

  const createMetadata = (): Json => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    id_token_signing_alg_values_supported: ['ES256'],
    ...script.metadata,
  });

  async function issueTokens(form: URLSearchParams): Promise<Json> {
    await script.beforeTokens();
    const account = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    if (script.tokenError !== null || account === undefined) return { error: script.tokenError ?? 'invalid_grant' };
    const issuedAt = Math.floor(now() / 1000);
    const claims = { iss: issuer, aud: CLIENT_ID, iat: issuedAt, exp: issuedAt + 300, ...account, ...script.claims };
    const definedClaims = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
    const idToken = await new SignJWT(definedClaims)
      .setProtectedHeader(script.header)
      .sign(script.signsWith.privateKey);
    return { access_token: 'access', token_type: 'Bearer', id_token: script.idToken ?? idToken };
  }

  async function respondTo(path: string, form: URLSearchParams): Promise<Json> {
    if (path === '/.well-known/openid-configuration') return createMetadata();
    if (path === '/jwks') return { keys: script.keys.map(({ jwk }) => jwk) };
    if (path === '/token') return issueTokens(form);
    return script.userinfo ?? { error: 'invalid_token' };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    requests.push({ path, authorization: request.headers.authorization, form });
    if (script.hangingPaths.includes(path)) return;
    const document = await respondTo(path, form);
    response.writeHead('error' in document ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document));
  }

  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    script,
    requests,
    authorize(authorizationUrl, account) {
      const query = new URL(authorizationUrl).searchParams;
      const code = `code-${codes.size}-${query.get('state') ?? ''}`;
      codes.set(code, { nonce: query.get('nonce'), ...account });
      const callback = new URL(query.get('redirect_uri') ?? '');
      const parameters = { code, state: query.get('state') ?? '', ...script.response };
      for (const [name, value] of Object.entries(parameters))
        if (value !== undefined) callback.searchParams.set(name, value);
      return `${callback.pathname}${callback.search}`;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Settings that allow the server to contact a provider on the same machine. */
export const LOOPBACK_PROVIDERS = { outgoingHttp: true, outgoingNetworks: ['127.0.0.0/8'] };

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** Registers the provider as `id`, or changes its registration. */
export async function setProvider(
  running: RunningService,
  { issuer }: Pick<ScriptedProvider, 'issuer'>,
  fields: Partial<ProviderFields> = {},
  id = 'corp',
): Promise<void> {
  const defaults = { ...newProviderFields('custom'), name: 'Corp', issuer, clientId: CLIENT_ID, secret: CLIENT_SECRET };
  const { projections, providerRegistry } = running.service();
  const existingProvider = projections.upstreamProviders.find(id);
  const set = await providerRegistry.set(id, { ...defaults, ...fields }, existingProvider, OPERATOR);
  if ('errors' in set) throw new Error(JSON.stringify(set.errors));
}

/** Begins a login, and returns the provider's URL that the browser is redirected to. */
export async function beginLogin(browser: BrowserSession, id = 'corp', next = '/accounts/'): Promise<string> {
  const page = await browser.get(`/accounts/login/?${new URLSearchParams({ next }).toString()}`);
  const response = await browser.submit(page, {}, `/accounts/login/provider/${id}/`);
  if (response.location === null) throw new Error(`${response.status} ${response.html}`);
  return response.location;
}

/** Logs in with an account at the provider, and returns the page that the provider redirects the browser to. */
export async function logInThrough(
  browser: BrowserSession,
  provider: ScriptedProvider,
  account: Json,
  id = 'corp',
  next = '/accounts/',
): Promise<Page> {
  return browser.get(provider.authorize(await beginLogin(browser, id, next), account));
}

/** Links an account at the provider to the user who is logged in. */
export async function linkAccount(
  browser: BrowserSession,
  provider: ScriptedProvider,
  account: Json,
  id = 'corp',
): Promise<Page> {
  const response = await browser.submit(await browser.get('/accounts/ways/'), {}, `/accounts/ways/link/${id}/`);
  if (response.location === null) throw new Error(`${response.status} ${response.html}`);
  return browser.get(provider.authorize(response.location, account));
}
