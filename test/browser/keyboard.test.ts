import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { keyPairFor } from '../support/assertions.ts';
import { describeInChromium } from '../support/browser.ts';
import { inviteEve } from '../support/invite-eve.ts';
import { tabTo, typeIntoFocusedField } from '../support/keyboard.ts';
import { mailbox, type Mailbox } from '../support/mailbox.ts';
import { oneTimePassword } from '../support/one-time-passwords.ts';
import { LOOPBACK_PROVIDERS, startScriptedProvider, setProvider } from '../support/scripted-provider.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const EMAIL = 'ada@example.org';
const EVE = { sub: 'eve', email: 'eve@example.org', email_verified: true, preferred_username: 'eve' };

describeInChromium('In a browser without JavaScript or a mouse, a user', (chromium) => {
  let running: RunningService;
  let emails: Mailbox;
  let page: Page;

  beforeEach(async () => {
    emails = mailbox();
    running = await runningService({ mailTransport: emails.transport });
    ({ page } = await chromium.open({ javaScriptEnabled: false }));
  });
  afterEach(() => running.close());

  async function type(label: string, text: string): Promise<void> {
    await tabTo(page.getByRole('main').getByLabel(label, { exact: true }));
    await page.keyboard.insertText(text);
  }

  async function press(role: 'button' | 'link', name: string): Promise<void> {
    await tabTo(page.getByRole('main').getByRole(role, { name, exact: true }));
    await page.keyboard.press('Enter');
  }

  async function logIn(username: string, password: string): Promise<void> {
    await page.goto(`${running.origin()}/accounts/login/`);
    await page.getByLabel('User name').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByText(`Hello, ${username}`).waitFor();
  }

  it('logs in through a provider, and confirms the erasure of the account with that login', async () => {
    await running.close();
    running = await runningService({ settings: LOOPBACK_PROVIDERS });
    const provider = await startScriptedProvider(running.clock.now);
    await setProvider(running, provider, { createsUsers: true });
    await page.goto(`${running.origin()}/accounts/login/?next=/accounts/erase/`);
    await press('button', 'Log in with Corp');
    await page.waitForURL(`${provider.issuer}/**`);
    await page.goto(running.origin() + provider.authorize(page.url(), EVE));
    await page.getByRole('heading', { name: 'Erase your account' }).waitFor();
    await type('Your user name', 'eve');
    await press('button', 'Permanently erase my account');
    await page.getByText('Your account was erased.').waitFor();
    await provider.close();
  });

  it('verifies an address and chooses a new password through e-mail links, and sets up two-step login', async () => {
    const account = { username: 'ada', password: 'a forgotten password', email: EMAIL };
    await running.service().accounts.register(account, OPERATOR);
    await logIn('ada', account.password);
    await page.goto(`${running.origin()}/accounts/`);
    await press('button', 'Send a link to verify it');
    await page.getByText(`We sent a link to ${EMAIL}.`).waitFor();
    await page.goto(running.origin() + emails.linkIn(await emails.waitFor(1)));
    await press('button', 'Yes, verify the address');
    await page.getByText(`Thank you. ${EMAIL} is verified.`).waitFor();

    await page.context().clearCookies();
    await page.goto(`${running.origin()}/accounts/login/`);
    await press('link', 'Forgot your password?');
    await typeIntoFocusedField(page, EMAIL);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/accounts/forgot/sent/');
    await page.goto(running.origin() + emails.linkIn(await emails.waitFor(2)));
    await typeIntoFocusedField(page, 'owl moon tea');
    await page.keyboard.press('Enter');
    await page.getByText('Your password was changed.').waitFor();
    await logIn('ada', 'owl moon tea');

    await page.goto(`${running.origin()}/accounts/two-step/app/`);
    await tabTo(page.getByText('Cannot scan it? Type this key'));
    await page.keyboard.press('Enter');
    const secret = await page.locator('#secret').innerText();
    await type('Code from the app', oneTimePassword(secret, Math.floor(running.clock.now() / 1000)));
    await type('Your password', 'owl moon tea');
    await page.keyboard.press('Enter');
    expect((await page.locator('#codes').innerText()).split('\n')).to.have.length(10);
  });

  it("accepts an invitation, and adds and removes an application's public key", async () => {
    const { pathname, search } = new URL(await inviteEve(running));
    await page.goto(running.origin() + pathname + search);
    await typeIntoFocusedField(page, 'ada');
    await type('Password', 'owl moon tea');
    await page.keyboard.press('Enter');
    await page.getByText('Welcome, ada.').waitFor();
    await logIn('ada', 'owl moon tea');

    const { id } = await running.addClient({ owner: 'ada' });
    await page.goto(`${running.origin()}/o/applications/${id}/keys/`);
    await type('Public keys', JSON.stringify(keyPairFor('ES256', 'key of 2026').jwk));
    await press('button', 'Add keys');
    await page.getByText('The key was added.').waitFor();
    await press('link', 'Remove the key key of 2026…');
    await press('button', 'Remove the key');
    await page.getByText('There are no keys.').waitFor();
  });
});
