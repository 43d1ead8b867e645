import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { startCallbackServer, type CallbackServer } from '../support/callback-server.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

describeInChromium('In a browser, a browser-based application', (chromium) => {
  let running: RunningService;
  let application: CallbackServer;
  let client: TestClient;
  let user: TestUser;

  beforeEach(async () => {
    running = await runningService();
    application = await startCallbackServer();
    user = await running.addUser('ada');
    const redirectUri = application.redirectUri('127.0.0.1');
    client = await running.addClient({
      clientType: 'public',
      grantTypes: ['authorization-code'],
      redirectUris: [redirectUri],
      allowedOrigins: [new URL(redirectUri).origin],
    });
  });
  afterEach(async () => {
    await application.close();
    await running.close();
  });

  function authorizeUrl(): string {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.id,
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    });
    return `${running.origin()}/o/authorize/?${query.toString()}`;
  }

  async function approve(page: Page): Promise<void> {
    await page.getByLabel('User name').fill(user.username);
    await page.getByLabel('Password').fill(user.password);
    await page.locator('main').getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByText('Back at the application').waitFor();
  }

  /** Sends a request from the page. Returns undefined if a script on the page cannot read the response. */
  function fetchIn(
    page: Page,
    path: string,
    init: { method?: string; body?: string; headers?: Record<string, string>; credentials?: 'include' } = {},
  ) {
    return page.evaluate(
      async ([url, options]) => {
        const response = await fetch(url, options).catch(() => undefined);
        if (response === undefined) return undefined;
        const text = await response.text();
        return {
          status: response.status,
          json: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : undefined,
        };
      },
      [`${running.origin()}${path}`, init] as const,
    );
  }
  const post = (page: Page, path: string, parameters: Record<string, string>) =>
    fetchIn(page, path, {
      method: 'POST',
      body: new URLSearchParams(parameters).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });

  it('gets, uses and revokes tokens, but only from its own origin', async () => {
    const { page } = await chromium.open();
    await page.goto(authorizeUrl());
    await approve(page);
    const exchange = {
      grant_type: 'authorization_code',
      code: application.receivedQueries.at(-1)?.get('code') ?? '',
      code_verifier: VERIFIER,
      client_id: client.id,
    };
    expect((await fetchIn(page, '/.well-known/oauth-authorization-server'))?.status).to.equal(200);
    expect((await post(page, '/o/token/', { ...exchange, code_verifier: 'x'.repeat(43) }))?.json).to.include({
      error: 'invalid_grant',
    });
    const { json: tokens = {} } = (await post(page, '/o/token/', exchange)) ?? {};
    expect(tokens).to.include({ token_type: 'Bearer', scope: 'read write' });
    const headers = { Authorization: `Bearer ${String(tokens['access_token'])}` };
    expect(await fetchIn(page, '/users/1/', { headers })).to.deep.include({ status: 200 });
    expect(
      await fetchIn(page, '/users/1/', { headers, credentials: 'include' }),
      'the response to a request with cookies',
    ).to.equal(undefined);
    expect(await fetchIn(page, '/')).to.equal(undefined);

    const otherOriginPage = await page.context().newPage();
    await otherOriginPage.goto(application.redirectUri('localhost'));
    expect(await fetchIn(otherOriginPage, '/users/1/', { headers })).to.equal(undefined);
    expect(await post(otherOriginPage, '/o/token/', { ...exchange, code: 'x' })).to.equal(undefined);

    expect((await fetchIn(page, '/users/1/', { headers }))?.status).to.equal(200);
    expect(
      (await post(page, '/o/revoke_token/', { token: String(tokens['refresh_token']), client_id: client.id }))?.status,
    ).to.equal(200);
    expect((await fetchIn(page, '/users/1/', { headers }))?.status).to.equal(401);
  });

  it('can open the authorization page in a pop-up, which keeps a reference to its opener', async () => {
    const { page } = await chromium.open();
    await page.goto(application.redirectUri('127.0.0.1'));
    const popupEvent = page.waitForEvent('popup');
    await page.evaluate(`void window.open(${JSON.stringify(authorizeUrl())})`);
    const popup = await popupEvent;
    await approve(popup);
    expect(await popup.evaluate<boolean>('window.opener !== null')).to.equal(true);
  });
});
