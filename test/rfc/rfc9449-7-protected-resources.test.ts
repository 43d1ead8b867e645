import { expect } from 'chai';
import fc from 'fast-check';
import Koa from 'koa';
import * as client from 'openid-client';
import { createApp } from '../../src/http/app.ts';
import { policiesOf } from '../../src/http/pipeline/require-policy.ts';
import { bearerToken, policies, remoteIntrospection, requirePolicy } from '../../src/index.ts';
import { methodsOf, routesOf } from '../support/app-routes.ts';
import { keyPairFor } from '../support/assertions.ts';
import { approve } from '../support/authorize-requests.ts';
import { clientCertHeaders, issueCertificate } from '../support/certificates.ts';
import {
  forgedProof,
  signProof,
  updateSecuritySettings,
  NONCE_PERIOD_SECONDS,
  tokenWithProof,
  type ProofChanges,
} from '../support/dpop.ts';
import { withServer } from '../support/with-server.ts';
import { secureRequests } from '../support/signed-requests.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
} from '../support/running-service.ts';

const ISSUER = 'http://localhost:8000';
const KEY = keyPairFor('ES256', 'DPoP key');
const THIEF_KEY = keyPairFor('ES256', 'key of a thief');
const ALGORITHMS = 'ES256 PS256 RS256 EdDSA Ed25519';

interface Target {
  readonly method: string;
  readonly path: string;
}

describe('RFC 9449 §7: protected resources', () => {
  let running: RunningService;
  let app: TestClient;

  beforeEach(async () => {
    running = await runningService();
    running.clock.advance(NONCE_PERIOD_SECONDS);
    app = await running.addClient();
  });
  afterEach(() => running.close());

  async function issueBoundToken(scope = 'read write groups', key = KEY): Promise<string> {
    const parameters = { grant_type: 'client_credentials', scope };
    const { json } = await tokenWithProof(running, app, parameters, await signProof(running, key));
    expect(json).to.include({ token_type: 'DPoP' });
    return String(json?.['access_token']);
  }

  const signProofFor = async ({ method, path }: Target, accessToken: string, changes: ProofChanges = {}, key = KEY) =>
    signProof(running, key, {
      accessToken,
      ...changes,
      claims: { htm: method, htu: `${ISSUER}${path}`, ...changes.claims },
    });

  const send = ({ method, path }: Target, headers: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${running.origin()}${path}`, { method, headers });

  const readChallenge = ({ headers }: { readonly headers: Headers }): string => headers.get('www-authenticate') ?? '';

  /** Returns every route of this server that requires a token. */
  function listProtectedRoutes(): readonly Target[] {
    const table = createApp(running.service(), { error: () => expect.fail('an error was logged') });
    const routes = routesOf(table).filter(
      ({ authentication, pipeline }) =>
        authentication === 'bearer' && pipeline.some((step) => policiesOf(step).length > 0),
    );
    return routes.flatMap((route) =>
      methodsOf(route)
        .filter((method) => ['GET', 'POST'].includes(method))
        .map((method) => ({ method, path: `${route.path.replace(/\/[:*]\w+/, '/1')}/` })),
    );
  }

  it('accept the token with a proof from its holder', async () => {
    const users = { method: 'GET', path: '/users/' };
    const token = await issueBoundToken();
    const dpop = await signProofFor(users, token);
    const response = await send(users, { authorization: `dpop ${token}`, dpop });
    expect([response.status, response.headers.get('dpop-nonce')]).to.deep.equal([200, null]);
    const create = { method: 'POST', path: '/users/' };
    const body = new URLSearchParams({ username: 'bob', password: "bob's long password" });
    const headers = { authorization: `DPoP ${token}`, dpop: await signProofFor(create, token) };
    const createResponse = await fetch(`${running.origin()}/users/?x=1`, { method: 'POST', headers, body });
    expect(createResponse.status, 'the token is checked again after the body').to.equal(201);
  });

  it('refuse the token on every protected route with a different proof, method, URL, token or time', async () => {
    const token = await issueBoundToken();
    const otherToken = await issueBoundToken();
    const routes = listProtectedRoutes();
    expect(routes.map(({ path }) => path)).to.include.members(['/users/', '/groups/', '/o/userinfo/', '/o/events/']);
    const now = (): number => Math.floor(running.clock.now() / 1000);
    const attacks: Readonly<Record<string, (target: Target) => Promise<Readonly<Record<string, string>>>>> = {
      'as a bearer token': async (target) => ({
        authorization: `Bearer ${token}`,
        dpop: await signProofFor(target, token),
      }),
      'without a proof': async () => ({ authorization: `DPoP ${token}` }),
      "with a thief's key": async (target) => dpop(await signProofFor(target, token, {}, THIEF_KEY)),
      "with the holder's key and a thief's signature": async (target) => {
        const { kid: _, ...jwk } = KEY.jwk;
        return dpop(await signProofFor(target, token, { header: { jwk } }, THIEF_KEY));
      },
      'for a different method': async (target) =>
        dpop(await signProofFor(target, token, { claims: { htm: 'DELETE' } })),
      'for a different path': async (target) =>
        dpop(await signProofFor(target, token, { claims: { htu: `${ISSUER}/elsewhere/` } })),
      'for a different host': async (target) =>
        dpop(await signProofFor(target, token, { claims: { htu: `https://evil.example${target.path}` } })),
      'for the path in a different case': async (target) =>
        dpop(await signProofFor(target, token, { claims: { htu: `${ISSUER}${target.path.toUpperCase()}` } })),
      'for a different token': async (target) => dpop(await signProofFor(target, otherToken)),
      'for no token': async (target) =>
        dpop(await signProof(running, KEY, { claims: { htm: target.method, htu: `${ISSUER}${target.path}` } })),
      'from long ago': async (target) => dpop(await signProofFor(target, token, { claims: { iat: now() - 61 } })),
      'from the future': async (target) => dpop(await signProofFor(target, token, { claims: { iat: now() + 31 } })),
      'with a wrong nonce': async (target) => dpop(await signProofFor(target, token, { claims: { nonce: 'guessed' } })),
      'without a signature': async (target) => {
        const { kid: _, ...jwk } = KEY.jwk;
        const claims = { jti: 'x', htm: target.method, htu: `${ISSUER}${target.path}`, iat: now() };
        return dpop(forgedProof({ typ: 'dpop+jwt', alg: 'none', jwk }, claims));
      },
      'twice in one header': async (target) =>
        dpop(`${await signProofFor(target, token)}, ${await signProofFor(target, token)}`),
      'a second time': async (target) => {
        const headers = dpop(await signProofFor(target, token));
        const first = await send(target, headers);
        await first.body?.cancel();
        expect(first.status, `${target.method} ${target.path}`).not.to.equal(401);
        return headers;
      },
    };
    function dpop(proof: string): Readonly<Record<string, string>> {
      return { authorization: `DPoP ${token}`, dpop: proof };
    }
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...routes), fc.constantFrom(...Object.keys(attacks)), async (target, name) => {
        const response = await send(target, (await attacks[name]?.(target)) ?? {});
        await response.body?.cancel();
        expect(response.status, `${target.method} ${target.path} ${name}`).to.equal(401);
        expect(readChallenge(response), name).to.match(
          name === 'as a bearer token' ? /^Bearer .*invalid_token.*, DPoP algs=/ : /^DPoP .*error="/,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('state the error and the algorithms, and send a nonce if the proof requires it (§7.1, §9)', async () => {
    const token = await issueBoundToken();
    const users = { method: 'GET', path: '/users/' };
    const missingTokenResponse = await send(users, {});
    expect(readChallenge(missingTokenResponse)).to.match(
      /^Bearer realm="api", scope="[^"]+", resource_metadata="[^"]+", DPoP algs="[^"]+"$/,
    );
    const unknownTokenResponse = await send(users, { authorization: 'DPoP unknown' });
    expect(readChallenge(unknownTokenResponse)).to.include(
      `DPoP realm="api", error="invalid_token", algs="${ALGORITHMS}"`,
    );
    const malformedProofResponse = await send(users, { authorization: `DPoP ${token}`, dpop: 'x' });
    expect(readChallenge(malformedProofResponse)).to.include(
      'DPoP realm="api", error="invalid_dpop_proof", error_description="',
    );

    await running.restart();
    const iat = Math.floor(running.clock.now() / 1000);
    const nonceResponse = await send(users, { authorization: `DPoP ${token}`, dpop: await signProofFor(users, token) });
    expect(readChallenge(nonceResponse)).to.include('error="use_dpop_nonce"');
    const nonce = nonceResponse.headers.get('dpop-nonce') ?? '';
    const dpop = await signProofFor(users, token, { claims: { nonce, iat } });
    const response = await send(users, { authorization: `DPoP ${token}`, dpop });
    expect([response.status, response.headers.get('dpop-nonce')]).to.deep.equal([200, nonce]);

    const explanation = running.service().explanations.find(nonceResponse.headers.get('x-request-id') ?? '');
    expect(explanation).to.include({
      rule: 'dpop-nonce-needed',
      error: 'use_dpop_nonce',
      clientId: app.id,
      isProven: false,
    });
  });

  it("refuse proofs with an algorithm that the client's profile forbids (FAPI 2.0 §5.4.1)", async () => {
    const key = keyPairFor('RS256', 'RSA key');
    const users = { method: 'GET', path: '/users/' };
    const token = await issueBoundToken('read', key);
    const fetchStatus = async (alg: string): Promise<number> => {
      const dpop = await signProofFor(users, token, { header: { alg } }, key);
      return (await send(users, { authorization: `DPoP ${token}`, dpop })).status;
    };
    expect(await fetchStatus('RS256')).to.equal(200);
    await secureRequests(running, app, [keyPairFor('ES256')], { profile: 'fapi2' });
    expect([await fetchStatus('PS256'), await fetchStatus('RS256')]).to.deep.equal([200, 401]);
  });

  it('use the DPoP scheme in the challenge if the scope is insufficient', async () => {
    const token = await issueBoundToken('read');
    const groups = { method: 'GET', path: '/groups/' };
    const response = await send(groups, { authorization: `DPoP ${token}`, dpop: await signProofFor(groups, token) });
    expect([response.status, readChallenge(response)]).to.deep.equal([
      403,
      'DPoP error="insufficient_scope", scope="groups", ' +
        'resource_metadata="http://localhost:8000/.well-known/oauth-protected-resource"',
    ]);
  });

  it('refuse an unbound token with the DPoP scheme', async () => {
    const { json } = await running.token(app, { grant_type: 'client_credentials' });
    const token = String(json?.['access_token']);
    const users = { method: 'GET', path: '/users/' };
    const refusal = await send(users, { authorization: `DPoP ${token}`, dpop: await signProofFor(users, token) });
    expect([refusal.status, readChallenge(refusal).includes('error="invalid_token"')]).to.deep.equal([401, true]);
    expect((await send(users, { authorization: `Bearer ${token}` })).status).to.equal(200);
    const explanation = running.service().explanations.find(refusal.headers.get('x-request-id') ?? '');
    expect(explanation).to.include({ rule: 'token-unbound', clientId: app.id, isProven: false });
  });

  it('refuse a bound token in the body of a userinfo request', async () => {
    const body = { access_token: await issueBoundToken() };
    const target = { method: 'POST', path: '/o/userinfo/' };
    const dpop = await signProofFor(target, body.access_token);
    const { status, headers } = await running.post(target.path, body, { dpop });
    expect([status, headers.get('www-authenticate')?.includes('invalid_token')]).to.deep.equal([401, true]);
  });

  it('include the introspection endpoint for callers with a token', async () => {
    const caller = await running.addClient({ restrictedScopes: ['introspection'] });
    const { json } = await tokenWithProof(
      running,
      caller,
      { grant_type: 'client_credentials', scope: 'introspection' },
      await signProof(running, KEY),
    );
    const boundToken = String(json?.['access_token']);
    const target = { method: 'POST', path: '/o/introspect/' };
    const introspect = async (headers: Readonly<Record<string, string>>): Promise<TestResponse> =>
      running.post(target.path, { token: boundToken }, headers);
    const dpop = await signProofFor(target, boundToken);
    expect((await introspect({ authorization: `DPoP ${boundToken}`, dpop })).json).to.include({ active: true });
    for (const headers of [
      { authorization: `Bearer ${boundToken}` },
      { authorization: `DPoP ${boundToken}` },
      { authorization: `DPoP ${boundToken}`, dpop: await signProofFor(target, boundToken, {}, THIEF_KEY) },
      { authorization: `DPoP ${boundToken}`, dpop },
    ])
      expect((await introspect(headers)).status).to.be.within(400, 401);
  });

  describe('in another process', () => {
    const options = { maxAge: 3600, senderConstrained: true };

    async function createApi(baseUrl?: string): Promise<Koa> {
      const { id: clientId, secret: clientSecret } = await running.addClient();
      const find = remoteIntrospection({ endpoint: `${running.origin()}/o/introspect/`, clientId, clientSecret });
      const server = new Koa();
      server.silent = true;
      server.use(bearerToken({ find }, baseUrl === undefined ? {} : { baseUrl }));
      server.use(requirePolicy(policies.allScopes(['read']), options)).use((ctx) => {
        ctx.body = 'done';
      });
      return server;
    }

    it("accept openid-client's tokens only from the key's holder, as this server does", async () => {
      await running.close();
      running = await runningService({ isItsOwnIssuer: true, startsAt: Date.now() });
      const { id, secret } = await running.addClient();
      await updateSecuritySettings(running, { id }, { dpopBoundAccessTokens: true });
      const ada = await running.addUser('ada');
      const config = await client.discovery(new URL(running.origin()), id, {}, client.ClientSecretBasic(secret), {
        execute: [client.allowInsecureRequests],
      });
      const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
      const authorizationUrl = client.buildAuthorizationUrl(config, {
        redirect_uri: REDIRECT_URI,
        scope: 'read openid',
      });
      const callback = await approve(running, ada, authorizationUrl);
      const tokens = await client.authorizationCodeGrant(config, callback, {}, {}, { DPoP });
      expect(tokens.token_type).to.equal('dpop');
      const { sub = '' } = tokens.claims() ?? {};
      const info = await client.fetchUserInfo(config, tokens.access_token, sub, { DPoP });
      expect(info.sub).to.equal(sub);

      const server = await createApi('https://api.example/v1/');
      await withServer(server, async (origin) => {
        // The proxy in front of the API is at https://api.example/v1.
        config[client.customFetch] = async (url, init) =>
          fetch(url.replace('https://api.example/v1', origin), init as RequestInit);
        const target = new URL('https://api.example/v1/widgets?x=1');
        const fetchWith = (handle: client.DPoPHandle) =>
          client.fetchProtectedResource(config, tokens.access_token, target, 'GET', undefined, undefined, {
            DPoP: handle,
          });
        expect(await (await fetchWith(DPoP)).text()).to.equal('done');
        expect(await (await fetchWith(DPoP)).text(), 'with a cached introspection and a new proof').to.equal('done');
        const thiefHandle = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
        const refusal = await fetchWith(thiefHandle).then(
          () => expect.fail('the request was accepted'),
          (error: unknown) => error as client.WWWAuthenticateChallengeError,
        );
        expect(refusal.cause[0]).to.deep.include({ scheme: 'dpop' });
        expect(refusal.cause[0]?.parameters.error).to.equal('invalid_token');
        const bearerResponse = await fetch(`${origin}/widgets`, {
          headers: { authorization: `Bearer ${tokens.access_token}` },
        });
        expect(bearerResponse.status).to.equal(401);
      });
      await withServer(await createApi(), async (origin) => {
        for (const scheme of ['Bearer', 'DPoP']) {
          const headers = { authorization: `${scheme} ${tokens.access_token}` };
          expect((await fetch(origin, { headers })).status, 'an API without a base URL').to.equal(401);
        }
      });
    });

    it('refuse an invalid base URL when they are created', () => {
      const find = (): undefined => undefined;
      for (const baseUrl of ['', 'api.example', 'ftp://api.example', 'https://api.example/?x'])
        expect(() => bearerToken({ find }, { baseUrl })).to.throw(TypeError, 'baseUrl');
    });

    it('accept a certificate-bound token only with the certificate, from a trusted proxy (RFC 8705 §3)', async () => {
      const [ownCertificate, otherCertificate] = [issueCertificate(), issueCertificate()];
      const find = () => ({
        clientId: 'client',
        userId: 'alice',
        scope: ['read'],
        confirmation: { method: 'x5t#S256' as const, thumbprint: ownCertificate.thumbprint },
      });
      const createServer = (clientCertificateProxies: readonly string[]): Koa => {
        const server = new Koa();
        server.use(bearerToken({ find }, { clientCertificateProxies }));
        server.use(requirePolicy(policies.allScopes(['read']), { senderConstrained: true })).use((ctx) => {
          ctx.body = 'done';
        });
        return server;
      };
      for (const [proxies, certificate, status] of [
        [['127.0.0.1'], ownCertificate, 200],
        [['127.0.0.1'], otherCertificate, 401],
        [['127.0.0.1'], undefined, 401],
        [[], ownCertificate, 401],
        [['192.0.2.1'], ownCertificate, 401],
      ] as const)
        await withServer(createServer(proxies), async (origin) => {
          const headers = { authorization: 'Bearer token', ...(certificate && clientCertHeaders(certificate)) };
          expect((await fetch(origin, { headers })).status).to.equal(status);
        });
    });
  });
});
