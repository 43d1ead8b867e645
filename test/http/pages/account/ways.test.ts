import { expect } from 'chai';
import { authorizePath } from '../../../support/authorize-requests.ts';
import { REDIRECT_URI, runningService, type RunningService } from '../../../support/running-service.ts';
import type { BrowserSession, Page } from '../../../support/browser-session.ts';
import {
  beginLogin,
  linkAccount,
  logInThrough,
  LOOPBACK_PROVIDERS,
  startScriptedProvider,
  setProvider,
  type ScriptedProvider,
} from '../../../support/scripted-provider.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ADA = { sub: 'subject-of-ada', email: 'ada@example.org', email_verified: true, preferred_username: 'ada' };

describe('the ways to log in', () => {
  let running: RunningService;
  let provider: ScriptedProvider;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService({ settings: LOOPBACK_PROVIDERS });
    provider = await startScriptedProvider(running.clock.now);
    await setProvider(running, provider);
    browser = running.browser();
  });

  afterEach(async () => {
    await running.close();
    await provider.close();
  });

  const links = () => {
    const { projections } = running.service();
    return projections.users.all().flatMap(({ userId }) => projections.upstreamAccounts.listByUser(userId));
  };
  const ruleOf = ({ headers }: Page): string | undefined =>
    running.service().explanations.find(headers.get('x-request-id') ?? '')?.rule;

  async function logIn(username = 'ada'): Promise<void> {
    const user = await running.addUser(username);
    await browser.logIn(user.username, user.password);
  }

  async function unlink(session = browser): Promise<Page> {
    const [, path = ''] = /href="([^"]+\/unlink\/)"/.exec((await session.get('/accounts/ways/')).html) ?? [];
    const page = await session.get(path);
    return page.location === null ? session.submit(page, {}, path) : page;
  }

  it('include a linked account, with the e-mail address from the provider', async () => {
    await logIn();
    await linkAccount(browser, provider, ADA);
    const { html } = await browser.get('/accounts/ways/');
    expect(html).to.contain('Corp').and.to.contain('ada@example.org');
    expect((await browser.get('/accounts/activity/')).html).to.contain('linked an account at corp');
  });

  it('gain an account only in the session that started the linking, so that an attacker cannot add one', async () => {
    await logIn();
    const redirect = await browser.submit(await browser.get('/accounts/ways/'), {}, '/accounts/ways/link/corp/');
    const path = provider.authorize(redirect.location ?? '', ADA);
    const otherUser = await running.addUser('other');
    const otherBrowser = running.browser();
    await otherBrowser.logIn(otherUser.username, otherUser.password);
    expect(ruleOf(await otherBrowser.get(path))).to.equal('upstream-login-unknown');
    await browser.logIn(otherUser.username, otherUser.password);
    expect(ruleOf(await browser.get(path))).to.equal('upstream-login-unknown');
    expect(links()).to.deep.equal([]);
  });

  it('gain an account only with the CSRF token of the session', async () => {
    await logIn();
    expect((await browser.post('/accounts/ways/link/corp/', {})).status).to.equal(403);
  });

  it('can be changed only after a fresh login', async () => {
    await logIn();
    await linkAccount(browser, provider, ADA);
    running.clock.advance(300);
    const page = await browser.get('/accounts/ways/');
    expect((await browser.submit(page, {}, '/accounts/ways/link/corp/')).location).to.match(/login/);
    expect((await unlink()).location).to.match(/login/);
    expect(links()).to.have.length(1);
  });

  it('cannot include an account that another user has linked', async () => {
    await logIn();
    await linkAccount(browser, provider, ADA);
    browser = running.browser();
    await logIn('bob');
    expect(ruleOf(await linkAccount(browser, provider, ADA))).to.equal('upstream-linked-elsewhere');
    expect(links()).to.have.length(1);
  });

  it('can include an account again after its previous user has been erased', async () => {
    await logIn();
    await linkAccount(browser, provider, ADA);
    const { accounts, projections } = running.service();
    await accounts.erase(projections.users.findByName('ada')!, OPERATOR);
    expect(links()).to.deep.equal([]);
    browser = running.browser();
    await logIn('bob');
    expect((await linkAccount(browser, provider, ADA)).location).to.equal('/accounts/ways/');
    await running.restart();
    expect(links()).to.have.length(1);
  });

  it('name the applications that lose access before an account is unlinked', async () => {
    await logIn();
    await linkAccount(browser, provider, ADA);
    const portal = await running.addClient({ name: 'Portal' });
    const providerBrowser = running.browser();
    await logInThrough(providerBrowser, provider, ADA);
    const [, path = ''] = /href="([^"]+\/unlink\/)"/.exec((await browser.get('/accounts/ways/')).html) ?? [];
    expect((await browser.get(path)).html).to.include('No application loses access.');
    const page = await providerBrowser.get(authorizePath(portal, { scope: 'openid' }));
    const { location } = await providerBrowser.submit(page, { allow: 'Authorize' });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    await running.token(portal, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    expect((await browser.get(path)).html).to.match(/also ends the access of .?Portal/u);
  });

  it('end the sessions and pending logins of an account that is unlinked', async () => {
    await logIn();
    await linkAccount(browser, provider, ADA);
    const providerBrowser = running.browser();
    await logInThrough(providerBrowser, provider, ADA);
    const pendingBrowser = running.browser();
    const authorizationUrl = await beginLogin(pendingBrowser);
    expect((await unlink()).location).to.equal('/accounts/ways/');
    expect((await providerBrowser.get('/accounts/')).location).to.match(/login/);
    expect((await browser.get('/accounts/')).status).to.equal(200);
    expect(ruleOf(await pendingBrowser.get(provider.authorize(authorizationUrl, ADA)))).to.equal(
      'upstream-user-unknown',
    );
    expect(links()).to.deep.equal([]);
  });

  it('cannot lose the last one', async () => {
    await setProvider(running, provider, { createsUsers: true });
    await logInThrough(browser, provider, ADA);
    expect((await unlink()).status).to.equal(409);
    expect(links()).to.have.length(1);
  });

  it('are in the account export, decrypted', async () => {
    await logIn();
    await linkAccount(browser, provider, ADA);
    const { html } = await browser.get('/accounts/export/');
    const accountExport = JSON.parse(html) as { linked_accounts: readonly Record<string, unknown>[] };
    expect(accountExport.linked_accounts[0]).to.include({ provider: 'corp', subject: ADA.sub, email: ADA.email });
  });

  it('reveal neither the subject nor the client secret in the log', async () => {
    await logIn();
    await linkAccount(browser, provider, ADA);
    const log = (await running.events()).map(({ record }) => record).join('\n');
    expect(log).not.to.contain(ADA.sub).and.not.to.contain('secret of the provider');
  });

  describe('while a provider is required', () => {
    beforeEach(async () => {
      await logIn();
      await linkAccount(browser, provider, ADA);
      await setProvider(running, provider, { required: true });
      browser = running.browser();
    });

    it('include the provider, and no page accepts a password', async () => {
      const page = await browser.get('/accounts/login/');
      expect(page.html, 'the button contains a single text node, because there would be a gap between two').to.match(
        /<span>Log in with <bdi>/,
      );
      expect(page.html).to.not.contain('name="password"');
      const refusal = await browser.submit(page, { username: 'ada', password: 'password of ada' }, '/accounts/login/');
      expect(refusal.status).to.equal(422);
      for (const path of ['/accounts/forgot/', '/accounts/signup/', '/accounts/reset/'])
        expect((await browser.get(path)).status, path).to.equal(403);
      expect((await logInThrough(browser, provider, ADA)).location).to.equal('/accounts/');
    });

    it('exclude providers that are not required, even for a login that has begun', async () => {
      await setProvider(running, provider, {}, 'second');
      const page = await browser.get('/accounts/login/');
      expect(page.html).not.to.include('/accounts/login/provider/second/');
      const refusal = await browser.submit(page, {}, '/accounts/login/provider/second/');
      expect(refusal.status).to.equal(404);
      await setProvider(running, provider, { required: false });
      const authorizationUrl = await beginLogin(browser);
      await setProvider(running, provider, { required: true }, 'second');
      expect((await browser.get(provider.authorize(authorizationUrl, ADA))).status).to.equal(404);
    });

    it('list an account at a provider that is not required as unusable, before and after it is linked', async () => {
      await setProvider(running, provider, {}, 'second');
      await logInThrough(browser, provider, ADA);
      await linkAccount(browser, provider, { ...ADA, sub: 'second ada' }, 'second');
      const page = await browser.get('/accounts/ways/');
      expect(page.html).to.include('You cannot log in with it while a different provider is required.');
      expect(page.html.split('You cannot log in through this provider')).to.have.length(2);
    });

    it('also exclude passwords that applications send', async () => {
      const client = await running.addClient({ grantTypes: ['password'], redirectUris: [] });
      const user = { username: 'ada', password: 'password of ada' };
      const { json } = await running.token(client, { grant_type: 'password', ...user });
      expect(json?.['error_description']).to.match(/passwords are off/);
    });

    it('include passwords again once the operator removes the provider', async () => {
      const { providerRegistry, projections } = running.service();
      const ada = projections.users.findByName('ada')!;
      await providerRegistry.remove(projections.upstreamProviders.find('corp')!, OPERATOR);
      expect((await browser.get('/accounts/login/')).html).to.contain('name="password"');
      expect(ada.passwordHash).not.to.equal('');
    });
  });

  it('cannot be reduced to a password while passwords are off', async () => {
    await logIn();
    await linkAccount(browser, provider, ADA);
    await setProvider(running, provider, { required: true });
    expect((await unlink()).status).to.equal(409);
  });
});
