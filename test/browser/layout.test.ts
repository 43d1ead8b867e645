import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const LONG = 'Supercalifragilisticexpialidocious-Application-With-A-Name-Without-Any-Break-Whatsoever';

/** Evaluated in the page: every text whose contrast with what is behind it is under WCAG's 4.5:1 (3:1 where large). */
const POORLY_READABLE = `
  (() => {
    const channels = (color) => color.match(/[\\d.]+/g).map(Number);
    const linear = (value) => value <= 10.31475 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    const backgroundOf = (element) => {
      const color = channels(getComputedStyle(element).backgroundColor);
      return color[3] === 0 ? backgroundOf(element.parentElement) : color;
    };
    return [...document.querySelectorAll('body *')].filter((element) => {
      const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
      if (!hasText || !element.checkVisibility()) return false;
      const style = getComputedStyle(element);
      const [dark, light] = [luminance(channels(style.color)), luminance(backgroundOf(element))].sort((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05) < (parseFloat(style.fontSize) >= 24 ? 3 : 4.5);
    }).map((element) => element.outerHTML);
  })()
`;

/** Evaluated in the page: what is wider than the window. */
const OVERFLOWING = `
  [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && element.checkVisibility())
    .map((element) => element.outerHTML)
`;

/** Evaluated in the page: buttons and fields too small for a finger, by WCAG 2.2's 24 pixels. */
const TOO_SMALL = `
  [...document.querySelectorAll('button, textarea, input:not([type=hidden], [type=radio], [type=checkbox])')]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 24)
    .map((element) => element.outerHTML)
`;

describeInChromium('In a browser, every page', (chromium) => {
  let running: RunningService;
  let forVisitors: readonly { readonly name: string; readonly path: string }[];
  let forMembers: typeof forVisitors;
  let application: string;

  beforeEach(async () => {
    running = await runningService({ settings: { signup: 'open' } });
    await running.addUser('ada');
    const client = await running.addClient({ owner: 'ada', name: LONG });
    await running.token(client, { grant_type: 'password', username: 'ada', password: "ada's password" });
    application = `/o/applications/${client.id}/`;
    forVisitors = [
      { name: 'start page of a visitor', path: '/' },
      { name: 'log-in', path: '/accounts/login/' },
      { name: 'sign-up', path: '/accounts/signup/' },
      { name: 'set-up', path: `/accounts/setup/?token=${running.service().setup.token() ?? ''}` },
    ];
    forMembers = [
      { name: 'start page', path: '/' },
      { name: 'consent', path: `/o/authorize/?response_type=code&client_id=${client.id}` },
      { name: 'applications', path: '/o/applications/' },
      { name: 'registration', path: '/o/applications/register/' },
      { name: 'application', path: application },
      { name: 'change of an application', path: `${application}update/` },
      { name: 'deletion', path: `${application}delete/` },
      { name: 'access given', path: '/o/authorized_tokens/' },
      { name: 'not found', path: '/nowhere/' },
    ];
  });
  afterEach(() => running.close());

  async function logIn(page: Page): Promise<void> {
    await page.goto(`${running.origin()}/accounts/login/`);
    await page.getByLabel('User name').fill('ada');
    await page.getByLabel('Password').fill("ada's password");
    await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Hello, ada').waitFor();
  }

  async function visitAll(page: Page, look: (name: string) => Promise<void>): Promise<void> {
    for (const { path, name } of forVisitors) {
      await page.goto(running.origin() + path);
      await look(name);
    }
    await logIn(page);
    for (const { path, name } of forMembers) {
      await page.goto(running.origin() + path);
      await look(name);
    }
  }

  it('fits a window of 360 pixels, with controls that a finger hits', async () => {
    const { page } = await chromium.open({ viewport: { width: 360, height: 740 } });
    await visitAll(page, async (name) => {
      expect(await page.evaluate(OVERFLOWING), name).to.deep.equal([]);
      expect(await page.evaluate(TOO_SMALL), name).to.deep.equal([]);
    });
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`is readable in ${colorScheme} colours`, async () => {
      const { page } = await chromium.open({ colorScheme, reducedMotion: 'reduce' });
      await visitAll(page, async (name) => {
        expect(await page.evaluate(POORLY_READABLE), name).to.deep.equal([]);
      });
      const [red = 0] = await page.evaluate<number[]>("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)");
      expect(red < 128).to.equal(colorScheme === 'dark');
    });
  }

  it('offers to copy what is there to be copied', async () => {
    const { page } = await chromium.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await logIn(page);
    await page.goto(running.origin() + application);
    const id = await page.locator('#client-id').innerText();
    await page.locator('.copyable', { has: page.locator('#client-id') }).getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(id);
  });
});
