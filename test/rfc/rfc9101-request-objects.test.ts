import { expect } from 'chai';
import { decodeEvent } from '../../src/domain/events.ts';
import { SIGNING_ALGORITHMS } from '../../src/domain/values.ts';
import { keyPairFor } from '../support/assertions.ts';
import { authorizePath, expectErrorPage, expectErrorRedirect } from '../support/authorize-requests.ts';
import { openSession, parseRedirect } from '../support/authorize-requests.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { flood, startHostileServer, type HostileServer } from '../support/hostile-server.ts';
import { REDIRECT_URI, runningService } from '../support/running-service.ts';
import type { RunningService, TestClient, TestUser } from '../support/running-service.ts';
import { SMALL_LIMITS } from '../support/small-limits.ts';
import {
  forgeRequestObject,
  hashRequestObject,
  redirectAppExample,
  push,
  pushedPath,
  REQUEST_URI,
  requestClaims,
  signRequestObject,
  secureRequests,
  startTextServer,
} from '../support/signed-requests.ts';

const KEY = keyPairFor('ES256');
const OTHER_KEY = keyPairFor('ES256', 'another key');

describe('RFC 9101: a signed authorization request', () => {
  let running: RunningService;
  let client: TestClient;
  let user: TestUser;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService({ settings: { outgoingHttp: true, outgoingNetworks: ['127.0.0.0/8'] } });
    client = await running.addClient();
    user = await running.addUser();
    browser = await openSession(running, user);
    await secureRequests(running, client, [KEY], { requestUris: [REQUEST_URI] });
  });
  afterEach(() => running.close());

  type Changes = Parameters<typeof signRequestObject>[3];
  type Query = Readonly<Record<string, string>>;

  const buildPath = (parameters: Query): string =>
    `/o/authorize/?${new URLSearchParams({ client_id: client.id, ...parameters }).toString()}`;

  async function send(changes: Changes = {}, extraParameters: Query = {}, visitor = browser) {
    return visitor.get(
      buildPath({ request: await signRequestObject(running, client, KEY, changes), ...extraParameters }),
    );
  }

  const allow = async (page: ReturnType<typeof send>) =>
    parseRedirect(await browser.submit(await page, { allow: 'Authorize' })).parameters;

  const redeem = async ({ code = '' }: Query) =>
    (await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI })).json;

  async function listRequestedTerms() {
    const events = (await running.events()).map(decodeEvent);
    return events.flatMap((event) => (event.type === 'ConsentGiven' ? [event.data.requested] : []));
  }

  for (const alg of SIGNING_ALGORITHMS) {
    it(`is verified with ${alg}`, async () => {
      const key = keyPairFor(alg);
      await secureRequests(running, client, [key]);
      const request = await signRequestObject(running, client, key, { header: { alg } });
      expect((await browser.get(buildPath({ request }))).status).to.equal(200);
    });
  }

  it('leads to a code, and only its own parameters take effect', async () => {
    const claims = { scope: 'read', state: 'inside', max_age: 3_600, resource: ['http://localhost:8000'] };
    const outerParameters = {
      scope: 'write',
      state: 'outside',
      redirect_uri: 'https://other.example/',
      prompt: 'none',
    };
    const response = await allow(send({ claims }, outerParameters));
    expect(response['state']).to.equal('inside');
    expect(await redeem(response)).to.include({ scope: 'read' });
  });

  it('can be sent with response_type and client_id, but only with the same values', async () => {
    expect((await send({}, { response_type: 'code' })).status).to.equal(200);
    expectErrorRedirect(await send({}, { response_type: 'token' }), 'invalid_request');
    const otherClient = await running.addClient();
    await secureRequests(running, otherClient, [KEY]);
    const request = await signRequestObject(running, client, KEY);
    expectErrorRedirect(await browser.get(authorizePath(otherClient, { request })), 'invalid_request_object');
  });

  it('must have this server as its audience, alone or in a list', async () => {
    const aud = ['https://other.example', 'http://localhost:8000'];
    expect((await send({ claims: { aud } })).status).to.equal(200);
    for (const otherAudience of ['https://other.example', ['https://other.example'], 1, null])
      expectErrorRedirect(await send({ claims: { aud: otherAudience } }), 'invalid_request_object');
  });

  it('must have the request object type, the type JWT, or no type', async () => {
    for (const typ of ['oauth-authz-req+jwt', 'application/oauth-authz-req+jwt', 'JWT', undefined])
      expect((await send({ header: { typ } })).status, String(typ)).to.equal(200);
    expectErrorRedirect(await send({ header: { typ: 'at+jwt' } }), 'invalid_request_object');
  });

  it('must not be a client assertion or another JWT from the client', async () => {
    const { id } = client;
    expectErrorRedirect(await send({ claims: { sub: id } }), 'invalid_request_object');
    expectErrorRedirect(await send({ claims: { iss: 'another' } }), 'invalid_request_object');
    expectErrorRedirect(await send({ claims: { client_id: 'another' } }), 'invalid_request_object');
  });

  it('is refused if it is unsigned, encrypted, nested, or signed with a different key', async () => {
    const claims = requestClaims(running, client);
    const [header, payload] = (await signRequestObject(running, client, KEY)).split('.');
    const objects = [
      forgeRequestObject({ alg: 'none' }, claims),
      forgeRequestObject({ alg: 'none' }, claims, 'AAAA'),
      forgeRequestObject({ alg: 'HS256' }, claims, 'AAAA'),
      forgeRequestObject({ alg: { toString: 1 } }, claims, 'AAAA'),
      forgeRequestObject({ alg: 'ES256', kid: KEY.jwk['kid'] }, claims),
      forgeRequestObject({ alg: 'ES256', kid: KEY.jwk['kid'], cty: 'JWT' }, claims),
      `${header}.${payload}.`,
      `${header}.${payload}`,
      'a.b.c.d.e',
      'not a JWT',
      await signRequestObject(running, client, OTHER_KEY),
      await signRequestObject(running, client, OTHER_KEY, { header: { kid: KEY.jwk['kid'] } }),
      await signRequestObject(running, client, KEY, { claims: { request: 'eyJ' } }),
      await signRequestObject(running, client, KEY, { claims: { request_uri: REQUEST_URI } }),
    ];
    for (const request of objects)
      expectErrorRedirect(await browser.get(authorizePath(client, { request })), 'invalid_request_object');
    expect(await listRequestedTerms()).to.deep.equal([]);
  });

  it('is valid from nbf to exp, which are optional', async () => {
    const now = Math.floor(running.clock.now() / 1000);
    expect((await send({ claims: { nbf: now + 30, iat: now + 30 } })).status).to.equal(200);
    expect((await send({ claims: { exp: undefined, nbf: undefined, iat: undefined } })).status).to.equal(200);
    for (const claims of [{ exp: now }, { nbf: now + 31 }, { iat: now + 31 }, { exp: 'tomorrow' }, { nbf: '0' }])
      expectErrorRedirect(await send({ claims }), 'invalid_request_object');
  });

  it('must have parameters of the correct types and lengths', async () => {
    for (const claims of [{ state: 1 }, { scope: ['read'] }, { prompt: null }, { state: 'x'.repeat(4_097) }])
      expectErrorRedirect(
        await send({ claims: { state: 's', ...claims } }),
        'invalid_request_object',
        expectedState(claims),
      );
    const claims = { scope: 'openid', claims: { id_token: { preferred_username: null } }, nonce: 'n' };
    expect(await redeem(await allow(send({ claims })))).to.have.property('id_token');
  });

  it('has a limited length', async () => {
    expectErrorRedirect(
      await browser.post('/o/authorize/', {
        ...Object.fromEntries(new URL(authorizePath(client), 'http://x').searchParams),
        request: 'x'.repeat(16_385),
      }),
      'invalid_request_object',
    );
  });

  it('can be sent by POST, even if it is too long for a URL', async () => {
    const request = await signRequestObject(running, client, KEY, { claims: { unknown: 'x'.repeat(8_000) } });
    const { status, location } = await browser.post('/o/authorize/', { client_id: client.id, request });
    expect(status).to.equal(303);
    expect(location).to.match(/request_uri=urn/);
    expect(await allow(browser.get(location ?? ''))).to.have.property('code');
  });

  it('continues after a login that takes longer than the object is valid', async () => {
    const newBrowser = running.browser();
    const { location } = await send({ claims: { state: 'kept' } }, {}, newBrowser);
    running.clock.advance(900);
    await newBrowser.logIn(user.username, user.password);
    const next = new URL(location ?? '', 'http://localhost').searchParams.get('next') ?? '';
    const page = await newBrowser.submit(await newBrowser.get(next), { allow: 'Authorize' });
    expect(parseRedirect(page).parameters).to.include.keys('code').and.include({ state: 'kept' });
  });

  it('is recorded by its hash, pushed or not, unlike a plain request', async () => {
    const request = await signRequestObject(running, client, KEY);
    await allow(browser.get(buildPath({ request })));
    const { json } = await push(running, client, { request });
    await allow(browser.get(pushedPath(client, String(json?.['request_uri']))));
    await allow(browser.get(authorizePath(client, { scope: 'read' })));
    const hashes = (await listRequestedTerms()).map((terms) => terms?.requestObjectHash);
    expect(hashes).to.deep.equal([hashRequestObject(request), hashRequestObject(request), undefined]);
  });

  it('is refused from a client without keys', async () => {
    const otherClient = await running.addClient();
    const request = await signRequestObject(running, otherClient, KEY);
    expectErrorRedirect(await browser.get(authorizePath(otherClient, { request })), 'request_not_supported');
  });

  it('can be required of a client, whether its requests are pushed or not', async () => {
    await secureRequests(running, client, [KEY], { requireSignedRequestObject: true });
    expectErrorRedirect(await browser.get(authorizePath(client)), 'invalid_request');
    expect((await push(running, client)).json).to.include({ error: 'invalid_request' });
    expect((await send()).status).to.equal(200);
    expect((await push(running, client, { request: await signRequestObject(running, client, KEY) })).status).to.equal(
      201,
    );
  });

  it('is validated by the same rules if it is pushed', async () => {
    const fetchError = async (changes: Changes) =>
      (await push(running, client, { request: await signRequestObject(running, client, KEY, changes) })).json?.[
        'error'
      ];
    expect(await fetchError({ header: { typ: 'at+jwt' } })).to.equal('invalid_request_object');
    expect(await fetchError({ claims: { aud: 'https://other.example' } })).to.equal('invalid_request_object');
    expect(await fetchError({ claims: { scope: 'unknown' } })).to.equal('invalid_scope');
    expect(await fetchError({ claims: { redirect_uri: 'https://other.example/' } })).to.equal('invalid_request');
    expect(await fetchError({ claims: { client_id: 'another' } })).to.equal('invalid_request_object');
  });

  describe('by reference', () => {
    let server: HostileServer;

    afterEach(() => server.close());

    async function requestByReference(startedServer: Promise<HostileServer>, uri = REQUEST_URI) {
      server = await startedServer;
      redirectAppExample(running, server);
      return browser.get(authorizePath(client, { request_uri: uri }));
    }

    it('is fetched only once, from a registered URL', async () => {
      const page = await requestByReference(startTextServer(await signRequestObject(running, client, KEY)));
      expect(parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters).to.have.property('code');
      expect(server.requests).to.have.length(1);
    });

    it('is not fetched from any other URL', async () => {
      const page = await requestByReference(startTextServer('x'), 'https://app.example/other.jwt');
      expectErrorRedirect(page, 'invalid_request_uri');
      expect(server.requests).to.deep.equal([]);
    });

    it('is refused if the response is a redirect, an error, too large, or not a request object', async () => {
      const emptyResponse = (status: string, headers = '') =>
        `HTTP/1.1 ${status}\r\n${headers}Content-Length: 0\r\n\r\n`;
      const responses = [
        emptyResponse('302 Found', 'Location: https://a.example/\r\n'),
        emptyResponse('404 Not Found'),
      ];
      for (const response of responses) {
        expectErrorRedirect(
          await requestByReference(startHostileServer((socket) => void socket.end(response))),
          'invalid_request_uri',
        );
        await server.close();
      }
      const endlessResponse = startHostileServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        flood(socket, 'x'.repeat(1_024));
      });
      expectErrorRedirect(await requestByReference(endlessResponse), 'invalid_request_uri');
      await server.close();
      expectErrorRedirect(await requestByReference(startTextServer('not a JWT')), 'invalid_request_object');
    });

    it('is fetched a limited number of times for each client IP address', async () => {
      await running.close();
      const settings = { outgoingHttp: true, outgoingNetworks: ['127.0.0.0/8'], trustedProxies: 1 };
      running = await runningService({ limits: SMALL_LIMITS, settings });
      client = await running.addClient();
      await secureRequests(running, client, [KEY], { requestUris: [REQUEST_URI] });
      server = await startTextServer(await signRequestObject(running, client, KEY));
      redirectAppExample(running, server);
      const path = authorizePath(client, { request_uri: REQUEST_URI });
      const fetchStatus = async (address: string) => (await running.get(path, { 'x-forwarded-for': address })).status;
      const { max } = SMALL_LIMITS['request-objects-by-address'];
      for (let count = 0; count < max; count += 1) expect(await fetchStatus('192.0.2.1')).to.equal(302);
      expect(await fetchStatus('192.0.2.1')).to.equal(429);
      expect(await fetchStatus('192.0.2.2')).to.equal(302);
      expect(server.requests).to.have.length(max + 1);
    });

    it('cannot be combined with a request object that is passed by value', async () => {
      server = await startTextServer('x');
      const request = await signRequestObject(running, client, KEY);
      const path = authorizePath(client, { request, request_uri: REQUEST_URI });
      expectErrorRedirect(await browser.get(path), 'invalid_request');
      expect(server.requests).to.deep.equal([]);
    });
  });

  it('shows an error page if neither the query nor the object has a registered redirect URI', async () => {
    const claims = { redirect_uri: 'https://other.example/', aud: 'https://other.example' };
    expectErrorPage(await send({ claims }));
    expectErrorPage(await send({ claims: { redirect_uri: 'https://other.example/' } }));
  });
});

/** Returns the state in the response to a refused request object, or undefined if the `state` claim is invalid. */
function expectedState(claims: Readonly<Record<string, unknown>>): string | undefined {
  return 'state' in claims ? undefined : 's';
}
