import { expect } from 'chai';
import { authorizePath } from '../support/authorize-requests.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const SESSION_SECONDS = 3_600;

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

describe('A grant for OpenID Connect', () => {
  let running: RunningService;
  let ada: TestUser;
  let client: TestClient;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService({ settings: { sessionLifetimeSeconds: SESSION_SECONDS } });
    ada = await running.addUser('ada');
    client = await running.addClient();
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  async function authorize(scope: string): Promise<string> {
    const page = await browser.get(authorizePath(client, { scope }));
    const { location } = await browser.submit(page, { allow: 'Authorize' });
    return new URL(location ?? '').searchParams.get('code') ?? '';
  }

  const redeem = (code: string) =>
    running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
  const refresh = ({ refresh: refresh_token }: Tokens) =>
    running.token(client, { grant_type: 'refresh_token', refresh_token });

  async function issueTokens(scope: string): Promise<Tokens> {
    const { json } = await redeem(await authorize(scope));
    return { access: String(json?.['access_token']), refresh: String(json?.['refresh_token']) };
  }

  /** Returns the results of an API call, of introspections and of a refresh. */
  async function useTokens(tokens: Tokens): Promise<readonly unknown[]> {
    const introspect = async (token: string): Promise<unknown> =>
      (await running.post('/o/introspect/', { token }, { authorization: client.basic })).json?.['active'];
    return [
      (await running.get('/users/', { authorization: `Bearer ${tokens.access}` })).status,
      await introspect(tokens.access),
      await introspect(tokens.refresh),
      (await refresh(tokens)).status,
    ];
  }

  const VALID = [200, true, true, 200];
  const INVALID = [401, false, false, 400];

  async function submitFormOn(pagePath: string, formPath: RegExp): Promise<void> {
    const page = await browser.get(pagePath);
    const [path = ''] = formPath.exec(page.html) ?? [];
    await browser.submit(page, {}, path);
  }

  async function logOut(): Promise<void> {
    const { html } = await browser.get('/accounts/');
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
    expect((await browser.post('/accounts/logout/', { csrf_token })).status).to.equal(302);
  }

  const SESSION_ENDINGS: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['a logout', () => logOut()],
    [
      'the end of the session on the sessions page',
      () => submitFormOn('/accounts/sessions/', /\/accounts\/sessions\/[\w-]+\/end\//),
    ],
    ['a logout everywhere', () => submitFormOn('/accounts/', /\/accounts\/logout\/everywhere\//)],
    [
      'a new password',
      async () =>
        browser.submit(await browser.get('/accounts/password/'), {
          current_password: ada.password,
          new_password: 'another long password',
        }),
    ],
  ];
  for (const [event, end] of SESSION_ENDINGS) {
    it(`ends with ${event}: all its tokens are refused, even after a restart, and other grants continue`, async () => {
      const sessionTokens = await issueTokens('openid read');
      const otherGrants = [await issueTokens('read'), await issueTokens('openid read offline_access')];
      await end();
      expect(await useTokens(sessionTokens)).to.deep.equal(INVALID);
      await running.restart();
      expect(await useTokens(sessionTokens)).to.deep.equal(INVALID);
      for (const tokens of otherGrants) expect(await useTokens(tokens)).to.deep.equal(VALID);
    });
  }

  it('lasts while its session is active, and even after the session has expired', async () => {
    const firstTokens = await issueTokens('openid read');
    expect(await useTokens(firstTokens)).to.deep.equal(VALID);
    const tokens = await issueTokens('openid read');
    running.clock.advance(SESSION_SECONDS + 60);
    expect((await browser.get('/accounts/')).status).to.equal(302);
    expect((await refresh(tokens)).status).to.equal(200);
  });

  it('continues when its user logs in again in the same browser, and ends with the new session', async () => {
    const tokens = await issueTokens('openid read');
    await browser.logIn(ada.username, ada.password);
    const { json } = await refresh(tokens);
    expect(json).to.include.keys('access_token');
    const renewedTokens = { access: String(json?.['access_token']), refresh: String(json?.['refresh_token']) };
    await logOut();
    expect(await useTokens(renewedTokens)).to.deep.equal(INVALID);
  });

  it('ends when another user logs in from the same browser', async () => {
    const tokens = await issueTokens('openid read');
    const bob = await running.addUser('bob');
    await browser.logIn(bob.username, bob.password);
    expect(await useTokens(tokens)).to.deep.equal(INVALID);
  });

  it('ends if the session ends before its code is redeemed', async () => {
    const unredeemedCode = await authorize('openid read');
    await logOut();
    expect((await redeem(unredeemedCode)).json).to.include({ error: 'invalid_grant' });
  });
});
