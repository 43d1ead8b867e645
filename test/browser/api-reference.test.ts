import { expect } from 'chai';
import { describeInChromium } from '../support/browser.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const DESK = { width: 1280, height: 800 };

describeInChromium('In a browser, the API reference', (chromium) => {
  let running: RunningService;
  before(async () => {
    running = await runningService();
  });
  after(() => running.close());

  const address = (anchor: string): string => `${running.origin()}/docs/${anchor}`;

  it('is a few windows high, and its contents stay in sight', async () => {
    const { page } = await chromium.open({ viewport: DESK });
    await page.goto(address(''));
    expect(await page.evaluate('document.documentElement.scrollHeight')).to.be.below(4 * DESK.height);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    const contents = await page.locator('nav.contents__list').boundingBox();
    expect(contents?.y).to.be.within(0, DESK.height);
  });

  for (const javaScriptEnabled of [true, false])
    it(`unfolds the group with the target of the URL, with scripts ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
      const { page } = await chromium.open({ viewport: DESK, javaScriptEnabled });
      for (const anchor of ['#issueToken', '#isAlive', '#schema-Introspection', '#schemas']) {
        await page.goto(address(anchor));
        await page.locator(anchor).waitFor({ state: 'visible' });
      }
    });

  it('opens the groups in which it finds operations, and folds them again after the search', async () => {
    const { page } = await chromium.open({ viewport: DESK });
    await page.goto(address(''));
    await page.getByLabel('Find an operation').fill('/healthz');
    await page.locator('.operation', { hasText: '/healthz' }).first().waitFor({ state: 'visible' });
    expect(await page.locator('.group:visible').count()).to.equal(1);
    await page.getByLabel('Find an operation').fill('');
    await page.locator('.operation', { hasText: '/healthz' }).first().waitFor({ state: 'hidden' });
  });
});
