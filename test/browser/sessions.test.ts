import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { authorizePath } from '../support/authorize-requests.ts';
import { describeInChromium } from '../support/browser.ts';
import { startCallbackServer, type CallbackServer } from '../support/callback-server.ts';
import { runningService, type RunningService, type TestUser } from '../support/running-service.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0';

describeInChromium('In a browser, the session list', (chromium) => {
  let running: RunningService;
  let application: CallbackServer;
  let ada: TestUser;

  beforeEach(async () => {
    running = await runningService();
    application = await startCallbackServer();
    ada = await running.addUser('ada');
  });
  afterEach(async () => {
    await application.close();
    await running.close();
  });

  async function logIn(page: Page, path: string): Promise<void> {
    await page.goto(`${running.origin()}${path}`);
    await page.getByRole('main').getByLabel('User name').fill(ada.username);
    await page.getByRole('main').getByLabel('Password', { exact: true }).fill(ada.password);
    await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  }

  it('shows another browser and its applications, and can log it out', async () => {
    const redirectUri = application.redirectUri('127.0.0.1');
    const client = await running.addClient({ name: 'Calendar', redirectUris: [redirectUri] });
    const otherTab = await chromium.open({ userAgent: FIREFOX });
    await logIn(otherTab.page, authorizePath(client, { scope: 'openid read', redirect_uri: redirectUri }));
    await otherTab.page.getByRole('button', { name: 'Authorize' }).click();
    await otherTab.page.getByText('Back at the application').waitFor();
    const code = application.receivedQueries.at(-1)?.get('code') ?? '';
    const parameters = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    const refresh_token = String((await running.token(client, parameters)).json?.['refresh_token']);

    const { page, consoleErrors } = await chromium.open();
    await logIn(page, '/accounts/sessions/');
    const rows = page.locator('.rows > li');
    await rows.first().getByRole('heading', { name: 'Chrome on Linux This browser' }).waitFor();
    const [, row = ''] = await rows.allInnerTexts();
    expect(row.replaceAll(/\s+/g, ' '))
      .to.include('Firefox on Windows')
      .and.include('You authorized from here: Calendar');
    expect(row).to.include('Logging out here also ends the access of');
    await page.getByRole('button', { name: 'Log out Firefox on Windows' }).click();
    await page.getByText('and with it the access of Calendar').waitFor();

    const refusal = await running.token(client, { grant_type: 'refresh_token', refresh_token });
    expect(refusal.json).to.include({ error: 'invalid_grant' });
    await otherTab.page.goto(`${running.origin()}/accounts/`);
    await otherTab.page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect([...consoleErrors, ...otherTab.consoleErrors]).to.deep.equal([]);
  });
});
