import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { expectErrorPage, openSession } from '../support/authorize-requests.ts';
import { keyPairFor } from '../support/assertions.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { expectNothingAppended, expectRefusal, expectTokens } from '../support/protocol-responses.ts';
import {
  openConsentPage,
  CHALLENGE,
  obtainCode,
  EDITOR,
  redeem,
  register,
  registerSuccessfully,
} from '../support/registrations.ts';
import { REDIRECT_URI, runningService, type RunningService } from '../support/running-service.ts';

const OPEN = { dynamicRegistration: 'open', registrationLifetimeSeconds: 3_600 } as const;

describe('RFC 7591: a client that registers itself', () => {
  let running: RunningService;
  let browser: BrowserSession;

  before(async () => {
    running = await runningService({ settings: OPEN });
    browser = await openSession(running, await running.addUser());
  });
  after(() => running.close());

  it('gets a client id and the registered metadata, without an event in the log', async () => {
    const response = await expectNothingAppended(running, () => register(running));
    expect(response.status).to.equal(201);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(response.json).to.deep.include({ ...EDITOR, client_id_issued_at: Math.floor(running.clock.now() / 1000) });
    expect(response.json).not.to.have.property('client_secret');
    expect(response.json?.['client_id']).to.match(/^glp_[\w-]{40,400}$/);
  });

  it('is recorded with the first consent, gets tokens, and refreshes them', async () => {
    const { client_id: id } = await registerSuccessfully(running);
    expect(running.service().projections.clients.find(id)).to.equal(undefined);
    const tokens = expectTokens(await redeem(running, { client_id: id }, await obtainCode(browser, id)), {
      scope: 'read write',
      refresh: true,
    });
    const events = await running.events();
    const clientEvents = events.filter(({ stream }) => stream === `client-${id}`);
    expect(clientEvents.map(({ type }) => type)).to.deep.equal(['ClientRegistered']);
    const { actor, data } = clientEvents[0] as unknown as { actor: unknown; data: Record<string, unknown> };
    expect(actor).to.have.property('kind', 'user');
    expect(data).to.include({ ownerId: null }).and.have.property('selfRegistered');
    const refreshResponse = await running.post('/o/token/', {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh,
      client_id: id,
    });
    expectTokens(refreshResponse, { scope: 'read write', refresh: true });
    await obtainCode(browser, id);
    const registrations = (await running.events()).filter(({ stream }) => stream === `client-${id}`);
    expect(registrations, 'after another consent').to.have.length(1);
  });

  it('gets a secret that is derived from its id, and must send it', async () => {
    const metadata = { ...EDITOR, application_type: 'web', redirect_uris: [REDIRECT_URI] };
    for (const token_endpoint_auth_method of [undefined, 'client_secret_post', 'client_secret_basic']) {
      const client = await registerSuccessfully(running, { ...metadata, token_endpoint_auth_method });
      expect(client).to.include({ client_secret_expires_at: 0 });
      const code = await obtainCode(browser, client.client_id, REDIRECT_URI);
      const wrongCredentials = { client_id: client.client_id, client_secret: `${client.client_secret ?? ''}x` };
      expectRefusal(await redeem(running, wrongCredentials, code, REDIRECT_URI), 'invalid_client', 401);
      const credentials = Buffer.from(`${client.client_id}:${client.client_secret ?? ''}`).toString('base64');
      const response =
        token_endpoint_auth_method === 'client_secret_post'
          ? await redeem(running, client, code, REDIRECT_URI)
          : await running.post(
              '/o/token/',
              {
                grant_type: 'authorization_code',
                code,
                redirect_uri: REDIRECT_URI,
                code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
              },
              { authorization: `Basic ${credentials}` },
            );
      expectTokens(response, { scope: 'read write', refresh: true });
    }
  });

  it('can register public keys', async () => {
    const { jwk } = keyPairFor('ES256');
    const client = await registerSuccessfully(running, {
      ...EDITOR,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [jwk] },
    });
    expect(client).not.to.have.property('client_secret');
    expect(client['jwks']).to.have.nested.property('keys.length', 1);
    expect((await openConsentPage(browser, client.client_id, EDITOR.redirect_uris[1])).status).to.equal(200);
  });

  it('gets only the grant types for codes and refresh tokens, as its response states', async () => {
    const grant_types = ['authorization_code', 'client_credentials', 'password', 'implicit', 'urn:x'];
    const client = await registerSuccessfully(running, { ...EDITOR, grant_types });
    expect(client['grant_types']).to.deep.equal(['authorization_code', 'refresh_token']);
    for (const unsupportedTypes of [['client_credentials'], ['refresh_token'], ['password'], []])
      expectRefusal(await register(running, { ...EDITOR, grant_types: unsupportedTypes }), 'invalid_client_metadata');
  });

  it('is native if it states no type and has only loopback redirect URIs', async () => {
    const { application_type: _type, ...untypedMetadata } = EDITOR;
    const nativeClient = await registerSuccessfully(running, {
      ...untypedMetadata,
      redirect_uris: ['http://localhost/callback'],
    });
    expect(nativeClient['application_type']).to.equal('native');
    expect((await openConsentPage(browser, nativeClient.client_id)).status).to.equal(200);
    expect(await registerSuccessfully(running, untypedMetadata)).not.to.have.property('application_type');
  });

  it('is shown as unverified', async () => {
    const { client_id: id } = await registerSuccessfully(running, { ...EDITOR, client_name: 'Bank' });
    const { html } = await openConsentPage(browser, id);
    expect(html).to.include('registered itself').and.include('localhost:51004');
    expect(html).not.to.include('the operator of this server');
  });

  it('cannot use its id again after it has been removed, even after a restart', async () => {
    const { client_id: id } = await registerSuccessfully(running);
    await obtainCode(browser, id);
    await running.service().registration.remove(id as never, { actor: { kind: 'operator' }, requestId: null });
    expectErrorPage(await openConsentPage(browser, id));
    await running.restart();
    browser = await openSession(running, await running.addUser());
    expectErrorPage(await openConsentPage(browser, id));
  });

  it('can push its first request, with its secret if it has one, without an event in the log', async () => {
    for (const token_endpoint_auth_method of ['none', 'client_secret_post']) {
      const client = await registerSuccessfully(running, { ...EDITOR, token_endpoint_auth_method });
      const { client_id, client_secret } = client;
      const request = { client_id, response_type: 'code', redirect_uri: EDITOR.redirect_uris[1] ?? '', ...CHALLENGE };
      const push = (secret: Readonly<Record<string, string>>) =>
        expectNothingAppended(running, () => running.post('/o/par/', { ...request, ...secret }));
      if (client_secret !== undefined) expectRefusal(await push({}), 'invalid_client', 401);
      const pushResponse = await push(client_secret === undefined ? {} : { client_secret });
      expect(pushResponse.status, pushResponse.text).to.equal(201);
      const query = new URLSearchParams({ client_id, request_uri: String(pushResponse.json?.['request_uri']) });
      const page = await browser.get(`/o/authorize/?${query.toString()}`);
      const { location } = await browser.submit(page, { allow: 'Authorize' });
      expect(location).to.match(/^https:\/\/editor\.example\/redirect\?code=/);
    }
  });

  it('finds the endpoint in the metadata and in the API description', async () => {
    const { json } = await running.get('/.well-known/oauth-authorization-server');
    expect(json).to.include({ registration_endpoint: 'http://localhost:8000/o/register/' });
    const { text } = await running.get('/openapi.json');
    for (const id of ['registerClient', 'readRegistration', 'updateRegistration', 'removeRegistration'])
      expect(text).to.include(id);
  });

  it('can be registered by scripts from any origin', async () => {
    const response = await register(running, EDITOR, { origin: 'https://inspector.example' });
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    const preflight = await running.send('/o/register/', {
      method: 'OPTIONS',
      headers: { origin: 'https://inspector.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-headers'))
      .to.match(/\*/)
      .and.match(/Authorization/);
  });

  describe('is refused', () => {
    const invalidMetadata: readonly (readonly [problem: string, metadata: unknown, error: string])[] = [
      ['http://localhost.evil', { redirect_uris: ['http://localhost.evil/callback'] }, 'invalid_redirect_uri'],
      ['http://127.0.0.1@evil', { redirect_uris: ['http://127.0.0.1@evil/callback'] }, 'invalid_redirect_uri'],
      ['a fragment', { redirect_uris: ['https://app.example/#x'] }, 'invalid_redirect_uri'],
      ['javascript:', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
      ['a scheme that is not listed', { redirect_uris: ['editor://callback'] }, 'invalid_redirect_uri'],
      ['no redirect URI', { redirect_uris: [] }, 'invalid_redirect_uri'],
      ['redirect URIs that are not an array', { redirect_uris: 'https://app.example/' }, 'invalid_redirect_uri'],
      ['numbers as redirect URIs', { redirect_uris: [1] }, 'invalid_redirect_uri'],
      ['an invisible name', { client_name: 'Ba\u200bnk' }, 'invalid_client_metadata'],
      ['a long name', { client_name: 'x'.repeat(300) }, 'invalid_client_metadata'],
      ['a name that is not a string', { client_name: {} }, 'invalid_client_metadata'],
      ['a homepage that is a script', { client_uri: 'javascript:alert(1)' }, 'invalid_client_metadata'],
      ['an unknown method', { token_endpoint_auth_method: 'tls_client_auth' }, 'invalid_client_metadata'],
      ['an unknown type', { application_type: 'desktop' }, 'invalid_client_metadata'],
      ['implicit responses', { response_types: ['token'] }, 'invalid_client_metadata'],
      ['a jwks_uri', { jwks_uri: 'https://app.example/jwks.json' }, 'invalid_client_metadata'],
      ['private_key_jwt without a key', { token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
      ['a private key', { jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }, 'invalid_client_metadata'],
      [
        'a software statement from an unknown issuer',
        { software_statement: 'eyJhbGciOiJub25lIn0.e30.' },
        'unapproved_software_statement',
      ],
      ['a malformed software statement', { software_statement: 'x' }, 'invalid_software_statement'],
    ];
    for (const [problem, metadata, error] of invalidMetadata)
      it(`with ${problem}`, async () => {
        const response = await expectNothingAppended(running, () =>
          register(running, { ...EDITOR, ...(metadata as object) }),
        );
        expectRefusal(response, error);
        expect(response.json?.['error_description']).to.match(/^[\x20\x21\x23-\x5b\x5d-\x7e]{10,}$/);
      });

    it('with one line about all invalid redirect URIs, in characters that RFC 6749 §5.2 allows', async () => {
      const response = await register(running, { ...EDITOR, redirect_uris: ['one', 'two'] });
      expect(response.json?.['error_description']).to.match(
        /^'one' is not a full URL such as [^?]* 'two' is not a full URL such as [^?]*$/,
      );
    });

    it('if its metadata does not fit into a client id', async () => {
      const hashIndex = (index: number): string => createHash('sha256').update(String(index)).digest('base64url');
      const redirect_uris = Array.from({ length: 48 }, (_, index) => `https://app.example/${hashIndex(index)}`);
      const response = await register(running, { ...EDITOR, redirect_uris });
      expectRefusal(response, 'invalid_client_metadata');
      expect(response.json?.['error_description']).to.match(/too long/);
    });

    it('if its metadata is not a JSON object, or is too large', async () => {
      for (const text of ['', '[]', 'null', '1', '{', '{"redirect_uris":'])
        expectRefusal(await register(running, text), 'invalid_client_metadata');
      expect((await register(running, '['.repeat(30_000))).status).to.equal(400);
      expect((await register(running, JSON.stringify({ x: 'y'.repeat(40_000) }))).status).to.equal(413);
      expect((await register(running, EDITOR, { 'content-type': 'text/plain' })).status).to.equal(415);
    });
  });

  describe('with a client id that', () => {
    it('was altered in any character is unknown', async () => {
      const { client_id: id } = await registerSuccessfully(running);
      for (let index = 0; index < id.length; index += 7) {
        const alteredId = id.slice(0, index) + (id[index] === 'A' ? 'B' : 'A') + id.slice(index + 1);
        if (alteredId !== id) expectErrorPage(await openConsentPage(browser, alteredId));
      }
      for (const invalidId of [`${id}A`, id.slice(0, -1), `${id}=`, id.toUpperCase(), `glp_${'A'.repeat(100)}`])
        expectErrorPage(await openConsentPage(browser, invalidId));
    });

    it('is from another issuer is unknown, even if the issuers have the same keys', async () => {
      const { client_id: id } = await registerSuccessfully(running);
      const otherService = await runningService({ settings: { ...OPEN, issuer: 'http://other.example' } });
      const otherBrowser = await openSession(otherService, await otherService.addUser());
      expectErrorPage(await openConsentPage(otherBrowser, id));
      expect((await openConsentPage(browser, id)).status).to.equal(200);
      await otherService.close();
    });

    it('has expired is unknown, unless a user authorized the client before it expired', async () => {
      const [usedClient, unusedClient] = [await registerSuccessfully(running), await registerSuccessfully(running)];
      await obtainCode(browser, usedClient.client_id);
      running.clock.advance(OPEN.registrationLifetimeSeconds * 1000);
      browser = await openSession(running, await running.addUser());
      expectErrorPage(await openConsentPage(browser, unusedClient.client_id));
      const page = await openConsentPage(browser, usedClient.client_id);
      expect(page.status, page.location ?? '').to.equal(200);
    });

    it('no user has authorized is refused at the token endpoint, without an event in the log', async () => {
      const { client_id: id } = await registerSuccessfully(running);
      const response = await expectNothingAppended(running, () => redeem(running, { client_id: id }, 'glc_x'));
      expectRefusal(response, 'invalid_client', 401);
    });
  });
});

describe('RFC 7591: a server', () => {
  it('by default refuses registrations, and the ids of clients that registered earlier', async () => {
    const running = await runningService({ settings: OPEN });
    const { client_id: id } = await registerSuccessfully(running);
    await running.restart({ dynamicRegistration: 'off' });
    expect((await register(running)).status).to.equal(404);
    const browser = await openSession(running, await running.addUser());
    expectErrorPage(await openConsentPage(browser, id));
    await running.close();
    const defaultServer = await runningService();
    expect((await register(defaultServer)).status).to.equal(404);
    await defaultServer.close();
  });

  it("accepts an editor's URI scheme if the operator lists it, and otherwise names it in the refusal", async () => {
    const editor = { ...EDITOR, redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'] };
    const running = await runningService({ settings: OPEN });
    const refusal = await register(running, editor);
    expect(refusal.json).to.include({ error: 'invalid_redirect_uri' });
    expect(refusal.json?.['error_description']).to.include('cursor');
    await running.restart({ redirectUriSchemes: ['cursor'] });
    expect((await register(running, editor)).status).to.equal(201);
    await running.close();
  });

  it('that requires initial access tokens registers clients with such a token, for more grant types', async () => {
    const running = await runningService({ settings: { dynamicRegistration: 'token' } });
    const requestBearerToken = async (restrictedScopes: readonly string[], scope: string): Promise<string> => {
      const { basic } = await running.addClient({ restrictedScopes });
      const response = await running.post(
        '/o/token/',
        { grant_type: 'client_credentials', scope },
        { authorization: basic },
      );
      return `Bearer ${String(response.json?.['access_token'])}`;
    };
    expect((await register(running)).status).to.equal(401);
    expect((await register(running, EDITOR, { authorization: 'Bearer nonsense' })).status).to.equal(401);
    expect((await register(running, EDITOR, { authorization: await requestBearerToken([], 'read') })).status).to.equal(
      403,
    );
    const authorization = await requestBearerToken(['clients:register'], 'clients:register');
    const machineMetadata = {
      client_name: 'Machine',
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_post',
    };
    const response = await register(running, machineMetadata, { authorization });
    expect(response.status, response.text).to.equal(201);
    const [id, secret] = [String(response.json?.['client_id']), String(response.json?.['client_secret'])];
    expect(id).to.match(/^\w{22}$/);
    expect(running.service().projections.clients.find(id)).to.have.property('selfRegistered');
    const tokens = await running.post('/o/token/', {
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    });
    expectTokens(tokens, { scope: 'read write', refresh: false });
    await running.restart({ dynamicRegistration: 'open' });
    expect((await register(running, machineMetadata, { authorization: 'Bearer nonsense' })).status).to.equal(401);
    expect((await register(running, machineMetadata, { authorization })).status).to.equal(201);
    await running.close();
  });
});
