import type { Page } from 'playwright-core';
import type { BrowserSession, Page as PageResponse } from '../support/browser-session.ts';
import type { Chromium } from '../support/browser.ts';
import type { RunningService } from '../support/running-service.ts';
import type { Scene } from '../support/scene.ts';
import type { PageEntry } from './pages.ts';

/** Returns the scene's server that serves the page. */
export function serverFor(scene: Scene, { server }: PageEntry): RunningService {
  return server === undefined ? scene.running : scene[server];
}

/** Opens a session over plain HTTP, logged in as the page's viewer. */
export async function sessionFor(scene: Scene, entry: PageEntry): Promise<BrowserSession> {
  const session = serverFor(scene, entry).browser();
  const { as: viewer } = entry;
  if (viewer === 'visitor') return session;
  const { username, password } = scene.users[viewer];
  const { status } = await session.logIn(username, password);
  if (status !== 302) throw new Error(`${viewer} could not log in: ${status}`);
  return session;
}

/** Fetches the page. Submits its form, if there is one, and follows the redirect. */
export async function fetchPage(scene: Scene, entry: PageEntry, session: BrowserSession): Promise<PageResponse> {
  const initialResponse = await session.get(entry.path(scene));
  if (entry.form === undefined) return initialResponse;
  const action = entry.form.action?.(scene) ?? entry.path(scene);
  const response = await session.submit(initialResponse, entry.form.fields(scene), action);
  return response.location === null ? response : session.get(response.location);
}

/** Opens the page in a new browser profile, with the same steps as `fetchPage`. */
export async function openPage(
  scene: Scene,
  entry: PageEntry,
  chromium: Chromium,
  options: Parameters<Chromium['open']>[0],
): Promise<Page> {
  const { page } = await chromium.open(options);
  await visitPage(scene, entry, page);
  return page;
}

/** Opens the page in `page` in a new session, with the same steps as `fetchPage`. */
export async function visitPage(scene: Scene, entry: PageEntry, page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.context().addCookies(await cookiesFor(scene, entry));
  await page.goto(localhostOrigin(scene, entry) + entry.path(scene));
  if (entry.form !== undefined)
    await submitForm(page, entry.form.action?.(scene) ?? entry.path(scene), entry.form.fields(scene));
}

async function cookiesFor(scene: Scene, entry: PageEntry) {
  const session = await sessionFor(scene, entry);
  return [...session.cookies()].map(([name, value]) => ({ name, value, url: localhostOrigin(scene, entry) }));
}

/** Returns the origin with the host name localhost, because browsers create no passkeys for an IP address. */
function localhostOrigin(scene: Scene, entry: PageEntry): string {
  return serverFor(scene, entry).origin().replace('127.0.0.1', 'localhost');
}

/** Submits the form with arbitrary values, even ones that its controls do not offer. */
async function submitForm(
  page: Page,
  action: string,
  fields: Readonly<Record<string, string | readonly string[]>>,
): Promise<void> {
  const navigation = page.waitForNavigation();
  await page.evaluate(SUBMIT_FORM.replace('$', () => JSON.stringify({ action, fields })));
  await navigation;
}

const SUBMIT_FORM = `
  (({ action, fields }) => {
    const match = [...document.forms]
      .filter((each) => each.getAttribute('action') === action)
      .sort((a, b) => (a.method === 'post') - (b.method === 'post')) // A search may have the same action.
      .at(-1);
    const form = match ?? document.querySelector('main form') ?? document.forms[0];
    form.method = 'post';
    form.action = action;
    for (const [name, values] of Object.entries(fields)) {
      for (const control of form.querySelectorAll('[name="' + name + '"]')) control.removeAttribute('name');
      for (const value of [values].flat()) {
        const input = document.createElement('textarea');
        Object.assign(input, { name, value, hidden: true });
        form.append(input);
      }
    }
    HTMLFormElement.prototype.submit.call(form);
  })($)
`;
