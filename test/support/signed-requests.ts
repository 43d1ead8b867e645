import { hash } from 'node:crypto';
import { SignJWT } from 'jose';
import type { SecuritySettings } from '../../src/domain/security-settings.ts';
import { clientKeys, type ClientKeyPair } from './assertions.ts';
import { startHostileServer, type HostileServer } from './hostile-server.ts';
import { REDIRECT_URI, type TestResponse, type RunningService, type TestClient } from './running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ISSUER = 'http://localhost:8000';

type Claims = Readonly<Record<string, unknown>>;

/** Registers keys for request objects and changes security settings. With a profile, the keys also authenticate. */
export async function secureRequests(
  running: RunningService,
  { id }: Pick<TestClient, 'id'>,
  keys: readonly ClientKeyPair[],
  security: Partial<SecuritySettings> = {},
): Promise<void> {
  const { registration, projections } = running.service();
  const storedClient = projections.clients.find(id);
  if (storedClient === undefined) throw new Error('the client is not registered');
  const clientKeySettings = { keys: keys.length === 0 ? [] : await clientKeys(...keys), keysUri: null };
  const profileSettings = {
    grantTypes: ['authorization-code'],
    authentication: { ...storedClient.authentication, ...clientKeySettings, methods: ['private_key_jwt'] },
  };
  const changedClient = {
    ...storedClient,
    authentication: { ...storedClient.authentication, ...clientKeySettings },
    ...(security.profile ? profileSettings : {}),
    security: { ...storedClient.security, ...security },
  };
  const refusal = await registration.update(storedClient.clientId, changedClient, OPERATOR);
  if (refusal !== undefined) throw new Error(JSON.stringify(refusal));
}

/**
 * Returns the claims of a request object that is valid for the next minute, changed by `changes`; undefined removes a
 * claim.
 */
export function requestClaims(running: RunningService, { id }: Pick<TestClient, 'id'>, changes: Claims = {}): Claims {
  const now = Math.floor(running.clock.now() / 1000);
  const request = { response_type: 'code', client_id: id, redirect_uri: REDIRECT_URI, scope: 'read' };
  return { iss: id, aud: ISSUER, iat: now, nbf: now, exp: now + 60, ...request, ...changes };
}

/** Signs a request object. */
export async function signRequestObject(
  running: RunningService,
  client: Pick<TestClient, 'id'>,
  { privateKey, jwk }: ClientKeyPair,
  changes: { readonly claims?: Claims; readonly header?: Claims } = {},
): Promise<string> {
  const alg = jwk['kty'] === 'RSA' ? 'PS256' : jwk['kty'] === 'EC' ? 'ES256' : 'EdDSA';
  return new SignJWT(requestClaims(running, client, changes.claims))
    .setProtectedHeader({ alg, kid: String(jwk['kid']), typ: 'oauth-authz-req+jwt', ...changes.header })
    .sign(privateKey);
}

/** Builds a request object that a JOSE library would refuse to create. */
export function forgeRequestObject(header: object, claims: object, signature = ''): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode(header)}.${encode(claims)}.${signature}`;
}

/** The URL where clients publish request objects in tests. */
export const REQUEST_URI = 'https://app.example/request.jwt';

/** Sends the service's requests for app.example to the test's own server. */
export function redirectAppExample(running: RunningService, { port }: Pick<HostileServer, 'port'>): void {
  const { egress } = running.service();
  const { getText } = egress;
  Object.assign(egress, {
    getText: (...[purpose, url, maxBytes]: Parameters<typeof getText>) =>
      getText(purpose, url.replace('https://app.example', `http://127.0.0.1:${port}`), maxBytes),
  });
}

/** Starts a server that responds to every request with `text`. */
export function startTextServer(text: string): Promise<HostileServer> {
  const head = `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n`;
  return startHostileServer((socket) => void socket.end(`${head}${text}`));
}

/** Returns the hash that the log records for a request object. */
export const hashRequestObject = (requestObject: string): string => hash('sha256', requestObject, 'base64url');

/** Sends POST /o/par/ with HTTP Basic, or with a public client's ID. Omits undefined parameters. */
export function push(
  running: RunningService,
  { id, basic, secret }: TestClient,
  changes: Readonly<Record<string, string | undefined>> = {},
): Promise<TestResponse> {
  const all = { response_type: 'code', client_id: id, redirect_uri: REDIRECT_URI, scope: 'read', ...changes };
  const parameters = Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return running.post('/o/par/', parameters, secret === '' ? {} : { authorization: basic });
}

/** Pushes a request and returns its `request_uri`. */
export async function pushForUri(...request: Parameters<typeof push>): Promise<string> {
  const { status, json, text } = await push(...request);
  if (status !== 201) throw new Error(text);
  return String(json?.['request_uri']);
}

/** Returns the path of the authorization request that refers to a pushed request. */
export function pushedPath({ id }: Pick<TestClient, 'id'>, requestUri: string): string {
  return `/o/authorize/?${new URLSearchParams({ client_id: id, request_uri: requestUri }).toString()}`;
}
