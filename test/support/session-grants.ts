import { expect } from 'chai';
import { authorizePath, parseRedirect } from './authorize-requests.ts';
import type { BrowserSession } from './browser-session.ts';
import { redeem } from './managed-grants.ts';
import type { RunningService, TestClient } from './running-service.ts';

/** Authorizes the client in the browser's session and redeems the code. */
export async function authorizeInSession(
  running: RunningService,
  browser: BrowserSession,
  client: TestClient,
  scope: string,
): Promise<void> {
  const page = await browser.get(authorizePath(client, { scope }));
  const { parameters } = parseRedirect(await browser.submit(page, { allow: 'Authorize' }));
  const response = await redeem(running, client, parameters['code'] ?? '');
  expect(response.status).to.equal(200);
}

/** Authorizes Portal, whose access ends with the session, and Backup and Notes, which keep their access. */
export async function authorizeThree(running: RunningService, browser: BrowserSession): Promise<void> {
  for (const [name, scope] of [
    ['Portal', 'openid read'],
    ['Backup', 'openid offline_access'],
    ['Notes', 'read'],
  ] as const)
    await authorizeInSession(running, browser, await running.addClient({ name }), scope);
}
