import { expect } from 'chai';
import {
  addPasskey,
  createAuthenticator,
  logInWithPasskey,
  generateKey,
  type CreationOptions,
  type Overrides,
  type RequestOptions,
} from '../../../support/authenticator.ts';
import { hiddenFields, type BrowserSession } from '../../../support/browser-session.ts';
import {
  runningService,
  type RunningOptions,
  type RunningService,
  type TestUser,
} from '../../../support/running-service.ts';
import { SMALL_LIMITS } from '../../../support/small-limits.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('Passkeys', () => {
  let running: RunningService;
  let ada: TestUser;
  let browser: BrowserSession;

  async function start(options: RunningOptions = {}): Promise<void> {
    running = await runningService(options);
    ada = await running.addUser('ada');
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  }

  beforeEach(() => start());
  afterEach(() => running.close());

  const isLoggedIn = async (userBrowser: BrowserSession): Promise<boolean> =>
    (await userBrowser.get('/')).html.includes('Log out');
  const lastEvents = async (count: number): Promise<readonly string[]> =>
    (await running.events()).slice(-count).map(({ type, actor }) => `${type} by ${actor.kind}`);
  const adasPasskeys = () =>
    running
      .service()
      .projections.passkeys.listByUser(running.service().projections.users.findByName('ada')?.userId ?? expect.fail());
  const csrfOf = async (userBrowser: BrowserSession): Promise<string> =>
    hiddenFields((await userBrowser.get('/accounts/login/')).html)['csrf_token'] ?? '';

  async function addDevice(name = 'Laptop') {
    const device = createAuthenticator();
    expect(await addPasskey(browser, ada.password, device, { name })).to.include({
      status: 302,
      location: '/accounts/',
    });
    return device;
  }

  it('can be added with a name, used repeatedly to log in, and removed', async () => {
    const device = await addDevice(' Blue <key> ');
    expect(await lastEvents(1)).to.deep.equal(['PasskeyAdded by user']);
    expect(adasPasskeys()).to.have.length(1);
    expect(adasPasskeys()[0]).to.deep.include({
      name: 'Blue <key>',
      credentialId: device.credentialId,
      transports: ['internal'],
    });
    const page = await browser.get('/accounts/');
    expect(page.html).to.include('Blue &lt;key&gt;');
    for (let times = 0; times < 2; times += 1) {
      const phone = running.browser();
      expect(await logInWithPasskey(phone, device)).to.include({ status: 302, location: '/' });
      expect(await isLoggedIn(phone)).to.equal(true);
      expect(await lastEvents(1)).to.deep.equal(['SessionStarted by user']);
    }
    const [, removalPath = ''] = /href="(\/accounts\/passkeys\/[^"]+\/remove\/)"/.exec(page.html) ?? [];
    const confirmation = await browser.get(removalPath);
    expect(confirmation.html).to.include('Remove the passkey Blue &lt;key&gt;?');
    expect(await lastEvents(1), 'the confirmation page removes nothing').to.deep.equal(['SessionStarted by user']);
    expect(await browser.submit(confirmation, {})).to.include({ status: 302, location: '/accounts/' });
    expect(await lastEvents(1)).to.deep.equal(['PasskeyRemoved by user']);
    expect((await logInWithPasskey(running.browser(), device)).status).to.equal(422);
    expect((await browser.submit(confirmation, {})).status, 'a second time').to.equal(404);
    expect((await browser.get(removalPath)).status, 'the confirmation page after the removal').to.equal(404);
  });

  it('survive a restart', async () => {
    const device = await addDevice();
    const previousDigests = running.service().projector.digests();
    await running.restart();
    expect(running.service().projector.digests()).to.deep.equal(previousDigests);
    expect((await logInWithPasskey(running.browser(), device)).status).to.equal(302);
  });

  it('can answer a challenge once, in its browser, within five minutes', async () => {
    const device = await addDevice();
    const [phone, stranger] = [running.browser(), running.browser()];
    const csrf_token = await csrfOf(phone);
    const options = async (): Promise<RequestOptions> =>
      JSON.parse((await phone.get('/accounts/login/passkey/')).html) as RequestOptions;
    const initialCookies = new Map(phone.cookies());
    const answer = device.get(await options());
    const unusedAnswer = device.get(await options());
    expect(
      (await stranger.post('/accounts/login/passkey/', { csrf_token: await csrfOf(stranger), answer })).status,
      'in another browser',
    ).to.equal(422);
    expect((await phone.post('/accounts/login/passkey/', { csrf_token, answer })).status).to.equal(302);
    expect(
      (await phone.post('/accounts/login/passkey/', { csrf_token: await csrfOf(phone), answer })).status,
      'again',
    ).to.equal(422);
    const cookie = [...initialCookies].map(([name, value]) => `${name}=${value}`).join('; ');
    expect(
      (await running.post('/accounts/login/passkey/', { csrf_token, answer }, { cookie })).status,
      'again, with the previous cookies',
    ).to.equal(422);
    expect(
      (await running.post('/accounts/login/passkey/', { csrf_token, answer: unusedAnswer }, { cookie })).status,
      'an unused answer',
    ).to.equal(302);
    const expiredAnswer = device.get(
      JSON.parse((await running.get('/accounts/login/passkey/', { cookie })).text) as RequestOptions,
    );
    running.clock.advance(300);
    expect(
      (await running.post('/accounts/login/passkey/', { csrf_token, answer: expiredAnswer }, { cookie })).status,
      'after five minutes',
    ).to.equal(422);
  });

  it('can answer a challenge only once, even in concurrent requests', async () => {
    const device = await addDevice();
    const phone = running.browser();
    const csrf_token = await csrfOf(phone);
    const answer = device.get(JSON.parse((await phone.get('/accounts/login/passkey/')).html) as RequestOptions);
    const cookie = [...phone.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => running.post('/accounts/login/passkey/', { csrf_token, answer }, { cookie })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([302, 422, 422, 422, 422]);
  });

  it('can answer a challenge after a restart, but only once', async () => {
    const device = await addDevice();
    const phone = running.browser();
    const csrf_token = await csrfOf(phone);
    const answer = device.get(JSON.parse((await phone.get('/accounts/login/passkey/')).html) as RequestOptions);
    const cookie = [...phone.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
    const logIn = () => running.post('/accounts/login/passkey/', { csrf_token, answer }, { cookie });
    await running.restart();
    expect((await logIn()).status).to.equal(302);
    await running.restart();
    const { status, text } = await logIn();
    expect([status, text.includes('the request timed out')]).to.deep.equal([422, true]);
  });

  it('can be added only once with the same answer, even after their removal', async () => {
    const { csrf_token = '' } = hiddenFields((await browser.get('/accounts/passkeys/add/')).html);
    const options = await browser.post('/accounts/passkeys/options/', { csrf_token, password: ada.password });
    const answer = createAuthenticator().create(JSON.parse(options.html) as CreationOptions);
    const submitAnswer = () => browser.post('/accounts/passkeys/add/', { csrf_token, answer });
    expect((await submitAnswer()).status).to.equal(302);
    expect((await submitAnswer()).status).to.equal(422);
    const [passkey = expect.fail()] = adasPasskeys();
    await browser.post(`/accounts/passkeys/${passkey.passkeyId}/remove/`, { csrf_token });
    expect((await submitAnswer()).status).to.equal(422);
    await running.restart();
    expect((await submitAnswer()).status).to.equal(422);
    expect(adasPasskeys()).to.deep.equal([]);
  });

  const INVALID_ANSWERS: Readonly<Record<string, Overrides>> = {
    'at another origin': { origin: 'https://evil.example' },
    'at another port': { origin: 'http://localhost:9000' },
    'for another relying party': { rpId: 'evil.example' },
    'for another challenge': { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' },
    'for another ceremony': { type: 'webauthn.other' },
    'without user verification': { isUserVerified: false },
  };

  for (const [problem, overrides] of Object.entries(INVALID_ANSWERS)) {
    it(`are neither added nor accepted ${problem}`, async () => {
      const head = running.log.head();
      expect((await addPasskey(browser, ada.password, createAuthenticator(), { overrides })).status).to.equal(422);
      expect(running.log.head()).to.equal(head);
      const device = await addDevice();
      const phone = running.browser();
      expect((await logInWithPasskey(phone, device, overrides)).status).to.equal(422);
      expect(await isLoggedIn(phone)).to.equal(false);
    });
  }

  it('are refused if signed with a different key or used for a different account', async () => {
    const device = await addDevice();
    const bob = await running.addUser('bob');
    const bobsBrowser = running.browser();
    await bobsBrowser.logIn(bob.username, bob.password);
    const { userId } = running.service().projections.users.findByName('bob') ?? expect.fail();
    expect((await logInWithPasskey(running.browser(), device, { signedBy: generateKey() })).status).to.equal(422);
    expect((await logInWithPasskey(running.browser(), device, { userHandle: userId })).status).to.equal(422);
    expect(
      (await addPasskey(bobsBrowser, bob.password, createAuthenticator(device.credentialId))).html,
      'a credential of another account',
    ).to.include('has already been added');
    expect((await logInWithPasskey(running.browser(), createAuthenticator())).status, 'an unknown passkey').to.equal(
      422,
    );
  });

  it('are not added with an attestation, whatever its format', async () => {
    for (const format of ['packed', 'tpm', 'android-safetynet', 'apple', 'nonsense']) {
      expect(
        (await addPasskey(browser, ada.password, createAuthenticator(), { overrides: { format } })).status,
        format,
      ).to.equal(422);
    }
  });

  it('are refused with malformed answers', async () => {
    await addDevice();
    const csrf_token = await csrfOf(browser);
    for (const answer of [
      '',
      '{',
      'null',
      '[]',
      '{"id":"x"}',
      JSON.stringify({
        id: 'x',
        rawId: 'x',
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: 'AA', attestationObject: 'AA', authenticatorData: 'AA', signature: 'AA' },
      }),
    ]) {
      expect((await browser.post('/accounts/passkeys/add/', { csrf_token, answer })).status).to.equal(422);
      const visitor = running.browser();
      expect(
        (await visitor.post('/accounts/login/passkey/', { csrf_token: await csrfOf(visitor), answer })).status,
      ).to.equal(422);
    }
  });

  it("are added only with the password, in the user's own session", async () => {
    const device = createAuthenticator();
    expect(await addPasskey(browser, 'nonsense', device)).to.deep.include({
      status: 422,
      html: '{"detail":"Wrong password.","field":"password"}',
    });
    const bob = await running.addUser('bob');
    const bobsBrowser = running.browser();
    await bobsBrowser.logIn(bob.username, bob.password);
    const { csrf_token = '' } = hiddenFields((await bobsBrowser.get('/accounts/passkeys/add/')).html);
    const options = await bobsBrowser.post('/accounts/passkeys/options/', { csrf_token, password: bob.password });
    const answer = device.create(JSON.parse(options.html) as CreationOptions);
    expect(
      (await browser.post('/accounts/passkeys/add/', { csrf_token: await csrfOf(browser), answer })).status,
      "another user's options",
    ).to.equal(422);
    expect((await running.browser().get('/accounts/passkeys/add/')).location).to.match(/login/);
  });

  it('are limited to twenty per account, with names of at most sixty characters', async () => {
    expect((await addPasskey(browser, ada.password, createAuthenticator(), { name: 'x'.repeat(61) })).status).to.equal(
      422,
    );
    for (let count = 0; count < 20; count += 1) await addDevice(`${count}`);
    expect((await addPasskey(browser, ada.password, createAuthenticator())).html).to.include(
      'maximum number of passkeys',
    );
    expect(adasPasskeys()).to.have.length(20);
  });

  it('can be added from the list of passkeys, even if it is empty', async () => {
    const html = (await browser.get('/accounts/passkeys/')).html;
    expect(html).to.include('You have no passkeys yet.').and.include('href="/accounts/passkeys/add/"');
    expect(html).not.to.include('Newest first');
    await addDevice();
    expect((await browser.get('/accounts/passkeys/')).html)
      .to.include('Newest first')
      .and.include('Add a passkey');
  });

  it('cannot be removed by another user', async () => {
    await addDevice();
    const bob = await running.addUser('bob');
    const bobsBrowser = running.browser();
    await bobsBrowser.logIn(bob.username, bob.password);
    const path = `/accounts/passkeys/${adasPasskeys()[0]?.passkeyId ?? ''}/remove/`;
    expect((await bobsBrowser.post(path, { csrf_token: await csrfOf(bobsBrowser) })).status).to.equal(404);
    expect(adasPasskeys()).to.have.length(1);
  });

  it('are refused while their account is disabled, and after it has been erased', async () => {
    const device = await addDevice();
    const { accounts, projections } = running.service();
    const user = projections.users.findByName('ada') ?? expect.fail();
    await accounts.disable(user, OPERATOR);
    expect((await logInWithPasskey(running.browser(), device)).status).to.equal(422);
    await accounts.enable(user, OPERATOR);
    expect((await logInWithPasskey(running.browser(), device)).status).to.equal(302);
    await accounts.erase(user, OPERATOR);
    expect((await logInWithPasskey(running.browser(), device)).status).to.equal(422);
    expect(projections.passkeys.listByUser(user.userId)).to.deep.equal([]);
    await running.restart();
    expect((await logInWithPasskey(running.browser(), device)).status).to.equal(422);
  });

  it('are offered only under a host name, with https or on localhost', async () => {
    const isOfferedAt: Readonly<Record<string, boolean>> = {
      'https://id.example': true,
      'https://id.example/path': true,
      'http://localhost:8000': true,
      'http://dev.localhost:3000': true,
      'http://id.example': false,
      'http://127.0.0.1:8000': false,
      'https://192.0.2.1': false,
      'https://[::1]:8000': false,
    };
    for (const [issuer, isOffered] of Object.entries(isOfferedAt)) {
      await running.close();
      await start({ settings: { issuer } });
      expect((await browser.get('/accounts/login/passkey/')).status, issuer).to.equal(isOffered ? 200 : 404);
      expect((await browser.get('/accounts/passkeys/add/')).status, issuer).to.equal(isOffered ? 200 : 404);
      expect((await browser.get('/accounts/login/')).html.includes('passkey'), issuer).to.equal(isOffered);
      expect((await browser.get('/accounts/')).html.includes('/accounts/passkeys/add/'), issuer).to.equal(isOffered);
    }
  });

  it('are limited like passwords, so that only an address with many failures is blocked', async () => {
    await running.close();
    await start({ limits: SMALL_LIMITS, settings: { trustedProxies: 1 } });
    const device = await addDevice();
    const initialHead = running.log.head();
    const browserAt = (address: string) => running.browser({ 'x-forwarded-for': address });
    for (let times = 0; times < SMALL_LIMITS['password-by-address'].max; times += 1)
      expect((await logInWithPasskey(browserAt('192.0.2.1'), createAuthenticator())).status).to.equal(422);
    const refusal = await logInWithPasskey(browserAt('192.0.2.1'), device);
    expect([refusal.status, refusal.headers.get('retry-after')]).to.deep.equal([429, '900']);
    expect(running.log.head()).to.equal(initialHead);
    expect((await logInWithPasskey(browserAt('192.0.2.2'), device)).status).to.equal(302);
  });

  it('can be used to log in a limited number of times within fifteen minutes', async () => {
    await running.close();
    await start({ limits: SMALL_LIMITS });
    const device = await addDevice();
    const previousLogins = 1 + 1; // the initial login, and the password before the passkey
    for (let times = previousLogins; times < SMALL_LIMITS['log-in-by-account'].max; times += 1) {
      expect((await logInWithPasskey(running.browser(), device)).status).to.equal(302);
    }
    const initialHead = running.log.head();
    const refusal = await logInWithPasskey(running.browser(), device);
    expect([refusal.status, refusal.headers.get('retry-after')]).to.deep.equal([429, '900']);
    expect(running.log.head()).to.equal(initialHead);
  });
});
