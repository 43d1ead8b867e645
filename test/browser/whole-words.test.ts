import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ROOT = { username: 'root', password: 'the password of root' };
const LONG_ADDRESS = 'bartholomew.longlastname@department-of-works.harbour-authority.example';

/** Runs in the page. Returns words in tables that take more than one line although they have at most 16 characters. */
const FIND_BROKEN_WORDS = `
  [...document.querySelectorAll('.table :is(th, td)')].flatMap((cell) => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const broken = [];
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      for (const { 0: word, index } of text.data.matchAll(/[^\\s@._:\\/-]+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => top));
        if (word.length <= 16 && lines.size > 1) broken.push(word);
      }
    return broken;
  })
`;

/** Runs in the page. Returns relative times that take more than one line. */
const FIND_BROKEN_TIMES = `
  [...document.querySelectorAll('.table time[title]')]
    .filter((time) => time.getClientRects().length > 1)
    .map((time) => time.textContent)
`;

describeInChromium('In a browser, a table', (chromium) => {
  let running: RunningService;
  let page: Page;

  beforeEach(async () => {
    running = await runningService();
    const { accounts } = running.service();
    await accounts.register({ ...ROOT, roles: ['administrator', 'auditor'], email: LONG_ADDRESS }, OPERATOR);
    for (const username of ['hans', 'bartholomew.longlastname', 'supercalifragilisticexpialidocious'])
      await accounts.register({ username, password: 'a long enough password', email: LONG_ADDRESS }, OPERATOR);
    const client = await running.addClient({ name: 'Harbour Customer Relationship Management', owner: 'hans' });
    await running.token(client, { grant_type: 'client_credentials' });
    running.clock.advance(16 * 60);
    ({ page } = await chromium.open({ viewport: { width: 1280, height: 800 } }));
    await page.goto(`${running.origin()}/accounts/login/`);
    await page.getByLabel('User name').fill(ROOT.username);
    await page.getByLabel('Password').fill(ROOT.password);
    await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  });
  afterEach(() => running.close());

  for (const path of [
    '/admin/users/',
    '/admin/applications/',
    '/admin/scopes/',
    '/audit/',
    '/audit/as-of/?scope=admin',
  ])
    for (const width of [1280, 1000, 390])
      it(`keeps words whole on ${path}, at ${width} pixels`, async () => {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(running.origin() + path);
        expect(await page.evaluate<string[]>(FIND_BROKEN_WORDS)).to.deep.equal([]);
        expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).to.equal(false);
      });

  it('shows relative times on one line', async () => {
    await page.goto(`${running.origin()}/admin/users/`);
    expect(await page.evaluate<string[]>(FIND_BROKEN_TIMES)).to.deep.equal([]);
  });
});
