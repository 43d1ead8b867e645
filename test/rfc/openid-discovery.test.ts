import { expect } from 'chai';
import { addManager, callGrant, create, managementToken, obtain } from '../support/managed-grants.ts';
import { RESTRICTED_SCOPES } from '../../src/domain/values.ts';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { SigningAlgorithm } from '../../src/domain/values.ts';
import { signAssertion, keyPairFor, registerKeys, withAssertion } from '../support/assertions.ts';
import { authorizePath, openSession, parseRedirect } from '../support/authorize-requests.ts';
import { addPasskey, createAuthenticator, logInWithPasskey } from '../support/authenticator.ts';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import { signProof, NONCE_PERIOD_SECONDS, tokenWithProof } from '../support/dpop.ts';
import { startHostileServer } from '../support/hostile-server.ts';
import {
  REDIRECT_URI,
  runningService,
  type ClientOptions,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';
import {
  redirectAppExample,
  REQUEST_URI,
  signRequestObject,
  secureRequests,
  startTextServer,
} from '../support/signed-requests.ts';

const PATH = '/.well-known/openid-configuration';
const OAUTH_PATH = '/.well-known/oauth-authorization-server';
const WEBFINGER = '/.well-known/webfinger';
const REL = 'http://openid.net/specs/connect/1.0/issuer';

type Metadata = Readonly<Record<string, unknown>>;
type Parameters = Readonly<Record<string, string>>;

describe('OpenID Connect Discovery §3: the metadata', () => {
  let running: RunningService;
  let metadata: Metadata;
  let client: TestClient;
  let user: TestUser;
  let browser: BrowserSession;

  before(async () => {
    running = await runningService({
      settings: { pkceMethods: ['S256', 'plain'], outgoingHttp: true, outgoingNetworks: ['127.0.0.0/8'] },
    });
    running.service().logoutDeliveries.start();
    metadata = (await running.get(PATH)).json ?? {};
    user = await running.addUser();
    client = await running.addClient();
    browser = await openSession(running, user);
  });
  after(() => running.close());

  const request = (parameters: Parameters = {}, application = client): Promise<Page> =>
    browser.get(authorizePath(application, { scope: 'openid', ...parameters }));

  async function requestTokens(parameters: Parameters = {}, options: Partial<ClientOptions> = {}): Promise<Parameters> {
    const application = await running.addClient(options);
    const code = await running.authorize(application, user, { scope: 'openid', ...parameters });
    const fields = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    return (await running.token(application, fields)).json as Parameters;
  }

  const readUserinfo = async ({ access_token = '' }: Parameters) =>
    running.get('/o/userinfo/', { authorization: `Bearer ${access_token}` });

  /** Returns claims from the logout token that a client receives, and the `sid` from its ID token. */
  async function receiveLogoutClaims(): Promise<Readonly<Record<string, unknown>>> {
    const relyingParty = await startHostileServer(
      (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
    );
    const application = await running.addClient({
      openid: { backchannelLogoutUri: `http://127.0.0.1:${relyingParty.port}/` },
    });
    const session = await openSession(running, user);
    const page = await session.submit(await session.get(authorizePath(application, { scope: 'openid' })), {
      allow: 'Authorize',
    });
    const { code = '' } = parseRedirect(page).parameters;
    const fields = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    const { json } = await running.token(application, fields);
    const { csrf_token = '' } = hiddenFields((await session.get('/accounts/')).html);
    await session.post('/accounts/logout/', { csrf_token });
    await relyingParty.waitForRequests(1);
    await relyingParty.close();
    const form = new URLSearchParams(relyingParty.requests[0]?.split('\r\n\r\n').at(-1));
    const { sid: idTokenSid } = decodeJwt(String(json?.['id_token']));
    const { iss, sid } = decodeJwt(form.get('logout_token') ?? '');
    return { iss, sid, idTokenSid };
  }

  const pathOf = (url: string): string => new URL(url).pathname;

  async function expectConsentPage(page: Page | Promise<Page>): Promise<void> {
    const { status, html } = await page;
    expect(status).to.equal(200);
    expect(html).to.include('name="allow"');
  }

  it('agrees with the RFC 8414 metadata on every shared member', async () => {
    const { json = {} } = await running.get(OAUTH_PATH);
    for (const [name, value] of Object.entries(json)) expect(metadata[name], name).to.deep.equal(value);
  });

  it('can be read by scripts from every origin, and cached', async () => {
    const { headers } = await running.get(PATH, { origin: 'https://app.example' });
    expect(headers.get('access-control-allow-origin')).to.equal('*');
    expect(headers.get('cache-control')).to.match(/^public, max-age=/);
  });

  /** Functions that use an advertised value successfully. Every member must have an entry. */
  const USES: Readonly<Record<string, (value: string) => Promise<unknown>>> = {
    issuer: async (value) =>
      expect(parseRedirect(await request({ scope: 'unknown' })).parameters['iss']).to.equal(value),
    authorization_endpoint: async (value) =>
      expectConsentPage(browser.get(authorizePath(client).replace(/^[^?]+/, pathOf(value)))),
    token_endpoint: async (value) => expect((await running.post(pathOf(value), {})).status).to.be.within(400, 401),
    revocation_endpoint: async (value) => expect((await running.post(pathOf(value), {})).status).to.be.within(400, 401),
    introspection_endpoint: async (value) =>
      expect((await running.post(pathOf(value), {})).status).to.be.within(400, 401),
    grant_management_endpoint: async (value) =>
      expect((await running.get(`${pathOf(value)}/unknown`)).status).to.equal(401),
    grant_management_actions_supported: async (action) => {
      const manager = await addManager(running);
      if (action === 'create') return expectConsentPage(browser.get(authorizePath(manager, create)));
      const { id } = await obtain(running, manager, user, { scope: 'read', ...create });
      if (action === 'query' || action === 'revoke') {
        const method = action === 'query' ? 'GET' : 'DELETE';
        const { status } = await callGrant(running, method, id, await managementToken(running, manager));
        return expect(status).to.equal(action === 'query' ? 200 : 204);
      }
      return expectConsentPage(browser.get(authorizePath(manager, { grant_management_action: action, grant_id: id })));
    },
    grant_management_action_required: async () => expectConsentPage(request({})),
    userinfo_endpoint: async (value) => expect((await running.get(pathOf(value))).status).to.equal(401),
    end_session_endpoint: async (value) => expect((await running.get(pathOf(value))).status).to.equal(200),
    jwks_uri: async (value) => expect((await running.get(pathOf(value))).json).to.have.property('keys'),
    protected_resources: async (resource) => expectConsentPage(request({ resource })),
    scopes_supported: async (scope) => {
      const restrictedScopes = RESTRICTED_SCOPES.filter((name) => name === scope);
      const application = await running.addClient({ restrictedScopes });
      if (scope === 'audit')
        expect(parseRedirect(await request({ scope }, application)).parameters).to.include({ error: 'invalid_scope' });
      else await expectConsentPage(request({ scope }, application));
    },
    response_types_supported: async (response_type) => expectConsentPage(request({ response_type })),
    response_modes_supported: async (response_mode) => {
      const page = await browser.submit(await request({ response_mode }), { allow: 'Authorize' });
      const fields = page.location === null ? hiddenFields(page.html) : parseRedirect(page).parameters;
      const claims = fields['response'] === undefined ? fields : decodeJwt(fields['response']);
      expect(claims).to.have.property('code');
    },
    authorization_signing_alg_values_supported: async (value) => {
      const registeredClient = await running.addClient({
        security: { authorizationResponseAlgorithm: value as 'RS256' },
      });
      const { parameters } = parseRedirect(await request({ response_mode: 'jwt', scope: 'unknown' }, registeredClient));
      expect(decodeProtectedHeader(parameters['response'] ?? '').alg).to.equal(value);
    },
    grant_types_supported: async (grant_type) =>
      expect((await running.token(client, { grant_type })).json?.['error']).not.to.equal('unsupported_grant_type'),
    token_endpoint_auth_methods_supported: (method) => authenticate('/o/token/', method),
    revocation_endpoint_auth_methods_supported: (method) => authenticate('/o/revoke_token/', method),
    introspection_endpoint_auth_methods_supported: (method) => authenticate('/o/introspect/', method),
    token_endpoint_auth_signing_alg_values_supported: (algorithm) => authenticateWithAlgorithm('/o/token/', algorithm),
    revocation_endpoint_auth_signing_alg_values_supported: (algorithm) =>
      authenticateWithAlgorithm('/o/revoke_token/', algorithm),
    introspection_endpoint_auth_signing_alg_values_supported: (algorithm) =>
      authenticateWithAlgorithm('/o/introspect/', algorithm),
    introspection_signing_alg_values_supported: async (value) => {
      const { basic } = await running.addClient({ security: { introspectionAlgorithm: value as 'RS256' } });
      const headers = { authorization: basic, accept: 'application/token-introspection+jwt' };
      const { text } = await running.post('/o/introspect/', { token: 'gla_x' }, headers);
      expect(decodeProtectedHeader(text).alg).to.equal(value);
    },
    code_challenge_methods_supported: async (code_challenge_method) =>
      expectConsentPage(request({ code_challenge_method, code_challenge: 'x'.repeat(43) })),
    dpop_signing_alg_values_supported: async (alg) => {
      running.clock.advance(NONCE_PERIOD_SECONDS);
      const key = keyPairFor(alg === 'Ed25519' ? 'EdDSA' : (alg as SigningAlgorithm));
      const proof = await signProof(running, key, { header: { alg } });
      const grant = { grant_type: 'client_credentials', scope: 'read' };
      expect((await tokenWithProof(running, client, grant, proof)).json).to.include({ token_type: 'DPoP' });
    },
    client_id_metadata_document_supported: async (value) => {
      const client_id = 'https://app.example/client.json';
      const { html } = await request({ client_id });
      expect(html.includes('accepts only registered applications')).to.equal(value === 'false');
    },
    authorization_response_iss_parameter_supported: async () =>
      expect(parseRedirect(await request({ scope: 'unknown' })).parameters).to.have.property('iss'),
    subject_types_supported: async (value) => {
      const subjectType = value as 'public' | 'pairwise';
      const { id_token = '', ...tokens } = await requestTokens({}, { openid: { subjectType } });
      expect(decodeJwt(id_token).sub).to.equal((await readUserinfo(tokens)).json?.['sub']);
    },
    id_token_signing_alg_values_supported: async (value) => {
      const { id_token = '' } = await requestTokens({}, { openid: { idTokenAlgorithm: value as 'RS256' } });
      expect(decodeProtectedHeader(id_token).alg).to.equal(value);
    },
    userinfo_signing_alg_values_supported: async (value) => {
      const { text } = await readUserinfo(await requestTokens({}, { openid: { userinfoAlgorithm: value as 'RS256' } }));
      expect(decodeProtectedHeader(text).alg).to.equal(value);
    },
    acr_values_supported: async (acr_values) => {
      const strongSession = await openSession(running, user);
      const device = createAuthenticator();
      await addPasskey(strongSession, user.password, device, { name: acr_values });
      await logInWithPasskey(strongSession, device);
      const page = await strongSession.submit(
        await strongSession.get(authorizePath(client, { scope: 'openid', acr_values })),
        {
          allow: 'Authorize',
        },
      );
      const { code = '' } = parseRedirect(page).parameters;
      const grant = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
      const { json } = await running.token(client, grant);
      expect(decodeJwt(String(json?.['id_token']))).to.include({ acr: acr_values });
    },
    prompt_values_supported: async (prompt) => {
      const { status, location } = await request({ prompt });
      expect([status, (location ?? '').includes('invalid_request')]).to.deep.equal([
        prompt === 'consent' ? 200 : 302,
        false,
      ]);
    },
    claim_types_supported: async (value) => expect(value).to.equal('normal'),
    claims_supported: async (name) => {
      const claims = JSON.stringify({ id_token: { [name]: { essential: true } }, userinfo: { [name]: null } });
      const { id_token = '', ...tokens } = await requestTokens({ claims, nonce: 'n' });
      const requiredClaims = ['sub', 'iss', 'aud', 'exp', 'iat', 'nonce', 'at_hash', 'auth_time', 'acr', 'amr', 'sid'];
      if (requiredClaims.includes(name)) expect(decodeJwt(id_token)).to.have.property(name);
      expect((await readUserinfo(tokens)).status).to.equal(200);
    },
    claims_parameter_supported: async () => {
      const { id_token = '' } = await requestTokens({ claims: '{"id_token":{"preferred_username":null}}' });
      expect(decodeJwt(id_token)).to.include({ preferred_username: user.username });
    },
    pushed_authorization_request_endpoint: async (value) =>
      expect((await running.post(pathOf(value), {})).status).to.be.within(400, 401),
    device_authorization_endpoint: async (value) =>
      expect((await running.post(pathOf(value), {})).status).to.be.within(400, 401),
    require_pushed_authorization_requests: async (value) => {
      expect(value).to.equal('false');
      await expectConsentPage(request({}));
    },
    request_parameter_supported: async () => sendSignedRequest('ES256'),
    request_uri_parameter_supported: async () => {
      const key = keyPairFor('ES256');
      const relyingParty = await startTextServer(await signRequestObject(running, client, key));
      redirectAppExample(running, relyingParty);
      await secureRequests(running, client, [key], { requestUris: [REQUEST_URI] });
      await expectConsentPage(request({ request_uri: REQUEST_URI }));
      await relyingParty.close();
    },
    require_request_uri_registration: async () =>
      expect(parseRedirect(await request({ request_uri: 'https://app.example/r' })).parameters).to.have.property(
        'error',
      ),
    request_object_signing_alg_values_supported: async (algorithm) => sendSignedRequest(algorithm as SigningAlgorithm),
    require_signed_request_object: async (value) => {
      expect(value).to.equal('false');
      await expectConsentPage(request({}));
    },
    backchannel_logout_supported: async () =>
      expect(await receiveLogoutClaims()).to.include({ iss: 'http://localhost:8000' }),
    backchannel_logout_session_supported: async () => {
      const { sid, idTokenSid } = await receiveLogoutClaims();
      expect(sid).to.be.a('string').and.equal(idTokenSid);
    },
    ui_locales_supported: async (ui_locales) =>
      expect((await request({ ui_locales })).html).to.include(`lang="${ui_locales}"`),
  };

  async function sendSignedRequest(algorithm: SigningAlgorithm): Promise<void> {
    const key = keyPairFor(algorithm);
    await secureRequests(running, client, [key]);
    await expectConsentPage(
      request({ request: await signRequestObject(running, client, key, { header: { alg: algorithm } }) }),
    );
  }

  async function authenticateWithAlgorithm(path: string, algorithm: string): Promise<void> {
    const body = path === '/o/token/' ? { grant_type: 'client_credentials', scope: 'read' } : { token: 'gla_x' };
    const key = keyPairFor(algorithm as SigningAlgorithm);
    const application = await running.addClient({ grantTypes: ['client-credentials'] });
    await registerKeys(running, application, key);
    const assertion = withAssertion(await signAssertion(running, application, key, { header: { alg: algorithm } }));
    expect((await running.post(path, { ...body, ...assertion })).status).to.equal(200);
  }

  async function authenticate(path: string, method: string): Promise<void> {
    const { id, secret, basic } = client;
    const body = path === '/o/token/' ? { grant_type: 'client_credentials', scope: 'read' } : { token: 'gla_x' };
    if (method === 'client_secret_basic')
      expect((await running.post(path, body, { authorization: basic })).status).to.equal(200);
    if (method === 'client_secret_post')
      expect((await running.post(path, { ...body, client_id: id, client_secret: secret })).status).to.equal(200);
    if (method === 'private_key_jwt') await authenticateWithAlgorithm(path, 'ES256');
    if (method === 'none') {
      const app = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
      const { status } = await running.post(path, { ...body, client_id: app.id });
      expect(status).not.to.equal(401);
    }
    if (method === 'Bearer') {
      const { json } = await running.token(
        (client = await running.addClient({ restrictedScopes: ['introspection'] })),
        { grant_type: 'client_credentials', scope: 'introspection' },
      );
      const authorization = `Bearer ${String(json?.['access_token'])}`;
      expect((await running.post(path, body, { authorization })).status).to.equal(200);
    }
  }

  it('advertises only values that a client can use, in every member', async () => {
    expect(Object.keys(metadata)).to.have.members(Object.keys(USES));
    for (const [name, value] of Object.entries(metadata)) {
      const use = USES[name];
      for (const memberValue of [value].flat()) {
        try {
          await use?.(String(memberValue));
        } catch (error) {
          throw new Error(`${name} ${String(memberValue)}`, { cause: error });
        }
      }
    }
  });

  it('is served at both paths that clients derive from an issuer with a path, and at no other', async () => {
    const server = await runningService({ settings: { issuer: 'https://id.example/base' } });
    const { json } = await server.get(PATH);
    expect(json).to.include({
      issuer: 'https://id.example/base',
      userinfo_endpoint: 'https://id.example/base/o/userinfo/',
    });
    expect((await server.get(`${PATH}/base`)).json).to.deep.equal(json);
    expect((await server.get(`${PATH}/other`)).status).to.equal(404);
    await server.close();
  });
});

describe('OpenID Connect Discovery §2: WebFinger', () => {
  let running: RunningService;

  before(async () => {
    running = await runningService({ settings: { issuer: 'https://id.example:8443/base' } });
    await running.addUser('ada');
  });
  after(() => running.close());

  const find = (resource: string, rel?: string) =>
    running.get(`${WEBFINGER}?${new URLSearchParams({ resource, ...(rel === undefined ? {} : { rel }) }).toString()}`);

  it('returns the issuer for any account name at its host, existing or not', async () => {
    const links = [{ rel: REL, href: 'https://id.example:8443/base' }];
    for (const subject of ['acct:ada@id.example:8443', 'acct:nobody@ID.example:8443', 'https://id.example:8443/ada']) {
      const { status, headers, json } = await find(subject, REL);
      expect([status, json]).to.deep.equal([200, { subject, links }]);
      expect(headers.get('content-type')).to.include('application/jrd+json');
      expect(headers.get('access-control-allow-origin')).to.equal('*');
    }
  });

  it('returns no links for other relations', async () => {
    expect((await find('acct:ada@id.example:8443', 'other')).json).to.deep.include({ links: [] });
  });

  it('returns 404 for other hosts, and requires a resource', async () => {
    for (const resource of ['acct:ada@other.example', 'acct:ada@id.example', 'ada', 'https://id.example.evil/', '@@'])
      expect((await find(resource)).status, resource).to.equal(404);
    expect((await running.get(WEBFINGER)).status).to.equal(400);
    expect((await find('x'.repeat(2_000))).status).to.equal(400);
  });
});
