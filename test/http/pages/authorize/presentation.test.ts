import { expect } from 'chai';
import { NO_PRESENTATION, type Presentation } from '../../../../src/domain/presentation.ts';
import type { Client } from '../../../../src/projections/clients.ts';
import { applicationMark } from '../../../../src/http/pages/application-mark.ts';
import { authorizePath } from '../../../support/authorize-requests.ts';
import type { BrowserSession } from '../../../support/browser-session.ts';
import { png } from '../../../support/images.ts';
import {
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('An application on the consent page', () => {
  let running: RunningService;
  let app: TestClient;
  let ada: TestUser;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    ada = await running.addUser('ada');
    app = await running.addClient({ name: 'Engine' });
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  const client = (): Client => running.service().projections.clients.find(app.id) ?? expect.fail();
  const setPresentation = (presentation: Partial<Presentation>) =>
    running
      .service()
      .registration.update(
        client().clientId,
        { ...client(), presentation: { ...NO_PRESENTATION, ...presentation } },
        OPERATOR,
      );
  const openConsentPage = async (): Promise<string> =>
    (await browser.get(authorizePath(app, { scope: 'read write' }))).html;

  it('shows its description and its links', async () => {
    await setPresentation({
      description: 'Draws <b>charts</b> & maps.',
      homepageUri: 'https://engine.example/',
      policyUri: 'https://engine.example/privacy?a=1&b=2',
      tosUri: 'https://engine.example/terms',
    });
    const html = await openConsentPage();
    expect(html).to.include('<bdi>Draws &lt;b&gt;charts&lt;/b&gt; &amp; maps.</bdi>');
    for (const [href, title] of [
      ['https://engine.example/', 'Website'],
      ['https://engine.example/privacy?a=1&amp;b=2', 'Privacy policy'],
      ['https://engine.example/terms', 'Terms of service'],
    ])
      expect(html).to.include(`<a href="${href}" rel="noreferrer" target="_blank">${title}</a>`);
  });

  it('shows no links that it has not registered', async () => {
    const html = await openConsentPage();
    for (const title of ['Website', 'Privacy policy', 'Terms of service', 'consent__about'])
      expect(html).not.to.include(title);
    expect(html).to.match(/<span class="mark mark--\d" aria-hidden="true">E<\/span>/);
  });

  it('has the same logo as on the login page and in the list of authorized applications', async () => {
    const image = { mediaType: 'image/png', base64: png().toString('base64') } as const;
    await running.service().registration.changeLogo(client().clientId, image, OPERATOR);
    const logo = /<img class="mark" src="([^"]+)" alt=""/;
    const [, logoPath = ''] = logo.exec(await openConsentPage()) ?? [];
    const loginPage = await running.browser().get(`/accounts/login/?next=${encodeURIComponent(authorizePath(app))}`);
    expect(logo.exec(loginPage.html)?.[1]).to.equal(logoPath);
    await running.token(app, { grant_type: 'password', ...ada });
    expect(logo.exec((await browser.get('/o/authorized_tokens/')).html)?.[1]).to.equal(logoPath);
    expect((await running.get(logoPath)).headers.get('content-type')).to.equal('image/png');
  });

  it('shows the first letter of its name, in a color independent of the name, if it has no logo', () => {
    const markFor = (name: string) => applicationMark({ ...client(), name });
    expect(markFor('engine').initial).to.equal('E');
    expect(markFor('<“Ärger”>').initial).to.equal('Ä');
    expect(markFor('𝒢lass').initial).to.equal('𝒢');
    expect(markFor('→').initial).to.equal('?');
    expect(markFor('a').hue).to.equal(markFor('another name').hue);
  });
});
