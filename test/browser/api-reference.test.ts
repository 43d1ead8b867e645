import { expect } from 'chai';
import { describeInChromium } from '../support/browser.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const DESKTOP = { width: 1280, height: 800 };

describeInChromium('In a browser, the API reference', (chromium) => {
  let running: RunningService;
  before(async () => {
    running = await runningService();
  });
  after(() => running.close());

  const referenceUrl = (anchor: string): string => `${running.origin()}/docs/${anchor}`;

  it('is less than four windows high, and its table of contents stays in view', async () => {
    const { page } = await chromium.open({ viewport: DESKTOP });
    await page.goto(referenceUrl(''));
    expect(await page.evaluate('document.documentElement.scrollHeight')).to.be.below(4 * DESKTOP.height);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    const contents = await page.locator('nav.contents__list').boundingBox();
    expect(contents?.y).to.be.within(0, DESKTOP.height);
  });

  for (const javaScriptEnabled of [true, false])
    it(`expands the group with the URL's target, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
      const { page } = await chromium.open({ viewport: DESKTOP, javaScriptEnabled });
      for (const anchor of ['#issueToken', '#isAlive', '#schema-Introspection', '#schemas']) {
        await page.goto(referenceUrl(anchor));
        await page.locator(anchor).waitFor({ state: 'visible' });
      }
    });

  it('expands the groups with matching operations during a search, and collapses them afterward', async () => {
    const { page } = await chromium.open({ viewport: DESKTOP });
    await page.goto(referenceUrl(''));
    await page.getByLabel('Find an operation').fill('/healthz');
    await page.locator('.operation', { hasText: '/healthz' }).first().waitFor({ state: 'visible' });
    expect(await page.locator('.group:visible').count()).to.equal(1);
    await page.getByLabel('Find an operation').fill('');
    await page.locator('.operation', { hasText: '/healthz' }).first().waitFor({ state: 'hidden' });
  });
});
