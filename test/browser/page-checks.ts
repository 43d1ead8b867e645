import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Rules that apply to every page. If one of them checked nothing, axe did not run. */
const ALWAYS_CHECKED = ['color-contrast', 'document-title'];

/** Loads axe into the page. Loading it twice is harmless. */
export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(AXE);
}

/** The violations of WCAG 2.2, levels A and AA, on a page with axe loaded. */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  const { violations, passes } = await page.evaluate<{
    readonly violations: readonly string[];
    readonly passes: readonly string[];
  }>(RUN_AXE);
  const unchecked = ALWAYS_CHECKED.filter((rule) => !passes.includes(rule));
  return [...violations, ...unchecked.map((rule) => `${rule} found nothing to check`)];
}

/** Text with too little contrast, on a page with axe loaded. No other rule depends on the theme. */
export function contrastProblems(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(CHECK_CONTRAST);
}

const CHECK_CONTRAST = `
  axe.run(document, { runOnly: { type: 'rule', values: ['color-contrast'] }, resultTypes: ['violations'] })
    .then(({ violations }) => violations.flatMap(({ nodes }) =>
      nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary)))
`;

const RUN_AXE = `
  axe.run(document, { runOnly: ${JSON.stringify(WCAG)}, resultTypes: ['violations'] })
    .then(({ violations, passes }) => ({
      violations: violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)),
      passes: passes.concat(violations).map(({ id }) => id),
    }))
`;

/** Evaluated in the page: elements that are wider than the window. */
export const WIDER_THAN_WINDOW = `
  [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && element.checkVisibility())
    .map((element) => 'wider than the window: ' + element.outerHTML)
    .concat(document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : [])
`;

/** Evaluated in the page: controls lower than 24 pixels, the minimum of WCAG 2.2. */
export const TOO_SMALL = `
  [...document.querySelectorAll('button, select, textarea, input:not([type=hidden], [type=radio], [type=checkbox])')]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 24)
    .map((element) => 'too small for a finger: ' + element.outerHTML)
`;

/** Evaluated in the page: its background, if that is not dark. */
export const NOT_DARK = `
  [getComputedStyle(document.body).backgroundColor]
    .filter((color) => Number(color.match(/\\d+/)[0]) >= 64)
    .map((color) => 'not dark: ' + color)
`;

/** Evaluated in the page: icons that the sprite lacks. */
export const ICONS_WITHOUT_SHAPE = `
  [...document.querySelectorAll('svg.icon')]
    .filter((icon) => icon.checkVisibility() && icon.querySelector('use').getBBox().width === 0)
    .map((icon) => 'an icon without a shape: ' + icon.innerHTML)
`;

/** Enough to reach every kind of control. */
const MAX_TABS = 40;

/** Controls that get the focus from the Tab key and do not show it, until the focus leaves the page. */
export async function unseenFocus(page: Page): Promise<readonly string[]> {
  const stops = await page.evaluate<number>(WATCH_FOCUS);
  for (let presses = 0; presses < Math.min(stops, MAX_TABS); presses += 1) await page.keyboard.press('Tab');
  return page.evaluate<string[]>('watchedFocus.seen ? watchedFocus.problems : ["Tab moves no focus"]');
}

/** Evaluated in the page: the number of focusable elements. A radio button shows the focus on its label. */
const WATCH_FOCUS = `
  (() => {
    const watched = { seen: 0, problems: [] };
    const outlines = (element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    };
    addEventListener('focusin', ({ target }) => {
      watched.seen += 1;
      const label = target.closest('label');
      if (outlines(target) || (label && outlines(label))) return;
      watched.problems.push('focus not shown: ' + target.outerHTML);
    });
    window.watchedFocus = watched;
    const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
    return [...document.querySelectorAll(controls)].filter((element) => element.checkVisibility()).length;
  })()
`;
