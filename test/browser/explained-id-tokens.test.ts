import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { SIGNING_ALGORITHMS } from '../../src/domain/values.ts';
import { describeInChromium } from '../support/browser.ts';
import { REDIRECT_URI, runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const ADA = { username: 'ada', password: 'correct horse battery' };
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describeInChromium('In a browser, Try it with OpenID Connect', (chromium) => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService({ isItsOwnIssuer: true });
    const account = { ...ADA, email: 'ada@example.org', firstName: 'Ada' };
    await running.service().accounts.register(account, OPERATOR);
  });
  afterEach(() => running.close());

  async function openApplication({ id }: TestClient): Promise<{ page: Page; consoleErrors: readonly string[] }> {
    const tab = await chromium.open();
    const { page } = tab;
    await page.clock.setFixedTime(running.clock.now());
    await page.goto(`${running.origin()}/o/applications/${id}/try/`);
    await page.getByLabel('User name').fill(ADA.username);
    await page.getByLabel('Password', { exact: true }).fill(ADA.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Try it' }).waitFor();
    return tab;
  }

  /** Logs in through the link on the page. Returns the token response. */
  async function logIn(page: Page, client: TestClient): Promise<Readonly<Record<string, string>>> {
    const link = page.locator('.example', { hasText: 'OpenID Connect: log the user in' }).getByRole('link');
    const authorizationUrl = new URL((await link.getAttribute('href')) ?? '', running.origin());
    const code = await running.authorize(client, ADA, Object.fromEntries(authorizationUrl.searchParams));
    const verifier = (await page.locator('[data-verifier]').getAttribute('data-verifier')) ?? '';
    const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
    const { json } = await running.token(client, form);
    return json as Readonly<Record<string, string>>;
  }

  async function pasteResponse(page: Page, text: string): Promise<void> {
    const field = page.getByLabel('Paste a response to fill in the examples');
    if (!(await field.isVisible())) await page.getByText('Fill in a response that you got elsewhere').click();
    await field.fill(text);
  }
  const claimRow = (page: Page, claim: string, container = '.token') =>
    page.locator(`${container} tr`, { has: page.getByRole('rowheader', { name: claim, exact: true }) });

  for (const idTokenAlgorithm of SIGNING_ALGORITHMS) {
    it(`checks and explains an ID token signed with ${idTokenAlgorithm}`, async () => {
      const client = await running.addClient({ owner: 'ada', openid: { idTokenAlgorithm } });
      const { page, consoleErrors } = await openApplication(client);
      expect(await page.getByRole('heading', { name: 'The ID token' }).isVisible()).to.equal(false);
      await pasteResponse(page, JSON.stringify(await logIn(page, client)));
      await page.getByText(`The signature is valid: ${idTokenAlgorithm}, with the published key`).waitFor();
      for (const [claim, explanation] of [
        ['iss', 'It is this server.'],
        ['aud', 'It is this application.'],
        ['exp', 'It has not expired.'],
        ['nonce', 'It is the one in the request.'],
        ['at_hash', 'It matches the access token.'],
        ['acr', 'How strong the login was'],
        ['sub', 'Identifies the user.'],
      ] as const)
        expect(await claimRow(page, claim).innerText(), claim).to.include(explanation);
      expect(await page.getByText('Not defined by this server').count()).to.equal(0);
      expect(consoleErrors).to.deep.equal([]);
    });
  }

  it('shows userinfo on request, even if it is signed', async () => {
    for (const userinfoAlgorithm of [null, 'RS256'] as const) {
      const client = await running.addClient({ owner: 'ada', openid: { userinfoAlgorithm } });
      const { page, consoleErrors } = await openApplication(client);
      await pasteResponse(page, JSON.stringify(await logIn(page, client)));
      expect(await claimRow(page, 'email').count(), 'not in the ID token').to.equal(0);
      await page.locator('[data-example=userinfo]').getByRole('button', { name: /^Run/ }).click();
      await claimRow(page, 'email', '[data-example=userinfo]').waitFor();
      expect(await claimRow(page, 'email', '[data-example=userinfo]').innerText())
        .to.include('ada@example.org')
        .and.to.include('e-mail address');
      const expectedText =
        userinfoAlgorithm === null ? 'What the user agreed to share' : 'The signature is valid: RS256';
      await page.getByText(expectedText).last().waitFor();
      expect(consoleErrors).to.deep.equal([]);
    }
  });

  it('says what is wrong with an ID token that is forged, expired, or for another application or request', async () => {
    const client = await running.addClient({ owner: 'ada' });
    const otherClient = await running.addClient({ owner: 'ada' });
    const { page } = await openApplication(client);
    const [header = '', payload = '', signature = ''] = (await logIn(page, client))['id_token']?.split('.') ?? [];
    const changedClaims = {
      ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object),
      sub: 'someone',
      nonce: 'x',
    };
    const forgedToken = [header, Buffer.from(JSON.stringify(changedClaims)).toString('base64url'), signature].join('.');
    await pasteResponse(page, JSON.stringify({ id_token: forgedToken }));
    await page.getByText('The signature is not valid for the published key').waitFor();
    expect(await claimRow(page, 'nonce').innerText()).to.include('It is not the one in the request.');

    const { page: otherPage } = await openApplication(otherClient);
    await otherPage.clock.setFixedTime(running.clock.now() + 86_400_000);
    await pasteResponse(otherPage, JSON.stringify({ id_token: [header, payload, signature].join('.') }));
    await otherPage.getByText('The signature is valid').waitFor();
    expect(await claimRow(otherPage, 'aud').innerText()).to.include('It is not this application.');
    expect(await claimRow(otherPage, 'exp').innerText()).to.include('It has expired.');

    await pasteResponse(otherPage, JSON.stringify({ id_token: '<img src=x>' }));
    await otherPage.getByText('This is not a signed JWT.').waitFor();
  });
});
