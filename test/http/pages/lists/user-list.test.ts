import { expect } from 'chai';
import { readCsv, restoreCell } from '../../../support/csv.ts';
import type { BrowserSession, Page } from '../../../support/browser-session.ts';
import { runningService, type RunningService, type TestUser } from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ROOT: TestUser = { username: 'root', password: 'the password of root' };
const LIST = '/admin/users/';

describe('The user list', () => {
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

  async function addUser(username: string, profile: Readonly<Record<string, string>> = {}): Promise<void> {
    const registration = await running
      .service()
      .accounts.register({ username, password: 'another long password', ...profile }, OPERATOR);
    if ('errors' in registration) throw new Error(JSON.stringify(registration.errors));
  }

  const extractNames = ({ html }: Page): readonly string[] =>
    [...html.matchAll(/href="\/admin\/users\/\d+\/"><bdi>([^<]+)</g)].map(([, name = '']) => name);
  const findLink = ({ html }: Page, label: string): string =>
    new RegExp(`href="([^"]+)"[^>]*>${label}`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? expect.fail(`no ${label}`);

  it('is sorted by a link in a column header, and reversed by the next click', async () => {
    for (const name of ['user 10', 'User 9', 'Ärmel', 'armada']) await addUser(name);
    const sortedPage = await browser.get(findLink(await browser.get(LIST), 'User name'));
    expect(extractNames(sortedPage)).to.deep.equal(['armada', 'Ärmel', 'root', 'User 9', 'user 10']);
    expect(sortedPage.html.match(/aria-sort="\w+"/g)).to.deep.equal(['aria-sort="ascending"']);
    const reversedPage = await browser.get(findLink(sortedPage, 'User name'));
    expect(extractNames(reversedPage)).to.deep.equal([...extractNames(sortedPage)].toReversed());
    expect(reversedPage.html).to.include('aria-sort="descending"');
    expect(extractNames(await browser.get(`${LIST}?sort=nothing`))).to.deep.equal(
      extractNames(await browser.get(LIST)),
    );
  });

  it('is narrowed by the search and the filters, and shows the total', async () => {
    await addUser('ada', { email: 'countess@example.org', firstName: 'Augusta', lastName: 'King' });
    await addUser('bob');
    expect((await browser.get(LIST)).html).to.include('3 users<');
    const namesFor = async (query: string): Promise<readonly string[]> =>
      extractNames(await browser.get(`${LIST}?${query}`));
    for (const q of ['ADA', 'COUNTESS@', 'augusta king'])
      expect(await namesFor(`q=${encodeURIComponent(q)}`)).to.eql(['ada']);
    expect(await namesFor('role=administrator')).to.deep.equal(['root']);
    expect(await namesFor('role=none')).to.deep.equal(['bob', 'ada']);
    expect(await namesFor('role=none&q=b')).to.deep.equal(['bob']);
    expect(await namesFor('status=disabled')).to.deep.equal([]);
    expect(await namesFor('role=unknown')).to.have.length(3);
    const { html } = await browser.get(`${LIST}?role=none`);
    expect(html)
      .to.include('3 users, 2 matches')
      .and.match(/value="none" selected/)
      .and.include('Show all');
  });

  it('keeps the search, the filters and the order on every page and in the CSV file', async () => {
    for (let count = 0; count < 120; count += 1) await addUser(`user ${count}`);
    let page = await browser.get(`${LIST}?sort=-username&role=none&q=user`);
    const listedNames = [...extractNames(page)];
    expect(page.html).to.include('1–50 of 120');
    for (let count = 0; count < 2; count += 1) {
      page = await browser.get(findLink(page, 'Next page'));
      listedNames.push(...extractNames(page));
    }
    const expected = Array.from({ length: 120 }, (_, index) => `user ${119 - index}`);
    expect(listedNames).to.deep.equal(expected);
    expect(page.html).to.include('101–120 of 120').and.not.include('Next page');
    expect(extractNames(await browser.get(findLink(page, 'Previous page')))).to.deep.equal(expected.slice(50, 100));
    const rows = readCsv((await browser.get(findLink(page, 'Download as CSV'))).html);
    expect(rows.slice(1).map(([name]) => name)).to.deep.equal(expected);
    expect(extractNames(await browser.get(findLink(page, 'First page')))).to.deep.equal(expected.slice(0, 50));
  });

  it('neither skips nor repeats users when other users are erased between two page requests', async () => {
    for (let count = 0; count < 120; count += 1) await addUser(`user ${count}`);
    const firstPage = await browser.get(`${LIST}?sort=username&q=user`);
    const { accounts, projections } = running.service();
    for (const name of ['user 3', 'user 49', 'user 50']) {
      const user = projections.users.findByName(name) ?? expect.fail(name);
      await accounts.erase(user, OPERATOR);
    }
    const namesOnSecondPage = extractNames(await browser.get(findLink(firstPage, 'Next page')));
    expect(namesOnSecondPage[0]).to.equal('user 51');
    expect(namesOnSecondPage.at(-1)).to.equal('user 100');
  });

  it('can be downloaded with every column, ISO times, and no formula that a spreadsheet would run', async () => {
    await addUser('=1+1', { email: 'eve@example.org', firstName: '@SUM(A1)', lastName: 'a,"b"' });
    const response = await browser.get(`${LIST}?format=csv&q=eve`);
    expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).to.equal('attachment; filename="grantlog-users.csv"');
    expect(response.headers.get('cache-control')).to.equal('no-store');
    const [columnNames = [], row = [], ...otherRows] = readCsv(response.html);
    expect(otherRows).to.deep.equal([]);
    const cells = Object.fromEntries(columnNames.map((name, index) => [name, row[index]]));
    expect(cells).to.include({ username: "'=1+1", first_name: "'@SUM(A1)", last_name: 'a,"b"', last_login: '' });
    expect(restoreCell(row[0] ?? '')).to.equal('=1+1');
    expect(cells['created']).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
  });

  it('is only for administrators, both as a page and as a CSV file', async () => {
    await addUser('ada');
    const ada = running.browser();
    await ada.logIn('ada', 'another long password');
    for (const path of [LIST, `${LIST}?format=csv`]) {
      expect((await ada.get(path)).status, path).to.equal(403);
      expect((await running.browser().get(path)).status, path).to.equal(302);
    }
  });

  it('responds to invalid parameters with 4xx or the first page', async () => {
    for (const query of ['format=pdf', `q=${'x'.repeat(151)}`, `cursor=${'x'.repeat(5_000)}`, 'format=csv&format=csv'])
      expect((await browser.get(`${LIST}?${query}`)).status, query).to.be.oneOf([400, 422]);
    const invalidCursors = ['{}', '[]', '["after"]', '["after",{},1]', '["beside","a",1]', '["after","a",null]', 'x'];
    for (const cursor of invalidCursors) {
      const query = new URLSearchParams({ cursor: Buffer.from(cursor).toString('base64url') }).toString();
      expect(extractNames(await browser.get(`${LIST}?${query}`)), cursor).to.deep.equal(['root']);
    }
  });
});
