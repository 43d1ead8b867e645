import { expect } from 'chai';
import type { Role } from '../../../../src/domain/events.ts';
import { hiddenFields, type BrowserSession, type Page } from '../../../support/browser-session.ts';
import { runningService, type RunningService, type TestUser } from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ROOT: TestUser = { username: 'root', password: 'the password of root' };

describe('User administration', () => {
  let running: RunningService;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    await addWithRoles(ROOT, ['administrator']);
    browser = await logIn(ROOT);
  });
  afterEach(() => running.close());

  async function addWithRoles(user: TestUser, roles: readonly Role[]): Promise<void> {
    const registration = await running.service().accounts.register({ ...user, roles }, OPERATOR);
    if ('errors' in registration) throw new Error(JSON.stringify(registration.errors));
  }

  async function logIn({ username, password }: TestUser): Promise<BrowserSession> {
    const session = running.browser();
    expect((await session.logIn(username, password)).status).to.equal(302);
    return session;
  }

  const account = (username: string) =>
    running.service().projections.users.findByName(username) ?? expect.fail(`there is no user ${username}`);
  const pathOf = (username: string): string => `/admin/users/${account(username).id}/`;
  const csrf = async (userBrowser = browser): Promise<string> =>
    hiddenFields((await userBrowser.get('/admin/users/add/')).html)['csrf_token'] ??
    hiddenFields((await userBrowser.get('/o/applications/register/')).html)['csrf_token'] ??
    '';
  const textWithId = ({ html }: Page, id: string): string =>
    new RegExp(`id="${id}"[^>]*>([^<]+)<`).exec(html)?.[1] ?? '';
  /** Opens the confirmation page of an action, and confirms. */
  const confirm = async (
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>> = {},
  ): Promise<Page> => browser.submit(await browser.get(path), fields);
  /** Confirms the action, and follows the redirect. */
  const confirmAndFollow = async (path: string, fields: Readonly<Record<string, string>>): Promise<Page> =>
    browser.submitAndFollow(await browser.get(path), fields);
  const newestEvent = async () => (await running.events()).at(-1);

  describe('for users who are not administrators', () => {
    const PATHS = [
      '/admin/',
      '/admin/users/',
      '/admin/users/add/',
      '/admin/users/1/',
      '/admin/users/1/erase/',
      '/admin/applications/',
      '/admin/settings/',
      '/admin/health/',
    ];

    it('redirects visitors to the login page, and names the page to return to', async () => {
      for (const path of PATHS) {
        const { status, location } = await running.browser().get(path);
        expect({ status, location }, path).to.deep.equal({
          status: 302,
          location: `/accounts/login/?${new URLSearchParams({ next: path }).toString()}`,
        });
      }
    });

    for (const [sender, roles] of [
      ['by a user without a role', []],
      ['by an auditor', ['auditor']],
    ] as const) {
      it(`refuses every request ${sender}`, async () => {
        const ada = { username: 'ada', password: "ada's own password" };
        await addWithRoles(ada, roles);
        const adaBrowser = await logIn(ada);
        const head = running.log.head();
        const csrf_token = await csrf(adaBrowser);
        for (const path of PATHS) {
          const { status, html } = await adaBrowser.get(path);
          expect(status, path).to.equal(403);
          expect(html).to.include('for administrators').and.not.include('root');
        }
        for (const path of [
          '/admin/users/add/',
          '/admin/users/1/disable/',
          '/admin/users/1/erase/',
          '/admin/users/1/password/',
          '/admin/users/1/roles/',
          `${pathOf('ada')}roles/`,
        ]) {
          expect(
            (
              await adaBrowser.post(path, {
                csrf_token,
                role: 'administrator',
                username: 'eve',
                password: 'long enough',
              })
            ).status,
            path,
          ).to.equal(403);
        }
        expect(running.log.head()).to.equal(head);
        expect((await adaBrowser.get('/')).html).not.to.include('href="/admin/"');
      });
    }

    it('refuses a former administrator immediately, in the same session', async () => {
      const ada = { username: 'ada', password: "ada's own password" };
      await addWithRoles(ada, ['administrator']);
      const adaBrowser = await logIn(ada);
      expect((await adaBrowser.get('/admin/users/')).status).to.equal(200);
      await confirm(`${pathOf('ada')}roles/`, { role: 'auditor' });
      expect((await adaBrowser.get('/admin/users/')).status).to.equal(403);
      expect((await adaBrowser.get('/')).html)
        .to.include('Hello')
        .and.not.include('href="/admin/"');
    });
  });

  it('requires the CSRF token for every change', async () => {
    await running.addUser('ada');
    const head = running.log.head();
    for (const action of ['add/', '2/disable/', '2/enable/', '2/erase/', '2/sign_out/', '2/roles/', '2/password/']) {
      expect(
        (await browser.post(`/admin/users/${action}`, { username: 'eve', role: 'auditor', csrf_token: 'guessed' }))
          .status,
        action,
      ).to.equal(403);
    }
    expect(running.log.head()).to.equal(head);
  });

  describe('in the user list', () => {
    it('shows all users, fifty per page', async () => {
      for (let index = 1; index <= 120; index += 1) await running.addUser(`user${index}`);
      const usernames: string[] = [];
      let path: string | undefined = '/admin/users/';
      while (path !== undefined) {
        const { html } = await browser.get(path);
        const rows = [...html.matchAll(/href="\/admin\/users\/\d+\/"><bdi>([^<]+)</g)].map(([, name = '']) => name);
        expect(rows.length).to.be.within(1, 50);
        usernames.push(...rows);
        path = /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
      }
      expect(usernames).to.have.length(121);
      expect(new Set(usernames).size).to.equal(121);
    });

    it('finds users by part of a name, ignoring case', async () => {
      for (const name of ['Ada', 'adam', 'bob', '<b>eve</b>']) await running.addUser(name);
      const searchNames = async (query: string): Promise<readonly string[]> =>
        [
          ...(await browser.get(`/admin/users/?${new URLSearchParams({ q: query }).toString()}`)).html.matchAll(
            /href="\/admin\/users\/\d+\/"><bdi>([^<]+)</g,
          ),
        ].map(([, name = '']) => name);
      expect(await searchNames('ADA')).to.deep.equal(['adam', 'Ada']);
      expect(await searchNames(' bob ')).to.deep.equal(['bob']);
      expect(await searchNames('<b>')).to.deep.equal(['&lt;b&gt;eve&lt;/b&gt;']);
      expect(await searchNames('nobody')).to.deep.equal([]);
      expect((await browser.get('/admin/users/?page=99')).html)
        .to.include('Nothing on this page')
        .and.include('href="/admin/users/?page=1"');
      for (const query of ['page=0', 'page=-1', 'page=x', 'page=1&page=2', 'q=a&q=b', 'page=99999999'])
        expect((await browser.get(`/admin/users/?${query}`)).status, query).to.equal(200);
    });
  });

  describe('when adding a user', () => {
    it('warns if another user has the e-mail address', async () => {
      const addUser = (username: string, password: string) =>
        confirmAndFollow('/admin/users/add/', { username, email: 'both@example.org', password });
      expect((await addUser('ada', '')).html).not.to.include('has the same e-mail address');
      expect((await addUser('bob', '')).html).to.include('bob was added. ada has the same e-mail address.');
      expect((await addUser('eve', 'a long and secret password')).html).to.include('eve was added. ada has the same');
    });

    it('shows a generated password once', async () => {
      const page = await confirmAndFollow('/admin/users/add/', {
        username: 'ada',
        email: 'ada@example.org',
        first_name: 'Ada',
        last_name: 'Lovelace',
        password: '',
        role: 'auditor',
      });
      const password = textWithId(page, 'account-password');
      expect(password).to.match(/^[\w-]{16}$/);
      expect(page.headers.get('cache-control')).to.equal('no-store');
      await logIn({ username: 'ada', password });
      expect(account('ada')).to.deep.include({
        email: 'ada@example.org',
        firstName: 'Ada',
        lastName: 'Lovelace',
        roles: ['auditor'],
      });
      for (const path of ['/admin/users/', pathOf('ada'), `${pathOf('ada')}password/`])
        expect((await browser.get(path)).html, path).not.to.include(password);
      const registration = (await running.events()).filter(({ type }) => type === 'UserRegistered').at(-1);
      expect(registration?.actor).to.deep.equal({ kind: 'user', id: account('root').userId });
      expect(JSON.stringify(await running.events())).not.to.include(password);
    });

    it('accepts a password from the administrator and does not show it', async () => {
      const page = await confirm('/admin/users/add/', { username: 'ada', password: 'chosen by root' });
      expect(page.location).to.equal(pathOf('ada'));
      await logIn({ username: 'ada', password: 'chosen by root' });
      expect((await browser.get(pathOf('ada'))).html)
        .to.include('ada was added.')
        .and.not.include('chosen by root');
    });

    for (const [problem, fields, field, message] of [
      ['a name that is already taken', { username: 'root' }, 'username', /already exists/],
      ['a name that differs only in case', { username: 'ROOT' }, 'username', /too similar/],
      ['a name with a direction mark', { username: 'a\u202Eda' }, 'username', /invisible characters/],
      ['a short password', { username: 'ada', password: 'short' }, 'password', /at least 8/],
      ['a common password', { username: 'ada', password: 'password123' }, 'password', /common|guess/],
      ['an invalid e-mail address', { username: 'ada', email: 'nowhere' }, 'email', /valid e-mail/],
    ] as const) {
      it(`refuses ${problem} beside its field, and keeps the input in the form`, async () => {
        const head = running.log.head();
        const page = await confirm('/admin/users/add/', {
          email: 'kept@example.org',
          password: '',
          role: 'auditor',
          ...fields,
        });
        expect(page.status).to.equal(422);
        expect(page.html).to.match(new RegExp(`id="${field}-error">[^<]*${message.source}`));
        expect(page.html).to.match(/value="auditor"\s+checked/);
        expect(running.log.head()).to.equal(head);
      });
    }

    it('ignores unknown roles', async () => {
      await confirm('/admin/users/add/', { username: 'ada', password: '', role: ['owner', 'auditor'] });
      expect(account('ada').roles).to.deep.equal(['auditor']);
    });
  });

  describe('for one user', () => {
    let ada: TestUser;
    beforeEach(async () => {
      ada = await running.addUser('ada');
    });

    it("shows the user's data, applications and authorizations", async () => {
      const ownApplication = await running.addClient({ owner: 'ada', name: 'Engine' });
      const otherClient = await running.addClient({ name: 'Loom <1>' });
      await running.token(otherClient, { grant_type: 'password', ...ada, scope: 'read' });
      const { html } = await browser.get(pathOf('ada'));
      expect(html)
        .to.include('Engine')
        .and.include(`/admin/applications/${ownApplication.id}/`)
        .and.include('Loom &lt;1&gt;')
        .and.include('<code>read</code>');
      expect(html).not.to.include('argon2');
      for (const path of [
        '/admin/users/0/',
        '/admin/users/99/',
        '/admin/users/x/',
        '/admin/users/1e1/',
        '/admin/users/99/erase/',
      ])
        expect((await browser.get(path)).status, path).to.equal(404);
    });

    for (const [action, type, text] of [
      ['disable', 'UserDisabled', 'cannot log in'],
      ['erase', 'UserErased', 'cannot be undone'],
      ['sign_out', 'AllSessionsEnded', 'Their sessions end immediately'],
    ] as const) {
      it(`shows the consequences of ${action}, acts after a confirmation, and records the administrator`, async () => {
        const adaBrowser = await logIn(ada);
        const path = `${pathOf('ada')}${action}/`;
        const confirmation = await browser.get(path);
        expect(confirmation.html).to.include(text);
        expect((await newestEvent())?.type, 'the confirmation page changes nothing').to.equal('SessionStarted');
        const response = await browser.submit(confirmation, { username: 'ada' });
        expect(response.status).to.equal(302);
        const event = await newestEvent();
        expect({ type: event?.type, actor: event?.actor }).to.deep.equal({
          type,
          actor: { kind: 'user', id: account('root').userId },
        });
        expect(event?.requestId).to.equal(response.headers.get('x-request-id'));
        expect((await adaBrowser.get('/o/applications/')).status).to.equal(302);
        expect((await browser.get(response.location ?? '')).html).to.include('ada was');
      });
    }

    it('erases the user only if the user name has been typed', async () => {
      for (const username of ['', 'root', 'ada ada']) {
        const refusal = await confirm(`${pathOf('ada')}erase/`, { username });
        expect(refusal.status, username).to.equal(422);
        expect(refusal.html).to.include('<a href="#username">User name – This does not match the user name.</a>');
      }
      expect(account('ada').active).to.equal(true);
    });

    it('shows when each session was last used, and ends only the chosen one', async () => {
      const [idleBrowser, activeBrowser] = [await logIn(ada), await logIn(ada)];
      running.clock.advance(7_200);
      await activeBrowser.get('/');
      const page = await browser.get(`${pathOf('ada')}sessions/`);
      expect(page.html).to.include('Sessions of').and.include('2 hours ago');
      const [endPath = ''] = [...page.html.matchAll(/action="([^"]*sessions\/[^"]+\/end\/)"/g)].map(
        ([, path]) => path ?? '',
      );
      const response = await browser.submit(await browser.submit(page, {}, endPath), {}, endPath);
      expect(response.location).to.equal(`${pathOf('ada')}sessions/`);
      const event = await newestEvent();
      expect([event?.type, event?.actor]).to.deep.equal(['SessionEnded', { kind: 'user', id: account('root').userId }]);
      expect(event?.data).to.deep.equal({ userId: account('ada').userId, reason: 'ended-by-administrator' });
      expect((await activeBrowser.get('/accounts/')).status).to.equal(302);
      expect((await idleBrowser.get('/accounts/')).status).to.equal(200);
      expect((await browser.submit(page, {}, endPath)).status).to.equal(404);
    });

    it('does not end a session under the path of a different user', async () => {
      await logIn(ada);
      const page = await browser.get(`${pathOf('ada')}sessions/`);
      const [path = ''] = /\/sessions\/[^"]+\/end\//.exec(page.html) ?? [];
      expect((await browser.submit(page, {}, `/admin/users/1${path}`)).status).to.equal(404);
      expect((await newestEvent())?.type).to.equal('SessionStarted');
    });

    it('changes the name and the e-mail address, and records the administrator', async () => {
      const response = await confirm(`${pathOf('ada')}profile/`, { first_name: 'Ada', email: 'ada@example.org' });
      expect(response.location).to.equal(pathOf('ada'));
      expect(account('ada')).to.include({ firstName: 'Ada', email: 'ada@example.org', emailVerified: false });
      const event = await newestEvent();
      expect([event?.type, event?.actor]).to.deep.equal([
        'UserProfileChanged',
        { kind: 'user', id: account('root').userId },
      ]);
      const refusal = await confirm(`${pathOf('ada')}profile/`, { email: 'no address' });
      expect([refusal.status, refusal.html.includes('value="no address"')]).to.deep.equal([422, true]);
    });

    it('says if another user has the same e-mail address, and marks it as verified for only one of them', async () => {
      const sharedAddress = 'both@example.org';
      const verifiedNotice = 'bob has verified this e-mail address.';
      await running.addUser('bob');
      await confirm(`${pathOf('bob')}profile/`, { email: sharedAddress });
      await confirm(`${pathOf('ada')}profile/`, { email: 'BOTH@example.org' });
      const page = await browser.get(pathOf('ada'));
      expect(page.html).to.include('bob has this address, too.').and.not.include(verifiedNotice);
      await running.service().accounts.verifyEmail(account('bob'), OPERATOR);
      await browser.submit(page, { email: 'BOTH@example.org' }, `${pathOf('ada')}verify_email/`);
      expect([account('ada').emailVerified, account('bob').emailVerified]).to.deep.equal([false, true]);
      expect((await browser.get(pathOf('ada'))).html)
        .to.include(verifiedNotice)
        .and.not.include('verify_email/');
    });

    it('finds the user by e-mail address, and shows the creation time and the last login', async () => {
      await confirm(`${pathOf('ada')}profile/`, { email: 'Countess@example.org' });
      running.clock.advance(3_600);
      await logIn(ada);
      running.clock.advance(3_600);
      const { html } = await browser.get('/admin/users/?q=COUNTESS%40');
      expect(html)
        .to.include(`href="${pathOf('ada')}"`)
        .and.not.include(`href="${pathOf('root')}"`);
      expect(html).to.include('2 hours ago').and.include('1 hour ago');
      expect((await browser.get(pathOf('ada'))).html)
        .to.include('/audit/?user=ada')
        .and.include('Last login');
    });

    it('enables a disabled account again', async () => {
      await confirm(`${pathOf('ada')}disable/`);
      expect((await browser.get(pathOf('ada'))).html).to.include('disabled');
      await browser.post(`${pathOf('ada')}enable/`, { csrf_token: await csrf() });
      expect((await newestEvent())?.type).to.equal('UserEnabled');
      await logIn(ada);
    });

    it('grants and removes roles, and removes all if none is chosen', async () => {
      await confirm(`${pathOf('ada')}roles/`, { role: ['administrator', 'auditor'] });
      expect(account('ada').roles).to.deep.equal(['administrator', 'auditor']);
      await confirm(`${pathOf('ada')}roles/`);
      expect(account('ada').roles).to.deep.equal([]);
      expect(await newestEvent()).to.deep.include({
        type: 'UserRolesChanged',
        actor: { kind: 'user', id: account('root').userId },
      });
    });

    it('sets a password, ends all sessions, and shows a generated password', async () => {
      const adaBrowser = await logIn(ada);
      const page = await confirmAndFollow(`${pathOf('ada')}password/`, { password: '' });
      const password = textWithId(page, 'account-password');
      expect((await adaBrowser.get('/o/applications/')).status).to.equal(302);
      expect((await running.browser().logIn('ada', ada.password)).status).to.equal(422);
      await logIn({ username: 'ada', password });
      for (const weakPassword of ['short', 'password123'])
        expect((await confirm(`${pathOf('ada')}password/`, { password: weakPassword })).status).to.equal(422);
      expect((await confirm(`${pathOf('ada')}password/`, { password: 'chosen by root' })).location).to.equal(
        pathOf('ada'),
      );
      await logIn({ username: 'ada', password: 'chosen by root' });
    });

    it("sets the administrator's password, ends other sessions, and shows the password in a new session", async () => {
      const otherBrowser = await logIn(ROOT);
      const previousCookies = browser.cookieHeader('/');
      const password = textWithId(
        await confirmAndFollow(`${pathOf('root')}password/`, { password: '' }),
        'account-password',
      );
      expect((await otherBrowser.get('/admin/users/')).status).to.equal(302);
      expect(
        (await running.get('/admin/users/', { cookie: previousCookies, accept: 'text/html' })).status,
        'the previous session',
      ).to.equal(302);
      expect((await browser.get('/admin/users/')).status).to.equal(200);
      await logIn({ username: 'root', password });
    });

    it("counts the user's applications, and lists all of them, page by page", async () => {
      for (let count = 1; count <= 60; count += 1)
        await running.addClient({ owner: 'ada', name: `Application ${count}` });
      const { html } = await browser.get(pathOf('ada'));
      expect(html.match(/<bdi>Application \d+</g)?.slice(0, 2)).to.deep.equal([
        '<bdi>Application 60<',
        '<bdi>Application 59<',
      ]);
      expect(html.match(/<bdi>Application /g)).to.have.length(10);
      expect(html).to.include(`<a href="${pathOf('ada')}applications/">All 60 applications they own</a>`);
      const pages = [
        await browser.get(`${pathOf('ada')}applications/`),
        await browser.get(`${pathOf('ada')}applications/?page=2`),
      ];
      expect(pages.map((page) => page.html.match(/<bdi>Application /g)?.length)).to.deep.equal([50, 10]);
    });

    it('has one row for each authorized application, however often the user authorized it', async () => {
      const [loom, engine] = [await running.addClient({ name: 'Loom' }), await running.addClient({ name: 'Engine' })];
      for (const scope of ['read', 'write', 'groups'])
        await running.token(loom, { grant_type: 'password', ...ada, scope });
      await running.token(engine, { grant_type: 'password', ...ada, scope: 'read' });
      const { html } = await browser.get(pathOf('ada'));
      const [, table = ''] = /Applications they have authorized([\s\S]*)<\/section>/.exec(html) ?? [];
      expect(
        [...table.matchAll(/<th role="rowheader"[^>]*>\s*<a[^>]*><bdi>([^<]+)/g)].map(([, name]) => name),
      ).to.deep.equal(['Engine', 'Loom']);
      expect(table)
        .to.include('<code>groups write read</code>')
        .and.include(`authorizations/${loom.id}/"><bdi>3</bdi>`);
      const listPage = await browser.get(`${pathOf('ada')}authorizations/`);
      expect(listPage.html).to.include('Loom').and.include('Engine');
      expect((await browser.get(`${pathOf('ada')}authorizations/?q=eng`)).html)
        .to.include('Engine')
        .and.not.include('Loom');
      const authorizationsPage = await browser.get(`${pathOf('ada')}authorizations/${loom.id}/`);
      expect(authorizationsPage.html.match(/Revoke this one/g)).to.have.length(3);
      for (const path of [`authorizations/${loom.id}/`, `authorizations/${loom.id}/revoke/`])
        expect((await browser.get(pathOf('root') + path)).status, path).to.equal(404);
    });

    it("revokes an application's access to the user's account after confirmation", async () => {
      const [loom, bob] = [await running.addClient({ name: 'Loom' }), await running.addUser('bob')];
      const tokens: string[] = [];
      for (const user of [ada, ada, bob])
        tokens.push(String((await running.token(loom, { grant_type: 'password', ...user })).json?.['access_token']));
      const path = `${pathOf('ada')}authorizations/${loom.id}/revoke/`;
      const confirmation = await browser.get(path);
      expect(confirmation.html).to.include('Revoke access for Loom?').and.include('all 2 authorizations');
      const headBeforeRevocation = running.log.head();
      expect((await browser.submitAndFollow(confirmation, {})).html).to.include(
        'Loom no longer has access to the account of ada.',
      );
      const events = (await running.events()).slice(headBeforeRevocation);
      expect(events.map(({ type, actor }) => ({ type, actor }))).to.deep.equal(
        Array.from({ length: 2 }, () => ({
          type: 'GrantRevoked',
          actor: { kind: 'user', id: account('root').userId },
        })),
      );
      const statuses = await Promise.all(
        tokens.map(async (token) => (await running.get('/users/', { authorization: `Bearer ${token}` })).status),
      );
      expect(statuses).to.deep.equal([401, 401, 200]);
      expect((await browser.get(path)).status).to.equal(404);
    });

    it("revokes the access of all applications to the user's account after confirmation", async () => {
      const clients = [await running.addClient({ name: 'Loom' }), await running.addClient({ name: 'Engine' })];
      const bob = await running.addUser('bob');
      const tokens: string[] = [];
      for (const client of clients)
        for (const user of [ada, bob])
          tokens.push(
            String((await running.token(client, { grant_type: 'password', ...user })).json?.['access_token']),
          );
      const list = await browser.get(`${pathOf('ada')}authorizations/`);
      expect(list.html).to.include(`href="${pathOf('ada')}revoke_access/"`);
      const confirmation = await browser.get(`${pathOf('ada')}revoke_access/`);
      expect(confirmation.html).to.include('2 applications will lose access to the account of ada');
      expect((await browser.submitAndFollow(confirmation, {})).html).to.include(
        'All access to the account of ada was revoked.',
      );
      const statuses = await Promise.all(
        tokens.map(async (token) => (await running.get('/users/', { authorization: `Bearer ${token}` })).status),
      );
      expect(statuses).to.deep.equal([401, 200, 401, 200]);
      expect((await browser.get(`${pathOf('ada')}authorizations/`)).html).to.not.include('revoke_access');
    });

    it("revokes one of the user's authorizations, but not under another user's path", async () => {
      const client = await running.addClient({ name: 'Loom' });
      const { json } = await running.token(client, { grant_type: 'password', ...ada });
      const grantId =
        running.service().projections.grants.listByUser(account('ada').userId, running.clock.now() / 1000)[0]
          ?.grantId ?? '';
      expect((await browser.get(`${pathOf('root')}grants/${grantId}/`)).status).to.equal(404);
      const page = await browser.get(`${pathOf('ada')}grants/${grantId}/`);
      expect(page.html).to.include('Revoke one authorization for Loom?');
      expect((await browser.submit(page, {})).location).to.equal(pathOf('ada'));
      expect(await newestEvent()).to.deep.include({
        type: 'GrantRevoked',
        actor: { kind: 'user', id: account('root').userId },
      });
      expect(
        (await running.get('/users/', { authorization: `Bearer ${String(json?.['access_token'])}` })).status,
      ).to.equal(401);
      expect((await browser.get(`${pathOf('ada')}grants/${grantId}/`)).status).to.equal(404);
    });
  });

  describe('for the last administrator', () => {
    for (const [action, fields] of [
      ['disable', {}],
      ['erase', { username: 'root' }],
      ['roles', { role: 'auditor' }],
    ] as const) {
      it(`refuses the ${action} form, says what to do, and changes nothing`, async () => {
        const head = running.log.head();
        const page = await confirm(`${pathOf('root')}${action}/`, fields);
        expect(page.status).to.equal(409);
        expect(page.html)
          .to.include('An administrator is required')
          .and.include('Make another user an administrator first');
        expect(running.log.head()).to.equal(head);
        expect((await browser.get('/admin/users/')).status).to.equal(200);
      });
    }
  });
});
