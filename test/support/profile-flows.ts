import { hash } from 'node:crypto';
import fc from 'fast-check';
import { signAssertion, clientKeys, keyPairFor, withAssertion } from './assertions.ts';
import { openSession, parseRedirect } from './authorize-requests.ts';
import { signProof, NONCE_PERIOD_SECONDS } from './dpop.ts';
import { registerResource } from './resource-servers.ts';
import type { RunningService, TestClient } from './running-service.ts';

/** How a client gets tokens, in every respect that the FAPI 2.0 Security Profile restricts. */
export interface Flow {
  readonly grantType: 'authorization_code' | 'client_credentials' | 'password';
  readonly authentication: 'none' | 'secret' | 'key' | 'RS256' | 'one of both, the key' | 'one of both, the secret';
  readonly isPushed: boolean;
  readonly pkce: 'none' | 'S256' | 'plain';
  readonly redirectUri: 'https' | 'http';
  readonly statesRedirectUri: boolean;
  readonly hasProof: boolean;
  /** The requested resource server, if any. Its tokens are JWTs signed with this algorithm, or the client's. */
  readonly resource: 'none' | 'its own' | 'RS256' | 'ES256';
  /** The time from the code's issuance to its redemption. */
  readonly seconds: number;
}

/** Generates the first value in most flows, so that often only one value of a flow is invalid. */
const mostly = <Value>(valid: Value, ...others: readonly Value[]): fc.Arbitrary<Value> =>
  fc.constantFrom(valid, valid, valid, valid, valid, valid, ...others);

export const someFlow: fc.Arbitrary<Flow> = fc
  .record({
    grantType: mostly<Flow['grantType']>('authorization_code', 'client_credentials', 'client_credentials', 'password'),
    authentication: mostly<Flow['authentication']>(
      'key',
      'none',
      'secret',
      'RS256',
      'one of both, the key',
      'one of both, the secret',
    ),
    isPushed: mostly(true, false),
    pkce: mostly<Flow['pkce']>('S256', 'none', 'plain'),
    redirectUri: mostly<Flow['redirectUri']>('https', 'http'),
    statesRedirectUri: mostly(true, false),
    hasProof: mostly(true, false),
    resource: mostly<Flow['resource']>('none', 'its own', 'RS256', 'ES256'),
    seconds: mostly(0, 59, 60, 61, 599),
  })
  .filter(isDecidable);

/**
 * Reports whether the log shows everything that the result depends on. The log does not connect a pushed request to its
 * code, so it cannot show which of several methods authenticated the request, or the algorithm of the assertion that
 * did. A public client cannot get tokens for itself.
 */
function isDecidable({ grantType, authentication, isPushed }: Flow): boolean {
  if (grantType === 'client_credentials') return authentication !== 'none';
  if (grantType === 'password') return true;
  return !isPushed || !(authentication === 'RS256' || authentication.startsWith('one of both'));
}

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const URIS = { https: 'https://app.example/callback', http: 'http://app.example/callback' } as const;
const VERIFIER = 'a-verifier-of-a-flow-with-enough-characters';
const [KEY, RSA_KEY, PROOF_KEY] = [
  keyPairFor('ES256', 'of a flow'),
  keyPairFor('RS256', 'RSA key of a flow'),
  keyPairFor('ES256', 'of proofs of a flow'),
];

const METHODS: Readonly<Record<Flow['authentication'], readonly string[]>> = {
  none: ['none'],
  secret: ['client_secret_basic'],
  key: ['private_key_jwt'],
  RS256: ['private_key_jwt'],
  'one of both, the key': ['private_key_jwt', 'client_secret_basic'],
  'one of both, the secret': ['private_key_jwt', 'client_secret_basic'],
};

/** Registers a client for the flow. If it has the profile, it has a key and only settings that the profile allows. */
export async function registerFor(
  running: RunningService,
  { authentication, redirectUri }: Flow,
  { hasProfile }: { readonly hasProfile: boolean },
): Promise<TestClient> {
  const isPublic = authentication === 'none' && !hasProfile;
  const grants = isPublic ? ['authorization-code'] : ['authorization-code', 'client-credentials'];
  const client = await running.addClient({
    name: 'Flow',
    clientType: isPublic ? 'public' : 'confidential',
    grantTypes: (hasProfile ? grants : [...grants, 'password']) as ('authorization-code' | 'password')[],
    redirectUris: [hasProfile ? URIS.https : URIS[redirectUri]],
  });
  if (isPublic) return client;
  const { registration, projections } = running.service();
  const storedClient = projections.clients.find(client.id);
  if (storedClient === undefined) throw new Error('the client is not registered');
  const methods = hasProfile ? ['private_key_jwt'] : METHODS[authentication];
  const keys = methods.includes('private_key_jwt') ? await clientKeys(KEY, RSA_KEY) : [];
  const security = { ...storedClient.security, profile: hasProfile ? ('fapi2' as const) : null };
  const changedClient = { ...storedClient, authentication: { methods, keys }, security };
  const refusal = await registration.update(storedClient.clientId, changedClient, OPERATOR);
  if (refusal !== undefined) throw new Error(JSON.stringify(refusal));
  return client;
}

export interface PerformedRequest {
  readonly isAccepted: boolean;
}

/** Sends the requests of the flow in order. After a refusal, all later requests are refused, too. */
export async function performFlow(
  running: RunningService,
  client: TestClient,
  flow: Flow,
): Promise<readonly PerformedRequest[]> {
  running.clock.advance(NONCE_PERIOD_SECONDS); // proofs need no nonce
  const user = await running.addUser();
  const resource = await ensureResource(running, flow);
  const request = (parameters: Readonly<Record<string, string>>) => tokenRequest(running, client, flow, parameters);
  if (flow.grantType === 'client_credentials')
    return [toRequest(await request({ grant_type: 'client_credentials', ...resource }))];
  if (flow.grantType === 'password') {
    const firstResponse = await request({ grant_type: 'password', ...user, ...resource });
    return [toRequest(firstResponse), toRequest(await refresh(firstResponse.json))];
  }
  const code = await authorize(running, client, flow, await openSession(running, user));
  running.clock.advance(flow.seconds);
  const response = await request({
    grant_type: 'authorization_code',
    code: code ?? '',
    ...(flow.statesRedirectUri ? { redirect_uri: URIS[flow.redirectUri] } : {}),
    ...(flow.pkce === 'none' ? {} : { code_verifier: VERIFIER }),
  });
  return [{ isAccepted: code !== undefined }, toRequest(response), toRequest(await refresh(response.json))];

  function refresh(json: Readonly<Record<string, unknown>> | null | undefined) {
    const value = json?.['refresh_token'];
    return request({ grant_type: 'refresh_token', refresh_token: typeof value === 'string' ? value : '' });
  }
}

const toRequest = ({ status }: { readonly status: number }): PerformedRequest => ({ isAccepted: status === 200 });

/** Returns the code, or undefined if the request is refused. */
async function authorize(
  running: RunningService,
  client: TestClient,
  flow: Flow,
  browser: Awaited<ReturnType<typeof openSession>>,
): Promise<string | undefined> {
  const { isPushed, pkce, redirectUri, statesRedirectUri, authentication } = flow;
  const challenge = pkce === 'plain' ? VERIFIER : hash('sha256', VERIFIER, 'base64url');
  const query = {
    response_type: 'code',
    client_id: client.id,
    scope: 'read',
    ...(await ensureResource(running, flow)),
    ...(statesRedirectUri ? { redirect_uri: URIS[redirectUri] } : {}),
    ...(pkce === 'none' ? {} : { code_challenge: challenge, code_challenge_method: pkce }),
  };
  const { body, headers } = await credentialsFor(running, client, authentication);
  const pushResponse = isPushed ? await running.post('/o/par/', { ...query, ...body }, headers) : undefined;
  if (pushResponse !== undefined && pushResponse.status !== 201) return undefined;
  const authorizationQuery = pushResponse
    ? { client_id: client.id, request_uri: String(pushResponse.json?.['request_uri']) }
    : query;
  const page = await browser.get(`/o/authorize/?${new URLSearchParams(authorizationQuery).toString()}`);
  if (page.status !== 200) return undefined;
  return parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters['code'];
}

async function tokenRequest(
  running: RunningService,
  client: TestClient,
  { authentication, hasProof }: Flow,
  parameters: Readonly<Record<string, string>>,
) {
  const { body, headers } = await credentialsFor(running, client, authentication);
  const proof = hasProof ? { dpop: await signProof(running, PROOF_KEY) } : {};
  return running.post('/o/token/', { ...parameters, ...body }, { ...headers, ...proof });
}

/** Registers the flow's resource server if necessary, and returns the parameter that specifies it. */
async function ensureResource(
  running: RunningService,
  { resource }: Pick<Flow, 'resource'>,
): Promise<{ readonly resource?: string }> {
  if (resource === 'none') return {};
  const uri = `https://${resource.replace(' ', '-').toLowerCase()}.example`;
  if (running.service().projections.resources.find(uri) === undefined) {
    const accessTokenAlgorithm = resource === 'its own' ? null : resource;
    await registerResource(running, { uri, scopes: [], accessTokenFormat: 'jwt', accessTokenAlgorithm });
  }
  return { resource: uri };
}

interface Credentials {
  readonly body: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

async function credentialsFor(
  running: RunningService,
  client: TestClient,
  authentication: Flow['authentication'],
): Promise<Credentials> {
  if (authentication === 'none') return { body: { client_id: client.id }, headers: {} };
  if (authentication === 'secret' || authentication === 'one of both, the secret')
    return { body: {}, headers: { authorization: client.basic } };
  const assertion =
    authentication === 'RS256'
      ? await signAssertion(running, client, RSA_KEY, { header: { alg: 'RS256' } })
      : await signAssertion(running, client, KEY);
  return { body: withAssertion(assertion), headers: {} };
}
