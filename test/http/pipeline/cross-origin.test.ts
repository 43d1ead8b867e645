import { expect } from 'chai';
import {
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../../support/running-service.ts';

const OWN_ORIGIN = 'https://spa.example';
const OTHER_ORIGIN = 'https://other.example';
const UNKNOWN_ORIGIN = 'https://evil.example';
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Returns the CORS headers of a response, and whether it varies by origin. */
function corsOf({ headers }: TestResponse) {
  return {
    origin: headers.get('access-control-allow-origin'),
    credentials: headers.get('access-control-allow-credentials'),
    varies: /\borigin\b/i.test(headers.get('vary') ?? ''),
  };
}
const allowedFrom = (origin: string) => ({ origin, credentials: null, varies: true });
const NOT_ALLOWED = { origin: null, credentials: null, varies: true };
const ANY_ORIGIN = { origin: '*', credentials: null, varies: false };

describe('An application in a browser', () => {
  let running: RunningService;
  let spa: TestClient;
  let otherClient: TestClient;
  let user: TestUser;

  beforeEach(async () => {
    running = await runningService();
    const browserClient = { clientType: 'public', grantTypes: ['authorization-code', 'password'] } as const;
    spa = await running.addClient({ ...browserClient, allowedOrigins: [OWN_ORIGIN, 'http://localhost:3000'] });
    otherClient = await running.addClient({ ...browserClient, allowedOrigins: [OTHER_ORIGIN] });
    user = await running.addUser('ada');
  });
  afterEach(() => running.close());

  const post = (path: string, origin: string, parameters: Record<string, string>, headers = {}) =>
    running.post(path, parameters, { origin, ...headers });
  const logIn = (client: TestClient, origin: string) =>
    post('/o/token/', origin, { grant_type: 'password', client_id: client.id, ...user });
  const issueToken = async (client: TestClient): Promise<string> =>
    String((await logIn(client, '')).json?.['access_token']);
  const sendPreflight = (path: string, origin: string, method = 'POST', headers = 'authorization') =>
    running.send(path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': headers },
    });

  it('can read its token responses only from its own origins', async () => {
    for (const path of ['/o/token/', '/o/token']) {
      const response = await post(path, OWN_ORIGIN, { grant_type: 'password', client_id: spa.id, ...user });
      expect(response.status).to.equal(200);
      expect(corsOf(response)).to.deep.equal(allowedFrom(OWN_ORIGIN));
      expect(response.headers.get('cache-control')).to.equal('no-store');
    }
    expect(corsOf(await logIn(spa, 'http://localhost:3000'))).to.deep.equal(allowedFrom('http://localhost:3000'));
    for (const origin of [
      OTHER_ORIGIN,
      UNKNOWN_ORIGIN,
      'null',
      'https://SPA.example',
      `${OWN_ORIGIN}:443`,
      `${OWN_ORIGIN}/`,
      `${OWN_ORIGIN}.evil.example`,
      'http://spa.example',
      'https://evil.example, https://spa.example',
    ]) {
      expect(corsOf(await logIn(spa, origin)), origin).to.deep.equal(NOT_ALLOWED);
    }
  });

  it('gets ordinary responses without an Origin header, which are cached separately', async () => {
    expect(corsOf(await running.token(spa, {}))).to.deep.equal(NOT_ALLOWED);
    expect(corsOf(await running.get('/users/'))).to.deep.equal(NOT_ALLOWED);
  });

  it('can read refusals of its own requests, and errors that occur before the client is identified', async () => {
    const wrongPassword = await post('/o/token/', OWN_ORIGIN, {
      grant_type: 'password',
      client_id: spa.id,
      ...user,
      password: 'wrong',
    });
    expect([wrongPassword.status, corsOf(wrongPassword)]).to.deep.equal([400, allowedFrom(OWN_ORIGIN)]);
    expect(
      corsOf(
        await post('/o/token/', OTHER_ORIGIN, {
          grant_type: 'password',
          client_id: spa.id,
          ...user,
          password: 'wrong',
        }),
      ),
    ).to.deep.equal(NOT_ALLOWED);
    for (const [parameters, headers] of [
      [{}, {}],
      [{ grant_type: 'x' }, {}],
      [{}, { 'content-type': 'text/plain' }],
      [{ a: 'x'.repeat(70_000) }, {}],
    ] as const) {
      expect(corsOf(await post('/o/token/', OWN_ORIGIN, parameters, headers))).to.deep.equal(allowedFrom(OWN_ORIGIN));
      expect(corsOf(await post('/o/token/', UNKNOWN_ORIGIN, parameters, headers))).to.deep.equal(NOT_ALLOWED);
    }
    expect((await post('/o/token/', OWN_ORIGIN, {})).headers.get('access-control-expose-headers')).to.include(
      'WWW-Authenticate',
    );
  });

  it('cannot tell an unknown client from a wrong secret by the CORS headers', async () => {
    const confidentialClient = await running.addClient({ allowedOrigins: [OTHER_ORIGIN] });
    const refusal = async (clientId: string) => {
      const response = await post('/o/token/', OWN_ORIGIN, {
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: 'wrong',
      });
      return { status: response.status, text: response.text, ...corsOf(response) };
    };
    expect(await refusal(confidentialClient.id)).to.deep.equal(await refusal('nobody'));
    expect(await refusal('nobody')).to.include({ status: 401, ...allowedFrom(OWN_ORIGIN) });
  });

  it('can revoke its tokens', async () => {
    const token = await issueToken(spa);
    expect(corsOf(await post('/o/revoke_token/', UNKNOWN_ORIGIN, { token, client_id: spa.id }))).to.deep.equal(
      NOT_ALLOWED,
    );
    const response = await post('/o/revoke_token/', OWN_ORIGIN, { token, client_id: spa.id });
    expect([response.status, corsOf(response)]).to.deep.equal([200, allowedFrom(OWN_ORIGIN)]);
  });

  it('can use the sample API with its own tokens', async () => {
    const [ownToken, otherToken] = [`Bearer ${await issueToken(spa)}`, `Bearer ${await issueToken(otherClient)}`];
    for (const path of ['/users/', '/users/1/', '/users/9/', '/groups/']) {
      expect(corsOf(await running.get(path, { origin: OWN_ORIGIN, authorization: ownToken })), path).to.deep.equal(
        allowedFrom(OWN_ORIGIN),
      );
      expect(corsOf(await running.get(path, { origin: OWN_ORIGIN, authorization: otherToken })), path).to.deep.equal(
        NOT_ALLOWED,
      );
      const refusal = await running.get(path, { origin: OWN_ORIGIN, authorization: 'Bearer dead' });
      expect([refusal.status, corsOf(refusal)]).to.deep.equal([401, allowedFrom(OWN_ORIGIN)]);
      expect(corsOf(await running.get(path, { origin: UNKNOWN_ORIGIN, authorization: ownToken })), path).to.deep.equal(
        NOT_ALLOWED,
      );
    }
    expect(
      corsOf(await post('/users/', OWN_ORIGIN, { username: 'foo', password: 'bar' }, { authorization: ownToken })),
    ).to.deep.equal(allowedFrom(OWN_ORIGIN));
  });

  it("cannot use a user's session", async () => {
    const browser = running.browser();
    await browser.logIn(user.username, user.password);
    const cookie = [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
    const [sessionResponse, anonymousResponse] = await Promise.all(
      [{ cookie }, {}].map((headers) => running.get('/users/', { origin: OWN_ORIGIN, ...headers })),
    );
    expect([sessionResponse?.status, sessionResponse?.text]).to.deep.equal([401, anonymousResponse?.text]);
    expect(corsOf(await running.get('/accounts/', { origin: OWN_ORIGIN, cookie }))).to.deep.include({ origin: null });
  });

  it('gets a preflight response without credentials if its origin belongs to a client', async () => {
    for (const path of ['/o/token/', '/o/token', '/o/revoke_token/', '/users/', '/users/1/', '/groups/']) {
      const allowedPreflight = await sendPreflight(path, OWN_ORIGIN);
      expect([allowedPreflight.status, allowedPreflight.text, corsOf(allowedPreflight)], path).to.deep.equal([
        204,
        '',
        allowedFrom(OWN_ORIGIN),
      ]);
      expect(allowedPreflight.headers.get('access-control-allow-headers')).to.equal(
        'Authorization, Content-Type, DPoP',
      );
      expect(allowedPreflight.headers.get('access-control-allow-methods')).to.include('POST');
      expect(allowedPreflight.headers.get('access-control-max-age')).to.equal('600');
      const refusedPreflight = await sendPreflight(path, UNKNOWN_ORIGIN);
      expect(
        [
          refusedPreflight.status,
          corsOf(refusedPreflight),
          refusedPreflight.headers.get('access-control-allow-methods'),
        ],
        path,
      ).to.deep.equal([204, NOT_ALLOWED, null]);
    }
  });

  it('can read the server metadata from any origin', async () => {
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource']) {
      for (const origin of [OWN_ORIGIN, UNKNOWN_ORIGIN, 'null']) {
        const response = await running.get(path, { origin });
        expect([response.status, corsOf(response)], path).to.deep.equal([200, ANY_ORIGIN]);
        const preflightResponse = await sendPreflight(path, origin, 'GET', 'x-protocol-version');
        expect([
          preflightResponse.status,
          corsOf(preflightResponse),
          preflightResponse.headers.get('access-control-allow-headers'),
        ]).to.deep.equal([204, ANY_ORIGIN, '*, Authorization']);
      }
    }
  });

  it('cannot read pages, authorize, introspect or follow the log', async () => {
    const authorization = `Bearer ${await issueToken(spa)}`;
    for (const path of [
      '/',
      '/o/authorize/',
      `/o/authorize/?response_type=code&client_id=${spa.id}`,
      '/accounts/login/',
      '/o/applications/',
      '/o/introspect/',
      '/o/events/',
      '/healthz',
      '/static/grantlog.css',
      '/nowhere/',
    ]) {
      for (const response of [
        await running.get(path, { origin: OWN_ORIGIN, authorization }),
        await post(path, OWN_ORIGIN, {}),
        await sendPreflight(path, OWN_ORIGIN),
      ]) {
        expect(corsOf(response).origin, path).to.equal(null);
      }
    }
  });

  it('is allowed from its current origins only, after a change, a restart or a removal', async () => {
    const { registration, projections } = running.service();
    const client = projections.clients.find(spa.id) ?? expect.fail();
    await registration.update(client.clientId, { ...client, allowedOrigins: ['https://new.example'] }, OPERATOR);
    expect(corsOf(await sendPreflight('/o/token/', OWN_ORIGIN))).to.deep.equal(NOT_ALLOWED);
    expect(corsOf(await logIn(spa, 'https://new.example'))).to.deep.equal(allowedFrom('https://new.example'));
    await running.restart();
    expect(corsOf(await sendPreflight('/o/token/', 'https://new.example'))).to.deep.equal(
      allowedFrom('https://new.example'),
    );
    await running.service().registration.remove(client.clientId, OPERATOR);
    expect(corsOf(await sendPreflight('/o/token/', 'https://new.example'))).to.deep.equal(NOT_ALLOWED);
    expect(corsOf(await sendPreflight('/o/token/', OTHER_ORIGIN))).to.deep.equal(allowedFrom(OTHER_ORIGIN));
  });

  it('cannot use the sample API if that API is off', async () => {
    await running.close();
    running = await runningService({ settings: { sampleApi: false } });
    await running.addClient({ allowedOrigins: [OWN_ORIGIN] });
    expect(corsOf(await sendPreflight('/users/', OWN_ORIGIN)).origin).to.equal(null);
    expect(corsOf(await running.send('/o/token/', { method: 'OPTIONS', headers: FORM }))).to.deep.equal(NOT_ALLOWED);
  });
});
