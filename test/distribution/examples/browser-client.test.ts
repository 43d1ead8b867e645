import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../../support/browser.ts';
import { openExample, type Example } from '../../support/example.ts';
import { findFreePort } from '../../support/free-port.ts';

const PASSWORD = 'correct horse battery';

describeInChromium('In a browser, the example of a client without a server', (chromium) => {
  let example: Example;
  let page: string;

  before(async function () {
    this.timeout(300_000);
    example = openExample('browser-client', 'browser-client.json');
    const grantlog = await example.start(`${process.execPath} dist/main.js serve`);
    const port = String(await findFreePort()); // Registered before the page is served.
    const [register, serve] = example.commands;
    await example.run(register.replaceAll('8002', port));
    await example.run(`printf '%s' '${PASSWORD}' | npm run -s grantlog -- user add alice --password-stdin`);
    const env = { ISSUER: `http://localhost:${new URL(grantlog.origin).port}`, PORT: port };
    page = `${(await example.start(serve, { env })).origin}/`;
  });
  after(() => example.close());

  async function logIn(tab: Page): Promise<void> {
    await tab.goto(page);
    await tab.getByRole('button', { name: 'Log in' }).click();
    await tab.getByLabel('User name').fill('alice');
    await tab.getByLabel('Password').fill(PASSWORD);
    await tab.locator('main').getByRole('button', { name: 'Log in' }).click();
    await tab.getByRole('button', { name: 'Authorize' }).click();
  }
  const waitForStatus = (tab: Page, text: string): Promise<void> =>
    tab.getByRole('status').filter({ hasText: text }).waitFor();
  const press = (tab: Page, name: string): Promise<void> => tab.getByRole('button', { name }).click();
  const waitForAnswer = (tab: Page, text: string): Promise<void> => tab.locator('#answer', { hasText: text }).waitFor();

  it('logs in, calls the API, refreshes its tokens and revokes them', async () => {
    const { page: tab, consoleErrors } = await chromium.open();
    await logIn(tab);
    await waitForStatus(tab, 'Logged in, with the scope “read”.');
    expect(tab.url(), 'the code was removed from the address').to.equal(page);
    await press(tab, 'List users');
    await waitForAnswer(tab, '"username": "alice"');

    const refreshResponse = tab.waitForResponse((response) => response.url().endsWith('/o/token/'));
    await press(tab, 'Refresh tokens');
    expect((await refreshResponse).status()).to.equal(200);
    await waitForStatus(tab, 'Logged in');
    await press(tab, 'List users');
    await waitForAnswer(tab, '"username": "alice"');

    const revocationResponse = tab.waitForResponse((response) => response.url().endsWith('/o/revoke_token/'));
    await press(tab, 'Log out');
    expect((await revocationResponse).status()).to.equal(200);
    await waitForStatus(tab, 'Not logged in.');
    expect(consoleErrors).to.deep.equal([]);
  });

  it('keeps tokens only in memory, not in browser storage', async () => {
    const { page: tab } = await chromium.open();
    await logIn(tab);
    await waitForStatus(tab, 'Logged in');
    const storageState = await tab.evaluate('[localStorage.length, sessionStorage.length, document.cookie]');
    expect(storageState).to.deep.equal([0, 0, '']);
    await tab.reload();
    await waitForStatus(tab, 'Not logged in.');
  });

  it('rejects a response to a different request or from a different server', async () => {
    const { page: tab } = await chromium.open();
    await tab.goto(`${page}?code=stolen&state=guessed`);
    await waitForStatus(tab, 'Failed: this response does not belong to a login of this page');
    await tab.evaluate(`sessionStorage.setItem('pending login', '{ "state": "known", "verifier": "v" }')`);
    await tab.goto(`${page}?code=stolen&state=known&iss=https://other.example`);
    await waitForStatus(tab, 'Failed: this response is from a different server');
  });

  it('shows the error if the user returns without a code', async () => {
    const { page: tab } = await chromium.open();
    await tab.goto(page);
    await press(tab, 'Log in');
    await tab.getByLabel('User name').fill('alice');
    await tab.getByLabel('Password').fill(PASSWORD);
    await tab.locator('main').getByRole('button', { name: 'Log in' }).click();
    await tab.getByRole('button', { name: 'Deny' }).click();
    await waitForStatus(tab, 'Failed:');
  });
});
