import { expect } from 'chai';
import { openSession } from '../../../support/authorize-requests.ts';
import type { BrowserSession } from '../../../support/browser-session.ts';
import { runningService, type RunningService } from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ISSUERS = '/admin/trusted-issuers/add/';
const APPLICATIONS = '/admin/applications/register/';
const PROVIDERS = '/admin/providers/add/';

/** Returns the page without the tags that allow line breaks in a URL. */
const withoutLineBreakTags = (html: string): string => html.replaceAll('<wbr>', '');

describe('A form with a preset', () => {
  let running: RunningService;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    const root = { username: 'root', password: 'the password of root' };
    await running.service().accounts.register({ ...root, roles: ['administrator'] }, OPERATOR);
    browser = await openSession(running, root);
  });
  afterEach(() => running.close());

  it('fills in GitHub Actions, except for an application, a scope and a claim', async () => {
    const app = await running.addClient({ name: 'Deployer' });
    const page = await browser.get(`${ISSUERS}?preset=github`);
    expect(page.html)
      .to.include('value="https://token.actions.githubusercontent.com"')
      .and.match(/aria-current="true">\s*<span class="choice__text"><span class="choice__title">GitHub Actions/)
      .and.include(app.id);
    const fields = {
      trust_issuer: 'https://token.actions.githubusercontent.com',
      jwks_uri: 'https://token.actions.githubusercontent.com/.well-known/jwks',
      trust_use: 'assertion',
      trust_mapping: 'client',
      trust_token_lifetime: '3600',
      trust_assertion_age: '600',
      trust_clients: `${app.id} sub=repo:acme/api:ref:refs/heads/main`,
      trust_scope: 'read',
      trust_claims: 'repository_owner=acme',
    };
    expect((await browser.submit(page, fields)).location).to.equal('/admin/trusted-issuers/');
  });

  it('keeps the preset when the form is shown again with errors', async () => {
    const gitlabForm = await browser.submit(await browser.get(`${ISSUERS}?preset=gitlab`), { trust_scope: 'read' });
    expect(gitlabForm.status).to.equal(422);
    expect(gitlabForm.html).to.match(
      /aria-current="true">\s*<span class="choice__text"><span class="choice__title">GitLab CI/,
    );
    const oktaForm = await browser.submit(await browser.get(`${PROVIDERS}?preset=okta`), { provider_name: '' });
    expect(oktaForm.status).to.equal(422);
    expect(oktaForm.html).to.match(
      /aria-current="true">\s*<span class="choice__text"><span class="choice__title">Okta/,
    );
  });

  it('proposes this server as the audience of Kubernetes tokens', async () => {
    const { html } = await browser.get(`${ISSUERS}?preset=kubernetes`);
    const { issuer } = running.service().config;
    expect(html).to.include(`${issuer}</textarea>`).and.include('value="https://kubernetes.default.svc.cluster.local"');
  });

  it('proposes an unused id for a provider, and shows the redirect URI before there is an id', async () => {
    const { html } = await browser.get(`${PROVIDERS}?preset=google`);
    expect(html).to.include('value="google"').and.include('value="https://accounts.google.com"');
    expect(withoutLineBreakTags(html)).to.include('/accounts/login/provider/google/callback/');
    expect(withoutLineBreakTags((await browser.get(PROVIDERS)).html)).to.include(
      '/accounts/login/provider/ID/callback/',
    );
  });

  it('registers an application of the chosen kind, and requires only a name for a machine', async () => {
    const page = await browser.get(`${APPLICATIONS}?preset=machine`);
    expect(page.html)
      .to.match(/value="client-credentials"[^>]* checked/)
      .and.to.include('not needed for this kind');
    const machine = { name: 'Backup', client_type: 'confidential', authorization_grant_type: 'client-credentials' };
    expect((await browser.submit(page, { ...machine, username: 'root' })).status).to.equal(302);
    const phone = {
      name: 'Phone',
      client_type: 'public',
      authorization_grant_type: 'authorization-code',
      redirect_uris: 'http://127.0.0.1/callback',
    };
    for (const path of [`${APPLICATIONS}?preset=native`, '/o/applications/register/?view=expert&preset=native'])
      expect((await browser.submit(await browser.get(path), { ...phone, username: 'root' })).status).to.equal(302);
    const { clients } = running.service().projections;
    const types = clients.all().map(({ name, clientType, applicationType }) => [name, clientType, applicationType]);
    expect(types).to.deep.equal([
      ['Backup', 'confidential', undefined],
      ['Phone', 'public', 'native'],
      ['Phone', 'public', 'native'],
    ]);
  });

  it('is blank for an unknown preset', async () => {
    for (const path of [ISSUERS, PROVIDERS]) {
      const { status, html } = await browser.get(`${path}?preset=nobody`);
      expect(status).to.equal(200);
      expect(html).to.match(/aria-current="true">\s*<span class="choice__text"><span class="choice__title">Other/);
    }
  });
});
