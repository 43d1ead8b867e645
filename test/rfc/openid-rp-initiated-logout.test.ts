import { expect } from 'chai';
import { expectErrorPage, openSession } from '../support/authorize-requests.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const RETURN_URI = 'https://app.example/logged-out?from=here';

describe('OpenID Connect RP-Initiated Logout', () => {
  let running: RunningService;
  let client: TestClient;
  let user: TestUser;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient({ openid: { postLogoutRedirectUris: [RETURN_URI] } });
    user = await running.addUser();
    browser = await openSession(running, user);
  });
  afterEach(() => running.close());

  async function issueIdToken(owner: TestUser = user): Promise<string> {
    const code = await running.authorize(client, owner, { scope: 'openid' });
    const { json } = await running.token(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
    });
    return String(json?.['id_token']);
  }

  const logOut = (parameters: Readonly<Record<string, string>>, session = browser): Promise<Page> =>
    session.get(`/o/logout/?${new URLSearchParams(parameters).toString()}`);
  const isLoggedIn = async (): Promise<boolean> => (await browser.get('/accounts/')).status === 200;
  const confirm = (page: Page): Promise<Page> => browser.submit(page, {}, '/o/logout/');

  async function expectRefused(parameters: Readonly<Record<string, string>>): Promise<void> {
    expectErrorPage(await logOut(parameters));
    expect(await isLoggedIn()).to.equal(true);
  }

  it("logs out the ID token's user, and returns to the registered URI with the state", async () => {
    const id_token_hint = await issueIdToken();
    const { location } = await logOut({ id_token_hint, post_logout_redirect_uri: RETURN_URI, state: 'ä&1' });
    expect(location).to.equal(`${RETURN_URI}&state=%C3%A4%261`);
    expect(await isLoggedIn()).to.equal(false);
    const [sessionEnd] = (await running.events()).filter(({ type }) => type === 'SessionEnded').slice(-1);
    expect(sessionEnd?.data).to.deep.include({ reason: 'logged-out-through-client' });
  });

  it('accepts an expired ID token together with client_id', async () => {
    const id_token_hint = await issueIdToken();
    running.clock.advance(40_000);
    browser = await openSession(running, user);
    const page = await logOut({ id_token_hint, client_id: client.id, post_logout_redirect_uri: RETURN_URI });
    expect(page.location).to.equal(RETURN_URI);
  });

  it("asks for confirmation if the request has no ID token or another user's ID token", async () => {
    const otherIdToken = await issueIdToken(await running.addUser());
    for (const parameters of [{}, { client_id: client.id }, { id_token_hint: otherIdToken }, { state: 'x' }]) {
      const page = await logOut({ ...parameters, logout_hint: 'somebody', ui_locales: 'fr' });
      expect([page.status, page.html.includes('Log out?')]).to.deep.equal([200, true]);
      expect(await isLoggedIn()).to.equal(true);
    }
    const page = await confirm(
      await logOut({ client_id: client.id, post_logout_redirect_uri: RETURN_URI, state: 's' }),
    );
    expect(page.location).to.equal(`${RETURN_URI}&state=s`);
    expect(await isLoggedIn()).to.equal(false);
  });

  it('shows that the user has been logged out if the request has no redirect URI', async () => {
    const id_token_hint = await issueIdToken();
    const page = await logOut({ id_token_hint, state: 's' });
    expect(page.location, 'without the ID token').to.equal('/o/logout/');
    expect(await isLoggedIn()).to.equal(false);
    expect((await logOut({})).html).to.include('You are logged out');
  });

  it('returns a logged-out visitor immediately with an ID token, and after a click without one', async () => {
    const visitor = running.browser();
    const id_token_hint = await issueIdToken();
    const destination = { post_logout_redirect_uri: RETURN_URI };
    expect((await logOut({ id_token_hint, ...destination }, visitor)).location).to.equal(RETURN_URI);
    const page = await logOut({ client_id: client.id, ...destination }, visitor);
    expect([page.status, page.location]).to.deep.equal([200, null]);
    expect(page.html).to.include('href="https://app.example/logged-out?from=here"');
  });

  it('never redirects if the URI is not registered exactly or the application is not identified', async () => {
    const id_token_hint = await issueIdToken();
    for (const post_logout_redirect_uri of [
      `${RETURN_URI}&more=1`,
      `${RETURN_URI}#x`,
      REDIRECT_URI,
      'https://evil.example/',
      'x',
    ])
      await expectRefused({ id_token_hint, post_logout_redirect_uri });
    await expectRefused({ post_logout_redirect_uri: RETURN_URI });
    await expectRefused({ client_id: client.id, post_logout_redirect_uri: 'https://evil.example/' });
    await expectRefused({ client_id: 'unknown' });
  });

  it('refuses unsigned and forged tokens, access tokens, and ID tokens of another client', async () => {
    const token = await issueIdToken();
    const [head = '', body = '', signature = ''] = token.split('.');
    const unsignedHeader = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
    const { json } = await running.token(await running.addClient({ accessTokenFormat: 'jwt' }), {
      grant_type: 'client_credentials',
      scope: 'read',
    });
    const forgedTokens = [
      `${unsignedHeader}.${body}.`,
      `${unsignedHeader}.${body}.${signature}`,
      `${head}.${body}.`,
      `${head}.${body}.${'A'.repeat(342)}`,
      'x',
    ];
    for (const id_token_hint of [...forgedTokens, String(json?.['access_token'])]) {
      await expectRefused({ id_token_hint });
      await expectRefused({ id_token_hint, post_logout_redirect_uri: RETURN_URI });
    }
    const otherClient = await running.addClient();
    await expectRefused({ id_token_hint: token, client_id: otherClient.id });
  });

  it('refuses overlong values and repeated parameters', async () => {
    for (const name of ['post_logout_redirect_uri', 'logout_hint', 'state', 'ui_locales'])
      await expectRefused({ [name]: 'x'.repeat(5_000) });
    expectErrorPage(await browser.get('/o/logout/?state=1&state=2'));
  });

  it("can be requested by POST, with the browser's session", async () => {
    const fields = { id_token_hint: await issueIdToken(), post_logout_redirect_uri: RETURN_URI };
    const postResponse = await running.post('/o/logout/', fields);
    expect(postResponse.status).to.equal(303);
    expect((await browser.get(postResponse.headers.get('location') ?? '')).location).to.equal(RETURN_URI);
    expect(await isLoggedIn()).to.equal(false);
  });

  it("accepts a confirmation only from the current session's form, and only for an hour", async () => {
    const page = await logOut({});
    const otherSession = await openSession(running, user);
    expect((await otherSession.submit(page, {}, '/o/logout/')).status).to.equal(403);
    running.clock.advance(3_601);
    expectErrorPage(await confirm(page));
    expect(await isLoggedIn()).to.equal(true);
  });

  it("ends the session's grants, except grants with offline_access", async () => {
    const redeem = async (scope: string): Promise<string> => {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: client.id,
        redirect_uri: REDIRECT_URI,
        scope,
      });
      const { location } = await browser.submit(await browser.get(`/o/authorize/?${query.toString()}`), {
        allow: 'yes',
      });
      const code = new URL(location ?? '').searchParams.get('code') ?? '';
      const { json } = await running.token(client, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT_URI,
      });
      return String(json?.['access_token']);
    };
    const [onlineToken, offlineToken] = [await redeem('openid'), await redeem('openid offline_access')];
    const fetchUserinfoStatus = async (token: string): Promise<number> =>
      (await running.get('/o/userinfo/', { authorization: `Bearer ${token}` })).status;
    await logOut({ id_token_hint: await issueIdToken() });
    expect([await fetchUserinfoStatus(onlineToken), await fetchUserinfoStatus(offlineToken)]).to.deep.equal([401, 200]);
  });
});
