import { expect } from 'chai';
import { authorizePath } from '../support/authorize-requests.ts';
import { describeInChromium } from '../support/browser.ts';
import { startCallbackServer, type CallbackServer } from '../support/callback-server.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const ADA = { username: 'ada', password: 'correct horse battery' };

describeInChromium('In a browser, a user', (chromium) => {
  let running: RunningService;
  let application: CallbackServer;

  beforeEach(async () => {
    running = await runningService({ isItsOwnIssuer: true });
    application = await startCallbackServer();
    await running.service().accounts.register(ADA, { actor: { kind: 'operator' }, requestId: null });
  });
  afterEach(async () => {
    await application.close();
    await running.close();
  });

  it('fills in a profile without JavaScript, and sees on the consent page what an application would get', async () => {
    const redirectUri = application.redirectUri('127.0.0.1');
    const client = await running.addClient({ name: 'Photo Frame', redirectUris: [redirectUri] });
    const { page } = await chromium.open({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 800 },
    });
    await page.goto(`${running.origin()}/accounts/`);
    await page.getByLabel('User name').fill(ADA.username);
    await page.getByLabel('Password', { exact: true }).fill(ADA.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('link', { name: 'Profile', exact: true }).click();

    await page.getByLabel('Nickname').fill('Countess');
    await page.getByLabel('Birthday').fill('10.12.1815');
    await page.getByLabel('Street address').fill('12 St James’s Square\nFlat 3');
    await page.getByLabel('Time zone').selectOption('Europe/London');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: /^Birthday: Enter a date/ }).click();
    expect(await page.getByLabel('Nickname').inputValue()).to.equal('Countess');
    expect(await page.getByLabel('Time zone').inputValue()).to.equal('Europe/London');
    await page.getByLabel('Birthday').fill('1815-12-10');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your profile was saved.').waitFor();

    await page.goto(
      running.origin() + authorizePath(client, { redirect_uri: redirectUri, scope: 'openid profile address phone' }),
    );
    const consent = await page.getByRole('group', { name: /^Photo Frame wants to/ }).innerText();
    for (const text of ['Countess', '1815-12-10', 'Europe/London', 'Flat 3', 'Not filled in: phone number'])
      expect(consent).to.include(text);
    await page.getByRole('checkbox', { name: /See your postal address/ }).uncheck();
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByText('Back at the application').waitFor();
    const consentEvent = (await running.events()).findLast(({ type }) => type === 'ConsentGiven');
    expect(consentEvent?.data).to.deep.include({ scope: ['openid', 'profile', 'phone'] });
  });
});
