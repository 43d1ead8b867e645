import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { seconds } from '../support/domain-values.ts';
import { setExchangePolicy } from '../support/exchange-policies.ts';
import { inviteEve } from '../support/invite-eve.ts';
import { setProvider } from '../support/scripted-provider.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { trustIssuer } from '../support/trusted-issuers.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ROOT = { username: 'root', password: 'the password of root' };
const ADDRESS = 'bartholomew.longlastname@works.harbour-authority.example';

const LISTS = [
  '/admin/',
  '/admin/users/',
  '/admin/users/invitations/',
  '/admin/sessions/',
  '/admin/groups/',
  '/admin/providers/',
  '/admin/applications/',
  '/admin/domains/',
  '/admin/scopes/',
  '/admin/trusted-issuers/',
  '/admin/exchange-policies/',
  '/admin/keys/',
  '/admin/brand/texts/',
];

/** Runs in the page. Returns the number of tables, and by how many pixels a table or the page is too wide. */
const MEASURE_OVERFLOW = `
  (() => {
    const tables = [...document.querySelectorAll('main .table')];
    const right = (element) => element.getBoundingClientRect().right;
    const frame = document.querySelector('main');
    const edge = right(frame) - Number.parseFloat(getComputedStyle(frame).paddingRight);
    const sideways = document.documentElement.scrollWidth - innerWidth;
    return { tables: tables.length, beyond: Math.max(sideways, ...tables.map((table) => right(table) - edge)) };
  })()
`;

/** Runs in the page. Returns the left edges of the title and of each card or row of cards. */
const GET_FIRST_EDGES = `
  [...document.querySelectorAll('main > :is(.page-head, .panel, .card, .columns, form, section)')]
    .map((element) => Math.round(element.getBoundingClientRect().left))
`;

describeInChromium('In a browser, the administration area', (chromium) => {
  let running: RunningService;
  let clientId: string;
  let bobId: number | undefined;

  before(async () => {
    running = await runningService();
    const { accounts, groupDirectory } = running.service();
    await accounts.register({ ...ROOT, roles: ['administrator', 'auditor'], email: ADDRESS }, OPERATOR);
    for (const username of ['bartholomew.longlastname', 'supercalifragilisticexpialidocious'])
      await accounts.register({ username, password: 'a long enough password', email: ADDRESS }, OPERATOR);
    const longNames = { firstName: 'Maximilian', lastName: 'Zimmerman' };
    await accounts.register(
      {
        username: 'w.mustermann1234',
        password: 'a long enough password',
        email: 'w.muster@harbour.example',
        ...longNames,
      },
      OPERATOR,
    );
    const name = { firstName: 'Bob', lastName: 'Ramirez' };
    await accounts.register(
      { username: 'bob', password: 'a long enough password', email: 'bob.r@harbour.example', ...name },
      OPERATOR,
    );
    bobId = running.service().projections.users.findByName('bob')?.id;
    await groupDirectory.create('harbour-authority-administrators', OPERATOR);
    const client = await running.addClient({ name: 'Harbour Customer Relationship Management', owner: 'root' });
    clientId = client.id;
    await running.token(client, { grant_type: 'client_credentials' });
    const bob = { username: 'bob', password: 'a long enough password' };
    await running.token(client, { grant_type: 'password', scope: 'read write', ...bob });
    await setExchangePolicy(running, client, client, {});
    await trustIssuer(running, client, {});
    await setProvider(running, { issuer: 'https://login.works.harbour-authority.example/realms/employees' }, {});
    const { lastProviderTests, projections, clock } = running.service();
    const [provider] = projections.upstreamProviders.all();
    if (provider !== undefined) await lastProviderTests.test(provider, seconds(Math.floor(clock.now() / 1000)));
    await inviteEve(running);
    const browser = running.browser();
    await browser.logIn(ROOT.username, ROOT.password);
    const send = async (path: string, fields: Readonly<Record<string, string>>) =>
      browser.submit(await browser.get(path), fields, path);
    await send('/admin/domains/', { domain: 'applications.works.harbour-authority.example', rule: 'blocked' });
    await send('/admin/keys/rotate/', { key_algorithm: 'ES256', key_start: 'later' });
  });
  after(() => running.close());

  async function logIn(locale: string): Promise<Page> {
    const { page } = await chromium.open({ viewport: { width: 1280, height: 800 }, locale });
    await page.goto(`${running.origin()}/accounts/login/`);
    await page.locator('[name=username]').fill(ROOT.username);
    await page.locator('[name=password]').fill(ROOT.password);
    await page.locator('main form button[type=submit]').first().click();
    await page.waitForURL((url) => url.pathname !== '/accounts/login/');
    return page;
  }

  /** Returns how many lines each element takes up. */
  const countLines = (page: Page, selector: string): Promise<number[]> =>
    page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    })`);

  for (const locale of ['en', 'de'])
    it(`has no list that is wider than its frame at 1280 or 1024 pixels in ${locale}`, async () => {
      const page = await logIn(locale);
      const problems: string[] = [];
      for (const path of [...LISTS, `/admin/applications/${clientId}/users/`]) {
        await page.goto(running.origin() + path);
        for (const width of [1280, 1024]) {
          await page.setViewportSize({ width, height: 800 });
          const { tables, beyond } = await page.evaluate<{ tables: number; beyond: number }>(MEASURE_OVERFLOW);
          if (tables === 0) problems.push(`${path} has no table`);
          if (beyond > 1) problems.push(`${path} at ${width}: ${beyond}`);
        }
      }
      expect(problems).to.deep.equal([]);
    });

  for (const locale of ['en', 'de'])
    it(`shows an ordinary name and address on one line each, next to long ones, in ${locale}`, async () => {
      const page = await logIn(locale);
      await page.goto(`${running.origin()}/admin/users/`);
      const cellSelector = `tr:has(a[href$="/${bobId}/"]) > td > bdi`;
      expect(await page.locator(cellSelector).allInnerTexts()).to.deep.equal(['Bob Ramirez', 'bob.r@harbour.example']);
      expect(await countLines(page, cellSelector)).to.deep.equal([1, 1]);
    });

  for (const locale of ['en', 'de'])
    it(`shows the buttons in a list on one line each and in one column, in ${locale}`, async () => {
      const page = await logIn(locale);
      await page.goto(`${running.origin()}/admin/users/invitations/`);
      expect(await countLines(page, '.table .button')).to.deep.equal([1, 1]);
      expect(await page.locator('.table tbody td:last-child .button').count()).to.equal(2);
    });

  it('aligns the left edges of its cards with the title', async () => {
    const page = await logIn('en');
    const { exchangePolicies } = running.service().projections;
    const applicationPath = `/admin/applications/${clientId}/`;
    const paths = [
      `${applicationPath}update/`,
      `${applicationPath}keys/`,
      `/admin/exchange-policies/${exchangePolicies.all()[0]?.policyId}/`,
      '/admin/scopes/edit/?scope=read',
      '/admin/providers/corp/',
      '/admin/domains/',
      '/admin/brand/',
      '/admin/brand/texts/account-invitation.button/',
    ];
    const problems: string[] = [];
    for (const path of paths) {
      await page.goto(running.origin() + path);
      const edges = await page.evaluate<number[]>(GET_FIRST_EDGES);
      if (edges.length < 2) problems.push(`${path} has no card`);
      if (new Set(edges).size > 1) problems.push(`${path}: ${edges.join(', ')}`);
    }
    expect(problems).to.deep.equal([]);
  });
});
