import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { tabTo } from '../support/keyboard.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';
import { findAccessibilityProblems, FIND_SMALL_CONTROLS, FIND_WIDE_ELEMENTS, loadAxe } from './page-checks.ts';

const CALENDAR = 'https://calendar.example/mcp';
const PHONE = { viewport: { width: 360, height: 740 } };

describeInChromium('In a browser, the connected agents', (chromium) => {
  let running: RunningService;
  let ada: TestUser;

  beforeEach(async () => {
    running = await runningService({ settings: { resources: [CALENDAR] } });
    ada = await running.addUser('ada');
    for (const name of ['Helper', 'Planner', 'Supercalifragilisticexpialidocious-Agent-Without-Any-Break'])
      await connect(await running.addClient({ name }));
  });
  afterEach(() => running.close());

  async function connect(client: TestClient): Promise<void> {
    const { username, password } = ada;
    const grant = { grant_type: 'password', username, password, scope: 'read', resource: CALENDAR };
    expect((await running.token(client, grant)).status).to.equal(200);
  }

  async function openAgentsPage(page: Page): Promise<void> {
    await page.goto(`${running.origin()}/accounts/agents/`);
    await page.getByRole('main').getByLabel('User name').fill(ada.username);
    await page.getByRole('main').getByLabel('Password', { exact: true }).fill(ada.password);
    await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Connected agents' }).waitFor();
  }

  async function pressEnter(control: Locator): Promise<void> {
    await tabTo(control);
    await control.page().keyboard.press('Enter');
  }

  it('can be ended one by one or all at once with the keyboard, without JavaScript', async () => {
    const { page } = await chromium.open({ javaScriptEnabled: false });
    await openAgentsPage(page);
    await pressEnter(page.locator('summary', { hasText: 'End access for Helper' }));
    await pressEnter(page.getByRole('button', { name: 'End access for Helper' }));
    await page.getByText('Helper no longer acts for you.').waitFor();
    await pressEnter(page.locator('summary', { hasText: 'End all' }));
    await pressEnter(page.getByRole('button', { name: 'End all' }));
    await page.getByText('Agents no longer have access to your account.').waitFor();
    const user = running.service().projections.users.findByName('ada');
    if (user === undefined) throw new Error('the user is missing');
    expect(running.service().projections.grants.listByUser(user.userId, running.clock.now() / 1000)).to.deep.equal([]);
  });

  it('fit on a phone, and are accessible', async () => {
    const { page, consoleErrors } = await chromium.open(PHONE);
    await openAgentsPage(page);
    await page.locator('summary', { hasText: 'End access for Helper' }).click();
    await loadAxe(page);
    expect(await findAccessibilityProblems(page)).to.deep.equal([]);
    expect(await page.evaluate(FIND_WIDE_ELEMENTS)).to.deep.equal([]);
    expect(await page.evaluate(FIND_SMALL_CONTROLS)).to.deep.equal([]);
    expect(consoleErrors).to.deep.equal([]);
  });

  it('link to the receipts for their authorizations, which can be downloaded', async () => {
    const { page } = await chromium.open();
    await openAgentsPage(page);
    await page.getByRole('link', { name: 'with receipts for Helper' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Receipt of the authorization for Helper' }).click(),
    ]);
    expect(download.suggestedFilename()).to.match(/^receipt-.*\.json$/);
    expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).to.include({ format: 'grantlog-receipt-1' });
  });
});
