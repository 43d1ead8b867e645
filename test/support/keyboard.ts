import type { Locator, Page } from 'playwright-core';

/** More than the number of controls before any control that a test looks for. */
const MAX_TAB_STOPS = 80;

/**
 * Presses Tab until the control has focus, like a user without a mouse.
 * @throws Error if Tab does not reach the control
 */
export async function tabTo(control: Locator): Promise<void> {
  const page = control.page();
  const focused = control.and(page.locator(':focus'));
  for (let stopCount = 0; stopCount < MAX_TAB_STOPS; stopCount += 1) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(control)}`);
}

/**
 * Types into the field that has focus when the page opens. A browser moves the focus there some time after it has
 * loaded the page, and anything typed before then is lost.
 */
export async function typeIntoFocusedField(page: Page, text: string): Promise<void> {
  await page.locator('main input:focus').waitFor();
  await page.keyboard.insertText(text);
}
