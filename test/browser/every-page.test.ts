import { expect } from 'chai';
import type { CDPSession, Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { PLAIN_TEXTS, createScene, type Scene } from '../support/scene.ts';
import {
  findAccessibilityProblems,
  findContrastProblems,
  FIND_MISSING_ICONS,
  loadAxe,
  FIND_LIGHT_BACKGROUND,
  FIND_SMALL_CONTROLS,
  findInvisibleFocus,
  FIND_WIDE_ELEMENTS,
} from './page-checks.ts';
import { PAGES } from './pages.ts';
import { openPage, visitPage } from './visit.ts';

/** The maximum number of bytes, including headers, that a browser may receive for a page with the cache disabled. */
const MAX_BYTES = 70_000;
/** The limit on the API description, which grows with the API. */
const MAX_DESCRIPTION_BYTES = 280_000;
/** The limit on the dashboard, which has eight charts, each with a table. */
const MAX_DASHBOARD_BYTES = 110_000;
/** The limit on the settings page, which has every setting with its description. */
const MAX_SETTINGS_BYTES = 80_000;

/** The limit on the page that lists all sessions, with a checkbox and three links per session. */
const MAX_SESSIONS_BYTES = 85_000;

/** Only every eighth page is checked at each size in both themes, because checking contrast is slow. */
const BOTH_THEMES_INTERVAL = 8;

/** A long name. Its first word alone may fill a line on a phone. */
const LONG_NAME = 'Supercalifragilisticexpialidocious-With-A-Name-Without-Any-Break-Whatsoever';

const PHONE = { viewport: { width: 360, height: 740 }, colorScheme: 'dark', reducedMotion: 'reduce' } as const;
const DESKTOP = { viewport: { width: 1280, height: 800 }, colorScheme: 'light', reducedMotion: 'reduce' } as const;

describeInChromium('In a browser, every page', (chromium) => {
  let scene: Scene;
  /** All pages are opened in this tab, one after another, because a browser starts a process for each context. */
  let tab: Page;
  let byteCount = 0;

  before(async () => {
    scene = await createScene({
      ...PLAIN_TEXTS,
      applications: [LONG_NAME, `${LONG_NAME}2`, `${LONG_NAME}3`, `${LONG_NAME}4`],
      member: LONG_NAME,
      colleague: `${LONG_NAME}2`,
    });
    tab = await chromium.openForSuite(DESKTOP);
    const network = await tab.context().newCDPSession(tab);
    await countBytes(network);
  });
  after(() => scene.close());

  /** Counts only the current page's bytes, with the cache disabled. */
  async function countBytes(network: CDPSession): Promise<void> {
    await network.send('Network.enable');
    await network.send('Network.setCacheDisabled', { cacheDisabled: true });
    network.on('Network.loadingFinished', ({ encodedDataLength }) => void (byteCount += encodedDataLength));
    tab.on('request', (request) => {
      if (request.isNavigationRequest()) byteCount = 0;
    });
  }

  async function emulate({ viewport, colorScheme }: typeof PHONE | typeof DESKTOP): Promise<void> {
    await tab.setViewportSize(viewport);
    await tab.emulateMedia({ colorScheme });
  }

  async function findDesktopProblems(name: string): Promise<readonly string[]> {
    const maxBytes = maxBytesFor(name);
    const size = byteCount < 1_000 || byteCount > maxBytes ? [`it is ${byteCount} bytes`] : [];
    const accessibility = await findAccessibilityProblems(tab);
    const icons = await tab.evaluate<string[]>(FIND_MISSING_ICONS);
    return [...size, ...accessibility, ...icons, ...(await findInvisibleFocus(tab))];
  }

  async function findPhoneProblems(): Promise<readonly string[]> {
    const layout = await tab.evaluate<string[]>(
      `[${FIND_WIDE_ELEMENTS}, ${FIND_SMALL_CONTROLS}, ${FIND_LIGHT_BACKGROUND}].flat()`,
    );
    return [...layout, ...(await findAccessibilityProblems(tab))];
  }

  /** Returns contrast problems in the other theme. Each layout has its own menus, tabs and table headings. */
  async function findOtherThemeProblems({ viewport, colorScheme }: typeof PHONE | typeof DESKTOP) {
    const otherTheme = colorScheme === 'dark' ? 'light' : 'dark';
    await tab.setViewportSize(viewport);
    await tab.emulateMedia({ colorScheme: otherTheme });
    return (await findContrastProblems(tab)).map((problem) => `in the ${otherTheme} theme: ${problem}`);
  }

  for (const [index, entry] of PAGES.entries()) {
    it(`is small and accessible, in light colors on a desktop and dark colors on a phone: ${entry.name}`, async () => {
      await emulate(DESKTOP);
      await visitPage(scene, entry, tab);
      await tab.waitForLoadState('load');
      await loadAxe(tab);
      const desktopProblems = await findDesktopProblems(entry.name);
      await emulate(PHONE);
      const phoneProblems = [...(await findPhoneProblems())];
      if (index % BOTH_THEMES_INTERVAL === 0) {
        phoneProblems.push(...(await findOtherThemeProblems(PHONE)));
        phoneProblems.push(...(await findOtherThemeProblems(DESKTOP)));
      }
      expect({ desktopProblems, phoneProblems }).to.deep.equal({ desktopProblems: [], phoneProblems: [] });
    });
  }

  it('copies the text next to a Copy button', async () => {
    const entry = PAGES.find(({ name }) => name === 'application');
    if (entry === undefined) throw new Error('the page is not in PAGES');
    const page = await openPage(scene, entry, chromium, {
      ...DESKTOP,
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

  it('shows the whole navigation on a small desktop screen, even to administrators', async () => {
    const entry = PAGES.find(({ name }) => name === "administrator's start page");
    if (entry === undefined) throw new Error('the page is not in PAGES');
    const page = await openPage(scene, entry, chromium, { ...DESKTOP, viewport: { width: 1024, height: 768 } });
    expect(await page.getByRole('link', { name: 'Administration', exact: true }).isVisible()).to.equal(true);
    expect(await page.getByRole('button', { name: 'Menu' }).isVisible()).to.equal(false);
    expect(await page.evaluate(FIND_WIDE_ELEMENTS)).to.deep.equal([]);
  });

  it('has a navigation menu on a phone that works with the keyboard and without JavaScript', async () => {
    const entry = PAGES.find(({ name }) => name === "administrator's start page");
    if (entry === undefined) throw new Error('the page is not in PAGES');
    const page = await openPage(scene, entry, chromium, { ...PHONE, javaScriptEnabled: false });
    const link = page.getByRole('link', { name: 'My applications', exact: true });
    expect(await link.isVisible()).to.equal(false);
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    const [panel, menuEntry] = [await page.locator('#menu').boundingBox(), await link.boundingBox()];
    expect((panel?.width ?? 0) - (menuEntry?.width ?? 0), 'the entries fill the menu').to.be.below(40);
    await link.click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).to.equal('/o/applications/');
  });
});

function maxBytesFor(name: string): number {
  if (name.startsWith('API description')) return MAX_DESCRIPTION_BYTES;
  if (name === 'settings') return MAX_SETTINGS_BYTES;
  if (name === 'all sessions') return MAX_SESSIONS_BYTES;
  return name === 'dashboard' ? MAX_DASHBOARD_BYTES : MAX_BYTES;
}
