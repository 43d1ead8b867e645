import { AxeBuilder } from '@axe-core/playwright';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { PLAIN_WORDS, setScene, type Scene } from '../support/scene.ts';
import { PAGES, type PageEntry } from './pages.ts';
import { openPage } from './visit.ts';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** For one page, in all: what a browser without a cache is sent, headers included. */
const MOST_BYTES = 60_000;

/** As a person of bad luck names things: nothing in it lets a line break. */
const LONG = 'Supercalifragilisticexpialidocious-With-A-Name-Without-Any-Break-Whatsoever';

/** Evaluated in the page: what is wider than the window. */
const OVERFLOWING = `
  [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && element.checkVisibility())
    .map((element) => element.outerHTML)
    .concat(document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : [])
`;

/** Evaluated in the page: controls too small for a finger, by WCAG 2.2's 24 pixels. */
const TOO_SMALL = `
  [...document.querySelectorAll('button, select, textarea, input:not([type=hidden], [type=radio], [type=checkbox])')]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 24)
    .map((element) => element.outerHTML)
`;

/** Evaluated in the page: icons that the sprite does not have. */
const WITHOUT_SHAPE = `
  [...document.querySelectorAll('svg.icon')]
    .filter((icon) => icon.checkVisibility() && icon.querySelector('use').getBBox().width === 0)
    .map((icon) => icon.innerHTML)
`;

/** Evaluated in the page: the focused element when nothing shows that it is; a choice shows it on its label. */
const UNSEEN_FOCUS = `
  (() => {
    const shows = (element) => {
      if (element === null) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    };
    const { activeElement } = document;
    const isSeen = shows(activeElement) || shows(activeElement.closest('label'));
    return activeElement === document.body || isSeen ? null : activeElement.outerHTML;
  })()
`;

const PHONE = { viewport: { width: 360, height: 740 }, colorScheme: 'dark', reducedMotion: 'reduce' } as const;
const DESK = { viewport: { width: 1280, height: 800 }, colorScheme: 'light', reducedMotion: 'reduce' } as const;

describeInChromium('In a browser, every page', (chromium) => {
  let scene: Scene;

  before(async () => {
    scene = await setScene({
      ...PLAIN_WORDS,
      applications: [LONG, `${LONG}2`, `${LONG}3`, `${LONG}4`],
      member: LONG,
      colleague: `${LONG}2`,
    });
  });
  after(() => scene.close());

  async function expectAccessible(page: Page): Promise<void> {
    // the other mode is for frames, and no page has any
    const { violations, passes } = await new AxeBuilder({ page }).withTags(WCAG).setLegacyMode().analyze();
    expect(
      passes.map(({ id }) => id),
      'it looked',
    ).to.include.members(['color-contrast', 'document-title']);
    expect(
      violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`),
      })),
    ).to.deep.equal([]);
  }

  for (const entry of PAGES) {
    it(`${entry.name}: on a phone in the dark it has room, and all can use it`, async () => {
      const page = await openPage(scene, entry, chromium, PHONE);
      expect(await page.evaluate(OVERFLOWING)).to.deep.equal([]);
      expect(await page.evaluate(TOO_SMALL)).to.deep.equal([]);
      await expectAccessible(page);
      const [red = 255] = await page.evaluate<number[]>(
        'getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)',
      );
      expect(red, 'it is dark').to.be.lessThan(64);
    });

    it(`${entry.name}: has few bytes, is accessible and shows the keyboard focus on a desktop`, async () => {
      const { page, bytes } = await weigh(entry);
      expect(bytes).to.be.within(1_000, MOST_BYTES);
      await expectAccessible(page);
      expect(await page.evaluate(WITHOUT_SHAPE)).to.deep.equal([]);
      await tabThrough(page);
    });
  }

  /** Until the focus has left the page, or long enough to have seen every kind of control. */
  async function tabThrough(page: Page): Promise<void> {
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(UNSEEN_FOCUS)).to.equal(null);
      if (await page.evaluate('document.activeElement === document.body')) return;
    }
  }

  /** The page, and the bytes over the network for it alone, with nothing kept of the pages before it. */
  async function weigh(entry: PageEntry): Promise<{ readonly page: Page; readonly bytes: number }> {
    let bytes = 0;
    const page = await openPage(scene, entry, chromium, DESK, async (opened) => {
      const network = await opened.context().newCDPSession(opened);
      await network.send('Network.enable');
      await network.send('Network.setCacheDisabled', { cacheDisabled: true });
      network.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength));
      opened.on('request', (request) => {
        if (request.isNavigationRequest()) bytes = 0;
      });
    });
    await page.waitForLoadState('load');
    return { page, bytes };
  }

  it('offers to copy what is there to be copied', async () => {
    const entry = PAGES.find(({ name }) => name === 'application');
    if (entry === undefined) throw new Error('the page is gone');
    const page = await openPage(scene, entry, chromium, {
      ...DESK,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const id = await page.locator('#client-id').innerText();
    await page
      .locator('.copyable', { has: page.locator('#client-id') })
      .getByRole('button', { name: 'Copy' })
      .click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(id);
  });

  it('has its ways in a menu on a phone, which a keyboard opens and JavaScript is not needed for', async () => {
    const entry = PAGES.find(({ name }) => name === 'start page of an administrator');
    if (entry === undefined) throw new Error('the page is gone');
    const page = await openPage(scene, entry, chromium, { ...PHONE, javaScriptEnabled: false });
    const way = page.getByRole('link', { name: 'My applications', exact: true });
    expect(await way.isVisible()).to.equal(false);
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    await way.click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).to.equal('/o/applications/');
  });
});
