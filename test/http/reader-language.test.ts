import { expect } from 'chai';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

describe('The language of a page', () => {
  let running: RunningService;

  afterEach(() => running.close());

  async function start(languages: readonly ['en' | 'de', ...('en' | 'de')[]]): Promise<void> {
    running = await runningService({ settings: { languages } });
    await running.addUser('ada');
  }
  const browserThatAccepts = (languages: string): BrowserSession => running.browser({ 'accept-language': languages });
  const login = (browser: BrowserSession): Promise<Page> => browser.get('/accounts/login/');
  const languageOf = ({ html }: Page): string => /<html lang="([^"]*)"/.exec(html)?.[1] ?? '';

  it('is the one of the setting that the browser prefers, otherwise the first one', async () => {
    await start(['de', 'en']);
    for (const [accepted, expected] of [
      ['de-AT,de;q=0.9,en;q=0.8', 'de'],
      ['en-GB', 'en'],
      ['fr,en;q=0.5', 'en'],
      ['fr', 'de'],
      ['*', 'en'],
      ['\u00e4;;q=x', 'de'],
    ] as const)
      expect(languageOf(await login(browserThatAccepts(accepted))), accepted).to.equal(expected);
    const german = await login(browserThatAccepts('de'));
    expect(german.html).to.include('<title>Anmelden · Grantlog</title>').and.include('Passwort vergessen?');
  });

  it('is English on a server that offers only English, which shows no choice', async () => {
    await start(['en']);
    const page = await login(browserThatAccepts('de'));
    expect(languageOf(page)).to.equal('en');
    expect(page.html).not.to.include('action="/language/"');
  });

  it('is the chosen one for this browser from then on, on the page where it was chosen', async () => {
    await start(['en', 'de']);
    const browser = running.browser({
      'sec-fetch-site': 'same-origin',
      referer: `${running.origin()}/o/device/?user_code=A`,
    });
    const page = await login(browser);
    expect(languageOf(page)).to.equal('en');
    const chosen = await browser.submit(page, { language: 'de' }, '/language/');
    expect(chosen).to.include({ status: 302, location: '/o/device/?user_code=A' });
    expect(languageOf(await login(browser))).to.equal('de');
    expect((await browser.get('/nowhere/')).html).to.include('<html lang="de"');
    await browser.submit(await login(browser), { language: 'xx' }, '/language/');
    expect(languageOf(await login(browser)), 'after a language that does not exist').to.equal('de');
  });

  it('cannot be changed by another site', async () => {
    await start(['en', 'de']);
    const browser = running.browser();
    expect((await browser.post('/language/', { language: 'de' })).status).to.equal(403);
    expect(languageOf(await login(browser))).to.equal('en');
  });

  it('is that of the message after a redirect, too', async () => {
    await start(['en', 'de']);
    const browser = browserThatAccepts('de');
    const wrong = await browser.logIn('ada', 'nonsense');
    expect(wrong.html).to.include('Benutzername, E-Mail-Adresse oder Passwort ist falsch.');
  });
});
