import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { keyPairFor, registerKeys } from '../support/assertions.ts';
import { updateSecuritySettings } from '../support/dpop.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

import { findAccessibilityProblems, loadAxe, FIND_WIDE_ELEMENTS } from './page-checks.ts';

const PASSWORD = 'correct horse battery';
const DESKTOP = { viewport: { width: 1280, height: 800 }, colorScheme: 'light' } as const;
const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;

describeInChromium('In a browser, Try it works', (chromium) => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService({ isItsOwnIssuer: true });
    advancedAt = performance.now();
    for (const username of ['ada', 'bob'])
      await running
        .service()
        .accounts.register({ username, password: PASSWORD }, { actor: { kind: 'operator' }, requestId: null });
  });
  afterEach(() => running.close());

  async function logIn(path: string, username = 'ada', options: BrowserContextOptions = DESKTOP): Promise<Page> {
    const { page } = await chromium.open(options);
    await page.goto(`${running.origin()}/accounts/login/`);
    await page.getByLabel('User name').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL(`${running.origin()}/`);
    await page.goto(running.origin() + path);
    return page;
  }

  const callbackPath = (id: string): string => `/o/applications/${id}/callback/`;

  async function addClient(options: Readonly<Record<string, unknown>> = {}): Promise<TestClient> {
    const client = await running.addClient({ owner: 'ada', ...options });
    const { registration, projections } = running.service();
    const registeredClient = projections.clients.find(client.id) ?? expect.fail('not registered');
    const context = { actor: { kind: 'operator' }, requestId: null } as const;
    await registration.update(registeredClient.clientId, { ...registeredClient, builtinCallback: true }, context);
    return client;
  }

  const findExample = (page: Page, id: string) => page.locator(`[data-example="${id}"]`);
  const findRunButton = (page: Page, id: string) => findExample(page, id).getByRole('button', { name: /^Run/ });
  const findResult = (page: Page, id: string) => findExample(page, id).locator('[data-result]');

  let advancedAt: number;

  /** Pages sign with the server's time at page load plus the time elapsed since, so the clock must keep up. */
  function synchronizeClock(): void {
    const now = performance.now();
    running.clock.advance((now - advancedAt) / 1000);
    advancedAt = now;
  }

  async function runExample(page: Page, id: string, status: string): Promise<string> {
    synchronizeClock();
    await findRunButton(page, id).press('Enter');
    // The headers below can contain the same digits, for example in the request id.
    await findResult(page, id)
      .getByText(new RegExp(`^${status}`))
      .waitFor();
    return findResult(page, id).innerText();
  }

  /** Returns all data that outlives the page or leaves it. */
  const readStoredData = (page: Page): Promise<string> =>
    page.evaluate(
      'JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie, location.href, history.state])',
    );

  async function authorize(page: Page, id: 'authorize' | 'login'): Promise<void> {
    await findExample(page, id)
      .getByRole('link', { name: /^Authorize/ })
      .press('Enter');
    await page.getByRole('button', { name: /^(?:Authorize|Allow)/ }).press('Enter');
    await page.getByRole('heading', { name: /^Callback page/ }).waitFor();
  }

  for (const [clientType, options] of [
    ['confidential', DESKTOP],
    ['public', PHONE],
  ] as const) {
    it(`for the whole flow, with the keyboard, for a ${clientType} client`, async () => {
      const grantTypes = ['authorization-code'];
      const client = await addClient({ clientType, grantTypes });
      const page = await logIn(`/o/applications/${client.id}/try/`, 'ada', options);
      if (clientType === 'confidential') await page.getByLabel('Client secret').fill(client.secret);
      await authorize(page, 'login');
      await page.getByText('The state matches').waitFor();
      expect(page.url()).to.equal(running.origin() + callbackPath(client.id));
      await page.keyboard.press('Enter'); // The button that exchanges the code has the focus.
      await page.getByText('The signature is valid').waitFor();
      expect(await findResult(page, 'exchange').innerText())
        .to.include('200 OK')
        .and.include('An access token that is valid for');
      expect(await page.locator('.token').first().innerText())
        .to.include('It is the one in the request.')
        .and.include('It matches the access token.');
      expect(await runExample(page, 'userinfo', '200 OK')).to.include('Identifies the user.');
      expect(await runExample(page, 'api', '200 OK')).to.include('ada');
      if (clientType === 'confidential') expect(await runExample(page, 'introspect', '200 OK')).to.include('active');
      await runExample(page, 'refresh', '200 OK');
      await runExample(page, 'revoke', '200 OK');
      expect(await runExample(page, 'api', '401')).to.include('What to do');
      expect(await runExample(page, 'exchange', '400'))
        .to.include('only once')
        .and.include('All recent refusals');
      expect(await readStoredData(page)).not.to.match(/gl[acrs]_?\w|eyJ/);
      await loadAxe(page);
      expect(await findAccessibilityProblems(page)).to.deep.equal([]);
      expect(await page.evaluate(FIND_WIDE_ELEMENTS)).to.deep.equal([]);
      await page.reload();
      await page.getByText('No response has arrived').waitFor();
      expect(await page.content()).not.to.match(/gl[acr]_\w{20}|eyJ/);
    });
  }

  it('with a key that the page creates, bound tokens, and pushed and signed requests', async () => {
    const client = await addClient({ grantTypes: ['authorization-code'] });
    await registerKeys(running, client, keyPairFor('ES256', 'key of 2026'));
    await updateSecuritySettings(running, client, {
      dpopBoundAccessTokens: true,
      requirePushedAuthorizationRequests: true,
      requireSignedRequestObject: true,
    });
    const page = await logIn(`/o/applications/${client.id}/try/`, 'ada', PHONE);
    expect(await page.getByLabel('Client secret').count()).to.equal(0);
    await findRunButton(page, 'push-login').press('Enter');
    await page.getByText('Enter the private key first').waitFor();
    await page.getByRole('button', { name: 'Create a key and register it' }).press('Enter');
    await page.getByText(/^The key try-it-\S+ is registered/).waitFor();
    expect(await runExample(page, 'push-login', '201')).to.include('“Ask the user” below opens it');
    await loadAxe(page);
    expect(await findAccessibilityProblems(page)).to.deep.equal([]);
    expect(await page.evaluate(FIND_WIDE_ELEMENTS)).to.deep.equal([]);
    await authorize(page, 'authorize');
    await page.getByText('The state matches').waitFor();
    expect(await runExample(page, 'exchange', '200 OK')).to.include('It is bound to a key that this page created.');
    await page.getByText('It is the one in the request.').waitFor();
    expect(await runExample(page, 'userinfo', '200 OK')).to.include('Identifies the user.');
    expect(await runExample(page, 'api', '200 OK')).to.include('ada');
    await runExample(page, 'introspect', '200 OK');
    await runExample(page, 'refresh', '200 OK');
    await runExample(page, 'revoke', '200 OK');
    expect(await runExample(page, 'api', '401')).to.include('What to do');
    expect(await readStoredData(page)).not.to.match(/gl[acrs]_?\w|eyJ|"d"/);
  });

  it('with a signed response (JARM), which is decoded and explained', async () => {
    const client = await addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
    const page = await logIn(`/o/applications/${client.id}/try/`);
    const authorizeUrl = `${running.origin()}/o/authorize/?`;
    await page.route(`${authorizeUrl}*`, (route) => {
      const url = new URL(route.request().url());
      if (url.searchParams.has('response_mode')) return route.continue();
      url.searchParams.set('response_mode', 'jwt');
      return route.fulfill({ status: 302, headers: { location: url.href } });
    });
    await authorize(page, 'authorize');
    await page.getByText('The state matches').waitFor();
    expect(page.url()).to.equal(running.origin() + callbackPath(client.id));
    await page.getByText('The signature is valid').waitFor();
    expect(await page.locator('.token').innerText())
      .to.include('It is this server.')
      .and.include('It is this application.')
      .and.not.match(/glc_\w{12}/);
    await runExample(page, 'exchange', '200 OK');
    await loadAxe(page);
    expect(await findAccessibilityProblems(page)).to.deep.equal([]);
  });

  it('but not with a signed response that is invalid or does not belong to a request from the tab', async () => {
    const client = await addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
    const page = await logIn(`/o/applications/${client.id}/try/`);
    const claims = Buffer.from(JSON.stringify({ code: 'glc_x', state: 'x', iss: running.origin() })).toString(
      'base64url',
    );
    await page.goto(`${running.origin()}${callbackPath(client.id)}?response=e30.${claims}.x`);
    await page.getByText('does not belong to a request from this tab').waitFor();
    await page.goto(`${running.origin()}${callbackPath(client.id)}?response=nonsense`);
    await page.getByText('No response has arrived').waitFor();
  });

  it("for a device, with its codes, the user's page and the tokens", async () => {
    const options = { clientType: 'public', grantTypes: ['device-code'], redirectUris: [] } as const;
    const { id } = await running.addClient({ owner: 'ada', ...options });
    const page = await logIn(`/o/applications/${id}/try/`);
    await findRunButton(page, 'device-token').press('Enter');
    await page.getByText('Get the codes for a device first').waitFor();
    await runExample(page, 'device', '200 OK');
    expect(await runExample(page, 'device-token', '400')).to.include('authorization_pending');
    const pageEvent = page.context().waitForEvent('page');
    await findExample(page, 'device').getByRole('link', { name: 'Open the page for the user' }).click();
    const approval = await pageEvent;
    await approval.getByRole('button', { name: 'Authorize' }).click();
    await approval.getByText('Return to your device').waitFor();
    await approval.close();
    expect(await runExample(page, 'device-token', '200 OK')).to.include('An access token that is valid for');
  });

  it('for a machine right after its registration, without asking for its secret again', async () => {
    const page = await logIn('/o/applications/register/');
    const { id } = await running.addClient({ owner: 'ada', grantTypes: ['client-credentials'] });
    await page.goto(`${running.origin()}/o/applications/${id}/rotate_secret/`);
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.waitForURL(/credentials/); // Also waits for the script that hands over the secret.
    await page.getByRole('link', { name: 'I have stored it: try the application' }).press('Enter');
    await findRunButton(page, 'client-credentials').waitFor();
    expect(await page.getByLabel('Client secret').isVisible()).to.equal(false);
    expect(await runExample(page, 'client-credentials', '200 OK')).to.include('An access token that is valid for');
    expect(await findExample(page, 'api').locator('pre code').first().textContent()).to.match(/Bearer gla_/);
    await runExample(page, 'api', '200 OK');
    expect(await readStoredData(page)).not.to.match(/gl[acrs]_?\w/);
    await page.reload();
    await findRunButton(page, 'client-credentials').press('Enter');
    await page.getByText('Enter the client secret first').waitFor();
    await page.keyboard.type('wrong'); // The field has the focus.
    expect(await runExample(page, 'client-credentials', '401'))
      .to.include('Expected')
      .and.include('Received');
  });

  it('with all examples in the chosen language, and keeps its values when the language changes', async () => {
    const { id, secret } = await running.addClient({ owner: 'ada', grantTypes: ['client-credentials'] });
    const page = await logIn(`/o/applications/${id}/try/`);
    await page.getByLabel('Client secret').fill(secret);
    await runExample(page, 'client-credentials', '200 OK');
    for (const [name, text] of [
      ['Java', 'public class Main'],
      ['C#', 'using System;'],
      ['Python', 'urlopen'],
    ] as const) {
      await page.getByRole('link', { name, exact: true }).press('Enter');
      await findExample(page, 'api').getByText(text).waitFor({ state: 'attached' });
      const code = await findExample(page, 'api').locator('pre code').first().textContent();
      expect(code).to.include(text).and.match(/gla_/);
      expect(await findExample(page, 'revoke').locator('pre code').first().textContent()).to.include(secret);
    }
    await page.reload();
    await findExample(page, 'api').getByText('urlopen').waitFor({ state: 'attached' });
  });

  describe('on the built-in callback page, which', () => {
    const findArrival = (page: Page) => page.locator('[data-arrival]');

    async function issueCode(client: TestClient): Promise<string> {
      const redirect_uri = running.origin() + callbackPath(client.id);
      return running.authorize(client, { username: 'ada', password: PASSWORD }, { redirect_uri });
    }

    it('immediately removes a code from the address bar and the history, for every user', async () => {
      const client = await addClient();
      for (const username of ['ada', 'bob']) {
        const page = await logIn(`${callbackPath(client.id)}?code=glc_x&state=y#code=glc_z`, username);
        await page.waitForURL(running.origin() + callbackPath(client.id));
        expect(await page.evaluate('document.referrer')).not.to.include('glc_');
        await page.goto(`${running.origin()}/accounts/`);
        await page.goBack();
        expect(page.url()).to.equal(running.origin() + callbackPath(client.id));
      }
    });

    it('does not use a code, even a valid one, if another user lured the owner into opening the page', async () => {
      const client = await addClient();
      const page = await logIn(`${callbackPath(client.id)}?code=${await issueCode(client)}&state=forged`);
      await findArrival(page).getByText('does not belong to a request from this tab').waitFor();
      await page.getByRole('link', { name: 'Start again' }).waitFor();
      expect(await findRunButton(page, 'exchange').isVisible()).to.equal(false);
      expect(await page.getByText('A code has arrived').isVisible()).to.equal(false);
      expect((await running.events()).map(({ type }) => type)).not.to.include('AuthorizationCodeRedeemed');
    });

    it('does not use a response with a different state or issuer, or for a different application', async () => {
      const [client, otherClient] = [await addClient(), await addClient()];
      const page = await logIn(`/o/applications/${client.id}/try/`);
      for (const [target, changes, text] of [
        [client, { state: 'forged' }, 'The state is not the one'],
        [client, { iss: 'https://other.example' }, 'names a different server'],
        [otherClient, {}, 'does not belong to a request from this tab'],
      ] as const) {
        await page.goto(`${running.origin()}/o/applications/${client.id}/try/`);
        await findRunButton(page, 'exchange').waitFor();
        await findExample(page, 'authorize')
          .getByRole('link', { name: /^Authorize/ })
          .click();
        await page.getByRole('button', { name: /^(?:Authorize|Allow)/ }).waitFor();
        const state = new URL(page.url()).searchParams.get('state') ?? '';
        const response = { code: 'glc_x', state, iss: running.origin(), ...changes };
        await page.goto(`${running.origin()}${callbackPath(target.id)}?${new URLSearchParams(response).toString()}`);
        await findArrival(page).getByText(text).waitFor();
        expect(await findExample(page, 'exchange').locator('pre code').first().textContent()).not.to.include('glc_x');
        await page.evaluate('sessionStorage.clear()');
      }
    });

    it('shows nothing to other users who end up there, and leaves the code unused', async () => {
      const client = await addClient();
      const page = await logIn(
        `/o/authorize/?${new URLSearchParams({
          response_type: 'code',
          client_id: client.id,
          redirect_uri: running.origin() + callbackPath(client.id),
          state: 'x',
        }).toString()}`,
        'bob',
      );
      await page.getByRole('button', { name: /^(?:Authorize|Allow)/ }).click();
      await page.getByText('for the application’s developers').waitFor();
      expect(page.url()).to.equal(running.origin() + callbackPath(client.id));
      expect(await page.content()).not.to.include('glc_');
      const types = (await running.events()).map(({ type }) => type);
      expect(types).to.include('AuthorizationCodeIssued').and.not.include('AuthorizationCodeRedeemed');
    });
  });
});
