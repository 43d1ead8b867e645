import { expect } from 'chai';
import type { BrowserSession, Page } from './browser-session.ts';
import { REDIRECT_URI, type RunningService, type TestClient, type TestUser } from './running-service.ts';

/** Returns the path of an authorization request. Parameters with the value null are omitted. */
export function authorizePath(client: TestClient, parameters: Readonly<Record<string, string | null>> = {}): string {
  const allParameters = { response_type: 'code', client_id: client.id, redirect_uri: REDIRECT_URI, ...parameters };
  const query = new URLSearchParams(
    Object.entries(allParameters).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  return `/o/authorize/?${query.toString()}`;
}

export async function openSession(running: RunningService, user: TestUser): Promise<BrowserSession> {
  const browser = running.browser();
  await browser.logIn(user.username, user.password);
  return browser;
}

/** Splits the redirect to the client into the URL without its query, and the parameters. */
export function parseRedirect({ status, location }: Page): {
  readonly address: string;
  readonly parameters: Readonly<Record<string, string>>;
} {
  expect(status).to.equal(302);
  const url = new URL(location ?? '');
  return { address: `${url.protocol}//${url.host}${url.pathname}`, parameters: Object.fromEntries(url.searchParams) };
}

/** Expects a redirect with an error, and with only the parameters that the RFCs define. */
export function expectErrorRedirect(page: Page, error: string, state?: string): void {
  const { address, parameters } = parseRedirect(page);
  expect(address).to.equal(REDIRECT_URI);
  expect(parameters).to.include({ error, iss: 'http://localhost:8000' });
  expect(parameters).to.have.all.keys('error', 'error_description', 'iss', ...(state === undefined ? [] : ['state']));
  expect(parameters['error_description']).to.match(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  expect(parameters['state']).to.equal(state);
}

/** Expects an error page for the user, and no redirect. */
export function expectErrorPage(page: Page, status = 400): void {
  expect({ status: page.status, location: page.location }).to.deep.equal({ status, location: null });
  expect(page.headers.get('content-type')).to.include('text/html');
}

/**
 * Logs in and approves the consent page at `url`, as the user does in a client library's flow.
 * @returns the URL that the browser is redirected to
 */
export const approve = (running: RunningService, user: TestUser, url: string | URL): Promise<URL> =>
  submitConsent(running, user, url, { allow: 'Authorize' });

export const deny = (running: RunningService, user: TestUser, url: string | URL): Promise<URL> =>
  submitConsent(running, user, url, {});

async function submitConsent(
  running: RunningService,
  user: TestUser,
  url: string | URL,
  fields: Readonly<Record<string, string>>,
): Promise<URL> {
  const browser = await openSession(running, user);
  const { pathname, search } = new URL(url);
  const { location, html } = await browser.submit(await browser.get(pathname + search), fields);
  if (location === null) throw new Error(`the response is not a redirect: ${html}`);
  return new URL(location);
}
