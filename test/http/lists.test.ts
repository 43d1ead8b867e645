import { expect } from 'chai';
import { encodeEvent } from '../../src/domain/events.ts';
import type { ClientId, EpochSeconds, UserId } from '../../src/domain/values.ts';
import { createApp } from '../../src/http/app.ts';
import { CLIENT_SETTINGS } from '../support/client-settings.ts';
import { routesOf } from '../support/app-routes.ts';
import { addPasskey, authenticator } from '../support/authenticator.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { runningService, type RunningService, type TestUser } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ROOT: TestUser = { username: 'root', password: 'the password of root' };

async function start(): Promise<{
  readonly running: RunningService;
  readonly browser: BrowserSession;
  readonly userId: UserId;
}> {
  const running = await runningService();
  const registration = await running
    .service()
    .accounts.register({ ...ROOT, roles: ['administrator', 'auditor'] }, OPERATOR);
  if ('errors' in registration) throw new Error(JSON.stringify(registration.errors));
  const browser = running.browser();
  await browser.logIn(ROOT.username, ROOT.password);
  return { running, browser, userId: registration.user.userId };
}

/** Adds applications by appending events, as an import does, so that no secret is hashed. */
async function addApplications(running: RunningService, ownerId: UserId, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const clientId = `application${String(number).padStart(6, '0')}` as ClientId;
    const event = encodeEvent({
      type: 'ClientRegistered',
      data: {
        clientId,
        ownerId,
        secret: null,
        ...CLIENT_SETTINGS,
        name: `Application ${number}`,
        clientType: 'public',
        grantTypes: ['authorization-code'],
        redirectUris: [`https://a${number}.example/callback`],
      },
    });
    await running.log.append(`client-${clientId}`, 'no-stream', [{ ...event, recordedAt: 0, ...OPERATOR }]);
  }
}

/** Starts a session without the login page, which limits logins. */
async function logIn(running: RunningService, userId: UserId): Promise<void> {
  const { loginSessions, projections } = running.service();
  const user = projections.users.find(userId) ?? expect.fail('there is no such user');
  const check = { method: 'password', checkedAsOf: running.log.head() } as const;
  const now = Math.floor(running.clock.now() / 1000) as EpochSeconds;
  expect(await loginSessions.start({ user, check }, now, { requestId: null }, undefined)).to.be.a('string');
}

const rowsIn = ({ html }: Page): number =>
  html.match(/<li class="row|<tr role="row">|<li>\s*<a class="items__title"/g)?.length ?? 0;

describe('Every list', () => {
  const MANY = 130;
  /** Fifty items and a heading, or ten applications with three authorizations each. */
  const MAX_ROWS = 51;
  /** Four kinds of items, with a hundred and a heading each. */
  const MAX_ENTRIES = 4 * 101;

  it('is paged: no page grows with its content', async () => {
    const { running, browser, userId } = await start();
    await addApplications(running, userId, MANY);
    const addDevice = (): Promise<Page> => addPasskey(browser, ROOT.password, authenticator());
    const loom = await running.addClient({ name: 'Loom' });
    for (let count = 0; count < MANY; count += 1) {
      const client = await running.addClient({ name: `Client ${count}` });
      for (const one of [client, loom]) await running.token(one, { grant_type: 'password', ...ROOT });
      await logIn(running, userId);
      await running.addUser();
      if (count % 2 === 0) await addDevice();
    }
    const app = createApp(running.service(), { error: () => expect.fail('unexpected error') });
    const pages = routesOf(app).filter(({ method, openApi }) => method === 'GET' && openApi === undefined);
    const paths = pages.map(({ path }) =>
      path
        .replace(/\{.*\}/, '')
        .replace(':pk', '1')
        .replace(/:\w+/, loom.id),
    );
    expect(paths).to.include.members([
      '/o/applications',
      '/accounts/sessions',
      '/accounts/passkeys',
      '/admin/users/1/applications',
      `/o/authorized_tokens/applications/${loom.id}`,
    ]);
    const lists: string[] = [];
    for (const path of [...paths, `/audit/as-of/?position=${running.log.head()}`]) {
      const page = await browser.get(path);
      const isPage = page.headers.get('content-type')?.includes('text/html') === true;
      if (path === '/admin/settings') continue; // as many rows as there are settings
      const maxRows = path.startsWith('/audit/as-of') ? MAX_ENTRIES : MAX_ROWS;
      if (isPage) expect(rowsIn(page), path).to.be.at.most(maxRows);
      if (isPage && rowsIn(page) > 10) lists.push(path);
    }
    expect(lists, 'lists were found').to.have.length.above(8);
    await running.close();
  }).timeout(300_000);
});

describe('The list of a user’s applications', () => {
  let running: RunningService;
  let browser: BrowserSession;

  beforeEach(async () => {
    const started = await start();
    ({ running, browser } = started);
    await addApplications(running, started.userId, 120);
  });
  afterEach(() => running.close());

  const names = ({ html }: Page): readonly string[] =>
    [...html.matchAll(/<h2 class="row__title">\s*<a[^>]*><bdi>([^<]+)</g)].map(([, name = '']) => name);

  it('contains all applications, newest first, fifty per page', async () => {
    const seen: string[] = [];
    const lengths: number[] = [];
    for (let path: string | undefined = '/o/applications/'; path !== undefined;) {
      const page: Page = await browser.get(path);
      seen.push(...names(page));
      lengths.push(names(page).length);
      path = /href="([^"]+)" rel="next"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(lengths).to.deep.equal([50, 50, 20]);
    expect(seen).to.deep.equal(Array.from({ length: 120 }, (_, index) => `Application ${119 - index}`));
  });

  it('finds applications by part of a name or client id, ignoring case', async () => {
    const find = async (query: string): Promise<readonly string[]> =>
      names(await browser.get(`/o/applications/?${new URLSearchParams({ q: query }).toString()}`));
    expect(await find('APPLICATION 11')).to.deep.equal([
      ...Array.from({ length: 10 }, (_, index) => `Application ${119 - index}`),
      'Application 11',
    ]);
    expect(await find('application000042')).to.deep.equal(['Application 42']);
    expect(await find('nothing')).to.deep.equal([]);
    expect((await browser.get('/o/applications/?q=nothing')).html)
      .to.include('No applications found')
      .and.include('Show all');
  });

  it('has its total on the start page, which shows the newest applications', async () => {
    const { html } = await browser.get('/');
    expect(html).to.include('All 120').and.include('Application 119').and.not.include('Application 116<');
  });
});

describe('An account export', () => {
  let running: RunningService;
  let browser: BrowserSession;
  let userId: UserId;

  beforeEach(async () => {
    ({ running, browser, userId } = await start());
  });
  afterEach(() => running.close());

  const startExport = (): Promise<Response> =>
    fetch(new URL('/accounts/export/', running.origin()), { headers: { cookie: browser.cookieHeader('/') } });

  for (const [amount, count] of [
    ['no applications', 0],
    ['one application', 1],
    ['many applications', 2_000],
  ] as const) {
    it(`is one JSON document, indented by two spaces, with ${amount}`, async () => {
      await addApplications(running, userId, count);
      const { html } = await browser.get('/accounts/export/');
      const data = JSON.parse(html) as { readonly applications: readonly { readonly name: string }[] };
      expect(html).to.equal(`${JSON.stringify(data, null, 2)}\n`);
      expect(Object.keys(data)).to.deep.equal([
        'exported_at',
        'account',
        'groups',
        'sessions',
        'passkeys',
        'authenticator_apps',
        'recovery_codes',
        'linked_accounts',
        'access_given',
        'applications',
      ]);
      expect(data.applications.map(({ name }) => name)).to.deep.equal(
        Array.from({ length: count }, (_, number) => `Application ${number}`),
      );
    });
  }

  describe('that is read slowly', () => {
    /** Adds more applications than all buffers between the server and a reader can hold. */
    beforeEach(() => addApplications(running, userId, 30_000));

    it('leaves the server responsive, and completes', async () => {
      const slow = await Promise.all([startExport(), startExport(), startExport()]);
      expect((await browser.get('/o/applications/')).status).to.equal(200);
      const data = JSON.parse(await (slow[0] ?? expect.fail()).text()) as { readonly applications: readonly unknown[] };
      expect(data.applications).to.have.length(30_000);
      for (const { body } of slow.slice(1)) await body?.cancel();
    });

    it('is aborted when the session ends', async () => {
      const reader = ((await startExport()).body ?? expect.fail()).getReader();
      await reader.read();
      await running
        .service()
        .accounts.logOutEverywhere(running.service().projections.users.find(userId) ?? expect.fail(), OPERATOR);
      const readToEnd = async (): Promise<void> => {
        while (!(await reader.read()).done);
      };
      const outcome: unknown = await readToEnd().then(
        () => 'ended without an error',
        (error: unknown) => error,
      );
      expect(outcome).to.be.instanceOf(Error);
    });
  });
});
