import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

describeInChromium('In a browser, a time', (chromium) => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService(); // Its clock is set to 2026-01-01 00:00:00 UTC.
  });
  afterEach(() => running.close());

  async function openAccount(page: Page): Promise<void> {
    const { username, password } = await running.addUser();
    await page.goto(`${running.origin()}/accounts/login/?next=/accounts/`);
    await page.getByRole('main').getByLabel('User name').fill(username);
    await page.getByRole('main').getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'My account' }).waitFor();
  }

  for (const [timezoneId, localTime] of [
    ['Asia/Kolkata', '2026-01-01 05:30:00 UTC+05:30'],
    ['America/New_York', '2025-12-31 19:00:00 UTC−05:00'],
    ['UTC', '2026-01-01 00:00:00 UTC+00:00'],
  ] as const) {
    it(`has a tooltip with the exact time in the reader's time zone: ${timezoneId}`, async () => {
      const { page, consoleErrors } = await chromium.open({ timezoneId, locale: 'ar-EG' });
      await openAccount(page);
      const time = page.locator('time').first();
      expect(await time.innerText()).to.equal('just now');
      expect(await time.getAttribute('title')).to.equal(localTime);
      expect(consoleErrors).to.deep.equal([]);
    });
  }

  it('has a tooltip with the exact time in UTC without JavaScript', async () => {
    const { page } = await chromium.open({ javaScriptEnabled: false, timezoneId: 'Asia/Kolkata' });
    await openAccount(page);
    const time = page.locator('time').first();
    expect([await time.innerText(), await time.getAttribute('title'), await time.getAttribute('datetime')]).to.eql([
      'just now',
      '2026-01-01 00:00:00 UTC',
      '2026-01-01T00:00:00.000Z',
    ]);
  });
});
