import { expect } from 'chai';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import { LogUnavailable } from '../../src/event-store/event-log.ts';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import { OPERATOR } from '../support/refused/scenario.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const PASSWORD = 'correct horse';

describe('A page', () => {
  let running: RunningService;
  let browser: BrowserSession;
  let visitor: BrowserSession;

  beforeEach(async () => {
    running = await runningService({ settings: { signup: 'open' } });
    const { username, password } = await running.addUser('ada');
    visitor = running.browser();
    browser = running.browser();
    await browser.logIn(username, password);
  });
  afterEach(() => running.close());

  /** Opens pages for visitors and users, some of them after refused forms, and returns them by name. */
  async function openPages(): Promise<Readonly<Record<string, Page>>> {
    const client = await running.addClient({ owner: 'ada' });
    const application = `/o/applications/${client.id}/`;
    const login = await visitor.get('/accounts/login/');
    const registration = await browser.get('/o/applications/register/');
    return {
      'start page of a visitor': await visitor.get('/'),
      'start page': await browser.get('/'),
      login,
      'failed login': await visitor.submit(login, { username: 'ada', password: 'x' }),
      'sign-up': await visitor.get('/accounts/signup/'),
      'set-up': await visitor.get(`/accounts/setup/?token=${running.service().setup.token() ?? ''}`),
      consent: await browser.get(`/o/authorize/?response_type=code&client_id=${client.id}`),
      'authorized applications': await browser.get('/o/authorized_tokens/'),
      applications: await browser.get('/o/applications/'),
      registration,
      'refused registration': await browser.submit(registration, { name: '' }),
      'registered application': await browser.submitAndFollow(registration, {
        name: 'Loom',
        client_type: 'confidential',
        authorization_grant_type: 'password',
        redirect_uris: '',
        allowed_origins: '',
      }),
      application: await browser.get(application),
      'application update': await browser.get(`${application}update/`),
      deletion: await browser.get(`${application}delete/`),
      'secret rotation': await browser.get(`${application}rotate_secret/`),
      'new secret': await browser.submitAndFollow(await browser.get(`${application}rotate_secret/`), {
        old_secret: 'day',
      }),
      'new secret that was shown before': await browser.get(`${application}credentials/x/`),
      'not found': await browser.get('/nowhere/'),
      'expired form': await browser.post('/accounts/logout/', {}),
      'unusable request': await visitor.get('/o/authorize/'),
    };
  }

  /** Forms whose redirect may lead to a client, and from there anywhere. */
  const MAY_REDIRECT_TO_CLIENT = ['login', 'failed login', 'sign-up', 'consent'];

  it('runs only scripts from this server, is never cached and cannot be framed', async () => {
    for (const [name, { headers, html }] of Object.entries(await openPages())) {
      const policy = headers.get('content-security-policy') ?? '';
      const directives = policy.split('; ');
      expect(directives, name).to.include.members([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ]);
      expect(policy, name).not.to.match(/unsafe|\*|https?:/);
      expect(directives.includes("form-action 'self'"), name).to.equal(!MAY_REDIRECT_TO_CLIENT.includes(name));
      expect(headers.get('cache-control'), name).to.equal('no-store');
      expect(headers.get('x-frame-options'), name).to.equal('DENY');
      expect(headers.get('x-content-type-options'), name).to.equal('nosniff');
      expect(headers.get('referrer-policy'), name).to.equal('same-origin');
      expect(headers.get('content-type'), name).to.equal('text/html; charset=utf-8');
      expect(headers.get('x-request-id'), name).to.match(/^[\w-]{22}$/);
      expect(html.startsWith('<!doctype html>'), name).to.equal(true);
    }
  });

  it('refers only to static files that exist and may be cached forever', async () => {
    const requestedPaths = new Set(
      Object.values(await openPages()).flatMap(({ html }) =>
        [...html.matchAll(/(?:src|href)="(\/static\/[^"#]*)/g)].map(([, path = '']) => path),
      ),
    );
    expect([...requestedPaths].map((path) => path.split('?')[0])).to.include.members([
      '/static/copy.js',
      '/static/favicon.svg',
      '/static/grantlog.css',
      '/static/icons.svg',
    ]);
    for (const path of requestedPaths) {
      const { status, headers } = await running.get(path);
      expect([status, headers.get('cache-control')], path).to.deep.equal([200, 'public, max-age=31536000, immutable']);
    }
  });

  it('has no broken link', async () => {
    const pages = Object.values(await openPages());
    const links = new Set(
      pages.flatMap(({ html }) =>
        [...html.matchAll(/ href="(\/[^"#]*)"/g)].map(([, path = '']) => path.replaceAll('&amp;', '&')),
      ),
    );
    for (const link of links) expect((await running.browser().get(link)).status, link).to.be.oneOf([200, 302]);
    expect(links.size).to.be.greaterThan(8);
  });

  it('shows the name of the logged-in user, even if it is an error page', async () => {
    for (const path of ['/', '/o/applications/', '/nowhere/'])
      expect((await browser.get(path)).html, path).to.include('<bdi>ada</bdi>');
    expect((await visitor.get('/nowhere/')).html)
      .to.include('Log in')
      .and.not.include('Log out');
  });

  it('responds with and without a trailing slash', async () => {
    for (const path of ['/accounts/login', '/o/applications', '/o/applications/register', '/o/authorized_tokens']) {
      expect((await browser.get(path)).status, path).to.equal(200);
      expect((await browser.get(`${path}/`)).status, path).to.equal(200);
    }
  });
});

describe('An error page', () => {
  let running: RunningService;

  afterEach(() => running.close().catch(() => {})); // some of these tests cause unexpected errors

  function expectErrorPage(page: Page, status: number, title: string): void {
    expect(page.status).to.equal(status);
    expect(page.html).to.include(`<h1>${title}</h1>`).and.include(`Error ${status}`);
    expect(page.html).to.include(`>${page.headers.get('x-request-id') ?? ''}</code>`);
    expect(page.headers.get('cache-control')).to.equal('no-store');
    expect(page.headers.get('content-security-policy')).to.include("frame-ancestors 'none'");
  }

  it('says what is wrong with the request, and shows the request id', async () => {
    running = await runningService();
    const browser = running.browser();
    const csrf = hiddenFields((await browser.get('/accounts/login/')).html);
    expectErrorPage(await browser.get('/o/%zz'), 400, 'Bad request');
    expectErrorPage(await browser.get('/o/authorize/'), 400, 'This request is not valid');
    expectErrorPage(
      await browser.post('/accounts/login/', { ...csrf, username: ['a', 'b'] }),
      400,
      'The form could not be read',
    );
    expectErrorPage(await browser.post('/accounts/logout/', { username: 'ada' }), 403, 'This form has expired');
    expectErrorPage(await browser.get('/nowhere/'), 404, 'Page not found');
    expectErrorPage(await browser.get('/accounts/login/x/'), 404, 'Page not found');
    expectErrorPage(await browser.post('/o/authorized_tokens/', csrf), 405, 'Method not allowed');
    const largeFormPage = await browser.post('/accounts/login/', { ...csrf, username: 'x'.repeat(70_000) });
    expectErrorPage(largeFormPage, 413, 'The submitted data is too large');
    expect(largeFormPage.html)
      .to.include('It exceeds the limit of 65,536 bytes')
      .and.include('Shorten the longest field');
    const next = '/'.repeat(20_000);
    expectErrorPage(await browser.post('/accounts/logout/', { ...csrf, next }), 400, 'The form could not be read');
  });

  it('says what to do about an expired form, with an explanation only for the consent form', async () => {
    running = await runningService();
    const [admin, password] = ['root', 'the password of root'];
    await running.service().accounts.register({ username: admin, password, roles: ['administrator'] }, OPERATOR);
    const browser = running.browser();
    await browser.logIn(admin, password);
    const { html } = await browser.post('/o/applications/register/', { name: 'Shop' });
    expect(html).to.include('Open the form again').and.not.include('class="explanation"');
    expect((await browser.post('/o/authorize/', { allow: 'yes' })).html).to.include('class="explanation"');
  });

  it('lists the allowed methods if the method is wrong', async () => {
    running = await runningService();
    const { headers, status } = await running.browser().post('/o/authorized_tokens/', {});
    expect(status).to.equal(405);
    expect(headers.get('allow')?.split(', ')).to.have.members(['HEAD', 'GET']);
  });

  it('is JSON for callers that accept JSON', async () => {
    running = await runningService();
    const { headers, json, status } = await running.get('/o/applications/nowhere/x/', { accept: 'application/json' });
    expect(status).to.equal(404);
    expect(json).to.have.property('request_id', headers.get('x-request-id'));
  });

  it('links from an expired form to its page if the browser reports that the page is from this server', async () => {
    running = await runningService();
    const send = async (headers: Readonly<Record<string, string>>): Promise<string> =>
      (await running.browser(headers).post('/accounts/logout/', { username: 'ada' })).html;
    const referer = `${running.origin()}/accounts/login/?next=%2Faudit%2F&x="><script>`;
    expect(await send({ referer, 'sec-fetch-site': 'same-origin' })).to.match(
      /<a class="button button--primary" href="\/accounts\/login\/\?next=%2Faudit%2F&amp;x=%22%3E%3Cscript%3E">Open the form again</,
    );
    for (const headers of [
      { referer },
      { referer, 'sec-fetch-site': 'same-site' },
      { referer: 'https://evil.example/accounts/login/', 'sec-fetch-site': 'cross-site' },
      { referer: `${running.origin()}/${'x'.repeat(15_000)}`, 'sec-fetch-site': 'none' },
      { referer: 'nonsense', 'sec-fetch-site': 'same-origin' },
    ])
      expect(await send(headers))
        .to.include('This form has expired')
        .and.not.include('>Open the form again<');
    const otherOriginHeaders = { referer: `${running.origin()}//evil.example/`, 'sec-fetch-site': 'same-origin' };
    expect(await send(otherOriginHeaders)).to.include('href="/">Open the form again');
  });

  it('about an internal error discloses none of its details, which are logged', async () => {
    const hasher = { ...quickHasher, verify: () => Promise.reject(new Error('the secret ingredient is missing')) };
    running = await runningService({ hasher });
    const page = await running.browser().logIn('ada', PASSWORD);
    expectErrorPage(page, 500, 'Something went wrong');
    expect(page.html).not.to.match(/ingredient|Error:|\.ts/);
    expect(running.unexpected).to.have.length(1);
  });

  it("about an internal error keeps the user's menus, but contains no form", async () => {
    const log = createMemoryLog();
    let isFailing = false;
    const throwError = (): never => {
      throw new Error('the disk is on fire');
    };
    running = await runningService({
      log: {
        ...log,
        readStream: (...range) => (isFailing ? throwError() : log.readStream(...range)),
        readAll: (...range) => (isFailing ? throwError() : log.readAll(...range)),
      },
    });
    const { username, password } = await running.addUser('root', ['administrator']);
    const browser = running.browser();
    await browser.logIn(username, password);
    isFailing = true;
    for (const [path, menu] of [
      ['/admin/scopes/edit/?scope=read', 'aria-label="Administration"'],
      ['/audit/events/1/', 'aria-label="Audit"'],
    ] as const) {
      const page = await browser.get(path);
      expectErrorPage(page, 500, 'Something went wrong');
      expect(page.html).to.include(menu).and.include('<bdi>root</bdi>');
      expect(page.html).to.not.match(/<button[^>]*type="submit"/);
    }
  });

  it('about a log that refuses appends asks the user to try again', async () => {
    const log = createMemoryLog();
    let isAvailable = true;
    running = await runningService({
      log: {
        ...log,
        append: (...change) =>
          isAvailable ? log.append(...change) : Promise.reject(new LogUnavailable('no space left on the device')),
      },
    });
    const { username, password } = await running.addUser('ada');
    isAvailable = false;
    const page = await running.browser().logIn(username, password);
    expectErrorPage(page, 503, 'Not available');
    expect(page.headers.get('retry-after')).to.equal('5');
    expect(page.html).not.to.include('space');
    expect((await running.get('/')).status, 'pages that record nothing still work').to.equal(200);
  });
});
