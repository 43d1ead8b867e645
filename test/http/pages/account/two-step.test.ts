import { expect } from 'chai';
import { LIMITS } from '../../../../src/platform/limits/limits.ts';
import type { BrowserSession, Page } from '../../../support/browser-session.ts';
import { hiddenFields } from '../../../support/browser-session.ts';
import {
  addPasskey,
  createAuthenticator,
  logInWithPasskey,
  type RequestOptions,
} from '../../../support/authenticator.ts';
import { mailbox } from '../../../support/mailbox.ts';
import { oneTimePassword } from '../../../support/one-time-passwords.ts';
import { operate } from '../../../../src/operations/operations.ts';
import { authorizePath } from '../../../support/authorize-requests.ts';
import {
  runningService,
  type RunningOptions,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const STEP_SECONDS = 30;
const ORIGIN = 'http://localhost:8000';

describe('Two-step login', () => {
  let running: RunningService;
  let ada: TestUser;
  let browser: BrowserSession;

  async function start(options: RunningOptions = {}): Promise<void> {
    running = await runningService(options);
    ada = await running.addUser('ada');
    browser = running.browser();
  }

  afterEach(() => running.close());

  const now = (): number => running.clock.now() / 1000;
  const isLoggedIn = async (userBrowser: BrowserSession): Promise<boolean> =>
    (await userBrowser.get('/')).html.includes('Log out');
  const lastTypes = async (count: number): Promise<readonly string[]> =>
    (await running.events()).slice(-count).map(({ type }) => type);
  const secretOn = ({ html }: Page): string => /id="secret"[^>]*>([^<]+)</.exec(html)?.[1] ?? expect.fail('no secret');
  const codesOn = ({ html }: Page): readonly string[] =>
    /id="codes"[^>]*>([^<]+)</.exec(html)?.[1]?.trim().split(/\s+/) ?? expect.fail('no codes');

  /** Turns two-step login on with an authenticator app, and lets its first code expire. */
  async function turnOn(): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
    await browser.logIn(ada.username, ada.password);
    const page = await browser.get('/accounts/two-step/app/');
    const secret = secretOn(page);
    const fields = { code: oneTimePassword(secret, now()), password: ada.password };
    const codesPage = await browser.submitAndFollow(page, fields, '/accounts/two-step/app/');
    running.clock.advance(3 * STEP_SECONDS);
    return { secret, codes: codesOn(codesPage) };
  }

  /** Adds an authenticator app without a browser, so that existing sessions remain. */
  async function turnOnByService(): Promise<string> {
    const { projections, secondFactorChanges } = running.service();
    const user = projections.users.findByName('ada') ?? expect.fail();
    const { secret } = secondFactorChanges.offerApp(user, 'here');
    const credentials = {
      code: oneTimePassword(secret, now()),
      session: 'here',
      first: { method: 'password' },
    } as const;
    expect(await secondFactorChanges.addApp(user, credentials, OPERATOR)).to.be.an('object');
    running.clock.advance(3 * STEP_SECONDS);
    return secret;
  }

  /** Enters the password in a new browser, which then shows the second step. */
  async function completeFirstStep(next = '/'): Promise<{ readonly phone: BrowserSession; readonly page: Page }> {
    const phone = running.browser();
    const loginPage = await phone.get(`/accounts/login/?${new URLSearchParams({ next }).toString()}`);
    const page = await phone.submitAndFollow(loginPage, { ...ada }, '/accounts/login/');
    expect(page.html).to.include('Confirm that it is you');
    return { phone, page };
  }

  const submitSecondStep = (phone: BrowserSession, page: Page, fields: Record<string, string>): Promise<Page> =>
    phone.submit(page, fields, '/accounts/login/second-step/');

  describe('with an app', () => {
    beforeEach(() => start());

    it('is turned on with the password and the first code, and then asks for a code after the password', async () => {
      const { secret, codes } = await turnOn();
      expect(await lastTypes(4)).to.deep.equal([
        'TotpAdded',
        'RecoveryCodesGenerated',
        'SessionStarted',
        'SessionEnded',
      ]);
      expect(codes).to.have.length(10);
      const { phone, page } = await completeFirstStep('/accounts/');
      expect(await isLoggedIn(phone), 'between the steps').to.equal(false);
      const answer = await submitSecondStep(phone, page, { code: oneTimePassword(secret, now()) });
      expect(answer).to.include({ status: 302, location: '/accounts/' });
      expect(await isLoggedIn(phone)).to.equal(true);
      expect((await phone.get('/accounts/')).html).to.include('Authenticator app, added');
    });

    it('requires both the right password and a valid code to be turned on', async () => {
      await browser.logIn(ada.username, ada.password);
      const page = await browser.get('/accounts/two-step/app/');
      const code = oneTimePassword(secretOn(page), now());
      for (const fields of [
        { code, password: 'wrong' },
        { code: '000000', password: ada.password },
        { code: '', password: ada.password },
      ]) {
        const answer = await browser.submit(page, fields, '/accounts/two-step/app/');
        expect(answer.status).to.equal(422);
        expect(secretOn(answer), 'the same QR code').to.equal(secretOn(page));
      }
      expect(await lastTypes(1)).to.deep.equal(['SessionStarted']);
    });

    it('shows the recovery codes once', async () => {
      await browser.logIn(ada.username, ada.password);
      const page = await browser.get('/accounts/two-step/app/');
      const fields = { code: oneTimePassword(secretOn(page), now()), password: ada.password };
      const { location } = await browser.submit(page, fields, '/accounts/two-step/app/');
      expect(codesOn(await browser.get(location ?? ''))).to.have.length(10);
      const secondVisit = await browser.get(location ?? '');
      expect([secondVisit.status, secondVisit.html.includes('was shown only once')]).to.deep.equal([200, true]);
    });

    it('accepts the codes of the previous, the current and the next time step, and no others', async () => {
      const { secret } = await turnOn();
      for (const [seconds, isAccepted] of [
        [-2 * STEP_SECONDS, false],
        [-STEP_SECONDS, true],
        [0, true],
        [STEP_SECONDS, true],
        [2 * STEP_SECONDS, false],
      ] as const) {
        const { phone, page } = await completeFirstStep();
        const { status } = await submitSecondStep(phone, page, { code: oneTimePassword(secret, now() + seconds) });
        expect(status, `a clock off by ${seconds} s`).to.equal(isAccepted ? 302 : 422);
        running.clock.advance(5 * STEP_SECONDS);
      }
    });

    it('accepts a code only once, even in a hundred concurrent requests or after a restart', async () => {
      const { secret } = await turnOn();
      const { phone, page } = await completeFirstStep();
      const code = oneTimePassword(secret, now());
      const cookie = phone.cookieHeader('/');
      const logIn = () =>
        running.post('/accounts/login/second-step/', { ...hiddenFields(page.html), code }, { cookie });
      const answers = await Promise.all(Array.from({ length: 100 }, logIn));
      expect(answers.filter(({ status }) => status === 302)).to.have.length(1);
      await running.restart();
      expect((await logIn()).status).to.not.equal(302);
      const sessionStarts = (await running.events()).filter(({ type }) => type === 'SessionStarted');
      expect(sessionStarts).to.have.length(3); // the first login, the one after setting it up, and this one
    });

    it('does not accept the code that turned it on', async () => {
      await browser.logIn(ada.username, ada.password);
      const page = await browser.get('/accounts/two-step/app/');
      const code = oneTimePassword(secretOn(page), now());
      await browser.submit(page, { code, password: ada.password }, '/accounts/two-step/app/');
      const { phone, page: secondStep } = await completeFirstStep();
      expect((await submitSecondStep(phone, secondStep, { code })).status).to.equal(422);
    });

    it('accepts each recovery code once, in any spelling, and says how many are left', async () => {
      const { codes } = await turnOn();
      const [code = ''] = codes;
      const { phone, page } = await completeFirstStep();
      expect(
        (await submitSecondStep(phone, page, { recovery_code: ` ${code.toUpperCase().replaceAll('-', ' ')}` })).status,
      ).to.equal(302);
      expect(await lastTypes(2)).to.deep.equal(['RecoveryCodeUsed', 'SessionStarted']);
      expect((await phone.get('/accounts/two-step/')).html).to.include('9 of 10 left');
      const otherLogin = await completeFirstStep();
      expect((await submitSecondStep(otherLogin.phone, otherLogin.page, { recovery_code: code })).status).to.equal(422);
    });

    it('accepts a recovery code only once in a hundred concurrent requests', async () => {
      const { codes } = await turnOn();
      const { phone, page } = await completeFirstStep();
      const fields = { ...hiddenFields(page.html), recovery_code: codes[1] ?? '' };
      const cookie = phone.cookieHeader('/');
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => running.post('/accounts/login/second-step/', fields, { cookie })),
      );
      expect(answers.filter(({ status }) => status === 302)).to.have.length(1);
      const codeUses = (await running.events()).filter(({ type }) => type === 'RecoveryCodeUsed');
      expect(codeUses).to.have.length(1);
    });

    it('accepts the second step for five minutes, and only in the browser of the first step', async () => {
      const { secret } = await turnOn();
      const { page } = await completeFirstStep();
      const stranger = running.browser();
      await stranger.get('/accounts/login/');
      const otherResponse = await submitSecondStep(stranger, page, { code: oneTimePassword(secret, now()) });
      expect(otherResponse.status, 'in another browser').to.equal(403);
      const expiredLogin = await completeFirstStep();
      running.clock.advance(300);
      const answer = await submitSecondStep(expiredLogin.phone, expiredLogin.page, {
        code: oneTimePassword(secret, now()),
      });
      expect(answer).to.include({ status: 302, location: '/accounts/login/?next=%2F' });
      expect(await isLoggedIn(expiredLogin.phone)).to.equal(false);
    });

    it('starts over with the password if the account has changed between the steps', async () => {
      const { secret } = await turnOn();
      const { phone, page } = await completeFirstStep();
      const user = running.service().projections.users.findByName('ada') ?? expect.fail();
      const operator = { actor: { kind: 'operator' }, requestId: null } as const;
      await running.service().accounts.changePassword(user, 'a new long password', operator);
      const answer = await submitSecondStep(phone, page, { code: oneTimePassword(secret, now()) });
      expect(answer.location).to.equal('/accounts/login/?next=%2F');
    });

    it("limits guesses across tickets and browsers, but does not lock out the user's known browser", async () => {
      await running.close();
      await start({ limits: LIMITS });
      const { secret } = await turnOn();
      for (let guess = 0; guess < 5; guess += 1) {
        const { phone, page } = await completeFirstStep();
        expect((await submitSecondStep(phone, page, { code: '000000' })).status).to.equal(422);
      }
      const { phone, page } = await completeFirstStep();
      expect(
        (await submitSecondStep(phone, page, { code: oneTimePassword(secret, now()) })).status,
        'in another browser',
      ).to.equal(429);
      const loginPage = await browser.get('/accounts/login/');
      const secondStep = await browser.submitAndFollow(loginPage, { ...ada }, '/accounts/login/');
      expect(
        (await submitSecondStep(browser, secondStep, { code: oneTimePassword(secret, now()) })).status,
        'in the known browser',
      ).to.equal(302);
    });

    it('is required again after a password change', async () => {
      const { secret } = await turnOn();
      const page = await browser.get('/accounts/password/');
      const fields = { current_password: ada.password, new_password: 'owl moon tea kettle' };
      const secondStep = await browser.submitAndFollow(page, fields, '/accounts/password/');
      expect(secondStep.html).to.include('Confirm that it is you');
      expect((await submitSecondStep(browser, secondStep, { code: oneTimePassword(secret, now()) })).location).to.equal(
        '/accounts/',
      );
    });

    it('can be turned off only in a session with a second step, and later only with the password', async () => {
      const otherBrowser = running.browser();
      await otherBrowser.logIn(ada.username, ada.password);
      const secret = await turnOnByService();
      expect((await otherBrowser.get('/accounts/two-step/off/')).location).to.include('/accounts/login/second-step/');
      const { phone: newBrowser, page: secondStep } = await completeFirstStep();
      await submitSecondStep(newBrowser, secondStep, { code: oneTimePassword(secret, now()) });
      browser = newBrowser;
      running.clock.advance(600);
      const page = await browser.get('/accounts/two-step/off/');
      expect((await browser.submit(page, { password: 'wrong' })).status).to.equal(422);
      expect((await browser.submit(page, { password: ada.password })).location).to.equal('/accounts/two-step/');
      expect(await lastTypes(1)).to.deep.equal(['SecondFactorsRemoved']);
      const phone = running.browser();
      expect((await phone.logIn(ada.username, ada.password)).location, 'no second step').to.equal('/');
    });

    it('ends other sessions that began with the password alone, and tells the user by e-mail', async () => {
      await running.close();
      const box = mailbox(({ subject }) => subject.startsWith('The way you log in'));
      await start({ mailTransport: box.transport });
      const [otherBrowser, device] = [running.browser(), createAuthenticator()];
      await browser.logIn(ada.username, ada.password);
      await addPasskey(browser, ada.password, device);
      await otherBrowser.logIn(ada.username, ada.password);
      const passkeyBrowser = running.browser();
      await logInWithPasskey(passkeyBrowser, device);
      const user = running.service().projections.users.findByName('ada') ?? expect.fail();
      await running.service().accounts.changeProfile(user, { email: 'ada@example.org' }, OPERATOR);
      await turnOn();
      expect([
        await isLoggedIn(browser),
        await isLoggedIn(otherBrowser),
        await isLoggedIn(passkeyBrowser),
      ]).to.deep.equal([true, false, true]);
      expect((await box.waitFor(1)).text).to.include('sessions that began with just the password have ended');
      expect((await browser.get('/accounts/activity/')).html).to.include('because it began with only your password');
    });

    it('refuses the old recovery codes after they have been replaced', async () => {
      const { codes } = await turnOn();
      const page = await browser.get('/accounts/two-step/new-codes/');
      const codesPage = await browser.submitAndFollow(page, {}, '/accounts/two-step/new-codes/');
      expect(codesOn(codesPage)).to.not.include(codes[0]);
      const { phone, page: secondStep } = await completeFirstStep();
      expect((await submitSecondStep(phone, secondStep, { recovery_code: codes[0] ?? '' })).status).to.equal(422);
    });

    it('is turned off when the app is removed', async () => {
      await turnOn();
      const page = await browser.get('/accounts/two-step/remove-app/');
      expect((await browser.submit(page, {})).location).to.equal('/accounts/two-step/');
      expect(await lastTypes(1)).to.deep.equal(['TotpRemoved']);
      expect((await running.browser().logIn(ada.username, ada.password)).location).to.equal('/');
    });
  });

  describe('with a passkey', () => {
    beforeEach(() => start({ settings: { issuer: ORIGIN } }));

    async function turnOnWithPasskey() {
      const device = createAuthenticator();
      await browser.logIn(ada.username, ada.password);
      await addPasskey(browser, ada.password, device);
      const page = await browser.get('/accounts/two-step/new-codes/');
      await browser.submit(page, { password: ada.password });
      return device;
    }

    async function answerWithPasskey(
      phone: BrowserSession,
      page: Page,
      device: ReturnType<typeof createAuthenticator>,
    ): Promise<Page> {
      const options = await phone.get('/accounts/login/second-step/passkey/');
      const response = device.get(JSON.parse(options.html) as RequestOptions);
      return phone.post('/accounts/login/second-step/passkey/', { ...hiddenFields(page.html), answer: response });
    }

    it('is off until the user turns it on, because devices without the passkey would be locked out', async () => {
      await browser.logIn(ada.username, ada.password);
      await addPasskey(browser, ada.password, createAuthenticator());
      expect((await running.browser().logIn(ada.username, ada.password)).location).to.equal('/');
    });

    it('stays off if the form for the first recovery codes is submitted again later', async () => {
      const device = createAuthenticator();
      await browser.logIn(ada.username, ada.password);
      await addPasskey(browser, ada.password, device);
      const phone = running.browser();
      await logInWithPasskey(phone, device);
      const form = await phone.get('/accounts/two-step/new-codes/');
      const submitForm = (): Promise<Page> => phone.submit(form, {}, '/accounts/two-step/new-codes/');
      expect((await submitForm()).status).to.equal(302);
      const offForm = await phone.get('/accounts/two-step/off/');
      expect((await phone.submit(offForm, {})).location).to.equal('/accounts/two-step/');
      expect((await submitForm()).status).to.equal(409);
    });

    it('asks for the passkey after the password, but still accepts the passkey on its own', async () => {
      const device = await turnOnWithPasskey();
      const { phone, page } = await completeFirstStep('/accounts/');
      expect(await answerWithPasskey(phone, page, device)).to.include({ status: 302, location: '/accounts/' });
      const lastEvent = (await running.events()).at(-1);
      expect(lastEvent?.data).to.have.nested.property('authentication.secondFactor.method', 'passkey');
      expect((await logInWithPasskey(running.browser(), device)).location).to.equal('/');
    });

    it('does not let an earlier session add a factor or remove the passkey', async () => {
      const thief = running.browser();
      await thief.logIn(ada.username, ada.password);
      await browser.logIn(ada.username, ada.password);
      await addPasskey(browser, ada.password, createAuthenticator());
      const { projections, secondFactorChanges } = running.service();
      const user = projections.users.findByName('ada') ?? expect.fail();
      await secondFactorChanges.replaceRecoveryCodes(user, secondFactorChanges.generateRecoveryCodes(), OPERATOR);
      const eventCount = (await running.events()).length;
      const { csrf_token = '' } = hiddenFields((await thief.get('/accounts/')).html);
      const { userId } = running.service().projections.users.findByName('ada') ?? expect.fail();
      const [passkey] = running.service().projections.passkeys.listByUser(userId);
      const removalPath = `/accounts/passkeys/${passkey?.passkeyId}/remove/`;
      for (const path of ['/accounts/two-step/app/', '/accounts/passkeys/add/', removalPath]) {
        const stepPath = `/accounts/login/second-step/?${new URLSearchParams({ next: path }).toString()}`;
        expect((await thief.get(path)).location).to.equal(stepPath);
        const fields = { csrf_token, password: ada.password };
        expect((await thief.post(path, fields)).location, `POST ${path}`).to.equal(stepPath);
      }
      const options = await thief.post('/accounts/passkeys/options/', { csrf_token, password: ada.password });
      expect(options).to.include({ status: 422 });
      expect((await running.events()).length).to.equal(eventCount);
    });

    it("refuses another user's passkey, and a passkey response for a login without a password", async () => {
      const device = await turnOnWithPasskey();
      const bob = await running.addUser('bob');
      const bobsBrowser = running.browser();
      await bobsBrowser.logIn(bob.username, bob.password);
      const bobsDevice = createAuthenticator();
      await addPasskey(bobsBrowser, bob.password, bobsDevice);
      const { phone, page } = await completeFirstStep();
      expect((await answerWithPasskey(phone, page, bobsDevice)).status).to.equal(422);
      const options = JSON.parse((await phone.get('/accounts/login/passkey/')).html) as RequestOptions;
      const misusedAnswer = { ...hiddenFields(page.html), answer: device.get(options) };
      expect((await phone.post('/accounts/login/second-step/passkey/', misusedAnswer)).status).to.equal(422);
    });
  });

  describe('that the operator requires', () => {
    const REQUIRED = { settings: { requireSecondFactor: 'all', issuer: ORIGIN } } as const;

    it('is set up before the first session begins', async () => {
      await start(REQUIRED);
      const loginPage = await browser.get('/accounts/login/?next=%2Faccounts%2F');
      const answer = await browser.submit(loginPage, { ...ada }, '/accounts/login/');
      const setUpPage = await browser.get((await browser.get(answer.location ?? '')).location ?? '');
      expect(setUpPage.html).to.include('Set up two-step login');
      expect(await isLoggedIn(browser)).to.equal(false);
      expect((await running.events()).some(({ type }) => type === 'SessionStarted')).to.equal(false);
      running.clock.advance(600); // longer than the time limit for entering a code
      const code = oneTimePassword(secretOn(setUpPage), now());
      const codesPage = await browser.submitAndFollow(setUpPage, { code });
      expect(codesOn(codesPage)).to.have.length(10);
      expect(codesPage.html).to.include('href="/accounts/"');
      expect(await isLoggedIn(browser)).to.equal(true);
    });

    it('is not set up once it is no longer required, and the login starts over', async () => {
      await start({ settings: { issuer: ORIGIN } });
      const { settingChanges } = running.service();
      await settingChanges.change({ set: { requireSecondFactor: 'all' }, reset: [] }, OPERATOR);
      const loginPage = await browser.get('/accounts/login/?next=%2Faccounts%2F');
      const { location } = await browser.submit(loginPage, { ...ada }, '/accounts/login/');
      expect(location).to.include('/second-step/');
      await settingChanges.change({ set: {}, reset: ['requireSecondFactor'] }, OPERATOR);
      expect((await browser.get(location ?? '')).location).to.equal('/accounts/login/?next=%2Faccounts%2F');
      expect((await browser.logIn(ada.username, ada.password)).location).to.equal('/');
    });

    it('is satisfied by a passkey, alone or after the password', async () => {
      await start({ settings: { issuer: ORIGIN } });
      const device = createAuthenticator();
      await browser.logIn(ada.username, ada.password);
      await addPasskey(browser, ada.password, device);
      await running.restart({ requireSecondFactor: 'all' });
      expect((await logInWithPasskey(running.browser(), device)).location).to.equal('/');
      await completeFirstStep();
    });

    it('is set up by new users when they sign up', async () => {
      await start({ settings: { ...REQUIRED.settings, signup: 'open' } });
      const page = await browser.get('/accounts/signup/');
      const fields = { username: 'bob', email: '', password: 'owl moon tea kettle' };
      const answer = await browser.submit(page, fields, '/accounts/signup/');
      expect(answer.location).to.include('/accounts/login/second-step/');
      expect(await isLoggedIn(browser)).to.equal(false);
    });

    it('for roles applies only to users with a role', async () => {
      await start({ settings: { requireSecondFactor: 'roles' } });
      const grace = await running.addUser('grace');
      const user = running.service().projections.users.findByName('grace') ?? expect.fail();
      const operator = { actor: { kind: 'operator' }, requestId: null } as const;
      await running.service().accounts.changeRoles(user, ['auditor'], operator);
      expect((await running.browser().logIn(ada.username, ada.password)).location).to.equal('/');
      expect((await running.browser().logIn(grace.username, grace.password)).location).to.include('second-step');
    });
  });

  describe('that an application requires', () => {
    const authorize = async (
      userBrowser: BrowserSession,
      client: TestClient,
      parameters: Record<string, string> = {},
    ) => userBrowser.get(authorizePath(client, parameters));

    async function addRequiringClient(): Promise<TestClient> {
      const client = await running.addClient();
      const input = { clientId: client.id, changes: { secondFactorRequired: true } };
      for await (const row of operate(running.service())('client update', input, new AbortController().signal))
        expect(row).to.include({ second_factor_required: true });
      return client;
    }

    it('is completed in the current session, which a new one then replaces', async () => {
      await start();
      const otherBrowser = running.browser();
      await otherBrowser.logIn(ada.username, ada.password);
      const secret = await turnOnByService();
      const client = await addRequiringClient();
      const { location } = await authorize(otherBrowser, client);
      expect(location).to.match(/^\/accounts\/login\/second-step\/\?next=%2Fo%2Fauthorize/);
      const page = await otherBrowser.get(location ?? '');
      const answer = await submitSecondStep(otherBrowser, page, { code: oneTimePassword(secret, now()) });
      expect((await otherBrowser.get(answer.location ?? '')).html).to.include('Authorize');
      expect(await lastTypes(2)).to.deep.equal(['SessionStarted', 'SessionEnded']);
      expect((await running.events()).at(-1)?.data).to.include({ reason: 'logged-in-again' });
      expect((await authorize(otherBrowser, client)).status, 'a session with a second step').to.equal(200);
    });

    it('is set up during the authorization by a user who has not set it up', async () => {
      await start();
      await browser.logIn(ada.username, ada.password);
      const { location } = await authorize(browser, await addRequiringClient());
      const setUpPage = await browser.get((await browser.get(location ?? '')).location ?? '');
      const fields = { code: oneTimePassword(secretOn(setUpPage), now()), password: ada.password };
      const codesPage = await browser.submitAndFollow(setUpPage, fields, '/accounts/two-step/app/');
      const [, nextPath = ''] = /href="(\/o\/authorize[^"]*)"/.exec(codesPage.html) ?? [];
      expect((await browser.get(nextPath.replaceAll('&amp;', '&'))).html).to.include('Authorize');
    });

    it('can be requested with the acr value mfa, and the request is refused if no page may be shown', async () => {
      await start();
      await browser.logIn(ada.username, ada.password);
      const client = await running.addClient();
      const parameters = { scope: 'openid', claims: '{"id_token":{"acr":{"essential":true,"values":["mfa"]}}}' };
      expect((await authorize(browser, client, parameters)).location).to.include('/accounts/login/second-step/');
      expect((await authorize(browser, client, { ...parameters, prompt: 'none' })).location).to.include(
        'login_required',
      );
      await turnOn();
      expect((await authorize(browser, client, parameters)).status).to.equal(200);
    });

    it('causes the password grant to be refused, even if only the user has turned it on', async () => {
      await start();
      const passwordGrant = async (client: TestClient) => {
        const { json } = await running.token(client, { grant_type: 'password', ...ada });
        return json?.['error_description'] ?? 'granted';
      };
      const client = await running.addClient();
      expect(await passwordGrant(client)).to.equal('granted');
      expect(await passwordGrant(await addRequiringClient())).to.include('requires a second factor');
      await turnOn();
      expect(await passwordGrant(client)).to.include('requires a second factor');
    });
  });

  describe('of a user who has lost their phone', () => {
    it("can be removed by an administrator, which ends the user's sessions", async () => {
      await start();
      await turnOn();
      const admin = await running.addUser('margaret');
      const { projections, accounts } = running.service();
      const operator = { actor: { kind: 'operator' }, requestId: null } as const;
      await accounts.changeRoles(
        projections.users.findByName('margaret') ?? expect.fail(),
        ['administrator'],
        operator,
      );
      const adminBrowser = running.browser();
      await adminBrowser.logIn(admin.username, admin.password);
      const { id } = projections.users.findByName('ada') ?? expect.fail();
      expect((await adminBrowser.get(`/admin/users/${id}/`)).html).to.include('remove_second_factors');
      const page = await adminBrowser.get(`/admin/users/${id}/remove_second_factors/`);
      expect((await adminBrowser.submit(page, {})).location).to.equal(`/admin/users/${id}/`);
      expect(await lastTypes(2)).to.deep.equal(['SecondFactorsRemoved', 'AllSessionsEnded']);
      expect(await isLoggedIn(browser)).to.equal(false);
      expect((await running.browser().logIn(ada.username, ada.password)).location).to.equal('/');
    });

    it('can be shown and removed by the operator', async () => {
      await start();
      await turnOn();
      const call = async (remove: boolean): Promise<unknown> => {
        for await (const row of operate(running.service())(
          'user second-factor',
          { username: 'ada', remove },
          new AbortController().signal,
        ))
          return row;
        return undefined;
      };
      expect(await call(false)).to.include({ username: 'ada', on: true, required: false, recovery_codes_left: 10 });
      expect(await call(true)).to.include({ on: false, app_added_at: null, recovery_codes_left: 0 });
    });
  });

  it('is not required of users who have not turned it on', async () => {
    await start();
    expect((await browser.logIn(ada.username, ada.password)).location).to.equal('/');
    expect((await browser.get('/accounts/login/second-step/')).location).to.include('/accounts/two-step/app/');
    expect((await running.browser().get('/accounts/login/second-step/')).location).to.equal(
      '/accounts/login/?next=%2F',
    );
  });
});
