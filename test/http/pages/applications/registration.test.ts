import { expect } from 'chai';
import type { BrowserSession, Page } from '../../../support/browser-session.ts';
import { runningService, type RunningService } from '../../../support/running-service.ts';

const PRESENTATION = {
  presentation: 'yes',
  description: 'Weaves algebraic patterns.',
  homepage_uri: 'https://app.example/',
  policy_uri: 'https://app.example/privacy',
  tos_uri: 'https://app.example/terms',
};

describe('The application registration form', () => {
  let running: RunningService;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    const ada = await running.addUser('ada');
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  const register = async (fields: Readonly<Record<string, string | readonly string[]>>): Promise<Page> =>
    browser.submit(await browser.get('/o/applications/register/'), { name: 'Engine', ...fields });
  const newestClient = () => [...running.service().projections.clients.all()].at(-1);
  const errorOf = ({ html }: Page, field: string): string =>
    new RegExp(`id="${field}-error">([^<]*)`).exec(html)?.[1] ?? '';

  it('offers every kind, with one selected, and links to the expert view and back', async () => {
    const { html } = await browser.get('/o/applications/register/');
    for (const kind of ['web', 'browser', 'native', 'device', 'machine'])
      expect(html).to.match(new RegExp(`type="radio" id="kind-${kind}"`));
    expect(html.match(/value="web"[^>]*checked/g)).to.have.length(1);
    expect(html).to.include('href="/o/applications/register/?view=expert"').and.not.include('client_type');
    const expertPage = await browser.get('/o/applications/register/?view=expert');
    expect(expertPage.html).to.include('name="client_type"').and.include('href="/o/applications/register/"');
  });

  for (const [kind, clientType, grantTypes, origins] of [
    ['web', 'confidential', ['authorization-code'], []],
    ['browser', 'public', ['authorization-code'], ['https://app.example']],
    ['native', 'public', ['authorization-code'], []],
    ['device', 'public', ['device-code'], []],
    ['machine', 'confidential', ['client-credentials'], []],
  ] as const) {
    it(`registers a ${kind} application with the settings for its kind`, async () => {
      const redirect_uris = kind === 'machine' || kind === 'device' ? '' : 'https://app.example/callback';
      const response = await register({ application_kind: kind, redirect_uris });
      expect(response.status).to.equal(302);
      expect(response.location).to.match(clientType === 'public' ? /applications\/[^/]+\/$/ : /\/credentials\//);
      expect(newestClient()).to.deep.include({ name: 'Engine', clientType, grantTypes, allowedOrigins: origins });
    });
  }

  it('requires no redirect URI if the built-in callback page is selected', async () => {
    await register({ application_kind: 'web', builtin_callback: 'yes' });
    const client = newestClient();
    expect(client?.redirectUris).to.have.length(1);
    expect(client?.redirectUris[0]).to.match(new RegExp(`^http.*/o/applications/${client?.clientId ?? ''}/callback/$`));
    await register({ application_kind: 'machine', builtin_callback: 'yes', redirect_uris: 'https://app.example/' });
    expect(newestClient()?.redirectUris).to.deep.equal([]);
  });

  it('reports every error beside its field and in the summary, and keeps the input in the form', async () => {
    const eventCount = (await running.events()).length;
    const page = await register({
      ...PRESENTATION,
      application_kind: 'browser',
      name: '',
      redirect_uris: 'http://one.example/ https://fine.example/ nonsense',
      policy_uri: 'http://app.example/privacy',
      tos_uri: 'terms',
    });
    expect(page.status).to.equal(422);
    expect(errorOf(page, 'redirect_uris'))
      .to.include('&#34;http://one.example/&#34; must use https')
      .and.include('&#34;nonsense&#34; is not a full URL');
    expect(errorOf(page, 'policy_uri')).to.include('must use https');
    expect(errorOf(page, 'tos_uri')).to.include('Enter a full URL');
    const summary = /role="alert">([\s\S]*?)<\/div>/.exec(page.html)?.[1]?.replaceAll(/\s+/g, ' ');
    for (const [field, entry] of Object.entries({
      name: 'Name – Enter a name',
      redirect_uris: 'Redirect URIs – &#34;http://one.example/&#34; must use https',
      policy_uri: 'Privacy policy – ',
      tos_uri: 'Terms of service – Enter a full URL',
    }))
      expect(summary).to.include(`<a href="#${field}">${entry}`);
    expect(page.html)
      .to.match(/value="browser"[^>]*checked/)
      .and.to.match(/id="presentation-section" open/);
    expect(page.html).to.include('https://fine.example/').and.include(PRESENTATION.description);
    expect(await running.events()).to.have.length(eventCount);
  });

  it('opens only the sections with errors when an expert form is refused, and keeps the input', async () => {
    const expertPage = await browser.get('/o/applications/register/?view=expert');
    expect(expertPage.html)
      .to.include('id="protocol-section"')
      .and.not.match(/id="[a-z-]+-section" open/);
    const { status, html } = await browser.submit(expertPage, {
      name: 'Engine',
      client_type: 'public',
      authorization_grant_type: 'authorization-code',
      redirect_uris: 'https://app.example/',
      backchannel_logout_uri: 'nonsense',
      token_binding: 'dpop',
      description: 'Counts everything.',
      access_token_format: 'jwt',
    });
    expect(status).to.equal(422);
    const sections = [...html.matchAll(/<details class="disclosure form-section" id="([a-z-]+)-section"( open)?>/g)];
    expect(sections.map(([, name, openAttribute]) => [name, openAttribute !== undefined])).to.deep.equal([
      ['protocol', false],
      ['access-tokens', false],
      ['authentication', false],
      ['security', false],
      ['openid', true],
      ['presentation', false],
    ]);
    expect(html)
      .to.include('Public · Authorization code</span>')
      .and.include('Signed (JWT) · second factor up to each user</span>');
    for (const pattern of [/value="public"[^>]*checked/, /value="dpop"[^>]*checked/, /value="Counts everything\."/])
      expect(html).to.match(pattern);
  });

  it('refuses an unknown kind, with the error beside the kinds', async () => {
    for (const kind of ['fridge', 'constructor'])
      expect(errorOf(await register({ application_kind: kind }), 'application_kind')).to.include(
        'web, browser, native',
      );
  });

  it('registers only one application if it is submitted twice', async () => {
    const form = await browser.get('/o/applications/register/');
    const fields = { application_kind: 'machine', name: 'Engine' };
    await browser.submit(form, fields);
    await browser.submit(form, fields);
    expect((await running.events()).filter(({ type }) => type === 'ClientRegistered')).to.have.length(1);
  });

  describe('with a description and links for users', () => {
    const presentation = () => newestClient()?.presentation;

    it('records them, shows them again, and changes them', async () => {
      await register({ ...PRESENTATION, application_kind: 'machine' });
      expect(presentation()).to.deep.equal({
        description: PRESENTATION.description,
        homepageUri: PRESENTATION.homepage_uri,
        policyUri: PRESENTATION.policy_uri,
        tosUri: PRESENTATION.tos_uri,
      });
      const path = `/o/applications/${newestClient()?.clientId ?? ''}/update/`;
      const form = await browser.get(path);
      expect(form.html).to.include(`value="${PRESENTATION.policy_uri}"`);
      const fields = { name: 'Engine', client_type: 'confidential', authorization_grant_type: 'client-credentials' };
      await browser.submit(form, { ...PRESENTATION, ...fields, homepage_uri: '' });
      expect(presentation()).to.include({ homepageUri: null, tosUri: PRESENTATION.tos_uri });
    });

    it('keeps them if a form without these fields is sent', async () => {
      await register({ ...PRESENTATION, application_kind: 'machine' });
      const path = `/o/applications/${newestClient()?.clientId ?? ''}/update/`;
      const fields = { name: 'Loom', client_type: 'confidential', authorization_grant_type: 'client-credentials' };
      await browser.submit(await browser.get(path), { ...fields, presentation: '' });
      expect(newestClient()?.name).to.equal('Loom');
      expect(presentation()?.description).to.equal(PRESENTATION.description);
    });
  });
});
