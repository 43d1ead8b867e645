import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { authorizePath } from '../support/authorize-requests.ts';
import { describeInChromium } from '../support/browser.ts';
import { findFreePort } from '../support/free-port.ts';
import { png } from '../support/images.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { findAccessibilityProblems, findContrastProblems, loadAxe } from './page-checks.ts';

/** A color with barely enough contrast on light pages. Dark pages use a lighter shade derived from it. */
const COLOR = '#946000';

/** Runs in the page. Resolves with the width of the logo once it has loaded. */
const GET_LOGO_WIDTH = `
  (async (logo) => {
    await logo.decode();
    return logo.naturalWidth;
  })(document.querySelector('header picture img'))
`;

describeInChromium('In a browser, the brand', (chromium) => {
  let running: RunningService;
  let origin: string;

  beforeEach(async () => {
    const port = await findFreePort();
    origin = `http://localhost:${port}`;
    running = await runningService({ port, settings: { issuer: origin } });
    await running.addUser('root', ['administrator']);
  });
  afterEach(() => running.close());

  async function logIn(page: Page): Promise<void> {
    await page.goto(`${origin}/accounts/login/`);
    await page.getByLabel('User name').fill('root');
    await page.getByLabel('Password', { exact: true }).fill("root's password");
    await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('button', { name: 'Log out' }).first().waitFor();
  }

  /** Resolves with the computed background color, as `rgb(…)`. */
  const getBackgroundColor = (page: Page, selector: string): Promise<string> =>
    page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`);

  for (const colorScheme of ['light', 'dark'] as const)
    it(`is previewed, saved and readable in the ${colorScheme} theme`, async function () {
      this.timeout(180_000);
      const { page, consoleErrors } = await chromium.open({ colorScheme });
      await logIn(page);
      await page.goto(`${origin}/admin/brand/`);
      await page.getByLabel('Name', { exact: true }).fill('Harbour & Sons');
      const color = page.getByLabel('Color on light pages');
      const picker = page.getByLabel('Pick the light color');
      await picker.fill('#123456');
      expect(await color.inputValue()).to.equal('#123456');
      await color.fill(COLOR);
      expect(await picker.inputValue()).to.equal(COLOR);
      await page.getByRole('button', { name: 'Show a preview' }).click();
      await page.getByText('They have not taken effect yet.').waitFor();
      expect(await getBackgroundColor(page, '.brand-preview--light .button--primary')).to.equal('rgb(148, 96, 0)');
      expect(await getBackgroundColor(page, '.brand-preview--light')).to.equal('rgb(248, 247, 244)');
      expect(await getBackgroundColor(page, '.brand-preview--dark')).to.equal('rgb(17, 19, 21)');
      expect(await getBackgroundColor(page, 'main form .button--primary')).to.not.equal('rgb(148, 96, 0)');
      await page.frameLocator('.brand-mail iframe').getByText('root at').first().waitFor();
      await loadAxe(page);
      expect(await findAccessibilityProblems(page)).to.deep.equal([]);

      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The brand was changed. The change takes effect immediately.').waitFor();
      const green = colorScheme === 'light' ? 'rgb(230, 241, 238)' : 'rgb(20, 48, 42)';
      expect(await getBackgroundColor(page, '.flash--good'), 'success messages stay green').to.equal(green);
      expect(await getBackgroundColor(page, '.brand-preview--light .notice--good')).to.equal('rgb(230, 241, 238)');
      await page.locator('#logo-light').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png() });
      await page.getByRole('button', { name: 'Upload' }).first().click();
      await page.getByText('The logo was changed. The change takes effect immediately.').waitFor();
      expect(await page.evaluate(GET_LOGO_WIDTH)).to.equal(64);
      if (colorScheme === 'light')
        expect(await getBackgroundColor(page, 'main form .button--primary')).to.equal('rgb(148, 96, 0)');

      const client = await running.addClient({ name: 'Harbour Calendar' });
      const paths = ['/', '/o/applications/register/', authorizePath(client)];
      for (const path of paths) {
        await page.goto(`${origin}${path}`);
        expect(await page.title()).to.include('Harbour & Sons');
        await loadAxe(page);
        expect(await findContrastProblems(page), path).to.deep.equal([]);
      }
      expect(consoleErrors).to.deep.equal([]);
    });

  it('has a text editor and a choice of e-mails to preview', async function () {
    this.timeout(180_000);
    const { page, consoleErrors } = await chromium.open({ colorScheme: 'light' });
    await logIn(page);
    await page.goto(`${origin}/admin/brand/`);
    await page.getByLabel('E-mail', { exact: true }).selectOption({ label: 'Test e-mail' });
    await page.getByRole('region', { name: 'E-mails' }).getByLabel('Language').selectOption({ label: 'Deutsch' });
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('Test-E-Mail von').first().waitFor();
    await page.frameLocator('.brand-mail iframe').getByText('kann E-Mails senden').first().waitFor();

    await page.getByRole('link', { name: 'Change page and e-mail texts' }).click();
    await page.getByLabel('Search for words or a key').fill('a new password for');
    await page.getByRole('button', { name: 'Search' }).click();
    await loadAxe(page);
    expect(await findAccessibilityProblems(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Choose a new password for {server}' }).click();
    const field = page.getByLabel('Your text in English');
    await field.fill('A new password');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('it lacks {server}').first().waitFor();
    expect(await page.title()).to.match(/^Error: /);
    await loadAxe(page);
    expect(await findAccessibilityProblems(page)).to.deep.equal([]);
    await field.fill('Password at {server}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The text was changed. The change takes effect immediately.').waitFor();
    await page.goto(`${origin}/admin/brand/`);
    await page.getByText('Password at localhost').first().waitFor();
    await page.goto(`${origin}/admin/brand/texts/mail.reset.subject/`);
    await page.getByRole('button', { name: 'Restore the standard text' }).click();
    await page.getByText('The standard text was restored.').waitFor();
    expect(await field.inputValue()).to.equal('');
    // Chromium logs the refused form as an error.
    expect(consoleErrors.filter((error) => !error.includes('status of 422'))).to.deep.equal([]);
  });
});
