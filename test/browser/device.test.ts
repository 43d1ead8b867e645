import { expect } from 'chai';
import * as client from 'openid-client';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { runningService, type RunningService, type TestUser } from '../support/running-service.ts';

describeInChromium('In a browser, a device request', (chromium) => {
  let running: RunningService;
  let ada: TestUser;
  let config: client.Configuration;

  beforeEach(async () => {
    running = await runningService({ isItsOwnIssuer: true, startsAt: Date.now() });
    ada = await running.addUser('ada');
    const device = await running.addClient({
      name: 'Television',
      clientType: 'public',
      grantTypes: ['device-code'],
      redirectUris: [],
    });
    config = await client.discovery(new URL(running.origin()), device.id, undefined, client.None(), {
      algorithm: 'oauth2',
      execute: [client.allowInsecureRequests],
    });
  });
  afterEach(() => running.close());

  async function logIn(page: Page): Promise<void> {
    const main = page.getByRole('main');
    await main.getByLabel('User name').fill(ada.username);
    await main.getByLabel('Password', { exact: true }).fill(ada.password);
    await main.getByRole('button', { name: 'Log in' }).click();
  }

  /** Polls immediately, because the user has already responded in the browser. */
  const poll = (codes: client.DeviceAuthorizationResponse) =>
    client.pollDeviceAuthorizationGrant(config, { ...codes, interval: 0 });

  it('is authorized by a user who enters its code, and openid-client gets tokens', async () => {
    const codes = await client.initiateDeviceAuthorization(config, { scope: 'read write' });
    const { page, consoleErrors } = await chromium.open({ javaScriptEnabled: false });
    await page.goto(codes.verification_uri);
    await logIn(page);
    await page.getByLabel('Code').fill(codes.user_code.replace('-', '').toLowerCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Authorize Television on a device?' }).waitFor();
    await page.getByText(codes.user_code).waitFor();
    await page.getByText('if you started this on a device in front of you').waitFor();
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();

    const tokens = await poll(codes);
    expect(tokens.scope).to.equal('read write');
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    expect((await running.get('/users/', headers)).status).to.equal(200);
    const refreshResponse = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshResponse.access_token).not.to.equal(tokens.access_token);
    expect(consoleErrors).to.deep.equal([]);
  });

  it('is denied by a user who opens its URL, and openid-client gets access_denied', async () => {
    const codes = await client.initiateDeviceAuthorization(config, {});
    const { page } = await chromium.open();
    await page.goto(codes.verification_uri_complete ?? '');
    await logIn(page);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    const refusal = await poll(codes).catch((error: unknown) => error);
    expect(refusal).to.include({ error: 'access_denied' });
  });
});
