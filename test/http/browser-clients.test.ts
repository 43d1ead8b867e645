import { expect } from 'chai';
import { openSession } from '../support/authorize-requests.ts';
import { runningService, type TestResponse, type RunningService } from '../support/running-service.ts';

const ORIGIN = 'https://inspector.example';
/** The origin of a program that a user runs locally, such as the MCP Inspector. */
const LOCAL_ORIGIN = 'http://localhost:6274';
const EVIL_ORIGIN = 'https://evil.example';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const allowedOrigin = ({ headers }: TestResponse): string | null => headers.get('access-control-allow-origin');

/** For example, an inspector or agent that runs in a browser, without a server of its own. */
describe('A browser-based client that registers itself', () => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService({ settings: { dynamicRegistration: 'open', issuer: 'https://id.example/tenant' } });
  });
  afterEach(() => running.close());

  const preflight = (path: string, method: string, headers: string, origin = ORIGIN): Promise<TestResponse> =>
    running.send(path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': headers,
      },
    });
  const callbackOf = (origin: string): string => `${origin}/callback`;
  const register = (origin = ORIGIN) =>
    running.send('/o/register/', {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Inspector',
        redirect_uris: [callbackOf(origin)],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
      }),
    });
  const authorizationPath = (clientId: string, origin = ORIGIN): string =>
    `/o/authorize/?${new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: callbackOf(origin),
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    }).toString()}`;

  it('can read the server metadata, the resource metadata and the key set at all their URLs', async () => {
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/tenant',
      '/.well-known/openid-configuration',
      '/.well-known/openid-configuration/tenant',
      '/.well-known/oauth-protected-resource/tenant',
      '/.well-known/jwks.json',
    ]) {
      const preflightResponse = await preflight(path, 'GET', 'mcp-protocol-version');
      expect(
        [
          preflightResponse.status,
          allowedOrigin(preflightResponse),
          preflightResponse.headers.get('access-control-allow-headers'),
        ],
        path,
      ).to.deep.equal([204, '*', '*, Authorization']);
      const answer = await running.get(path, { origin: ORIGIN });
      expect([answer.status, allowedOrigin(answer)], path).to.deep.equal([200, '*']);
      expect(answer.headers.get('access-control-allow-credentials'), path).to.equal(null);
    }
  });

  for (const origin of [ORIGIN, LOCAL_ORIGIN])
    it(`at ${origin} can read its registration and its tokens, which no other origin can read`, async () => {
      expect(allowedOrigin(await preflight('/o/register/', 'POST', 'authorization, content-type'))).to.equal('*');
      const registration = await register(origin);
      expect([registration.status, allowedOrigin(registration)]).to.deep.equal([201, '*']);
      const clientId = String(registration.json?.['client_id']);

      const browser = await openSession(running, await running.addUser());
      const consent = await browser.get(authorizationPath(clientId, origin));
      const { location } = await browser.submit(consent, { allow: 'Authorize' });
      const code = new URL(location ?? '').searchParams.get('code') ?? '';

      const tokenRequest = {
        grant_type: 'authorization_code',
        client_id: clientId,
        redirect_uri: callbackOf(origin),
        code,
      };
      expect(allowedOrigin(await preflight('/o/token/', 'POST', 'content-type', origin))).to.equal(origin);
      const stolenCodeResponse = await running.post(
        '/o/token/',
        { ...tokenRequest, code_verifier: 'x'.repeat(43) },
        { origin: EVIL_ORIGIN },
      );
      expect([stolenCodeResponse.status, allowedOrigin(stolenCodeResponse)]).to.deep.equal([400, null]);
      const answer = await running.post('/o/token/', { ...tokenRequest, code_verifier: VERIFIER }, { origin });
      expect([answer.status, allowedOrigin(answer)]).to.deep.equal([200, origin]);
      const { refresh_token: refresh } = answer.json ?? {};
      const parameters = { grant_type: 'refresh_token', client_id: clientId, refresh_token: String(refresh) };
      expect(allowedOrigin(await running.post('/o/token/', parameters, { origin: EVIL_ORIGIN }))).to.equal(null);
    });

  it('cannot read or preflight the authorization endpoint or the pages', async () => {
    const clientId = String((await register()).json?.['client_id']);
    for (const path of [
      authorizationPath(clientId),
      '/o/authorize/',
      '/accounts/login/',
      '/o/resources/',
      '/o/device/',
    ]) {
      for (const method of ['GET', 'POST'])
        expect(allowedOrigin(await preflight(path, method, 'content-type')), path).to.equal(null);
      expect(allowedOrigin(await running.get(path, { origin: ORIGIN })), path).to.equal(null);
    }
  });
});
