import { expect } from 'chai';
import { authorizePath } from './authorize-requests.ts';
import type { BrowserSession } from './browser-session.ts';
import { REDIRECT_URI, type RunningService, type TestClient } from './running-service.ts';

/** Authorizes the client in the session of the browser, and redeems the code. */
export async function authorizeInSession(
  running: RunningService,
  browser: BrowserSession,
  client: TestClient,
  scope: string,
): Promise<void> {
  const page = await browser.get(authorizePath(client, { scope }));
  const { location } = await browser.submit(page, { allow: 'Authorize' });
  const code = new URL(location ?? '').searchParams.get('code') ?? '';
  const answer = await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
  expect(answer.status).to.equal(200);
}

/** Authorizes Portal, whose access ends with the session, and Backup and Notes, whose access remains. */
export async function authorizeThree(running: RunningService, browser: BrowserSession): Promise<void> {
  for (const [name, scope] of [
    ['Portal', 'openid read'],
    ['Backup', 'openid offline_access'],
    ['Notes', 'read'],
  ] as const)
    await authorizeInSession(running, browser, await running.addClient({ name }), scope);
}
