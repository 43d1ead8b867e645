import { expect } from 'chai';
import { decodeEvent } from '../../src/domain/events.ts';
import { signAssertion, keyPairFor, registerKeys, withAssertion } from '../support/assertions.ts';
import { authorizePath, expectErrorPage, openSession, parseRedirect } from '../support/authorize-requests.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { signProof, NONCE_PERIOD_SECONDS, thumbprintOf, tokenWithProof } from '../support/dpop.ts';
import { REDIRECT_URI, runningService } from '../support/running-service.ts';
import type { RunningService, TestClient, TestUser } from '../support/running-service.ts';
import { push, pushForUri, pushedPath, secureRequests } from '../support/signed-requests.ts';
import { SMALL_LIMITS } from '../support/small-limits.ts';

const URN = 'urn:ietf:params:oauth:request_uri:';

describe('RFC 9126: a pushed authorization request', () => {
  let running: RunningService;
  let client: TestClient;
  let user: TestUser;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient();
    user = await running.addUser();
    browser = await openSession(running, user);
  });
  afterEach(() => running.close());

  const open = (requestUri: string, visitor = browser, application = client) =>
    visitor.get(pushedPath(application, requestUri));
  const countGrants = async (): Promise<number> =>
    (await running.events()).filter(({ type }) => type === 'ConsentGiven').length;

  async function redeem(code: string | undefined) {
    return running.token(client, { grant_type: 'authorization_code', code: code ?? '', redirect_uri: REDIRECT_URI });
  }

  it('gets a request_uri, which leads to a code', async () => {
    const { status, json, headers } = await push(running, client, { state: 'of the client' });
    expect([status, headers.get('cache-control')]).to.deep.equal([201, 'no-store']);
    expect(json).to.have.all.keys('request_uri', 'expires_in');
    expect(json?.['expires_in']).to.equal(60);
    expect(json?.['request_uri']).to.match(/^urn:ietf:params:oauth:request_uri:[\w-]+$/);
    const page = await browser.submit(await open(String(json?.['request_uri'])), { allow: 'Authorize' });
    const { address, parameters } = parseRedirect(page);
    expect([address, parameters['state']]).to.deep.equal([REDIRECT_URI, 'of the client']);
    expect((await redeem(parameters['code'])).json).to.include({ scope: 'read' });
  });

  it('is authenticated like a token request', async () => {
    const bodyCredentials = { client_id: client.id, client_secret: client.secret };
    const request = { response_type: 'code', redirect_uri: REDIRECT_URI, scope: 'read' };
    expect((await running.post('/o/par/', { ...request, ...bodyCredentials })).status).to.equal(201);
    expect((await running.post('/o/par/', { ...request, client_id: client.id })).status).to.equal(401);
    expect((await running.post('/o/par/', request)).status).to.equal(401);
    const key = keyPairFor('ES256');
    await registerKeys(running, client, key);
    const pushWithKey = async (changes: Parameters<typeof signAssertion>[3] = {}) =>
      running.post('/o/par/', { ...request, ...withAssertion(await signAssertion(running, client, key, changes)) });
    expect((await pushWithKey()).status).to.equal(201);
    expect((await pushWithKey({ claims: { aud: 'http://localhost:8000/o/par/' } })).status).to.equal(401);
    const app = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
    const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
    expect((await push(running, app, challenge)).status).to.equal(201);
  });

  it('is validated immediately, like an authorization request', async () => {
    const fetchError = async (changes: Parameters<typeof push>[2]) => {
      const { status, json } = await push(running, client, changes);
      return [status, json?.['error']];
    };
    expect(await fetchError({ redirect_uri: 'https://other.example/' })).to.deep.equal([400, 'invalid_request']);
    expect(await fetchError({ response_type: 'token' })).to.deep.equal([400, 'unsupported_response_type']);
    expect(await fetchError({ response_type: undefined })).to.deep.equal([400, 'invalid_request']);
    expect(await fetchError({ scope: 'unknown' })).to.deep.equal([400, 'invalid_scope']);
    expect(await fetchError({ code_challenge: 'short' })).to.deep.equal([400, 'invalid_request']);
    expect(await fetchError({ prompt: 'unknown' })).to.deep.equal([400, 'invalid_request']);
    expect(await fetchError({ resource: 'https://unknown.example' })).to.deep.equal([400, 'invalid_target']);
    expect(await fetchError({ registration: '{}' })).to.deep.equal([400, 'registration_not_supported']);
    expect(await fetchError({ state: 'x'.repeat(5_000) })).to.deep.equal([400, 'invalid_request']);
    expect(await fetchError({ client_id: 'another' })).to.deep.equal([400, 'invalid_request']);
  });

  it('cannot contain a request_uri', async () => {
    const { status, json } = await push(running, client, { request_uri: await pushForUri(running, client) });
    expect([status, json?.['error']]).to.deep.equal([400, 'invalid_request']);
  });

  it('is refused if it does not fit into a URL', async () => {
    const requestedClaims = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`https://claims.example/${index}`, null]),
    );
    const claims = JSON.stringify({ userinfo: requestedClaims });
    const { status, json } = await push(running, client, { scope: 'openid', claims, state: 'x'.repeat(4_000) });
    expect([status, json?.['error']]).to.deep.equal([400, 'invalid_request']);
    expect(json?.['error_description']).to.match(/6144/);
  });

  it('does not reveal its parameters in the request_uri', async () => {
    const requestUri = await pushForUri(running, client, { state: 'private-state', login_hint: 'private-hint' });
    const bytes = Buffer.from(requestUri.slice(URN.length), 'base64url').toString('latin1');
    expect(bytes).to.not.include('private').and.not.include(client.id);
  });

  it('overrides other parameters in the URL', async () => {
    const requestUri = await pushForUri(running, client, { state: 'pushed' });
    const path = `${pushedPath(client, requestUri)}&state=added&scope=write&redirect_uri=https://other.example/`;
    const { parameters } = parseRedirect(await browser.submit(await browser.get(path), { allow: 'Authorize' }));
    expect(parameters['state']).to.equal('pushed');
    expect((await redeem(parameters['code'])).json).to.include({ scope: 'read' });
  });

  it('is recorded as pushed with its code, unlike a request in the URL', async () => {
    await browser.submit(await open(await pushForUri(running, client)), { allow: 'Authorize' });
    await running.authorize(client, user);
    const codes = (await running.events()).map(decodeEvent).filter(({ type }) => type === 'AuthorizationCodeIssued');
    expect(codes.map(({ data }) => ('pushed' in data ? data.pushed : undefined))).to.deep.equal([true, undefined]);
  });

  it('can be opened again only until the authorization is complete', async () => {
    const requestUri = await pushForUri(running, client);
    await open(requestUri);
    const page = await open(requestUri);
    const { parameters } = parseRedirect(await browser.submit(page, { allow: 'Authorize' }));
    expectErrorPage(await open(requestUri));
    expect((await redeem(parameters['code'])).status).to.equal(200);
    expectErrorPage(await open(requestUri));
    await running.restart();
    expectErrorPage(await open(requestUri, await openSession(running, user)));
    expect(await countGrants()).to.equal(1);
  });

  it('gets the same response if its consent form is submitted twice, but an error for a second form', async () => {
    const requestUri = await pushForUri(running, client);
    const [page, otherPage] = [await open(requestUri), await open(requestUri)];
    const first = parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters;
    expect(parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters).to.deep.equal(first);
    expectErrorPage(await browser.submit(otherPage, { allow: 'Authorize' }));
    expectErrorPage(await browser.submit(otherPage, {}));
    expect((await redeem(first['code'])).status).to.equal(200);
  });

  it('leads to a code for only one user, even if another user opens the request', async () => {
    const requestUri = await pushForUri(running, client);
    const strangerBrowser = await openSession(running, await running.addUser('stranger'));
    const [otherPage, ownPage] = [await open(requestUri, strangerBrowser), await open(requestUri)];
    const { parameters } = parseRedirect(await browser.submit(ownPage, { allow: 'Authorize' }));
    expectErrorPage(await strangerBrowser.submit(otherPage, { allow: 'Authorize' }));
    expectErrorPage(await strangerBrowser.submit(otherPage, {}));
    expect((await redeem(parameters['code'])).status).to.equal(200);
    expect(await countGrants()).to.equal(1);
  });

  it('leads to only one grant if a thousand concurrent requests complete it', async () => {
    const trustedClient = await running.addClient({ skipAuthorization: true });
    const requestUri = await pushForUri(running, trustedClient);
    const pages = await Promise.all(Array.from({ length: 1_000 }, () => open(requestUri, browser, trustedClient)));
    expect(pages.filter(({ status }) => status === 302)).to.have.length(1);
    expect(await countGrants()).to.equal(1);
  }).timeout(180_000);

  it('leads to only one grant if many concurrent consent forms approve it', async () => {
    const requestUri = await pushForUri(running, client);
    const forms = await Promise.all(Array.from({ length: 20 }, () => open(requestUri)));
    const pages = await Promise.all(forms.map((form) => browser.submit(form, { allow: 'Authorize' })));
    expect(pages.filter(({ status }) => status === 302)).to.have.length(1);
    expect(await countGrants()).to.equal(1);
  });

  it('expires after a minute, unless the browser has already opened it', async () => {
    const requestUri = await pushForUri(running, client);
    running.clock.advance(59);
    const page = await open(requestUri);
    running.clock.advance(1);
    expectErrorPage(await open(requestUri));
    running.clock.advance(600);
    expect(parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters).to.have.property('code');
  });

  it('survives a login that takes longer than a minute', async () => {
    const requestUri = await pushForUri(running, client, { state: 'kept', prompt: 'login' });
    const newBrowser = running.browser();
    const { location } = await open(requestUri, newBrowser);
    running.clock.advance(900);
    await newBrowser.logIn(user.username, user.password);
    const next = new URL(location ?? '', 'http://localhost').searchParams.get('next') ?? '';
    const page = await newBrowser.submit(await newBrowser.get(next), { allow: 'Authorize' });
    expect(parseRedirect(page).parameters).to.include.keys('code').and.include({ state: 'kept' });
    expectErrorPage(await newBrowser.get(next));
  });

  it('waits up to an hour for the login, even if the browser returns several times', async () => {
    const requestUri = await pushForUri(running, client);
    const newBrowser = running.browser();
    let { location } = await open(requestUri, newBrowser);
    const next = () => new URL(location ?? '', 'http://localhost').searchParams.get('next') ?? '';
    for (let minutes = 0; minutes < 60; minutes += 15) {
      running.clock.advance(900);
      const page = await running.browser().get(next());
      expect(page.status).to.equal(302);
      ({ location } = page);
    }
    running.clock.advance(120);
    expectErrorPage(await browser.get(next()));
  });

  it('is bound to its client', async () => {
    const otherClient = await running.addClient();
    expectErrorPage(await open(await pushForUri(running, client), browser, otherClient));
  });

  it('cannot be guessed or changed', async () => {
    const requestUri = await pushForUri(running, client);
    const middle = Math.floor(requestUri.length / 2);
    const replacement = requestUri[middle] === 'A' ? 'B' : 'A';
    for (const guess of [
      URN,
      `${URN}${'A'.repeat(400)}`,
      `${requestUri}A`,
      requestUri.slice(0, -1),
      `${requestUri.slice(0, middle)}${replacement}${requestUri.slice(middle + 1)}`,
      requestUri.toUpperCase(),
      'urn:example:another',
    ])
      expectErrorPage(await open(guess));
  });

  it('binds its code to the key of a DPoP proof, or to dpop_jkt (RFC 9449 §10.1)', async () => {
    running.clock.advance(NONCE_PERIOD_SECONDS);
    const [key, otherKey] = [keyPairFor('ES256'), keyPairFor('EdDSA')];
    const pushWith = async (proofKey: typeof key, extraParameters: Readonly<Record<string, string>> = {}) => {
      const dpop = await signProof(running, proofKey, { claims: { htu: 'http://localhost:8000/o/par/' } });
      const request = { response_type: 'code', redirect_uri: REDIRECT_URI, scope: 'read', ...extraParameters };
      return running.post('/o/par/', request, { authorization: client.basic, dpop });
    };
    expect((await pushWith(key, { dpop_jkt: await thumbprintOf(otherKey) })).json).to.include({
      error: 'invalid_request',
    });
    const { json } = await pushWith(key, { dpop_jkt: await thumbprintOf(key) });
    expect(json).to.have.property('request_uri');
    const requestUri = String((await pushWith(key)).json?.['request_uri']);
    const { parameters } = parseRedirect(await browser.submit(await open(requestUri), { allow: 'Authorize' }));
    const redeemWith = async (proofKey: typeof key) => {
      const request = { grant_type: 'authorization_code', code: parameters['code'] ?? '', redirect_uri: REDIRECT_URI };
      return tokenWithProof(running, client, request, await signProof(running, proofKey));
    };
    expect((await redeem(parameters['code'])).status).to.equal(400);
    expect((await redeemWith(otherKey)).status).to.equal(400);
    expect((await redeemWith(key)).json).to.include({ token_type: 'DPoP' });
  });

  it('informs the client by redirect if the user denies it', async () => {
    const page = await browser.submit(await open(await pushForUri(running, client, { state: 's' })), {});
    expect(parseRedirect(page).parameters).to.include({ error: 'access_denied', state: 's' });
  });

  it('is refused beyond a per-minute limit for each client', async () => {
    await running.close();
    running = await runningService({ limits: SMALL_LIMITS });
    client = await running.addClient();
    const statuses = [];
    for (let times = 0; times < 4; times += 1) statuses.push((await push(running, client)).status);
    expect(statuses).to.deep.equal([201, 201, 201, 429]);
    expect((await push(running, await running.addClient())).status).to.equal(201);
  });

  it('adds nothing to the log', async () => {
    const eventCount = (await running.events()).length;
    await push(running, client);
    await push(running, client, { scope: 'unknown' });
    expect(await running.events()).to.have.length(eventCount);
  });

  describe('can be required', () => {
    const readRedirectParameters = async () =>
      parseRedirect(await browser.get(authorizePath(client, { state: 's' }))).parameters;

    it('of a client by its registration', async () => {
      await secureRequests(running, client, [], { requirePushedAuthorizationRequests: true });
      expect(await readRedirectParameters()).to.include({ error: 'invalid_request', state: 's' });
      expect((await open(await pushForUri(running, client))).status).to.equal(200);
    });

    it('of every client by a setting, as the metadata shows', async () => {
      const path = '/.well-known/oauth-authorization-server';
      expect((await running.get(path)).json).to.include({ require_pushed_authorization_requests: false });
      await running.restart({ requirePar: true });
      browser = await openSession(running, user);
      expect((await running.get(path)).json).to.include({ require_pushed_authorization_requests: true });
      expect(await readRedirectParameters()).to.include({ error: 'invalid_request', state: 's' });
      expect((await open(await pushForUri(running, client))).status).to.equal(200);
    });
  });
});
