import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { findFreePort } from '../support/free-port.ts';
import { oneTimePassword } from '../support/one-time-passwords.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { disablePasskeyAutofill, openWithAuthenticator } from '../support/virtual-authenticator.ts';
import { findAccessibilityProblems, loadAxe, findInvisibleFocus } from './page-checks.ts';

const PASSWORD = "ada's password";

describeInChromium('In a browser, the second step of a login', (chromium) => {
  let running: RunningService;
  let origin: string;

  beforeEach(async () => {
    const port = await findFreePort();
    origin = `http://localhost:${port}`;
    running = await runningService({ port, settings: { issuer: origin } });
    await running.addUser('ada');
  });
  afterEach(() => running.close());

  const main = (page: Page) => page.getByRole('main');
  const press = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true }).click();
  const waitForLogin = (page: Page) => page.getByRole('button', { name: 'Log out' }).first().waitFor();

  async function openTab() {
    const tab = await openWithAuthenticator(chromium);
    await disablePasskeyAutofill(tab.page);
    return tab;
  }

  async function enterPassword(page: Page): Promise<void> {
    await page.goto(`${origin}/accounts/login/`);
    await main(page).getByLabel('User name').fill('ada');
    await main(page).getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press(page, 'Log in');
  }

  async function addPasskey(page: Page): Promise<void> {
    await page.goto(`${origin}/accounts/passkeys/add/`);
    await main(page).getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await press(page, 'Add a passkey');
    await page.getByText('Your passkey was added').waitFor();
  }

  async function logOut(page: Page): Promise<void> {
    await page.locator('.session button').click();
    await page.getByRole('link', { name: 'Log in' }).first().waitFor();
  }

  /** Turns two-step login on for an account with a passkey. Returns the recovery codes. */
  async function requirePasskey(page: Page): Promise<readonly string[]> {
    await page.goto(`${origin}/accounts/two-step/`);
    await main(page).getByRole('link', { name: 'Require a passkey after my password' }).click();
    await main(page).getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await press(page, 'Turn it on');
    return (await main(page).locator('#codes').innerText()).split('\n');
  }

  async function findLastAuthentication(): Promise<unknown> {
    const event = (await running.events()).findLast(({ type }) => type === 'SessionStarted');
    return (event?.data as { readonly authentication: unknown } | undefined)?.authentication;
  }

  it('is completed with a passkey, and the session records both steps', async () => {
    const { page, consoleErrors } = await openTab();
    await enterPassword(page);
    await waitForLogin(page);
    await addPasskey(page);
    await requirePasskey(page);
    await logOut(page);
    await enterPassword(page);
    await main(page).getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await loadAxe(page);
    expect([...(await findAccessibilityProblems(page)), ...(await findInvisibleFocus(page))]).to.deep.equal([]);
    await press(page, 'Use a passkey');
    await waitForLogin(page);
    expect(await findLastAuthentication())
      .to.deep.include({ method: 'password' })
      .and.to.have.nested.property('secondFactor.method', 'passkey');
    expect(consoleErrors).to.deep.equal([]);
  });

  it('offers a passkey as an alternative to a code from an authenticator app, and either is enough', async () => {
    const { page } = await openTab();
    await enterPassword(page);
    await waitForLogin(page);
    await addPasskey(page);
    await page.goto(`${origin}/accounts/two-step/app/`);
    await main(page).getByText('Type this key').click();
    const secret = await main(page).locator('#secret').innerText();
    const code = () => oneTimePassword(secret, Math.floor(running.clock.now() / 1000));
    await main(page).getByLabel('Code from the app').fill(code());
    await main(page).getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await press(page, 'Turn on two-step login');
    await main(page).getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    await loadAxe(page);
    expect([...(await findAccessibilityProblems(page)), ...(await findInvisibleFocus(page))]).to.deep.equal([]);
    for (const step of [
      () => press(page, 'Use a passkey instead'),
      () =>
        main(page)
          .getByLabel('Code from your authenticator app')
          .fill(code())
          .then(() => press(page, 'Continue')),
    ]) {
      running.clock.advance(60);
      await logOut(page);
      await enterPassword(page);
      await step();
      await waitForLogin(page);
    }
  });

  it('is completed with a recovery code using the keyboard, without JavaScript and without the passkey', async () => {
    const { page } = await openTab();
    await enterPassword(page);
    await waitForLogin(page);
    await addPasskey(page);
    const [code = ''] = await requirePasskey(page);
    const { page: pageWithoutScripts } = await chromium.open({ javaScriptEnabled: false });
    await enterPassword(pageWithoutScripts);
    await main(pageWithoutScripts).getByText('To use your passkey, you need JavaScript').waitFor();
    await main(pageWithoutScripts).getByText('Use a recovery code').press('Enter');
    await main(pageWithoutScripts).getByLabel('Recovery code').fill(code);
    await main(pageWithoutScripts).getByLabel('Recovery code').press('Enter');
    await waitForLogin(pageWithoutScripts);
    expect(await findLastAuthentication()).to.have.nested.property('secondFactor.method', 'recovery-code');
  });
});
