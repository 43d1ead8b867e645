import type { Page } from 'playwright-core';
import type { BrowserSession, Page as PageResponse } from '../support/browser-session.ts';
import type { Chromium } from '../support/browser.ts';
import type { RunningService } from '../support/running-service.ts';
import type { Scene } from '../support/scene.ts';
import type { PageEntry } from './pages.ts';

/** The server of the scene that the page belongs to. */
export function serverOf(scene: Scene, { server }: PageEntry): RunningService {
  return server === undefined ? scene.running : scene[server];
}

/** Opens a session over plain HTTP, in which the user of the page is logged in. */
export async function sessionFor(scene: Scene, entry: PageEntry): Promise<BrowserSession> {
  const session = serverOf(scene, entry).browser();
  const { as: viewer } = entry;
  if (viewer === 'visitor') return session;
  const { username, password } = scene.users[viewer];
  const { status } = await session.logIn(username, password);
  if (status !== 302) throw new Error(`${viewer} could not log in: ${status}`);
  return session;
}

/** Fetches the page. Sends the form, if there is one, and follows its redirect. */
export async function fetchPage(scene: Scene, entry: PageEntry, session: BrowserSession): Promise<PageResponse> {
  const first = await session.get(entry.path(scene));
  if (entry.form === undefined) return first;
  const action = entry.form.action?.(scene) ?? entry.path(scene);
  const response = await session.submit(first, entry.form.fields(scene), action);
  return response.location === null ? response : session.get(response.location);
}

/** Opens the page in a new browser profile, with the same steps. */
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

/** Opens the page in `page`, with the same steps, and in a new session. */
export async function visitPage(scene: Scene, entry: PageEntry, page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.context().addCookies(await cookiesFor(scene, entry));
  await page.goto(localhostOrigin(scene, entry) + entry.path(scene));
  if (entry.form !== undefined)
    await sendForm(page, entry.form.action?.(scene) ?? entry.path(scene), entry.form.fields(scene));
}

async function cookiesFor(scene: Scene, entry: PageEntry) {
  const session = await sessionFor(scene, entry);
  return [...session.cookies()].map(([name, value]) => ({ name, value, url: localhostOrigin(scene, entry) }));
}

/** The origin with the host name localhost, because browsers create no passkeys for an IP address. */
function localhostOrigin(scene: Scene, entry: PageEntry): string {
  return serverOf(scene, entry).origin().replace('127.0.0.1', 'localhost');
}

/** Sends the form with any values, even ones that its controls do not offer. */
async function sendForm(
  page: Page,
  action: string,
  fields: Readonly<Record<string, string | readonly string[]>>,
): Promise<void> {
  const navigation = page.waitForNavigation();
  await page.evaluate(SEND_FORM.replace('$', () => JSON.stringify({ action, fields })));
  await navigation;
}

const SEND_FORM = `
  (({ action, fields }) => {
    const match = [...document.forms]
      .filter((each) => each.getAttribute('action') === action)
      .sort((one, other) => (one.method === 'post') - (other.method === 'post')) // a search may have the same address
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
