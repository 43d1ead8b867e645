import { expect } from 'chai';
import { addPasskey, createAuthenticator } from '../../../support/authenticator.ts';
import type { BrowserSession } from '../../../support/browser-session.ts';
import { runningService, type RunningService } from '../../../support/running-service.ts';
import {
  logInThrough,
  LOOPBACK_PROVIDERS,
  startScriptedProvider,
  setProvider,
  type ScriptedProvider,
} from '../../../support/scripted-provider.ts';

const EVE = { sub: 'eve', email: 'eve@example.org', email_verified: true, preferred_username: 'eve' };
const NEW_PASSWORD = 'owl moon tea kettle';

describe('A user without a password', () => {
  let running: RunningService;
  let provider: ScriptedProvider;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService({ settings: LOOPBACK_PROVIDERS });
    provider = await startScriptedProvider(running.clock.now);
    await setProvider(running, provider, { createsUsers: true });
    browser = running.browser();
    expect((await logInThrough(browser, provider, EVE)).location).to.equal('/accounts/');
  });
  afterEach(async () => {
    await running.close();
    await provider.close();
  });

  const eve = () => running.service().projections.users.findByName('eve');
  const logInAgain = (next: string) => logInThrough(browser, provider, EVE, 'corp', next);

  for (const path of ['/accounts/erase/', '/accounts/password/', '/accounts/passkeys/add/'])
    it(`logs in again before ${path}, and needs no password there`, async () => {
      running.clock.advance(600);
      expect((await browser.get(path)).location).to.equal(
        `/accounts/login/?${new URLSearchParams({ next: path }).toString()}`,
      );
      expect((await logInAgain(path)).location).to.equal(path);
      const page = await browser.get(path);
      expect(page.status).to.equal(200);
      expect(page.html).to.not.match(/name="(?:current_)?password"/);
    });

  it('can erase the account after a fresh login, but not with an outdated form', async () => {
    const form = await browser.get('/accounts/erase/');
    running.clock.advance(600);
    const outdatedFormResponse = await browser.submit(form, { username: 'eve', password: '' }, '/accounts/erase/');
    expect(outdatedFormResponse.location).to.match(/^\/accounts\/login\//);
    expect(eve()).to.not.equal(undefined);
    await logInAgain('/accounts/erase/');
    await browser.submit(await browser.get('/accounts/erase/'), { username: 'eve' }, '/accounts/erase/');
    expect(eve()).to.equal(undefined);
    expect((await browser.get('/')).html).to.include('Your account was erased.');
  });

  it('can set a password after a fresh login, and then log in with it', async () => {
    const form = await browser.get('/accounts/password/');
    expect(form.html).to.include('Set a password');
    await browser.submit(form, { new_password: NEW_PASSWORD }, '/accounts/password/');
    expect((await running.browser().logIn('eve', NEW_PASSWORD)).status).to.equal(302);
  });

  it('cannot set a password while a provider is required, not even with an older form', async () => {
    const form = await browser.get('/accounts/password/');
    await setProvider(running, provider, { createsUsers: true, required: true });
    const page = await browser.get('/accounts/password/');
    expect(page.status).to.equal(403);
    expect(page.html).to.include('Passwords are off');
    const refusal = await browser.submit(form, { new_password: NEW_PASSWORD }, '/accounts/password/');
    expect([refusal.status, eve()?.passwordHash]).to.deep.equal([403, '']);
  });

  it('can add a passkey only after a fresh login', async () => {
    expect((await addPasskey(browser, '', createAuthenticator())).location).to.equal('/accounts/');
    running.clock.advance(600);
    expect((await addPasskey(browser, '', createAuthenticator())).status).to.be.oneOf([403, 422]);
  });
});

describe('The form that changes the password', () => {
  it('reports a wrong current password and a weak new password together', async () => {
    const running = await runningService();
    const ada = await running.addUser('ada');
    const browser = running.browser();
    await browser.logIn(ada.username, ada.password);
    const form = await browser.get('/accounts/password/');
    const page = await browser.submit(
      form,
      { current_password: 'wrong', new_password: 'short' },
      '/accounts/password/',
    );
    expect(page.html).to.include('id="current_password-error"').and.include('id="new_password-error"');
    await running.close();
  });
});
