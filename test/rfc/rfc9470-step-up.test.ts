import { englishMessages } from '../support/english-messages.ts';
import { expect } from 'chai';
import { decodeJwt } from 'jose';
import Koa from 'koa';
import * as client from 'openid-client';
import { createApp } from '../../src/http/app.ts';
import { bearerToken } from '../../src/http/pipeline/bearer-token.ts';
import { requirePolicy, type RequirePolicyOptions } from '../../src/http/pipeline/require-policy.ts';
import { allScopes, alternativeScopes, authenticatedOrScope } from '../../src/policy/policies.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { remoteIntrospection } from '../../src/policy/resource-server/remote-introspection.ts';
import { approve, authorizePath, expectErrorRedirect, openSession } from '../support/authorize-requests.ts';
import { addPasskey, createAuthenticator, logInWithPasskey } from '../support/authenticator.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { withServer } from '../support/with-server.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningOptions,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';

interface ApiResponse {
  readonly status: number;
  readonly challenge: string;
  readonly body: unknown;
  readonly requestId: string;
}

const METADATA = 'https://api.example/.well-known/oauth-protected-resource';

describe('RFC 9470 (step-up authentication)', () => {
  let running: RunningService;
  let app: TestClient;
  let ada: TestUser;

  beforeEach(() => start());
  async function start(options: RunningOptions = {}): Promise<void> {
    running = await runningService(options);
    app = await running.addClient();
    ada = await running.addUser('ada');
  }
  afterEach(() => running.close());

  type Options = Pick<RequirePolicyOptions<Koa.Context>, 'maxAge' | 'acr' | 'resourceMetadata'>;

  function guard(server: Koa, options: Options, policy: Policy): Koa {
    server.use(requirePolicy(policy, options, running.clock)).use((ctx) => {
      ctx.body = 'done';
    });
    return server;
  }

  /** Creates a server that embeds Grantlog and guards its own route. */
  function createEmbeddedServer(options: Options, policy: Policy = allScopes(['read'])): Koa {
    const log = { error: (details: Readonly<Record<string, unknown>>) => expect.fail(String(details['err'])) };
    return guard(createApp(running.service(), log), options, policy);
  }

  /** Creates a separate API that caches introspection responses. */
  async function createSeparateApi(options: Options): Promise<Koa> {
    const { id: clientId, secret: clientSecret } = await running.addClient();
    const find = remoteIntrospection(
      { endpoint: `${running.origin()}/o/introspect/`, clientId, clientSecret, cacheSeconds: 3600 },
      { clock: running.clock, entropy: seededEntropy('cache') },
    );
    const api = new Koa();
    api.use(bearerToken({ find }));
    return guard(api, options, allScopes(['read']));
  }

  async function request(origin: string, token: string | undefined): Promise<ApiResponse> {
    const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
    const response = await fetch(`${origin}/accounts-overview`, headers && { headers });
    const text = await response.text();
    return {
      status: response.status,
      challenge: response.headers.get('www-authenticate') ?? '',
      body: text.startsWith('{') ? JSON.parse(text) : text,
      requestId: response.headers.get('x-request-id') ?? '',
    };
  }

  const readParameters = ({ challenge }: ApiResponse): Readonly<Record<string, string>> =>
    Object.fromEntries(
      [...challenge.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    );

  /** Sends an authorization request, and returns the resulting page or redirect. */
  const requestAuthorization = (browser: BrowserSession, parameters: Readonly<Record<string, string>>): Promise<Page> =>
    browser.get(authorizePath(app, { scope: 'read', ...parameters }));

  async function redeem({ location }: Page): Promise<Readonly<Record<string, unknown>>> {
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const { json } = await running.token(app, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    return json ?? {};
  }

  async function issueToken(
    browser: BrowserSession,
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const page = await browser.submit(await requestAuthorization(browser, parameters), { allow: 'Authorize' });
    return String((await redeem(page))['access_token']);
  }

  const isLoginRedirect = ({ location }: Page): boolean => location?.startsWith('/accounts/login/?') === true;

  it('admits a client that follows the challenge (§4), in both an embedded and a separate API', async () => {
    const browser = await openSession(running, ada);
    const device = createAuthenticator();
    await addPasskey(browser, ada.password, device);
    const weakToken = await issueToken(browser);
    const options = { acr: 'phr', maxAge: 300 };
    await withServer(createEmbeddedServer(options), async (embeddedOrigin) =>
      withServer(await createSeparateApi(options), async (separateOrigin) => {
        const challenge = readParameters(await request(embeddedOrigin, weakToken));
        expect(challenge).to.include({ error: 'insufficient_user_authentication', acr_values: 'phr', max_age: '300' });
        expect(readParameters(await request(separateOrigin, weakToken))).to.deep.equal(challenge);

        const { acr_values = '', max_age = '', scope = '' } = challenge;
        const redirect = await requestAuthorization(browser, { acr_values, max_age, scope });
        expect(isLoginRedirect(redirect)).to.equal(true);
        running.clock.advance(1);
        await logInWithPasskey(browser, device);
        const nextPath = new URL(redirect.location ?? '', running.origin()).searchParams.get('next') ?? '';
        const consent = await browser.submit(await browser.get(nextPath), { allow: 'Authorize' });
        const strongToken = String((await redeem(consent))['access_token']);
        const origins = [embeddedOrigin, separateOrigin];
        for (const origin of origins)
          expect(await request(origin, strongToken)).to.include({ status: 200, body: 'done' });

        running.clock.advance(300);
        for (const origin of origins) expect(await request(origin, strongToken)).to.include({ status: 200 });
        running.clock.advance(1);
        for (const origin of origins)
          expect(await request(origin, strongToken)).to.deep.include({
            status: 401,
            body: { detail: "The user's login is too old.", acr_values: ['phr'], max_age: 300 },
          });
      }),
    );
  });

  it("describes the required login (§3), with the API's scope and metadata", async () => {
    const token = await issueToken(await openSession(running, ada), { scope: 'read' });
    const options = { acr: ['phr', 'mfa'], maxAge: 60, resourceMetadata: METADATA };
    await withServer(createEmbeddedServer(options), async (origin) => {
      expect(await request(origin, token)).to.deep.include({
        status: 401,
        challenge:
          'Bearer realm="api", error="insufficient_user_authentication", ' +
          `error_description="The user's login is too weak.", acr_values="phr mfa", max_age="60", scope="read", ` +
          `resource_metadata="${METADATA}"`,
        body: { detail: "The user's login is too weak.", acr_values: ['phr', 'mfa'], max_age: 60 },
      });
    });
    await withServer(createEmbeddedServer({ acr: 'mfa' }, allScopes([])), async (origin) => {
      expect(readParameters(await request(origin, token))).to.have.all.keys(
        'realm',
        'error',
        'error_description',
        'acr_values',
      );
    });
  });

  it('also states the missing scope, so that one authorization is sufficient', async () => {
    const token = await issueToken(await openSession(running, ada), { scope: 'read' });
    const readScope = async (policy: Policy): Promise<string | undefined> => {
      let scope: string | undefined;
      await withServer(createEmbeddedServer({ acr: 'phr' }, policy), async (origin) => {
        ({ scope } = readParameters(await request(origin, token)));
      });
      return scope;
    };
    expect(await readScope(allScopes(['write', 'groups']))).to.equal('write groups');
    expect(await readScope(alternativeScopes({ GET: [['groups', 'read'], ['write']] }))).to.equal('write');
    expect(await readScope(alternativeScopes({ GET: [['write'], ['read']] }))).to.equal('read');
    expect(await readScope(alternativeScopes({ POST: [['read']] })), 'no sufficient scope').to.equal(undefined);
  });

  it('refuses an invalid or missing token just as a route without a required login does', async () => {
    for (const policy of [allScopes(['read']), authenticatedOrScope(['read'])])
      await withServer(createEmbeddedServer({ acr: 'phr' }, policy), async (origin) => {
        expect(readParameters(await request(origin, 'unknown'))).to.include({ error: 'invalid_token' });
        expect(await request(origin, undefined)).to.include({
          status: 401,
          challenge: 'Bearer realm="api", scope="read", DPoP algs="ES256 PS256 RS256 EdDSA Ed25519"',
        });
      });
  });

  it('also applies to web sessions', async () => {
    const browser = await openSession(running, ada);
    for (const [options, status] of [
      [{ maxAge: 60, acr: 'pwd' }, 200],
      [{ acr: 'mfa' }, 401],
    ] as const)
      await withServer(createEmbeddedServer(options, authenticatedOrScope(['read'])), async (origin) => {
        const cookie = browser.cookieHeader('/');
        expect((await fetch(`${origin}/overview`, { headers: { cookie } })).status).to.equal(status);
      });
  });

  it('is explained for old logins and for tokens without a user', async () => {
    const browser = await openSession(running, ada);
    const tokens = {
      'too-old': await issueToken(browser),
      'no-user': String((await running.token(app, { grant_type: 'client_credentials' })).json?.['access_token']),
    };
    running.clock.advance(7200);
    await withServer(createEmbeddedServer({ maxAge: 3600, acr: 'pwd' }), async (origin) => {
      for (const [problem, token] of Object.entries(tokens)) {
        const { requestId } = await request(origin, token);
        const explanation = running.service().explanations.find(requestId);
        expect(explanation).to.deep.include({ rule: 'login-insufficient', clientId: app.id, isProven: true });
        expect(explanation?.details).to.include({ problem });
        expect(englishMessages(explanation)).to.include({ expected: 'a login at most 60 minutes ago, and acr pwd' });
        for (const text of Object.values(englishMessages(explanation))) expect(text).not.to.match(/undefined|null|NaN/);
      }
    });
  });

  describe('§5: the authorization request', () => {
    for (const scope of ['read', 'openid read'])
      it(`is refused if the login does not meet acr_values, with the scope ${scope}`, async () => {
        const browser = await openSession(running, ada);
        const page = await requestAuthorization(browser, { acr_values: 'phr', scope });
        expect(isLoginRedirect(page)).to.equal(true);
        running.clock.advance(1);
        const { username, password } = ada;
        const pageAfterLogin = await browser.submitAndFollow(
          await browser.get(page.location ?? ''),
          { username, password },
          '/accounts/login/',
        );
        expectErrorRedirect(pageAfterLogin, 'unmet_authentication_requirements');
        expectErrorRedirect(
          await requestAuthorization(browser, { acr_values: 'phr', prompt: 'none' }),
          'login_required',
        );
      });

    it('is satisfied by any of the requested classes or by a stronger class', async () => {
      const browser = await openSession(running, ada);
      const device = createAuthenticator();
      await addPasskey(browser, ada.password, device);
      expect((await requestAuthorization(browser, { acr_values: 'phr pwd' })).status).to.equal(200);
      await logInWithPasskey(browser, device);
      app = await running.addClient({ accessTokenFormat: 'jwt' });
      for (const [acr_values, acr] of [
        ['mfa', 'mfa'],
        ['phr mfa', 'phr'],
        ['urn:gold', 'phr'],
      ] as const)
        expect(decodeJwt(await issueToken(browser, { acr_values }))).to.include({ acr });
    });

    it('can contain classes that this server does not support', async () => {
      const browser = await openSession(running, ada);
      expect((await requestAuthorization(browser, { acr_values: 'urn:gold urn:silver' })).status).to.equal(200);
      expect(isLoginRedirect(await requestAuthorization(browser, { acr_values: 'urn:gold phr' }))).to.equal(true);
    });

    it('is recorded with its classes, even without OpenID Connect', async () => {
      await issueToken(await openSession(running, ada), { acr_values: 'pwd urn:gold' });
      const consent = (await running.events()).find(({ type }) => type === 'ConsentGiven');
      expect(consent?.data).to.have.nested.property('requested.acrValues').that.deep.equals(['pwd', 'urn:gold']);
    });
  });

  describe('§6: the login in access tokens', () => {
    it('is in JWTs and introspection responses, even after a refresh, but not without a user', async () => {
      const browser = await openSession(running, ada);
      const auth_time = Math.floor(running.clock.now() / 1000);
      running.clock.advance(60);
      for (const accessTokenFormat of ['opaque', 'jwt'] as const) {
        app = await running.addClient({ accessTokenFormat });
        const page = await browser.submit(await requestAuthorization(browser, {}), { allow: 'Authorize' });
        const first = await redeem(page);
        const { json: second } = await running.token(app, {
          grant_type: 'refresh_token',
          refresh_token: String(first['refresh_token']),
        });
        const { json: clientResponse } = await running.token(app, { grant_type: 'client_credentials' });
        const { json: passwordResponse } = await running.token(app, { grant_type: 'password', ...ada });
        const now = Math.floor(running.clock.now() / 1000);
        for (const [response, expected] of [
          [first, { auth_time, acr: 'pwd' }],
          [second, { auth_time, acr: 'pwd' }],
          [passwordResponse, { auth_time: now, acr: 'pwd' }],
          [clientResponse, {}],
        ] as const) {
          const token = String(response?.['access_token']);
          const { json: introspection } = await running.post('/o/introspect/', { token }, { authorization: app.basic });
          const descriptions = [introspection, ...(accessTokenFormat === 'jwt' ? [decodeJwt(token)] : [])];
          for (const claims of descriptions)
            expect({
              ...(claims && 'auth_time' in claims ? { auth_time: claims['auth_time'] } : {}),
              ...(claims && 'acr' in claims ? { acr: claims['acr'] } : {}),
            }).to.deep.equal(expected);
        }
      }
    });
  });

  it('is supported by openid-client, which reads the challenge and authorizes again', async () => {
    await running.close();
    await start({ isItsOwnIssuer: true, startsAt: Date.now() });
    const config = await client.discovery(new URL(running.origin()), app.id, {}, client.ClientSecretBasic(app.secret), {
      execute: [client.allowInsecureRequests],
    });
    const oldToken = await issueToken(await openSession(running, ada));
    running.clock.advance(301);
    await withServer(createEmbeddedServer({ maxAge: 300 }), async (origin) => {
      const api = new URL('/overview', origin);
      const refusal = await client.fetchProtectedResource(config, oldToken, api, 'GET').then(
        () => expect.fail('the request was accepted'),
        (error: unknown) => error as client.WWWAuthenticateChallengeError,
      );
      const parameters = (refusal.cause[0]?.parameters ?? {}) as Readonly<Record<string, string>>;
      const { error, max_age = '', scope = '' } = parameters;
      expect({ error, max_age, scope }).to.deep.equal({
        error: 'insufficient_user_authentication',
        max_age: '300',
        scope: 'read',
      });
      const authorizationUrl = client.buildAuthorizationUrl(config, { redirect_uri: REDIRECT_URI, scope, max_age });
      const tokens = await client.authorizationCodeGrant(config, await approve(running, ada, authorizationUrl));
      const response = await client.fetchProtectedResource(config, tokens.access_token, api, 'GET');
      expect(await response.text()).to.equal('done');
    });
  });
});
