import { expect } from 'chai';
import fc from 'fast-check';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import { runningService, type RunningOptions, type RunningService, type TestUser } from '../support/running-service.ts';
import { repetitions } from '../support/repetitions.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('On the account pages,', () => {
  let running: RunningService;
  let ada: TestUser;
  let browser: BrowserSession;

  async function start(options: RunningOptions = {}): Promise<void> {
    running = await runningService(options);
    ada = await running.addUser('ada');
    browser = running.browser();
  }

  beforeEach(() => start());
  afterEach(() => running.close());

  /** Starts a new server with different settings. */
  async function startWith(settings: NonNullable<RunningOptions['settings']>): Promise<void> {
    await running.close();
    await start({ settings });
  }

  const isLoggedIn = async (userBrowser = browser): Promise<boolean> =>
    (await userBrowser.get('/')).html.includes('Log out');
  const cookiesOf = (userBrowser: BrowserSession): string =>
    [...userBrowser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
  const csrfOf = ({ html }: Page): string => /name="csrf_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const eventTypes = async (): Promise<readonly string[]> => (await running.events()).map(({ type }) => type);

  describe('a login', () => {
    it('leads to the home page, or to the page that next specifies', async () => {
      expect(await browser.logIn(ada.username, ada.password)).to.include({ status: 302, location: '/' });
      expect(await isLoggedIn()).to.equal(true);
      const otherBrowser = running.browser();
      const page = await otherBrowser.submit(await otherBrowser.get('/accounts/login/?next=/o/applications/'), {
        ...ada,
      });
      expect(page).to.include({ status: 302, location: '/o/applications/' });
    });

    it('does not say whether the name or the password was wrong, and keeps the name in the form', async () => {
      const [wrongPasswordPage, wrongNamePage] = [
        await browser.logIn('ada', 'nonsense'),
        await running.browser().logIn('<bob>', ada.password),
      ];
      for (const page of [wrongPasswordPage, wrongNamePage]) expect(page.status).to.equal(422);
      expect(wrongPasswordPage.html)
        .to.include('value="ada"')
        .and.to.include('Wrong user name, e-mail address or password.');
      const withoutValues = ({ html }: Page): string => html.replaceAll(/value="[^"]*"| autofocus/g, '');
      expect(withoutValues(wrongNamePage)).to.equal(withoutValues(wrongPasswordPage));
      expect(wrongPasswordPage.html).not.to.include('nonsense');
    });

    it('records no event if it fails', async () => {
      const previousTypes = await eventTypes();
      await browser.logIn('ada', 'nonsense');
      await browser.logIn('nobody', 'nonsense');
      expect(await eventTypes()).to.deep.equal(previousTypes);
    });

    it('requires the CSRF token of its own session', async () => {
      const loginPage = await browser.get('/accounts/login/');
      const otherPage = await running.browser().get('/accounts/login/');
      for (const csrf_token of ['', 'x', csrfOf(otherPage)]) {
        expect((await browser.post('/accounts/login/', { ...ada, csrf_token })).status).to.equal(403);
      }
      expect(
        (await running.browser().post('/accounts/login/', { ...ada, csrf_token: csrfOf(loginPage) })).status,
        'without the cookie',
      ).to.equal(403);
      expect(await isLoggedIn()).to.equal(false);
    });

    it('shows its form again, without the password, if its page is older than the session', async () => {
      const oldForm = await browser.get('/accounts/login/?next=/o/applications/');
      await browser.logIn(ada.username, ada.password);
      const newForm = await browser.submit(oldForm, { ...ada });
      expect(newForm.status).to.equal(403);
      expect(newForm.html).to.include('Your session changed').and.include('value="ada"').and.not.include(ada.password);
      expect(await browser.submit(newForm, { ...ada })).to.include({ status: 302, location: '/o/applications/' });
    });

    it('starts a new session: earlier cookies and CSRF tokens are invalid', async () => {
      const oldToken = csrfOf(await browser.get('/accounts/login/'));
      const cookies = cookiesOf(browser);
      await browser.logIn(ada.username, ada.password);
      expect(cookiesOf(browser)).not.to.equal(cookies);
      expect(csrfOf(await browser.get('/'))).not.to.equal(oldToken);
      expect((await browser.post('/accounts/logout/', { csrf_token: oldToken })).status).to.equal(403);
      expect((await running.get('/', { cookie: cookies })).text).not.to.include('Log out');
    });

    it('is impossible for a disabled user, whose sessions end immediately', async () => {
      await browser.logIn(ada.username, ada.password);
      const user = running.service().projections.users.findByName('ada');
      await running.service().accounts.disable(user ?? expect.fail(), OPERATOR);
      expect(await isLoggedIn()).to.equal(false);
      expect((await running.browser().logIn(ada.username, ada.password)).status).to.equal(422);
      await running.service().accounts.enable(user ?? expect.fail(), OPERATOR);
      expect(await isLoggedIn(), 'the ended session is not restored').to.equal(false);
    });

    it('lasts for the lifetime of a session, whatever the cookie says', async () => {
      await browser.logIn(ada.username, ada.password);
      running.clock.advance(1_209_600);
      expect(await isLoggedIn()).to.equal(false);
    });

    it('survives a restart', async () => {
      await browser.logIn(ada.username, ada.password);
      await running.restart();
      expect(await isLoggedIn()).to.equal(true);
    });

    it('sets a cookie that is hidden from scripts and other sites', async () => {
      await startWith({ issuer: 'https://auth.example' });
      const { headers } = await browser.get('/accounts/login/');
      for (const cookie of headers.getSetCookie()) {
        expect(cookie)
          .to.match(/^__Host-grantlog/)
          .and.match(/; secure/i)
          .and.match(/; httponly/i)
          .and.match(/samesite=lax/i);
      }
      expect(headers.getSetCookie()).to.have.length(2);
    });

    it('sets an equally protected cookie that identifies the browser', async () => {
      await startWith({ issuer: 'https://auth.example' });
      const { headers } = await browser.logIn(ada.username, ada.password);
      const browserCookies = headers.getSetCookie().filter((cookie) => cookie.startsWith('__Host-grantlog-browser'));
      expect(browserCookies).to.have.length(2);
      for (const cookie of browserCookies)
        expect(cookie)
          .to.match(/; secure/i)
          .and.match(/; httponly/i)
          .and.match(/samesite=lax/i);
    });

    it('is invalid if its cookie has been modified', async () => {
      await browser.logIn(ada.username, ada.password);
      const [name = '', value = ''] = [...browser.cookies()].find(([cookie]) => !cookie.endsWith('.sig')) ?? [];
      const alteredValue = Buffer.from(
        Buffer.from(value, 'base64')
          .toString()
          .replace(/"csrf":"./, '"csrf":"_'),
      ).toString('base64');
      const forgedCookies = cookiesOf(browser).replace(`${name}=${value}`, `${name}=${alteredValue}`);
      expect((await running.get('/', { cookie: forgedCookies })).text).not.to.include('Log out');
    });
  });

  it('next never leads to another origin', async () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '//',
      'evil.example',
      'http:',
      'https:',
      'javascript:',
      '@',
      '.',
      '..',
      '%2f',
      '%5c',
      '\t',
      '\n',
      '\r',
      ' ',
      '\0',
      '?',
      '#',
      ':',
      'é',
      '/o/authorize/',
    );
    const expectOwnOrigin = (url: string): void => {
      expect(url).to.match(/^\/(?![/\\])/);
      expect(new URL(url, 'https://auth.example/accounts/login/').origin).to.equal('https://auth.example');
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
        async (next) => {
          const visitor = running.browser();
          const form = await visitor.get(`/accounts/login/?${new URLSearchParams({ next }).toString()}`);
          expectOwnOrigin(hiddenFields(form.html)['next'] ?? '');
          expectOwnOrigin((await visitor.submit(form, { ...ada, next })).location ?? '');
        },
      ),
      { numRuns: repetitions(150) },
    );
  });

  describe('a logout everywhere', () => {
    it('ends all sessions of the user with one event, and is refused for visitors', async () => {
      const phone = running.browser();
      for (const userBrowser of [browser, phone]) await userBrowser.logIn(ada.username, ada.password);
      const page = await browser.get('/accounts/sessions/');
      const eventCount = (await eventTypes()).length;
      expect(await browser.submit(page, {}, '/accounts/logout/everywhere/')).to.include({ status: 302, location: '/' });
      expect((await eventTypes()).slice(eventCount)).to.deep.equal(['AllSessionsEnded']);
      expect([await isLoggedIn(), await isLoggedIn(phone)]).to.deep.equal([false, false]);
      const visitorResponse = await browser.post('/accounts/logout/everywhere/', {
        csrf_token: csrfOf(await browser.get('/accounts/login/')),
      });
      expect(visitorResponse.status).to.equal(403);
    });

    it('requires the CSRF token', async () => {
      await browser.logIn(ada.username, ada.password);
      expect((await browser.post('/accounts/logout/everywhere/', {})).status).to.equal(403);
      expect(await isLoggedIn()).to.equal(true);
    });
  });

  describe('a logout', () => {
    beforeEach(() => browser.logIn(ada.username, ada.password));

    it('ends the session: its cookie is invalid, and the log has an event', async () => {
      const cookies = cookiesOf(browser);
      const home = await browser.get('/');
      expect(await browser.post('/accounts/logout/', { csrf_token: csrfOf(home) })).to.include({
        status: 302,
        location: '/',
      });
      expect(await isLoggedIn()).to.equal(false);
      expect((await running.get('/', { cookie: cookies })).text).not.to.include('Log out');
      expect((await eventTypes()).slice(-2)).to.deep.equal(['SessionStarted', 'SessionEnded']);
    });

    it('ends only this session', async () => {
      const phone = running.browser();
      await phone.logIn(ada.username, ada.password);
      await browser.post('/accounts/logout/', { csrf_token: csrfOf(await browser.get('/')) });
      expect(await isLoggedIn(phone)).to.equal(true);
    });

    it('requires a POST with the CSRF token', async () => {
      const page = await browser.get('/accounts/logout/');
      expect(page.status).to.equal(405);
      expect(page.headers.get('allow')).to.equal('POST');
      expect((await browser.post('/accounts/logout/', {})).status).to.equal(403);
      expect(await isLoggedIn()).to.equal(true);
    });
  });

  describe('the set-up link', () => {
    const account = { username: 'root', password: 'correct horse', email: 'root@example.org' };
    const link = (): string => `/accounts/setup/?token=${running.service().setup.token() ?? ''}`;

    it('creates the first administrator, logs them in, and works once', async () => {
      const form = await browser.get(link());
      expect(await browser.submit(form, account)).to.include({ status: 302, location: '/' });
      expect(await isLoggedIn()).to.equal(true);
      expect(running.service().projections.users.findByName('root')?.roles).to.deep.equal(['administrator']);
      expect((await browser.get(form.path)).status).to.equal(404);
      expect(
        (await browser.submit(form, { ...account, username: 'root2', csrf_token: csrfOf(await browser.get('/')) }))
          .status,
      ).to.equal(404);
    });

    it('is mentioned on the home page until it has been used, but never shown there', async () => {
      const home = async () => (await running.browser().get('/')).html;
      const html = await home();
      expect(html).to.include('it has no administrator yet').and.include('<h1 id="setup-title">');
      expect(html)
        .to.not.include('token=')
        .and.not.include(running.service().setup.token() ?? '');
      await browser.submit(await browser.get(link()), account);
      expect(await home()).to.not.include('no administrator');
    });

    it('remains valid while its form has errors, which appear beside their fields', async () => {
      const page = await browser.submit(await browser.get(link()), { ...account, username: 'ada', password: 'tiny7' });
      expect(page.status).to.equal(422);
      expect(page.html).to.include('id="password-error"').and.to.include('value="ada"').and.not.include('tiny7');
      expect((await browser.submit(page, account)).status).to.equal(302);
    });

    it('stops working after it has been used or the server restarts, and says so', async () => {
      const oldLink = link();
      await running.restart();
      const page = await browser.get(oldLink);
      expect(page.status).to.equal(404);
      expect(page.html).to.include('This link does not work').and.to.include('newest link');
      expect(page.html).to.match(/href="\/accounts\/login\/[^"]*">Log in</);
      const usedLink = link();
      await browser.submit(await browser.get(usedLink), account);
      expect((await running.browser().get(usedLink)).html).to.include('This link does not work');
    });

    it('is refused with a wrong token', async () => {
      for (const token of ['', 'x', 'A'.repeat(32)]) {
        const page = await browser.get(`/accounts/setup/?token=${token}`);
        expect(page.status).to.equal(404);
        const csrf_token = csrfOf(await browser.get('/accounts/login/'));
        expect((await browser.post('/accounts/setup/', { ...account, token, csrf_token })).status).to.equal(404);
      }
      expect(running.service().projections.users.findByName('root')).to.equal(undefined);
    });
  });

  describe('sign-up', () => {
    const account = { username: 'grace', password: 'correct horse', email: '' };

    it('is closed by default, and says so', async () => {
      const page = await browser.get('/accounts/signup/');
      expect(page.status).to.equal(403);
      expect(page.html).to.include('<h1>Sign-up is closed</h1>');
      const csrf_token = csrfOf(await browser.get('/accounts/login/'));
      expect((await browser.post('/accounts/signup/', { ...account, csrf_token })).status).to.equal(403);
      expect(running.service().projections.users.findByName('grace')).to.equal(undefined);
      expect((await browser.get('/accounts/login/')).html).not.to.include('signup');
    });

    it('creates an account without roles, logs the user in and continues to next', async () => {
      await startWith({ signup: 'open' });
      const loginPage = await browser.get('/accounts/login/?next=/o/authorized_tokens/');
      const href = /href="(\/accounts\/signup\/[^"]*)"/.exec(loginPage.html)?.[1] ?? '';
      const page = await browser.submit(await browser.get(href), {
        ...account,
        roles: 'administrator',
        role: 'administrator',
      });
      expect(page).to.include({ status: 302, location: '/o/authorized_tokens/' });
      expect(await isLoggedIn()).to.equal(true);
      expect(running.service().projections.users.findByName('grace')?.roles).to.deep.equal([]);
    });

    it('shows an error beside its field, and leaves all values except the password in the form', async () => {
      await startWith({ signup: 'open' });
      const form = await browser.get('/accounts/signup/?next=/o/applications/');
      for (const [field, value] of [
        ['username', 'ada'],
        ['username', ''],
        ['username', ' x'],
        ['username', 'x'.repeat(151)],
        ['email', 'not an address'],
        ['password', 'a1&b2%z'],
      ] as const) {
        const page = await browser.submit(form, { ...account, [field]: value });
        expect(page.status, `${field} ${value}`).to.equal(422);
        expect(page.html).to.include(`id="${field}-error"`).and.to.include('name="next" value="/o/applications/"');
        if (field === 'password') expect(page.html).to.include('value="grace"').and.not.include('a1&amp;b2');
        else expect(page.html).to.include(`value="${value}"`);
      }
      expect(running.service().projections.users.findByName('grace')).to.equal(undefined);
    });

    it('shows all errors together, and focuses the first invalid field', async () => {
      await startWith({ signup: 'open' });
      const { html } = await browser.submit(await browser.get('/accounts/signup/'), {
        username: 'ada',
        email: 'not an address',
        password: 'short',
      });
      for (const field of ['username', 'email', 'password']) expect(html).to.include(`id="${field}-error"`);
      const shortPasswordPage = await browser.submit(await browser.get('/accounts/signup/'), {
        username: 'grace',
        email: '',
        password: 'short',
      });
      expect(shortPasswordPage.html.match(/id="(\w+)"[^>]* autofocus/)?.[1]).to.equal('password');
    });
  });

  it('pages for users redirect visitors to the login page with a way back, and refuse their forms', async () => {
    for (const path of [
      '/o/applications/',
      '/o/applications/register/',
      '/o/applications/x/update/',
      '/o/authorized_tokens/',
    ]) {
      expect((await browser.get(path)).location).to.equal(`/accounts/login/?next=${encodeURIComponent(path)}`);
    }
    const csrf_token = csrfOf(await browser.get('/accounts/login/'));
    const refusal = await browser.post('/o/applications/register/', { csrf_token, name: 'x' });
    expect(refusal.status).to.equal(403);
    expect(refusal.html)
      .to.include('Log in, then try again.')
      .and.match(/<a class="button[^"]*" href="\/accounts\/login\/[^"]*">/);
  });

  it('a different login page can be configured', async () => {
    await startWith({ loginUrl: 'https://sso.example/in?tenant=1' });
    const { location } = await browser.get('/o/applications/');
    expect(location).to.equal('https://sso.example/in?tenant=1&next=%2Fo%2Fapplications%2F');
  });
});
