import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.ts';
import { startCallbackServer, type CallbackServer } from '../support/callback-server.ts';
import { tabTo } from '../support/keyboard.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { canRun, runSnippet } from '../support/snippets.ts';

const PASSWORD = 'correct horse battery';
const ASK_TITLE = 'Authorization code: ask the user';
const EXCHANGE_TITLE = 'Authorization code: exchange the code';
const USE_TITLE = 'Use the token';

describeInChromium('In a browser, a developer', (chromium) => {
  let running: RunningService;
  let application: CallbackServer;

  before(function () {
    if (!canRun('curl')) this.skip();
  });
  beforeEach(async () => {
    running = await runningService({ isItsOwnIssuer: true });
    application = await startCallbackServer();
    await running
      .service()
      .accounts.register({ username: 'ada', password: PASSWORD }, { actor: { kind: 'operator' }, requestId: null });
  });
  afterEach(async () => {
    await application.close();
    await running.close();
  });

  const findExample = (page: Page, title: string) =>
    page.locator('.example', { has: page.getByRole('heading', { name: title, exact: true }) });
  const readSnippet = async (page: Page, title: string): Promise<string> =>
    (await findExample(page, title).locator('pre code').first().textContent()) ?? '';

  async function logIn(page: Page): Promise<void> {
    await page.goto(`${running.origin()}/o/applications/register/?view=expert`);
    await page.getByLabel('User name').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
  }

  /** Registers an application with the form's defaults, a name and a redirect URI. */
  async function register(page: Page, press: 'click' | 'dblclick' = 'click'): Promise<void> {
    await logIn(page);
    await page.getByLabel('Name', { exact: true }).fill('Engine');
    await page.getByLabel('Redirect URIs').fill(application.redirectUri('127.0.0.1'));
    await page.getByRole('button', { name: 'Register' })[press]();
    await page.locator('#client-secret').waitFor();
  }

  /** Opens the examples, and waits until the scripts have filled in the secret. */
  async function openExamples(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'I have stored it: try the application' }).click();
    await page.getByRole('button', { name: /^Run/ }).first().waitFor();
  }

  async function pasteResponse(page: Page, text: string, message: string): Promise<void> {
    const field = page.getByLabel('Paste a response to fill in the examples');
    if (!(await field.isVisible())) await page.getByText('Fill in a response that you got elsewhere').click();
    await field.fill(text);
    await page.getByText(message).waitFor();
  }

  async function openAuthorizeLink(page: Page): Promise<Page> {
    const pageEvent = page.context().waitForEvent('page');
    await findExample(page, ASK_TITLE).getByRole('link').click();
    return pageEvent;
  }

  for (const javaScriptEnabled of [true, false]) {
    const mode = `${javaScriptEnabled ? 'with' : 'without'} JavaScript`;
    it(`sets up OpenID Connect in a section that stays collapsed until it is needed, ${mode}`, async () => {
      const { page, consoleErrors } = await chromium.open({ javaScriptEnabled });
      await logIn(page);
      const section = page.locator('details', { hasText: 'OpenID Connect' });
      const logoutUri = page.getByLabel('Report logouts to');
      const signature = page.getByLabel('Signature of access tokens');
      expect([await logoutUri.isVisible(), await signature.isVisible()]).to.deep.equal([false, false]);
      await page.getByLabel('Name', { exact: true }).fill('Engine');
      await page.getByLabel('Redirect URIs').fill(application.redirectUri('127.0.0.1'));
      await page.locator('#access-tokens-section > summary').click();
      await page.getByText('Signed (JWT)').click();
      await signature.selectOption('EdDSA');
      await section.locator('summary').first().focus();
      await page.keyboard.press('Enter');
      await logoutUri.fill('http://app.example/logout');
      await page.getByText('The login time in ID tokens').click();
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByText('Please fix the following').waitFor();
      expect(await logoutUri.inputValue()).to.equal('http://app.example/logout');
      await logoutUri.fill('https://app.example/logout');
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByRole('link', { name: 'Go to the application' }).click();
      await page.getByRole('heading', { name: 'OpenID Connect', exact: true }).waitFor();
      await page.getByText('Signed (JWT), with EdDSA').waitFor();
      await page.getByRole('link', { name: 'Settings' }).click();
      expect(await logoutUri.isVisible()).to.equal(true);
      expect(await page.getByLabel('The login time in ID tokens').isChecked()).to.equal(true);
      expect(consoleErrors.filter((text) => !text.includes('422'))).to.deep.equal([]);
    });

    it(`registers an application, gets a token and revokes access with the keyboard, ${mode}`, async () => {
      const { page, consoleErrors } = await chromium.open({ javaScriptEnabled });
      await logIn(page);
      await tabTo(page.getByRole('textbox', { name: 'Name', exact: true }));
      await page.keyboard.type('Engine');
      await tabTo(page.getByRole('textbox', { name: 'Redirect URIs', exact: true }));
      await page.keyboard.type(application.redirectUri('127.0.0.1'));
      await page.keyboard.press('Tab');
      await tabTo(page.getByRole('button', { name: 'Register', exact: true }));
      await page.keyboard.press('Enter');
      const secret = await page.locator('#client-secret').innerText();
      await tabTo(page.getByRole('link', { name: 'I have stored it: try the application', exact: true }));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Try it' }).waitFor();
      expect(await page.locator('#client-secret').count()).to.equal(0);

      const pageEvent = page.context().waitForEvent('page');
      await tabTo(page.getByRole('link', { name: 'Open it in a new tab', exact: true }));
      await page.keyboard.press('Enter');
      const consent = await pageEvent;
      const exchange = await readSnippet(page, EXCHANGE_TITLE);
      await consent.getByRole('button', { name: 'Authorize' }).waitFor();
      await tabTo(consent.getByRole('button', { name: 'Authorize', exact: true }));
      await consent.keyboard.press('Enter');
      await consent.getByText('Back at the application').waitFor();
      const code = application.receivedQueries[0]?.get('code') ?? '';
      const response = await runSnippet('curl', exchange.replace('CODE', code).replace('CLIENT_SECRET', secret));
      expect(JSON.parse(response)).to.include({ token_type: 'Bearer', scope: 'read write' });

      await page.goto(`${running.origin()}/o/authorized_tokens/`);
      await page.locator('summary', { hasText: 'Revoke access for Engine' }).press('Enter');
      await tabTo(page.getByRole('button', { name: 'Revoke access for Engine', exact: true }));
      await page.keyboard.press('Enter');
      await page.getByRole('status').getByText('Engine no longer has access to your account.').waitFor();
      expect((await running.events()).at(-1)?.type).to.equal('GrantRevoked');
      expect(consoleErrors).to.deep.equal([]);
    });
  }

  it('gets a new PKCE pair for each request, and redeems the code only with the new verifier', async () => {
    const { page, consoleErrors } = await chromium.open();
    await register(page);
    await openExamples(page);
    const snippetBefore = await readSnippet(page, EXCHANGE_TITLE);
    const consent = await openAuthorizeLink(page);
    await consent.getByRole('button', { name: 'Authorize' }).waitFor();
    expect(consent.url()).to.equal(await readSnippet(page, ASK_TITLE));
    await consent.getByRole('button', { name: 'Authorize' }).click();
    await consent.getByText('Back at the application').waitFor();
    const code = application.receivedQueries[0]?.get('code') ?? '';
    expect(JSON.parse(await runSnippet('curl', snippetBefore.replace('CODE', code)))).to.include({
      error: 'invalid_grant',
    });

    await pasteResponse(page, consent.url(), 'The code was filled in.');
    const response = await runSnippet('curl', await readSnippet(page, EXCHANGE_TITLE));
    await pasteResponse(page, response, 'The access token and refresh token were filled in.');
    expect(await runSnippet('curl', await readSnippet(page, USE_TITLE))).to.include('"username":"ada"');
    expect(JSON.parse(await runSnippet('curl', await readSnippet(page, 'Refresh the tokens')))).to.include({
      token_type: 'Bearer',
    });
    expect(consoleErrors).to.deep.equal([]);
  });

  it('is told why a response cannot be filled in, and cannot fill in text that would close a shell quote', async () => {
    const { page } = await chromium.open();
    await register(page);
    await page.getByRole('link', { name: 'Go to the application' }).click();
    await page.getByRole('link', { name: 'Try it' }).click();
    await page.getByRole('heading', { name: 'Try it' }).waitFor();
    const state = (await page.locator('[data-state]').getAttribute('data-state')) ?? '';
    const snippetBefore = await readSnippet(page, EXCHANGE_TITLE);
    const callback = application.redirectUri('127.0.0.1');
    await pasteResponse(
      page,
      `${callback}?code=';id;'&state=${state}`,
      'This contains nothing that the examples need.',
    );
    await pasteResponse(page, `${callback}?code=glc_x&state=another`, 'The state does not match the address above');
    await pasteResponse(
      page,
      `${callback}?error=access_denied&state=${state}`,
      'This response contains the error access_denied',
    );
    await pasteResponse(page, '{"error":"invalid_grant"}', 'This response contains the error invalid_grant');
    await pasteResponse(page, 'gla_no.request.has.a.place.for.two words', 'This contains nothing');
    expect(await readSnippet(page, EXCHANGE_TITLE)).to.equal(snippetBefore);
    await pasteResponse(page, 'gls_secret', 'The client secret was filled in.');
    expect(await readSnippet(page, EXCHANGE_TITLE)).to.equal(snippetBefore.replace('CLIENT_SECRET', 'gls_secret'));
  });

  it('must confirm leaving the page with the secret, except through the link that says it is stored', async () => {
    const { page } = await chromium.open();
    await register(page);
    const dialogEvent = page.waitForEvent('dialog');
    await page.locator('#client-secret').click(); // Browsers ask only on a page that the user has interacted with.
    // Resolves when the dialog is closed.
    const click = page.locator('.crumbs').getByRole('link', { name: 'My applications' }).click();
    const dialog = await dialogEvent;
    expect(dialog.type()).to.equal('beforeunload');
    await dialog.dismiss();
    await click;
    expect(await page.locator('#client-secret').count()).to.equal(1);
    page.on('dialog', () => expect.fail('asked again'));
    await page.getByRole('link', { name: 'I have stored it: try the application' }).click();
    await page.getByRole('heading', { name: 'Try it' }).waitFor();
  });

  for (const javaScriptEnabled of [true, false]) {
    const mode = `${javaScriptEnabled ? 'with' : 'without'} JavaScript`;
    const readSecret = (page: Page): Promise<string> => page.locator('#client-secret').innerText();
    const readClientId = (page: Page): Promise<string> => page.locator('#client-id').innerText();
    const requestToken = async (client_id: string, client_secret: string): Promise<number> =>
      (await running.post('/o/token/', { grant_type: 'client_credentials', client_id, client_secret })).status;
    const countEvents = async (type: string): Promise<number> =>
      (await running.events()).filter((event) => event.type === type).length;

    async function registerForClientCredentials(page: Page, press: 'click' | 'dblclick') {
      page.on('dialog', (dialog) => void dialog.accept());
      await logIn(page);
      await page.getByLabel('Name', { exact: true }).fill('Engine');
      await page.locator('#protocol-section > summary').click();
      await page.getByLabel('Client credentials').check();
      await page.getByLabel('Authorization code').uncheck();
      await page.getByRole('button', { name: 'Register' })[press]();
      await page.locator('#client-secret').waitFor();
      return { id: await readClientId(page), secret: await readSecret(page) };
    }

    it(`reloads the page with a new secret, which is then hidden but still valid, ${mode}`, async () => {
      const { page, consoleErrors } = await chromium.open({ javaScriptEnabled });
      const { id, secret } = await registerForClientCredentials(page, 'click');
      await page.reload();
      await page.getByText('The secret was shown only once').waitFor();
      expect(await page.locator('#client-secret').count()).to.equal(0);
      await page.getByRole('link', { name: 'Rotate the secret' }).click();
      expect(await page.getByLabel('One day').isChecked()).to.equal(true);
      await page.getByRole('button', { name: 'Rotate the secret' }).click();
      const newSecret = await readSecret(page);
      await page.reload();
      await page.getByText('The secret was shown only once').waitFor();
      await page.goBack();
      expect([await countEvents('ClientRegistered'), await countEvents('ClientSecretRotated')]).to.deep.equal([1, 1]);
      expect([await requestToken(id, secret), await requestToken(id, newSecret)]).to.deep.equal([200, 200]);
      expect(consoleErrors).to.deep.equal([]);
    });

    it(`registers one application and rotates its secret once, even with double clicks, ${mode}`, async () => {
      const { page } = await chromium.open({ javaScriptEnabled });
      const { id, secret } = await registerForClientCredentials(page, 'dblclick');
      expect(await requestToken(id, secret)).to.equal(200);
      await page.goto(`${running.origin()}/o/applications/${id}/rotate_secret/`);
      await page.getByRole('button', { name: 'Rotate the secret' }).dblclick();
      await page.locator('#client-secret').waitFor();
      expect([await requestToken(id, secret), await requestToken(id, await readSecret(page))]).to.deep.equal([
        200, 200,
      ]);
      expect([await countEvents('ClientRegistered'), await countEvents('ClientSecretRotated')]).to.deep.equal([1, 1]);
    });
  }

  it('registers one application and gets one code even if each form is submitted with a double click', async () => {
    const { page } = await chromium.open();
    await register(page, 'dblclick');
    await openExamples(page);
    const consent = await openAuthorizeLink(page);
    await consent.getByRole('button', { name: 'Authorize' }).dblclick();
    await consent.getByText('Back at the application').waitFor();
    const types = (await running.events())
      .map(({ type }) => type)
      .filter((type) => /^(?:Client|AuthorizationCode)/.test(type));
    expect(types).to.deep.equal(['ClientRegistered', 'AuthorizationCodeIssued']);
    expect(application.receivedQueries).to.have.length(1);
  });
});
