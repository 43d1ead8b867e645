import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Rules that apply to every page. If one checked nothing, axe did not work. */
const ALWAYS_CHECKED_RULES = ['color-contrast', 'document-title'];

/** Loads axe into the page. Loading it twice is harmless. */
export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(AXE);
}

/** Returns the violations of WCAG 2.2, levels A and AA, on a page with axe loaded. */
export async function findAccessibilityProblems(page: Page): Promise<readonly string[]> {
  const { violations, passes } = await page.evaluate<{
    readonly violations: readonly string[];
    readonly passes: readonly string[];
  }>(RUN_AXE);
  const uncheckedRules = ALWAYS_CHECKED_RULES.filter((rule) => !passes.includes(rule));
  return [...violations, ...uncheckedRules.map((rule) => `${rule} found nothing to check`)];
}

/** Returns text with too little contrast on a page with axe loaded. No other rule depends on the theme. */
export function findContrastProblems(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(CHECK_CONTRAST);
}

/** Computing element selectors would take a fifth of the time. The messages contain the elements instead. */
const RESULT_OPTIONS = `resultTypes: ['violations'], selectors: false`;

const CHECK_CONTRAST = `
  axe.run(document, { runOnly: { type: 'rule', values: ['color-contrast'] }, ${RESULT_OPTIONS} })
    .then(({ violations }) => violations.flatMap(({ nodes }) =>
      nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary)))
`;

const RUN_AXE = `
  axe.run(document, { runOnly: ${JSON.stringify(WCAG)}, ${RESULT_OPTIONS} })
    .then(({ violations, passes }) => ({
      violations: violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)),
      passes: passes.concat(violations).map(({ id }) => id),
    }))
`;

/** Runs in the page. Returns elements that are wider than the window. */
export const FIND_WIDE_ELEMENTS = `
  [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && element.checkVisibility())
    .map((element) => 'wider than the window: ' + element.outerHTML)
    .concat(document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : [])
`;

/** Runs in the page. Returns controls that are less than 24 pixels high, the minimum under WCAG 2.2. */
export const FIND_SMALL_CONTROLS = `
  [...document.querySelectorAll('button, select, textarea, input:not([type=hidden], [type=radio], [type=checkbox])')]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 24)
    .map((element) => 'too small for a finger: ' + element.outerHTML)
`;

/** Runs in the page. Returns the background color if it is not dark. */
export const FIND_LIGHT_BACKGROUND = `
  [getComputedStyle(document.body).backgroundColor]
    .filter((color) => Number(color.match(/\\d+/)[0]) >= 64)
    .map((color) => 'not dark: ' + color)
`;

/** Runs in the page. Returns icons that are missing from the sprite. */
export const FIND_MISSING_ICONS = `
  [...document.querySelectorAll('svg.icon')]
    .filter((icon) => icon.checkVisibility() && icon.querySelector('use').getBBox().width === 0)
    .map((icon) => 'an icon without a shape: ' + icon.innerHTML)
`;

/** Returns controls without a visible focus indicator. */
export async function findInvisibleFocus(page: Page): Promise<readonly string[]> {
  // When a script moves the focus, browsers show it only if it was visible before, for example after a key press.
  await page.keyboard.press('Tab');
  return page.evaluate<string[]>(FOCUS_EACH_CONTROL);
}

/** Runs in the page. A radio button shows the focus on its label. */
const FOCUS_EACH_CONTROL = `
  (() => {
    if (document.activeElement === document.body) return ['Tab does not move the focus'];
    const hasOutline = (element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    };
    const problem = (control) => {
      control.focus();
      if (document.activeElement !== control) return 'cannot take the focus: ' + control.outerHTML;
      const label = control.closest('label');
      if (!hasOutline(control) && !(label && hasOutline(label))) return 'focus not shown: ' + control.outerHTML;
    };
    const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
    return [...document.querySelectorAll(controls)]
      .filter((control) => control.checkVisibility() && !control.matches(':disabled'))
      .map(problem)
      .filter((text) => text !== undefined);
  })()
`;
