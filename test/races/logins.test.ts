import { expect } from 'chai';
import type { PasskeyId } from '../../src/domain/values.ts';
import type { User } from '../../src/projections/users.ts';
import { addPasskey, createAuthenticator, logInWithPasskey } from '../support/authenticator.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { startRacingService, type RacingService } from '../support/racing-service.ts';
import type { RunningService, TestUser } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const SESSION = /^session-/;

describe('A login in flight', () => {
  let racing: RacingService;
  let running: RunningService;
  let ada: TestUser;
  let browser: BrowserSession;

  beforeEach(async () => {
    racing = await startRacingService();
    ({ running } = racing);
    ada = await running.addUser('ada');
    browser = running.browser();
    await browser.get('/accounts/login/');
  });
  afterEach(() => racing.close());

  const user = (): User => running.service().projections.users.findByName('ada') ?? expect.fail();
  const logIn = (): Promise<Page> => browser.logIn(ada.username, ada.password);
  const isLoggedIn = async (): Promise<boolean> => (await browser.get('/')).html.includes('Log out');

  /** The events that end all sessions of an account. */
  const CHANGES: Readonly<Record<string, () => Promise<unknown>>> = {
    'the password is changed': () => running.service().accounts.changePassword(user(), 'another password', OPERATOR),
    'the user logs out everywhere': () => running.service().accounts.logOutEverywhere(user(), OPERATOR),
    'the user is disabled': () => running.service().accounts.disable(user(), OPERATOR),
    'the user is erased': () => running.service().accounts.erase(user(), OPERATOR),
  };

  for (const [event, change] of Object.entries(CHANGES)) {
    it(`starts no session if ${event} while the password is being checked`, async () => {
      const [page] = await racing.duringHash(logIn, change);
      expect(page.status).to.equal(422);
      expect(await isLoggedIn()).to.equal(false);
    });

    it(`starts no session if ${event} before the session is recorded, and explains why`, async () => {
      const [page] = await racing.runBehind(change, SESSION, logIn);
      expect(page.status).to.equal(422);
      expect(page.html).to.include('Your account was changed while you were logging in');
      expect(await isLoggedIn()).to.equal(false);
    });
  }

  it('starts no session if the user is disabled and enabled again while the password is being checked', async () => {
    const { accounts } = running.service();
    const [page] = await racing.duringHash(logIn, async () => {
      await accounts.disable(user(), OPERATOR);
      await accounts.enable(user(), OPERATOR);
    });
    expect(page.status).to.equal(422);
    expect(await isLoggedIn()).to.equal(false);
  });

  it('starts no session if the user is disabled and enabled again while the session is being appended', async () => {
    const { accounts } = running.service();
    const [page] = await racing.duringAppend(logIn, SESSION, async () => {
      await accounts.disable(user(), OPERATOR);
      await accounts.enable(user(), OPERATOR);
    });
    expect(page.status).to.equal(422);
    expect(await isLoggedIn()).to.equal(false);
  });

  it('starts no session when the log is replayed later', async () => {
    await racing.runBehind(CHANGES['the password is changed']!, SESSION, logIn);
    const digests = running.service().projector.digests();
    await running.restart();
    expect(running.service().projector.digests()).to.deep.equal(digests);
    expect([...running.service().projections.sessions.all(running.clock.now() / 1000)]).to.deep.equal([]);
  });

  it("keeps the browser's previous session of another account", async () => {
    const bob = await running.addUser('bob');
    await browser.logIn(bob.username, bob.password);
    await racing.runBehind(CHANGES['the password is changed']!, SESSION, logIn);
    expect((await browser.get('/accounts/')).html).to.include('bob');
  });

  it('is not affected by events that do not end sessions', async () => {
    const profile = { email: 'ada@example.org', firstName: 'Ada', lastName: '' };
    const change = () => running.service().accounts.changeProfile(user(), profile, OPERATOR);
    const [page] = await racing.runBehind(change, SESSION, logIn);
    expect(page.status).to.equal(302);
    expect(await isLoggedIn()).to.equal(true);
  });

  describe('with a passkey', () => {
    const device = createAuthenticator();
    let passkeyId: PasskeyId;

    beforeEach(async () => {
      const home = running.browser();
      await home.logIn(ada.username, ada.password);
      expect((await addPasskey(home, ada.password, device)).status).to.equal(302);
      passkeyId = running.service().projections.passkeys.listByUser(user().userId)[0]?.passkeyId ?? expect.fail();
    });

    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      ...CHANGES,
      'the passkey is removed': () => running.service().passkeyLogins.remove(user(), passkeyId, OPERATOR),
    };
    for (const [event, change] of Object.entries(changes)) {
      it(`starts no session if ${event} before the session is recorded`, async () => {
        const [page] = await racing.runBehind(change, SESSION, () => logInWithPasskey(browser, device));
        expect(page.status).to.equal(422);
        expect(page.html).to.include('Your account was changed while you were logging in');
        expect(await isLoggedIn()).to.equal(false);
      });
    }

    it('starts a session even if another passkey is removed', async () => {
      const home = running.browser();
      await home.logIn(ada.username, ada.password);
      await addPasskey(home, ada.password, createAuthenticator(), { name: 'Phone' });
      const otherPasskeyId =
        running.service().projections.passkeys.listByUser(user().userId)[1]?.passkeyId ?? expect.fail();
      const remove = () => running.service().passkeyLogins.remove(user(), otherPasskeyId, OPERATOR);
      const [page] = await racing.runBehind(remove, SESSION, () => logInWithPasskey(browser, device));
      expect(page.status).to.equal(302);
    });
  });
});
