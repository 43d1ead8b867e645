import { expect } from 'chai';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '../../src/domain/values.ts';
import { authorizePath, expectErrorPage, openSession } from '../support/authorize-requests.ts';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import { REDIRECT_URI, runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const ISSUER = 'http://localhost:8000';
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('JWT Secured Authorization Response Mode (JARM)', () => {
  let running: RunningService;
  let client: TestClient;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService({ startsAt: Date.now() });
    client = await running.addClient();
    browser = await openSession(running, await running.addUser());
  });
  afterEach(() => running.close());

  const request = (parameters: Readonly<Record<string, string>>, visitor = browser): Promise<Page> =>
    visitor.get(authorizePath(client, { state: 'a state', ...parameters }));

  const verify = async (jwt: string, algorithm: SigningAlgorithm = 'RS256') => {
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', running.origin()));
    const options = { issuer: ISSUER, audience: client.id, algorithms: [algorithm], typ: 'authorization-response+jwt' };
    return (await jwtVerify(jwt, keys, options)).payload;
  };
  const readResponse = ({ location }: Page): string => {
    const { origin, pathname, searchParams } = new URL(location ?? expect.fail('the response is not a redirect'));
    expect(`${origin}${pathname}`).to.equal(REDIRECT_URI);
    expect([...searchParams.keys()]).to.deep.equal(['response']);
    return searchParams.get('response') ?? '';
  };

  for (const response_mode of ['jwt', 'query.jwt'])
    it(`sends the code in a single signed redirect parameter: ${response_mode}`, async () => {
      const page = await browser.submit(await request({ response_mode }), { allow: 'Authorize' });
      const { code, exp, ...claims } = await verify(readResponse(page));
      expect(claims).to.deep.equal({ iss: ISSUER, aud: client.id, state: 'a state' });
      expect(exp).to.equal(Math.floor(running.clock.now() / 1000) + 600);
      const redemption = { grant_type: 'authorization_code', code: String(code), redirect_uri: REDIRECT_URI };
      expect((await running.token(client, redemption)).status).to.equal(200);
    });

  it('sends the response in a form: form_post.jwt', async () => {
    const page = await browser.submit(await request({ response_mode: 'form_post.jwt' }), { allow: 'Authorize' });
    const fields = hiddenFields(page.html);
    expect(fields).to.have.all.keys('response');
    expect(await verify(fields['response'] ?? '')).to.include.keys('code', 'state');
  });

  it('signs errors, too, with and without a login', async () => {
    const refusals = [
      [{ prompt: 'none' }, 'login_required', running.browser()],
      [{ scope: 'unknown' }, 'invalid_scope', running.browser()],
      [{ prompt: 'none' }, 'consent_required', browser],
      [{ code_challenge: 'short' }, 'invalid_request', browser],
    ] as const;
    for (const [parameters, error, visitor] of refusals) {
      const claims = await verify(readResponse(await request({ ...parameters, response_mode: 'jwt' }, visitor)));
      expect(claims).to.include({ error, state: 'a state' }).and.to.have.property('error_description');
    }
    const denial = await browser.submit(await request({ response_mode: 'jwt' }), {});
    expect(await verify(readResponse(denial))).to.include({ error: 'access_denied' });
  });

  it('records an explanation for an error inside the JWT, as for any other error', async () => {
    const page = await request({ response_mode: 'jwt', scope: 'unknown' });
    const id = page.headers.get('x-request-id') ?? '';
    expect(running.service().explanations.find(id)?.rule).to.equal('scope-unknown');
  });

  for (const algorithm of SIGNING_ALGORITHMS)
    it(`signs with the algorithm that the client registered: ${algorithm}`, async () => {
      const { registration, projections } = running.service();
      const registeredClient = projections.clients.find(client.id) ?? expect.fail('the client is not registered');
      const security = { ...registeredClient.security, authorizationResponseAlgorithm: algorithm };
      expect(
        await registration.update(registeredClient.clientId, { ...registeredClient, security }, OPERATOR),
      ).to.equal(undefined);
      const response = readResponse(await request({ response_mode: 'jwt', prompt: 'none' }));
      expect(await verify(response, algorithm)).to.have.property('error');
      expect(decodeProtectedHeader(response).alg).to.equal(algorithm);
    });

  it('adds at most one key to the log, however many errors are signed', async () => {
    const anonymousBrowser = running.browser();
    await request({ response_mode: 'jwt', prompt: 'none' }, anonymousBrowser);
    const eventCount = (await running.events()).length;
    for (let times = 0; times < 20; times += 1)
      await request({ response_mode: 'jwt', prompt: 'none' }, anonymousBrowser);
    expect(await running.events()).to.have.length(eventCount);
  });

  it('omits the state if the request has none', async () => {
    const parameters = new URLSearchParams(
      authorizePath(client, { response_mode: 'jwt', prompt: 'none' }).split('?')[1],
    );
    parameters.delete('state');
    const claims = decodeJwt(readResponse(await browser.get(`/o/authorize/?${parameters.toString()}`)));
    expect(claims).to.have.all.keys('iss', 'aud', 'exp', 'error', 'error_description');
  });

  it('shows an error page for an unregistered redirect URI', async () => {
    expectErrorPage(await request({ response_mode: 'jwt', redirect_uri: 'https://evil.example/' }));
  });

  it('sends a response that is refused as an ID token hint', async () => {
    const response = readResponse(await request({ response_mode: 'jwt', prompt: 'none' }));
    const page = await request({ scope: 'openid', id_token_hint: response });
    expect(new URL(page.location ?? '').searchParams.get('error')).to.equal('invalid_request');
  });
});
