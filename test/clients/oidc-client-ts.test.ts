import { expect } from 'chai';
import type { SigninRedirectArgs, User, UserManager } from 'oidc-client-ts';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import {
  startSinglePageApplication,
  type SinglePageApplication,
} from '../support/relying-parties/single-page-application.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';
import { startTlsProxy, type TlsProxy } from '../support/tls-proxy.ts';

/** The page's global variables. */
declare const manager: UserManager;
declare const outcome: Promise<{ readonly value?: unknown; readonly error?: string }>;

type Profile = User['profile'];

const HOSTS = ['127.0.0.1', 'localhost'] as const;

/** Skips the consent page if a grant covers the request. */
const WITHOUT_CONSENT = { approval_prompt: 'auto' };

describeInChromium('In a browser, oidc-client-ts', (chromium) => {
  let server: TlsProxy;
  let running: RunningService;
  let application: SinglePageApplication;
  let client: TestClient;
  let user: TestUser;

  beforeEach(async () => {
    server = await startTlsProxy(() => running.origin());
    running = await runningService({ settings: { issuer: server.origin }, startsAt: Date.now() });
    application = await startSinglePageApplication();
    const origins = HOSTS.map((host) => application.origin(host));
    client = await running.addClient({
      clientType: 'public',
      grantTypes: ['authorization-code'],
      redirectUris: origins.map((origin) => `${origin}/callback`),
      allowedOrigins: origins,
      openid: { postLogoutRedirectUris: origins.map((origin) => `${origin}/logged-out`) },
    });
    application.configure({
      authority: server.origin,
      client_id: client.id,
      scope: 'openid profile',
      loadUserInfo: true,
      filterProtocolClaims: false,
    });
    user = await running.addUser('ada');
  });
  afterEach(async () => {
    await application.close();
    await running.close();
    await server.close();
  });

  const openBrowser = () => chromium.open({ ignoreHTTPSErrors: true });

  /** Logs in through a redirect from the page to its callback. */
  async function logIn(page: Page, host: (typeof HOSTS)[number] = '127.0.0.1', args: SigninRedirectArgs = {}) {
    await page.goto(application.origin(host));
    await page.evaluate((settings) => void manager.signinRedirect(settings), args);
    await approve(page);
    await page.waitForURL('**/callback?**');
    return page.evaluate(() => outcome as Promise<{ value: User }>);
  }

  async function approve(page: Page): Promise<void> {
    await page.getByLabel('User name').fill(user.username);
    await page.getByLabel('Password').fill(user.password);
    await page.locator('main').getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'Authorize' }).click();
  }

  /** Logs in silently in a hidden frame, and returns the claims or the error. */
  const logInSilently = (page: Page) =>
    page.evaluate(
      (extraQueryParams) =>
        manager.signinSilent({ forceIframeAuth: true, extraQueryParams }).then(
          (loggedInUser) => ({ profile: loggedInUser?.profile }),
          ({ error, message }: { error?: string; message: string }) => ({ error: error ?? message }),
        ),
      WITHOUT_CONSENT,
    );

  const userinfoStatus = async (token: string): Promise<number> =>
    (await running.get('/o/userinfo/', { authorization: `Bearer ${token}` })).status;

  it('reads the metadata and the keys from a different origin', async () => {
    const { page, consoleErrors } = await openBrowser();
    await page.goto(application.origin());
    const metadata = await page.evaluate(() => manager.metadataService.getMetadata());
    expect(metadata).to.include({
      issuer: server.origin,
      userinfo_endpoint: `${server.origin}/o/userinfo/`,
      end_session_endpoint: `${server.origin}/o/logout/`,
    });
    await logIn(page);
    const keys = await page.evaluate(() => manager.metadataService.getSigningKeys());
    expect(keys?.map(({ alg }) => alg)).to.include('RS256');
    expect(consoleErrors).to.deep.equal([]);
  });

  it('logs a user in with PKCE, and gets the claims of the ID token and of userinfo', async () => {
    const { page, consoleErrors } = await openBrowser();
    const authorizationRequest = page.waitForRequest(/\/o\/authorize\/\?/);
    const { value } = await logIn(page, '127.0.0.1', { nonce: 'n-0S6_WzA2Mj', max_age: 60 });
    const query = new URL((await authorizationRequest).url()).searchParams;
    expect(query.get('code_challenge_method')).to.equal('S256');
    expect(value).to.include({ token_type: 'Bearer', scope: 'openid profile' });
    expect(value.profile).to.include({
      iss: server.origin,
      aud: client.id,
      nonce: 'n-0S6_WzA2Mj',
      acr: 'pwd',
      preferred_username: 'ada',
    });
    expect(value.profile).to.have.property('sid');
    expect(await userinfoStatus(value.access_token)).to.equal(200);
    expect(consoleErrors).to.deep.equal([]);
  });

  it('renews the tokens with the refresh token before they expire', async () => {
    const { page, consoleErrors } = await openBrowser();
    await page.clock.install();
    const { value: firstUser } = await logIn(page);
    const renewal = page.evaluate(() => new Promise<User>((resolve) => manager.events.addUserLoaded(resolve)));
    const seconds = (firstUser.expires_at ?? 0) - Math.floor(running.clock.now() / 1000) - 30;
    running.clock.advance(seconds);
    await page.clock.fastForward(seconds * 1000);
    const renewedUser = await renewal;
    expect(renewedUser.access_token).not.to.equal(firstUser.access_token);
    expect(renewedUser.refresh_token).not.to.equal(firstUser.refresh_token);
    expect(renewedUser.id_token).not.to.equal(firstUser.id_token);
    const stableClaims = ({ sub, sid, auth_time, preferred_username }: Profile) => ({
      sub,
      sid,
      auth_time,
      preferred_username,
    });
    expect(stableClaims(renewedUser.profile)).to.deep.equal(stableClaims(firstUser.profile));
    expect(await userinfoStatus(renewedUser.access_token)).to.equal(200);
    expect(consoleErrors).to.deep.equal([]);
  });

  it('logs the user in silently in a frame during the session, but only if the page is on the same site', async () => {
    const { page, consoleErrors } = await openBrowser();
    const { value } = await logIn(page);
    expect(await logInSilently(page)).to.have.nested.property('profile.sub', value.profile.sub);
    expect(consoleErrors).to.deep.equal([]);

    const { page: otherSitePage } = await openBrowser();
    await logIn(otherSitePage, 'localhost');
    expect(await logInSilently(otherSitePage)).to.deep.equal({ error: 'login_required' });
  });

  it('logs the user in with a pop-up', async () => {
    const { page, consoleErrors } = await openBrowser();
    await page.goto(application.origin());
    const popup = page.waitForEvent('popup');
    const login = page.evaluate(() => manager.signinPopup());
    await approve(await popup);
    expect((await login).profile).to.include({ preferred_username: 'ada' });
    expect(consoleErrors).to.deep.equal([]);
  });

  it('revokes the tokens', async () => {
    const { page, consoleErrors } = await openBrowser();
    const { value } = await logIn(page);
    await page.evaluate(() => manager.revokeTokens());
    expect(await userinfoStatus(value.access_token)).to.equal(401);
    expect(consoleErrors).to.deep.equal([]);
  });

  it('logs the user out, after which silent logins fail and the tokens are invalid', async () => {
    const { page } = await openBrowser();
    const { value } = await logIn(page);
    await page.evaluate(() => void manager.signoutRedirect({ state: 'ends here' }));
    await page.waitForURL('**/logged-out?**');
    expect(await page.evaluate(() => outcome)).to.have.nested.property('value.userState', 'ends here');
    expect(await page.evaluate(() => manager.getUser())).to.equal(null);
    expect(await userinfoStatus(value.access_token)).to.equal(401);
    const refresh = { grant_type: 'refresh_token', refresh_token: value.refresh_token ?? '', client_id: client.id };
    expect((await running.post('/o/token/', refresh)).json).to.include({ error: 'invalid_grant' });

    expect(await logInSilently(page), 'a login in a frame').to.deep.equal({ error: 'login_required' });
    await page.evaluate(() => void manager.signinRedirect({ prompt: 'none' }));
    await page.waitForURL('**/callback?**');
    expect(await page.evaluate(() => outcome), 'a login by redirect').to.deep.equal({ error: 'login_required' });
  });
});
