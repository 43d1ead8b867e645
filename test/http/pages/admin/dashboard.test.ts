import { expect } from 'chai';
import type { BrowserSession } from '../../../support/browser-session.ts';
import { runningService, type RunningService, type TestUser } from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ROOT: TestUser = { username: 'root', password: 'the password of root' };

const countMatches = (html: string, pattern: RegExp): number => html.match(pattern)?.length ?? 0;

describe('The dashboard', () => {
  let running: RunningService;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    const registration = await running.service().accounts.register({ ...ROOT, roles: ['administrator'] }, OPERATOR);
    if ('errors' in registration) throw new Error(JSON.stringify(registration.errors));
    browser = running.browser();
    await browser.logIn(ROOT.username, ROOT.password);
  });
  afterEach(() => running.close());

  const openDashboard = async (): Promise<string> => (await browser.get('/admin/')).html.replaceAll(/\s+/g, ' ');

  it('counts tokens, logins, failed logins and refusals, by hour and by day', async () => {
    const client = await running.addClient({ name: 'Loom' });
    for (let count = 0; count < 3; count += 1) await running.token(client, { grant_type: 'client_credentials' });
    await running.token(client, { grant_type: 'client_credentials', scope: 'nowhere' });
    await running.browser().logIn(ROOT.username, 'wrong');
    await running.browser().logIn('nobody', 'wrong');
    const html = await openDashboard();
    for (const period of ['Last 24 hours', 'Last 30 days'])
      for (const text of [
        `<strong>${period}:</strong> 3 tokens, all `,
        `<strong>${period}:</strong> 1 login, all `,
        `<strong>${period}:</strong> 2 failed logins, all `,
        `<strong>${period}:</strong> 1 refusal, all `,
      ])
        expect(html).to.include(text);
    expect(html.match(/Show as a table/g)).to.have.length(8);
  });

  it("says once that hours are in the user's time zone, or in UTC if that zone is unknown", async () => {
    const utcPage = await openDashboard();
    expect(countMatches(utcPage, /Hours and days are in UTC\./g)).to.equal(1);
    expect(utcPage).to.not.include('your time zone');
    browser.setCookie('grantlog-time-zone', 'Europe/Berlin');
    const localTimePage = await openDashboard();
    expect(countMatches(localTimePage, /Hours are in your time zone, days in UTC\./g)).to.equal(1);
    expect(localTimePage).to.not.include('Hours and days are in UTC');
  });

  it('states the peak of a chart only if it differs from the total', async () => {
    const client = await running.addClient({ name: 'Loom' });
    await running.token(client, { grant_type: 'client_credentials' });
    expect(await openDashboard())
      .to.match(/1 token, all in one hour \(/)
      .and.match(/1 token, all on one day \(/);
    running.clock.advance(2 * 3_600);
    for (let count = 0; count < 2; count += 1) await running.token(client, { grant_type: 'client_credentials' });
    expect(await openDashboard()).to.match(/3 tokens, at most 2 in an hour \(/);
  });

  it('shows totals that link to lists, except for sessions', async () => {
    const client = await running.addClient({ name: 'Loom' });
    await running.token(client, { grant_type: 'client_credentials' });
    const html = await openDashboard();
    for (const [title, count, href] of [
      ['Users', 1, '/admin/users/'],
      ['Applications', 1, '/admin/applications/'],
      ['Live access tokens', 1, '/admin/applications/?sort=last_used'],
    ] as const)
      expect(html).to.include(`<a href="${href}"><strong>${count}</strong> <span>${title}</span></a>`);
    expect(html, 'the number of sessions is not a link').to.include(
      '<p><strong>1</strong> <span>Active sessions</span></p>',
    );
  });

  it('links from the charts to the logins in the log and to the refusals', async () => {
    const html = await openDashboard();
    for (const [text, href, lists] of [
      ['See the logins', '/audit/?type=SessionStarted', '</bdi> logged in'],
      ['See the refusals', '/admin/refusals/', 'No refusals'],
    ] as const) {
      expect(html).to.include(`<a href="${href}">${text}</a>`);
      expect((await browser.get(href)).html).to.include(lists);
    }
  });

  it('lists problems that need attention, with links to the pages that help', async () => {
    const client = await running.addClient({ name: 'Loom & Co' });
    for (let count = 0; count < 20; count += 1)
      await running.token(client, { grant_type: 'client_credentials', scope: 'nowhere' });
    const html = await openDashboard();
    expect(html).to.include('At least 20 requests from Loom &amp; Co were refused');
    expect(html).to.include('1 administrator has no second factor');
    for (const [, href = ''] of html.matchAll(/<li class="notice[^]*?<a href="([^"]+)"/g)) {
      const page = await browser.get(href.replaceAll('&amp;', '&'));
      expect(page.status, href).to.equal(200);
    }
    const refusalsPage = (await browser.get(`/admin/refusals/?q=${client.id}`)).html;
    expect(refusalsPage).to.include('20 refusals, 20 matches');
  });

  it('lists as many problems as the health page, which does not call a server with a problem healthy', async () => {
    for (const [language, problemPattern, healthyText] of [
      ['en', />(dashboard)<\/a> lists 1 problem with/, 'nothing needs attention'],
      ['de', />(Übersicht)<\/a> nennt 1 Punkt zu/, 'es gibt nichts zu tun'],
    ] as const) {
      const userBrowser = running.browser({ 'accept-language': language });
      await userBrowser.logIn(ROOT.username, ROOT.password);
      const problemCount = countMatches((await userBrowser.get('/admin/')).html, /<li class="notice notice--/g);
      const health = (await userBrowser.get('/admin/health/')).html;
      const section = /<ul class="health-problems card">([^]*?)<\/ul>/.exec(health)?.[1] ?? '';
      expect(section).to.match(problemPattern);
      expect(countMatches(section, /<li>/g)).to.equal(problemCount);
      expect(health).to.not.include(healthyText);
    }
  });

  it('does not count disabled accounts as a problem, because they are normal', async () => {
    const problemCount = countMatches(await openDashboard(), /<li class="notice notice--/g);
    await running.addUser('ada');
    const users = running.service().projections.users;
    const ada = [...users.all()].find(({ username }) => username === 'ada');
    if (ada === undefined) throw new Error('no account');
    await running.service().accounts.disable(ada, OPERATOR);
    const html = await openDashboard();
    expect(countMatches(html, /<li class="notice notice--/g)).to.equal(problemCount);
    expect(html).to.not.include('disabled');
  });

  it('has the same figures after a restart', async () => {
    const client = await running.addClient({ name: 'Loom' });
    await running.token(client, { grant_type: 'client_credentials' });
    const { projections } = running.service();
    const now = Math.floor(running.clock.now() / 1000) as Parameters<typeof projections.activity.ofServer>[0];
    const previousFigures = projections.activity.ofServer(now);
    await running.restart();
    expect(running.service().projections.activity.ofServer(now)).to.deep.equal(previousFigures);
  });

  it('is only for administrators', async () => {
    const ada = await running.addUser('ada');
    const otherBrowser = running.browser();
    await otherBrowser.logIn(ada.username, ada.password);
    expect((await otherBrowser.get('/admin/')).status).to.equal(403);
  });
});
