import { expect } from 'chai';
import type { BrowserSession, Page } from './browser-session.ts';
import { REDIRECT_URI, type RunningService, type TestClient, type TestUser } from './running-service.ts';

/** Returns the path of an authorization request. A parameter whose value is null is omitted. */
export function authorizePath(client: TestClient, parameters: Readonly<Record<string, string | null>> = {}): string {
  const all = { response_type: 'code', client_id: client.id, redirect_uri: REDIRECT_URI, ...parameters };
  const query = new URLSearchParams(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  return `/o/authorize/?${query.toString()}`;
}

export async function openSession(running: RunningService, user: TestUser): Promise<BrowserSession> {
  const browser = running.browser();
  await browser.logIn(user.username, user.password);
  return browser;
}

/** Parses the redirect to the client into its address and parameters. */
export function parseRedirect({ status, location }: Page): {
  readonly address: string;
  readonly parameters: Readonly<Record<string, string>>;
} {
  expect(status).to.equal(302);
  const url = new URL(location ?? '');
  return { address: `${url.protocol}//${url.host}${url.pathname}`, parameters: Object.fromEntries(url.searchParams) };
}

/** Expects a refusal by redirect, with only the parameters of the RFCs. */
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
 * Logs in and approves the consent page at `address`, as the user does in the flow of a client library.
 * @returns the address to which the browser is redirected
 */
export const approve = (running: RunningService, user: TestUser, address: string | URL): Promise<URL> =>
  submitConsent(running, user, address, { allow: 'Authorize' });

export const deny = (running: RunningService, user: TestUser, address: string | URL): Promise<URL> =>
  submitConsent(running, user, address, {});

async function submitConsent(
  running: RunningService,
  user: TestUser,
  address: string | URL,
  fields: Readonly<Record<string, string>>,
): Promise<URL> {
  const browser = await openSession(running, user);
  const { pathname, search } = new URL(address);
  const { location, html } = await browser.submit(await browser.get(pathname + search), fields);
  if (location === null) throw new Error(`the response is not a redirect: ${html}`);
  return new URL(location);
}
