import { expect } from 'chai';
import { authorizePath } from '../support/authorize-requests.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

describe('The language of a page', () => {
  let running: RunningService;

  afterEach(() => running.close());

  async function startService(languages: readonly ['en' | 'de', ...('en' | 'de')[]]): Promise<void> {
    running = await runningService({ settings: { languages } });
    await running.addUser('ada');
  }
  const openBrowser = (languages: string): BrowserSession => running.browser({ 'accept-language': languages });
  const openLogin = (browser: BrowserSession): Promise<Page> => browser.get('/accounts/login/');
  const languageOf = ({ html }: Page): string => /<html lang="([^"]*)"/.exec(html)?.[1] ?? '';

  it('is the offered language that the browser prefers, or else the first one in the setting', async () => {
    await startService(['de', 'en']);
    for (const [acceptLanguage, expected] of [
      ['de-AT,de;q=0.9,en;q=0.8', 'de'],
      ['en-GB', 'en'],
      ['fr,en;q=0.5', 'en'],
      ['fr', 'de'],
      ['*', 'de'],
      ['\u00e4;;q=x', 'de'],
    ] as const)
      expect(languageOf(await openLogin(openBrowser(acceptLanguage))), acceptLanguage).to.equal(expected);
    expect(languageOf(await openLogin(running.browser())), 'without Accept-Language').to.equal('de');
    const germanPage = await openLogin(openBrowser('de'));
    expect(germanPage.html).to.include('<title>Anmelden · Grantlog</title>').and.include('Passwort vergessen?');
  });

  it('is English without Accept-Language by default, and can be chosen', async () => {
    running = await runningService();
    const page = await openLogin(running.browser());
    expect(languageOf(page)).to.equal('en');
    expect(page.html).to.include('action="/language/"');
    expect(languageOf(await openLogin(openBrowser('de-CH')))).to.equal('de');
  });

  it('is English, and cannot be chosen, on a server that offers only English', async () => {
    await startService(['en']);
    const page = await openLogin(openBrowser('de'));
    expect(languageOf(page)).to.equal('en');
    expect(page.html).not.to.include('action="/language/"');
  });

  it('stays the one chosen in this browser, and choosing it returns to the same page', async () => {
    await startService(['en', 'de']);
    const browser = running.browser({
      'sec-fetch-site': 'same-origin',
      referer: `${running.origin()}/o/device/?user_code=A`,
    });
    const page = await openLogin(browser);
    expect(languageOf(page)).to.equal('en');
    const response = await browser.submit(page, { language: 'de' }, '/language/');
    expect(response).to.include({ status: 302, location: '/o/device/?user_code=A' });
    expect(languageOf(await openLogin(browser))).to.equal('de');
    expect((await browser.get('/nowhere/')).html).to.include('<html lang="de"');
    await browser.submit(await openLogin(browser), { language: 'xx' }, '/language/');
    expect(languageOf(await openLogin(browser)), 'after a language that does not exist').to.equal('de');
  });

  it('is independent of the programming language of the examples', async () => {
    await startService(['en', 'de']);
    const { username, password } = await running.addUser();
    const { id } = await running.addClient({ owner: username });
    const browser = running.browser({ 'sec-fetch-site': 'same-origin' });
    await browser.logIn(username, password);
    const path = `/o/applications/${id}/try/`;
    await browser.submit(await browser.get(path), { language: 'de' }, '/language/');
    const examplesPage = await browser.get(`${path}?language=python`);
    expect([languageOf(examplesPage), /import requests|urllib/.test(examplesPage.html)]).to.deep.equal(['de', true]);
    const repeatedVisit = await browser.get(path);
    expect([languageOf(repeatedVisit), /import requests|urllib/.test(repeatedVisit.html)]).to.deep.equal(['de', true]);
    await browser.submit(repeatedVisit, { language: 'en' }, '/language/');
    expect(/import requests|urllib/.test((await browser.get(path)).html)).to.equal(true);
  });

  it('cannot be changed by another site', async () => {
    await startService(['en', 'de']);
    const browser = running.browser();
    expect((await browser.post('/language/', { language: 'de' })).status).to.equal(403);
    expect(languageOf(await openLogin(browser))).to.equal('en');
  });

  it('applies to error messages, too', async () => {
    await startService(['en', 'de']);
    const browser = openBrowser('de');
    const failedLogin = await browser.logIn('ada', 'nonsense');
    expect(failedLogin.html).to.include('Benutzername, E-Mail-Adresse oder Passwort ist falsch.');
  });

  describe('that an application requests (OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2)', () => {
    const authorize = async (browser: BrowserSession, parameters: Readonly<Record<string, string>>): Promise<Page> => {
      const client = await running.addClient();
      const page = await browser.get(authorizePath(client, parameters));
      return page.location === null ? page : browser.get(page.location);
    };

    it('is the first one in ui_locales that the server offers, on every page until the next request', async () => {
      await startService(['en', 'de']);
      const { username, password } = await running.addUser();
      const browser = running.browser();
      const loginPage = await authorize(browser, { ui_locales: 'fr-CH de-CH en' });
      expect(languageOf(loginPage)).to.equal('de');
      const consentPage = await browser.submitAndFollow(loginPage, { username, password }, '/accounts/login/');
      expect(consentPage.path).to.include('/o/authorize/');
      expect(languageOf(consentPage)).to.equal('de');
      expect(languageOf(await browser.get('/accounts/'))).to.equal('de');
      expect(languageOf(await authorize(browser, {}))).to.equal('en');
      expect(languageOf(await browser.get('/accounts/'))).to.equal('en');
    });

    it("does not override the user's choice, and is ignored if the server does not offer it", async () => {
      await startService(['en', 'de']);
      const browser = running.browser();
      await browser.submit(await openLogin(browser), { language: 'en' }, '/language/');
      expect(languageOf(await authorize(browser, { ui_locales: 'de' }))).to.equal('en');
      await running.close();
      await startService(['en']);
      expect(languageOf(await authorize(running.browser(), { ui_locales: 'de' }))).to.equal('en');
      expect((await running.browser().get('/.well-known/openid-configuration')).html).to.include(
        '"ui_locales_supported":["en"]',
      );
    });

    it('applies to the logout page, too', async () => {
      await startService(['en', 'de']);
      expect(languageOf(await running.browser().get('/o/logout/?ui_locales=de'))).to.equal('de');
    });
  });
});
