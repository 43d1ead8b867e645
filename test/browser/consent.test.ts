import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { authorizePath } from '../support/authorize-requests.ts';
import { describeInChromium } from '../support/browser.ts';
import { startCallbackServer, type CallbackServer } from '../support/callback-server.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';
import { FIND_WIDE_ELEMENTS } from './page-checks.ts';

const NINE_SCOPES = 'openid profile email address phone offline_access read write groups';

const SCREENS = {
  'a desktop': { width: 1280, height: 800 },
  'a phone': { width: 390, height: 844 },
  'a small phone': { width: 320, height: 568 },
} as const;

/** Right-to-left text with markup and without line breaks. */
const HOSTILE_TEXT = `<b onclick="alert(1)">${'אבגדהוזחט'.repeat(30)}\u202E</b>`;

describeInChromium('In a browser, the consent page', (chromium) => {
  let running: RunningService;
  let application: CallbackServer;
  let ada: TestUser;
  let client: TestClient;

  async function start(settings: Readonly<Record<string, unknown>> = {}, name = 'Engine'): Promise<void> {
    running = await runningService({ settings });
    ada = await running.addUser('ada');
    client = await running.addClient({ name, redirectUris: [application.redirectUri('127.0.0.1')] });
  }

  beforeEach(async () => {
    application = await startCallbackServer();
    await start();
  });
  afterEach(async () => {
    await application.close();
    await running.close();
  });

  async function openConsentPage(page: Page, scope: string): Promise<void> {
    const request = { scope, redirect_uri: application.redirectUri('127.0.0.1') };
    await page.goto(`${running.origin()}${authorizePath(client, request)}`);
    await page.getByLabel('User name').fill(ada.username);
    await page.getByLabel('Password', { exact: true }).fill(ada.password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('button', { name: 'Authorize' }).waitFor();
  }

  /** Returns the text, width and height of each button, and whether it is completely visible and clickable. */
  const measureButtons = (page: Page): Promise<readonly (readonly [string, number, number, boolean])[]> =>
    page.evaluate(`[...document.querySelectorAll('.decision__buttons button')].map((button) => {
      const { left, right, top, bottom, width, height } = button.getBoundingClientRect();
      const isInView = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
      const isOnTop = document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === button;
      return [button.textContent, Math.round(width), Math.round(height), isInView && isOnTop];
    })`);

  async function expectBothButtonsInView(page: Page): Promise<void> {
    const [authorize, deny, ...otherButtons] = await measureButtons(page);
    expect([authorize?.[0], deny?.[0], otherButtons]).to.deep.equal(['Authorize', 'Deny', []]);
    expect(authorize?.slice(1), 'the buttons have the same size and are in view').to.deep.equal(deny?.slice(1));
    expect(authorize?.[3]).to.equal(true);
    expect(await page.evaluate(FIND_WIDE_ELEMENTS)).to.deep.equal([]);
  }

  for (const [screen, viewport] of Object.entries(SCREENS)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`keeps its buttons in view with nine permissions on ${screen}, in the ${colorScheme} theme`, async () => {
        const { page, consoleErrors } = await chromium.open({ viewport, colorScheme });
        await openConsentPage(page, NINE_SCOPES);
        expect(await page.locator('.asked__scope').count()).to.equal(9);
        await expectBothButtonsInView(page);
        await page.evaluate('scrollTo(0, 120)');
        await expectBothButtonsInView(page);
        expect(consoleErrors).to.deep.equal([]);
      });
    }
  }

  it('keeps its buttons in view even with hostile names and descriptions', async () => {
    await running.close();
    await start({ scopes: { read: HOSTILE_TEXT, write: HOSTILE_TEXT } }, 'אבגדהוזחט'.repeat(28));
    const { page, consoleErrors } = await chromium.open({ viewport: SCREENS['a phone'] });
    await openConsentPage(page, 'read write');
    await expectBothButtonsInView(page);
    expect(await page.locator('b').count()).to.equal(0);
    expect(consoleErrors).to.deep.equal([]);
  });

  it('has a tab order that leads from the permissions to the buttons', async () => {
    const { page } = await chromium.open({ viewport: SCREENS['a phone'] });
    await openConsentPage(page, NINE_SCOPES);
    const stops: string[] = [];
    for (let presses = 0; presses < 11; presses += 1) {
      await page.keyboard.press('Tab');
      stops.push(await page.evaluate('document.activeElement.value || document.activeElement.textContent.trim()'));
      const isHidden = 'document.activeElement.getBoundingClientRect().bottom > innerHeight';
      expect(await page.evaluate(isHidden), stops.at(-1)).to.equal(false);
    }
    expect(stops).to.deep.equal([...NINE_SCOPES.split(' ').slice(1), 'ticked', 'Deny', 'Not you?']);
  });

  it('grants the ticked permissions even without JavaScript', async () => {
    const { page } = await chromium.open({ javaScriptEnabled: false, viewport: SCREENS['a phone'] });
    await openConsentPage(page, 'read write groups');
    await page.getByRole('checkbox', { name: 'Create accounts' }).uncheck();
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByText('Back at the application').waitFor();
    const code = application.receivedQueries.at(-1)?.get('code') ?? '';
    const redirect_uri = application.redirectUri('127.0.0.1');
    const { json } = await running.token(client, { grant_type: 'authorization_code', code, redirect_uri });
    expect(json).to.include({ scope: 'read groups' });
  });

  it('denies the request if nothing is checked, as the page says', async () => {
    const { page } = await chromium.open();
    await openConsentPage(page, 'read write');
    await page.getByText('If nothing is checked, the request is denied.').waitFor();
    for (const name of ['of every user', 'Create accounts']) await page.getByRole('checkbox', { name }).uncheck();
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByText('Back at the application').waitFor();
    expect(application.receivedQueries.at(-1)?.get('error')).to.equal('access_denied');
  });
});
