import { expect } from 'chai';
import { authorizePath, expectErrorPage, openSession, parseRedirect } from '../support/authorize-requests.ts';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const MODE = { response_mode: 'form_post', state: '"><script>' };

describe('OAuth 2.0 Form Post Response Mode', () => {
  let running: RunningService;
  let client: TestClient;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient();
    browser = await openSession(running, await running.addUser());
  });
  afterEach(() => running.close());

  const authorizationPage = (parameters: Readonly<Record<string, string>>): Promise<Page> =>
    browser.get(authorizePath(client, parameters));

  it('sends the code in a form that the page posts to the redirect URI', async () => {
    const page = await browser.submit(await authorizationPage(MODE), { allow: 'Authorize' });
    expect(page.status).to.equal(200);
    expect(page.html).to.include(`<form method="post" action="${REDIRECT_URI}" data-form-post>`);
    const fields = hiddenFields(page.html);
    expect(fields).to.have.all.keys('code', 'state', 'iss');
    expect(fields).to.include({ state: MODE.state, iss: 'http://localhost:8000' });
    expect(page.html).to.include('<button').and.not.include('"><script>');
    const { code = '' } = fields;
    const redemption = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    expect((await running.token(client, redemption)).status).to.equal(200);
  });

  it('sends errors the same way', async () => {
    for (const parameters of [{ prompt: 'none' }, { scope: 'unknown' }, { request: 'x' }]) {
      const page = await authorizationPage({ ...MODE, ...parameters });
      expect(hiddenFields(page.html)).to.have.all.keys('error', 'error_description', 'state', 'iss');
    }
    const denial = await browser.submit(await authorizationPage(MODE), {});
    expect(hiddenFields(denial.html)).to.include({ error: 'access_denied' });
  });

  it('sends the error for a request object that contains this response mode', async () => {
    const claims = { response_mode: 'form_post', state: 'in the object' };
    const parts = ['{"alg":"none"}', JSON.stringify(claims)];
    const request = `${parts.map((part) => Buffer.from(part).toString('base64url')).join('.')}.`;
    const query = new URLSearchParams(authorizePath(client, { request }).split('?')[1]);
    query.delete('state');
    const page = await browser.get(`/o/authorize/?${query.toString()}`);
    expect(hiddenFields(page.html)).to.include({ error: 'request_not_supported', state: 'in the object' });
  });

  it('allows only scripts from this server, and forbids framing and storage of the page', async () => {
    const { headers } = await browser.submit(await authorizationPage(MODE), { allow: 'Authorize' });
    expect(headers.get('content-security-policy')).to.include("default-src 'none'").and.include("script-src 'self'");
    expect(headers.get('content-security-policy')).to.include("frame-ancestors 'none'").and.not.include('unsafe');
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(headers.get('referrer-policy')).to.equal('no-referrer');
  });

  it('is never used for an unregistered redirect URI', async () => {
    expectErrorPage(await authorizationPage({ ...MODE, redirect_uri: 'https://evil.example/', prompt: 'none' }));
  });

  it('is case-sensitive, and has no counterpart that uses the fragment', async () => {
    for (const response_mode of ['fragment', 'FORM_POST', 'fragment.jwt'])
      expect(parseRedirect(await authorizationPage({ response_mode })).parameters).to.include({
        error: 'invalid_request',
      });
    expect((await authorizationPage({ response_mode: 'query' })).status).to.equal(200);
  });
});

describe('OpenID Connect Core §3.1.2.1: an authorization request by POST', () => {
  let running: RunningService;
  let client: TestClient;
  let user: TestUser;

  before(async () => {
    running = await runningService();
    client = await running.addClient();
    user = await running.addUser();
  });
  after(() => running.close());

  const authorizationParameters = (extraParameters: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(new URL(authorizePath(client, extraParameters), 'http://localhost').searchParams);

  it("continues as the same request by GET, with the browser's session", async () => {
    const browser = await openSession(running, user);
    const postResponse = await running.post(
      '/o/authorize/',
      authorizationParameters({ state: 'ä&=+', scope: 'openid email' }),
    );
    expect(postResponse.status).to.equal(303);
    const page = await browser.get(postResponse.headers.get('location') ?? '');
    const response = parseRedirect(await browser.submit(page, { allow: 'Authorize' }));
    expect(response.parameters).to.include({ state: 'ä&=+' }).and.to.have.property('code');
  });

  it('is refused like the same request by GET', async () => {
    const findError = async (extraParameters: Readonly<Record<string, string>>): Promise<string | null> => {
      const { headers } = await running.post('/o/authorize/', authorizationParameters(extraParameters));
      const page = await running.browser().get(headers.get('location') ?? '');
      return page.location === null ? String(page.status) : new URL(page.location).searchParams.get('error');
    };
    expect(await findError({ prompt: 'none' })).to.equal('login_required');
    expect(await findError({ request: 'eyJhbGciOiJub25lIn0.e30.' })).to.equal('request_not_supported');
    expect(await findError({ redirect_uri: 'https://evil.example/' })).to.equal('400');
  });

  it('is refused immediately if a value is too long, and never redirects to an unregistered URI', async () => {
    const nonce = 'n'.repeat(10_000);
    const { headers } = await running.post('/o/authorize/', authorizationParameters({ nonce }));
    expect(new URL(headers.get('location') ?? '').searchParams.get('error')).to.equal('invalid_request');
    const redirect_uri = 'https://evil.example/';
    expect((await running.post('/o/authorize/', authorizationParameters({ nonce, redirect_uri }))).status).to.equal(
      400,
    );
  });

  it('is refused if it repeats a parameter or exceeds the maximum URL length', async () => {
    const form = new URLSearchParams(authorizationParameters()).toString();
    expect((await running.post('/o/authorize/', `${form}&state=1&state=2`)).status).to.equal(400);
    const longValues = { state: 's'.repeat(4_096), claims: ' '.repeat(4_096) };
    expect((await running.post('/o/authorize/', authorizationParameters(longValues))).status).to.equal(400);
  });

  it('does not count as consent, which requires the form on the consent page', async () => {
    const browser = await openSession(running, user);
    const { location } = await browser.post('/o/authorize/', authorizationParameters({ allow: 'Authorize' }));
    expect((await browser.get(location ?? '')).html).to.include('name="allow"');
    expect((await browser.post('/o/authorize/', { allow: 'Authorize' })).status).to.equal(403);
  });
});
