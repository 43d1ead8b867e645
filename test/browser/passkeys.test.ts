import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { findFreePort } from '../support/free-port.ts';
import {
  disablePasskeyAutofill,
  openWithAuthenticator,
  type TabWithAuthenticator,
} from '../support/virtual-authenticator.ts';

const PASSWORD = "ada's password";

describeInChromium('In a browser, a passkey', (chromium) => {
  let running: RunningService;
  let origin: string;

  /** Chromium creates passkeys for localhost, but not for an IP address. */
  beforeEach(async () => {
    const port = await findFreePort();
    origin = `http://localhost:${port}`;
    running = await runningService({ port, settings: { issuer: origin } });
    await running.addUser('ada');
  });
  afterEach(() => running.close());

  const eventTypes = async (): Promise<readonly string[]> => (await running.events()).map(({ type }) => type);
  const main = (page: Page) => page.getByRole('main');

  const openTab = (options?: BrowserContextOptions) => openWithAuthenticator(chromium, options);

  async function logInWithPassword(page: Page): Promise<void> {
    await page.goto(`${origin}/accounts/login/`);
    await main(page).getByLabel('User name').fill('ada');
    await main(page).getByLabel('Password', { exact: true }).fill(PASSWORD);
    await main(page).getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'Log out' }).first().waitFor();
  }

  async function addPasskey(page: Page, name: string): Promise<void> {
    await page.goto(`${origin}/accounts/`);
    await main(page).getByRole('link', { name: 'Add a passkey' }).click();
    await main(page).getByLabel('Passkey name').fill(name);
    await main(page).getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await main(page).getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Your passkey was added').waitFor();
  }

  async function logOut(page: Page): Promise<void> {
    await page.locator('.session button').click();
    await page.getByRole('link', { name: 'Log in' }).first().waitFor();
  }

  it('is added, used to log in, and removed, which ends the session that it started', async () => {
    const tab = await openTab();
    const { page, consoleErrors, devtools, authenticatorId } = tab;
    await logInWithPassword(page);
    await addPasskey(page, 'Blue laptop');
    expect((await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials).to.have.length(1);
    await main(page).getByText('Blue laptop').waitFor();
    await logOut(page);

    await logInWithPasskey(tab);
    expect(await eventTypes()).to.include('PasskeyAdded');
    expect((await eventTypes()).at(-1)).to.equal('SessionStarted');

    await page.goto(`${origin}/accounts/`);
    await main(page).getByRole('link', { name: 'Remove the passkey Blue laptop' }).click();
    await main(page).getByRole('button', { name: 'Remove the passkey' }).click();
    await page.getByText('The passkey was removed').waitFor();
    await page.goto(`${origin}/accounts/`); // The session was started with that passkey, so it has ended.
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await expectPasskeyRefused(tab);
    expect(consoleErrors.filter((text) => !/422/.test(text))).to.deep.equal([]);
  });

  async function usePasskeyButton({ page }: TabWithAuthenticator): Promise<void> {
    await disablePasskeyAutofill(page);
    await page.goto(`${origin}/accounts/login/`);
    await main(page).getByRole('button', { name: 'Use a passkey instead' }).click();
  }

  async function logInWithPasskey(tab: TabWithAuthenticator): Promise<void> {
    await usePasskeyButton(tab);
    await tab.page.getByRole('button', { name: 'Log out' }).first().waitFor();
  }

  async function expectPasskeyRefused(tab: TabWithAuthenticator): Promise<void> {
    await usePasskeyButton(tab);
    await main(tab.page).getByText('This passkey is not registered here').waitFor();
  }

  it('is offered in the user name field, without a button', async () => {
    const { page } = await openTab();
    await logInWithPassword(page);
    await addPasskey(page, 'Blue laptop');
    await logOut(page);
    await page.goto(`${origin}/accounts/login/?next=/o/applications/`);
    await page.getByRole('heading', { name: 'My applications' }).waitFor();
    expect((await eventTypes()).at(-1)).to.equal('SessionStarted');
  });

  it('is added only with the correct password, and the page says so', async () => {
    const { page } = await openTab();
    await logInWithPassword(page);
    await page.goto(`${origin}/accounts/passkeys/add/`);
    await main(page).getByLabel('Your password', { exact: true }).fill('nonsense');
    await main(page).getByRole('button', { name: 'Add a passkey' }).click();
    await main(page).getByText('Wrong password.').waitFor();
    expect(await eventTypes()).not.to.include('PasskeyAdded');
  });

  it('is refused after its account has been erased', async () => {
    const tab = await openTab();
    const { page } = tab;
    await logInWithPassword(page);
    await addPasskey(page, 'Blue laptop');
    await page.goto(`${origin}/accounts/erase/`);
    await main(page).getByLabel('Your user name').fill('ada');
    await main(page).getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await main(page).getByRole('button', { name: 'Permanently erase my account' }).click();
    await page.getByRole('link', { name: 'Log in' }).first().waitFor();
    await expectPasskeyRefused(tab);
    expect((await eventTypes()).slice(-1)).to.deep.equal(['UserErased']);
  });

  it('is not offered under a different host name or without JavaScript, but the password still works', async () => {
    const { page } = await openTab();
    await page.goto(`${origin.replace('localhost', '127.0.0.1')}/accounts/login/`);
    await page.waitForLoadState('load');
    expect(await main(page).getByRole('button', { name: 'Use a passkey instead' }).isVisible()).to.equal(false);
    const { page: pageWithoutScripts } = await openTab({ javaScriptEnabled: false });
    await pageWithoutScripts.goto(`${origin}/accounts/login/`);
    expect(await main(pageWithoutScripts).getByRole('button', { name: 'Use a passkey instead' }).isVisible()).to.equal(
      false,
    );
    await logInWithPassword(pageWithoutScripts);
    await pageWithoutScripts.goto(`${origin}/accounts/passkeys/add/`);
    await main(pageWithoutScripts).getByText('You need JavaScript').waitFor();
  });
});

describeInChromium('In a browser, a password field', (chromium) => {
  it('can show its content, and says how strong a new password is', async () => {
    const running = await runningService({ settings: { signup: 'open' } });
    try {
      const { page, consoleErrors } = await chromium.open();
      await page.goto(`${running.origin()}/accounts/signup/`);
      const field = main(page).getByLabel('Password', { exact: true });
      for (const [password, rating] of [
        ['short', 'Too short'],
        ['ada-ada-ada', 'Easy to guess'],
        ['aaaaaaaaaaaaaaaaaaaa', 'Easy to guess'],
        ['owl moon tea kettle', 'Very good'],
      ] as const) {
        await main(page).getByLabel('User name').fill('ada');
        await field.fill(password);
        await main(page).getByText(rating, { exact: true }).waitFor();
      }
      expect(await field.getAttribute('type')).to.equal('password');
      await main(page).getByRole('button', { name: 'Show password' }).click();
      expect(await field.getAttribute('type')).to.equal('text');
      await main(page).getByRole('button', { name: 'Hide password' }).click();
      expect(await field.getAttribute('type')).to.equal('password');
      expect(consoleErrors).to.deep.equal([]);
    } finally {
      await running.close();
    }
  });

  const main = (page: Page) => page.getByRole('main');
});
