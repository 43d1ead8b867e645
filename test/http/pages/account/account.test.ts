import { expect } from 'chai';
import { addPasskey, createAuthenticator } from '../../../support/authenticator.ts';
import { hiddenFields, type BrowserSession, type Page } from '../../../support/browser-session.ts';
import {
  runningService,
  type RunningOptions,
  type RunningService,
  type TestUser,
} from '../../../support/running-service.ts';
import { SMALL_LIMITS } from '../../../support/small-limits.ts';

const BY_OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The account page', () => {
  let running: RunningService;
  let ada: TestUser;
  let home: BrowserSession;
  let phone: BrowserSession;

  async function start(options: RunningOptions = {}): Promise<void> {
    running = await runningService(options);
    ada = await running.addUser('ada');
    [home, phone] = [running.browser(), running.browser()];
    for (const browser of [home, phone]) await browser.logIn(ada.username, ada.password);
  }

  beforeEach(() => start());
  afterEach(() => running.close());

  const account = () => running.service().projections.users.findByName('ada');
  const isLoggedIn = async (userBrowser: BrowserSession): Promise<boolean> =>
    (await userBrowser.get('/')).html.includes('Log out');
  const send = async (
    userBrowser: BrowserSession,
    path: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<Page> =>
    userBrowser.post(path, {
      csrf_token: hiddenFields((await userBrowser.get('/accounts/')).html)['csrf_token'] ?? '',
      ...fields,
    });
  /** Returns the type and actor of each event that is recorded while `act` runs. */
  async function eventsDuring(act: () => Promise<unknown>): Promise<readonly string[]> {
    const initialHead = running.log.head();
    await act();
    return (await running.events())
      .slice(initialHead)
      .map(({ type, actor }) => `${type} by ${'id' in actor && actor.id === account()?.userId ? 'ada' : actor.kind}`);
  }

  it('redirects visitors to the login page', async () => {
    for (const path of ['/accounts/', '/accounts/password/', '/accounts/export/', '/accounts/erase/']) {
      expect((await running.browser().get(path)).location).to.equal(
        `/accounts/login/?next=${encodeURIComponent(path)}`,
      );
    }
  });

  describe('has a profile that', () => {
    it('can be changed, without an event if the values stay the same', async () => {
      const fields = { first_name: ' Ada ', last_name: 'Lovelace', email: 'ada@example.org' };
      expect(
        await eventsDuring(async () =>
          expect(await send(home, '/accounts/profile/', fields)).to.include({ status: 302, location: '/accounts/' }),
        ),
      ).to.deep.equal(['UserProfileChanged by ada']);
      expect(account()).to.include({
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: 'ada@example.org',
        username: 'ada',
      });
      const page = await home.get('/accounts/');
      expect(page.html).to.include('value="Lovelace"').and.to.include('were saved');
      expect(await eventsDuring(() => send(home, '/accounts/profile/', fields))).to.deep.equal([]);
      expect((await running.browser().logIn(ada.username, ada.password)).status, 'the password is unchanged').to.equal(
        302,
      );
    });

    it('says who can verify the address on a server without mail', async () => {
      await send(home, '/accounts/profile/', { first_name: '', last_name: '', email: 'ada@example.org' });
      const hint = /<p class="meta">Once your address is verified[^§]*?<\/p>/;
      expect(hint.exec((await home.get('/accounts/')).html)?.[0]).to.include('ask an administrator');
      const user = account();
      if (user === undefined) throw new Error('the account is gone');
      await running.service().accounts.changeRoles(user, ['administrator'], BY_OPERATOR);
      const link = `href="/admin/users/${user.id}/"`;
      expect(hint.exec((await home.get('/accounts/')).html)?.[0]).to.include(link);
      expect((await home.get(`/admin/users/${user.id}/`)).html).to.include('Mark the e-mail address as verified');
      await running.service().accounts.verifyEmail(account() ?? user, BY_OPERATOR);
      expect((await home.get('/accounts/')).html).not.to.match(hint);
    });

    it('shows an error beside its field, and keeps the input in the form', async () => {
      const page = await send(home, '/accounts/profile/', {
        first_name: 'x'.repeat(151),
        last_name: 'Kept',
        email: 'no address',
      });
      expect(page.status).to.equal(422);
      expect(page.html)
        .to.include('id="email-error"')
        .and.to.include('id="first_name-error"')
        .and.to.include('value="Kept"')
        .and.to.include('value="no address"');
      expect(account()).to.include({ email: '', lastName: '' });
    });
  });

  describe('has a password that', () => {
    const change = (current_password: string, new_password: string, userBrowser = home): Promise<Page> =>
      send(userBrowser, '/accounts/password/', { current_password, new_password });

    it('is changed with the current password, and only this browser stays logged in', async () => {
      const cookies = [...home.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
      expect(
        await eventsDuring(async () =>
          expect(await change(ada.password, 'owl moon tea')).to.include({ status: 302, location: '/accounts/' }),
        ),
      ).to.deep.equal(['PasswordChanged by ada', 'SessionStarted by ada']);
      expect([await isLoggedIn(home), await isLoggedIn(phone)]).to.deep.equal([true, false]);
      expect((await running.get('/', { cookie: cookies })).text, 'the previous session').not.to.include('Log out');
      expect((await running.browser().logIn('ada', ada.password)).status).to.equal(422);
      expect((await running.browser().logIn('ada', 'owl moon tea')).status).to.equal(302);
    });

    it('is not changed without the current password, or to a weak one', async () => {
      for (const [currentPassword, newPassword, field] of [
        ['wrong', 'owl moon tea', 'current_password'],
        ['', 'owl moon tea', 'current_password'],
        [ada.password, 'short', 'new_password'],
        [ada.password, 'Password1', 'new_password'],
        [ada.password, 'x y'.repeat(400), 'new_password'],
      ] as const) {
        expect(
          await eventsDuring(async () => {
            const page = await change(currentPassword, newPassword);
            expect(
              [page.status, page.html.includes(`id="${field}-error"`)],
              `${currentPassword} ${newPassword}`,
            ).to.deep.equal([422, true]);
            expect(page.html).not.to.include(`value="${newPassword}"`);
          }),
        ).to.deep.equal([]);
      }
      expect(await isLoggedIn(phone)).to.equal(true);
    });

    it('has a limit on attempts that all forms with the password share', async () => {
      await running.close();
      await start({ limits: SMALL_LIMITS });
      for (let times = 0; times < SMALL_LIMITS['password-by-account-and-place'].max; times += 1)
        expect((await change('wrong', 'owl moon tea')).status).to.equal(422);
      expect((await change(ada.password, 'owl moon tea')).status).to.equal(429);
      expect((await send(home, '/accounts/erase/', { username: 'ada', password: ada.password })).status).to.equal(429);
      expect((await addPasskey(home, ada.password, createAuthenticator())).status).to.equal(429);
    });
  });

  describe('has sessions that', () => {
    const pathsToEnd = ({ html }: Page): readonly string[] =>
      [...html.matchAll(/action="(\/accounts\/sessions\/[^"]+)"/g)].map(([, path = '']) => path);

    it('are listed, with the current one first, and can be ended one by one', async () => {
      const page = await home.get('/accounts/');
      expect(page.html.match(/This browser/g)).to.have.length(1);
      expect(page.html.match(/Another browser/g)).to.have.length(1);
      const [currentPath = '', otherPath = ''] = pathsToEnd(page);
      expect(
        await eventsDuring(async () =>
          expect(await send(home, otherPath, {})).to.include({ status: 302, location: '/accounts/' }),
        ),
      ).to.deep.equal(['SessionEnded by ada']);
      expect([await isLoggedIn(home), await isLoggedIn(phone)]).to.deep.equal([true, false]);
      const secondResponse = await send(home, otherPath, {});
      expect(secondResponse.status).to.equal(404);
      expect(secondResponse.html).to.include('Already ended');
      expect(await send(home, currentPath, {})).to.include({ status: 302, location: '/' });
      expect(await isLoggedIn(home)).to.equal(false);
    });

    it('cannot be ended by another user', async () => {
      const bob = await running.addUser('bob');
      const otherBrowser = running.browser();
      await otherBrowser.logIn(bob.username, bob.password);
      for (const path of pathsToEnd(await home.get('/accounts/')))
        expect((await send(otherBrowser, path, {})).status).to.equal(404);
      expect((await send(otherBrowser, '/accounts/sessions/nonsense/end/', {})).status).to.equal(404);
      expect([await isLoggedIn(home), await isLoggedIn(phone)]).to.deep.equal([true, true]);
    });

    it('are not listed once they have expired', async () => {
      running.clock.advance(1_209_600 - 10);
      const newBrowser = running.browser();
      await newBrowser.logIn(ada.username, ada.password);
      running.clock.advance(10);
      expect(pathsToEnd(await newBrowser.get('/accounts/'))).to.have.length(1);
    });
  });

  it('exports all data of the user, but no secrets', async () => {
    const client = await running.addClient({ owner: 'ada', name: 'Engine' });
    await running.token(client, { grant_type: 'password', ...ada, scope: 'read' });
    const device = createAuthenticator();
    await addPasskey(home, ada.password, device, { name: 'Laptop' });
    await send(home, '/accounts/profile/', { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' });
    await running
      .service()
      .accounts.changeProfile(
        account() ?? expect.fail(),
        { profile: { nickname: 'Countess', locality: 'London' } },
        { actor: { kind: 'operator' }, requestId: null },
      );
    const { status, headers, html } = await home.get('/accounts/export/');
    expect(status).to.equal(200);
    expect(headers.get('content-disposition')).to.equal('attachment; filename="grantlog-account.json"');
    expect(headers.get('content-type')).to.match(/^application\/json/);
    const data = JSON.parse(html) as Record<string, readonly Record<string, unknown>[]>;
    expect(data['account']).to.deep.include({
      username: 'ada',
      email: 'ada@example.org',
      first_name: 'Ada',
      last_name: 'Lovelace',
      profile: { nickname: 'Countess', locality: 'London' },
      roles: [],
      updated_at: new Date(running.clock.now()).toISOString(),
    });
    expect(data['sessions']).to.have.length(2);
    expect(data['passkeys']?.[0]).to.deep.include({ name: 'Laptop', transports: ['internal'] });
    expect(data['access_given']?.[0]).to.deep.include({ application: 'Engine', scope: ['read'] });
    expect(data['applications']?.[0]).to.deep.include({ name: 'Engine', client_id: client.id });
    for (const secret of ['$argon2', account()?.passwordHash ?? '?', device.credentialId, client.secret])
      expect(html).not.to.include(secret);
  });

  describe('offers an erasure that', () => {
    const erase = (fields: Readonly<Record<string, string>>, userBrowser = home): Promise<Page> =>
      send(userBrowser, '/accounts/erase/', fields);

    it('requires the user name and the password, and ends all sessions', async () => {
      await addPasskey(home, ada.password, createAuthenticator());
      const userId = account()?.userId ?? expect.fail();
      expect((await running.events()).length).to.be.above(0);
      expect(await erase({ username: ' ada ', password: ada.password })).to.include({ status: 302, location: '/' });
      const lastEvent = (await running.events()).at(-1);
      expect(lastEvent).to.deep.include({ type: 'UserErased', actor: { kind: 'user', id: userId } });
      expect([await isLoggedIn(home), await isLoggedIn(phone)]).to.deep.equal([false, false]);
      expect(running.service().personalKeys.find(userId), 'the key is destroyed').to.equal(undefined);
      expect(running.service().projections.passkeys.listByUser(userId)).to.deep.equal([]);
      expect((await running.browser().logIn('ada', ada.password)).status).to.equal(422);
    });

    it('is refused with a different user name or a wrong password', async () => {
      for (const [fields, field] of [
        [{ username: 'bob', password: ada.password }, 'username'],
        [{ username: 'ada', password: 'wrong' }, 'password'],
        [{}, 'username'],
      ] as const) {
        expect(
          await eventsDuring(async () => {
            const page = await erase(fields);
            expect([page.status, page.html.includes(`id="${field}-error"`)]).to.deep.equal([422, true]);
          }),
        ).to.deep.equal([]);
      }
      expect(await isLoggedIn(home)).to.equal(true);
    });

    it('is refused for the last administrator, but not for one of two', async () => {
      const { accounts } = running.service();
      const addAdministrator = async (username: string): Promise<BrowserSession> => {
        await accounts.register(
          { username, password: 'owl moon tea', roles: ['administrator'] },
          { actor: { kind: 'operator' }, requestId: null },
        );
        const browser = running.browser();
        await browser.logIn(username, 'owl moon tea');
        return browser;
      };
      const root = await addAdministrator('root');
      const refusal = await erase({ username: 'root', password: 'owl moon tea' }, root);
      expect(refusal.status).to.equal(422);
      expect(refusal.html).to.include('only administrator');
      await addAdministrator('second');
      expect((await erase({ username: 'root', password: 'owl moon tea' }, root)).status).to.equal(302);
      expect(running.service().projections.users.findByName('root')).to.equal(undefined);
    });
  });
});
