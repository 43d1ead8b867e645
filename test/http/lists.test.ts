import { expect } from 'chai';
import type { UserId } from '../../src/domain/values.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { addApplications, startWithRoot } from '../support/many-applications.ts';
import type { RunningService } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The list of a user’s applications', () => {
  let running: RunningService;
  let browser: BrowserSession;

  beforeEach(async () => {
    const root = await startWithRoot();
    ({ running, browser } = root);
    await addApplications(running, root.userId, 120);
  });
  afterEach(() => running.close());

  const names = ({ html }: Page): readonly string[] =>
    [...html.matchAll(/<h2 class="row__title">\s*<a[^>]*><bdi>([^<]+)</g)].map(([, name = '']) => name);

  it('contains all applications, newest first, fifty per page', async () => {
    const applicationNames: string[] = [];
    const lengths: number[] = [];
    for (let path: string | undefined = '/o/applications/'; path !== undefined;) {
      const page: Page = await browser.get(path);
      applicationNames.push(...names(page));
      lengths.push(names(page).length);
      path = /href="([^"]+)" rel="next"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(lengths).to.deep.equal([50, 50, 20]);
    expect(applicationNames).to.deep.equal(Array.from({ length: 120 }, (_, index) => `Application ${119 - index}`));
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

  it('is summarized on the home page by its total and the newest applications', async () => {
    const { html } = await browser.get('/');
    expect(html).to.include('All 120').and.include('Application 119').and.not.include('Application 116<');
  });
});

describe('An account export', () => {
  let running: RunningService;
  let browser: BrowserSession;
  let userId: UserId;

  beforeEach(async () => {
    ({ running, browser, userId } = await startWithRoot());
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
    beforeEach(() => addApplications(running, userId, 10_000));

    it('leaves the server responsive, and completes', async () => {
      const responses = await Promise.all([startExport(), startExport(), startExport()]);
      expect((await browser.get('/o/applications/')).status).to.equal(200);
      const data = JSON.parse(await (responses[0] ?? expect.fail()).text()) as {
        readonly applications: readonly unknown[];
      };
      expect(data.applications).to.have.length(10_000);
      for (const { body } of responses.slice(1)) await body?.cancel();
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
