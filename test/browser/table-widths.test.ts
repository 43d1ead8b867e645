import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { setExchangePolicy } from '../support/exchange-policies.ts';
import { inviteEve } from '../support/invite-eve.ts';
import { setProvider } from '../support/scripted-provider.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { trustIssuer } from '../support/trusted-issuers.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ROOT = { username: 'root', password: 'the password of root' };
const ADDRESS = 'bartholomew.longlastname@works.harbour-authority.example';

const LISTS = [
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

/** Evaluated in the page: the number of tables, and by how many pixels one leaves its frame or the page its window. */
const MEASURED = `
  (() => {
    const tables = [...document.querySelectorAll('main .table')];
    const right = (element) => element.getBoundingClientRect().right;
    const frame = document.querySelector('main');
    const edge = right(frame) - Number.parseFloat(getComputedStyle(frame).paddingRight);
    const sideways = document.documentElement.scrollWidth - innerWidth;
    return { tables: tables.length, beyond: Math.max(sideways, ...tables.map((table) => right(table) - edge)) };
  })()
`;

describeInChromium('In a browser, no table is wider than its frame,', (chromium) => {
  let running: RunningService;

  before(async () => {
    running = await runningService();
    const { accounts, groupDirectory } = running.service();
    await accounts.register({ ...ROOT, roles: ['administrator', 'auditor'], email: ADDRESS }, OPERATOR);
    for (const username of ['bartholomew.longlastname', 'supercalifragilisticexpialidocious'])
      await accounts.register({ username, password: 'a long enough password', email: ADDRESS }, OPERATOR);
    await groupDirectory.create('harbour-authority-administrators', OPERATOR);
    const client = await running.addClient({ name: 'Harbour Customer Relationship Management', owner: 'root' });
    await running.token(client, { grant_type: 'client_credentials' });
    await setExchangePolicy(running, client, client, {});
    await trustIssuer(running, client, {});
    await setProvider(running, { issuer: 'https://login.works.harbour-authority.example/realms/employees' }, {});
    await inviteEve(running);
    const browser = running.browser();
    await browser.logIn(ROOT.username, ROOT.password);
    const send = async (path: string, fields: Readonly<Record<string, string>>) =>
      browser.submit(await browser.get(path), fields, path);
    await send('/admin/domains/', { domain: 'applications.works.harbour-authority.example', rule: 'blocked' });
    await send('/admin/keys/rotate/', { key_algorithm: 'ES256', key_start: 'now' });
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

  for (const locale of ['en', 'de'])
    it(`in any list of the administration, at 1280 and at 1024 pixels, in ${locale}`, async () => {
      const page = await logIn(locale);
      const wide: string[] = [];
      for (const path of LISTS) {
        await page.goto(running.origin() + path);
        for (const width of [1280, 1024]) {
          await page.setViewportSize({ width, height: 800 });
          const { tables, beyond } = await page.evaluate<{ tables: number; beyond: number }>(MEASURED);
          if (tables === 0) wide.push(`${path} has no table`);
          if (beyond > 1) wide.push(`${path} at ${width}: ${beyond}`);
        }
      }
      expect(wide).to.deep.equal([]);
    });
});
