import { expect } from 'chai';
import { keyPairFor, registerKeys } from '../../../support/assertions.ts';
import { setClientAuthentication, selfSignedSettings, TRUSTED_PROXY } from '../../../support/certificate-clients.ts';
import { issueCertificate } from '../../../support/certificates.ts';
import { updateSecuritySettings } from '../../../support/dpop.ts';
import type { BrowserSession } from '../../../support/browser-session.ts';
import { runningService, type RunningService, type TestUser } from '../../../support/running-service.ts';

describe("An application's overview", () => {
  let running: RunningService;
  let ada: TestUser;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    ada = await running.addUser('ada');
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  const MEMBERS = [
    'issuer',
    'authorization_endpoint',
    'token_endpoint',
    'userinfo_endpoint',
    'introspection_endpoint',
    'revocation_endpoint',
    'jwks_uri',
  ] as const;

  it('shows the URLs from the metadata, and lets users copy them', async () => {
    const { id } = await running.addClient({ owner: 'ada' });
    const { html } = await browser.get(`/o/applications/${id}/`);
    const { json } = await running.get('/.well-known/openid-configuration');
    for (const name of MEMBERS)
      expect(html, name).to.include(`<code id="endpoint-${name}" data-copy>${String(json?.[name])}</code>`);
    expect(html).to.include('/.well-known/openid-configuration</code>');
  });

  it('has a .env file with the values from the metadata, but without the secret', async () => {
    const client = await running.addClient({ owner: 'ada', name: 'My "Engine" № 1' });
    const envFile = await browser.get(`/o/applications/${client.id}/env/`);
    expect(envFile.headers.get('content-disposition')).to.equal('attachment; filename="my-engine-1.env"');
    expect(envFile.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    const { json } = await running.get('/.well-known/openid-configuration');
    for (const name of MEMBERS)
      expect(envFile.html).to.include(`OAUTH_${name.toUpperCase()}=${String(json?.[name])}\n`);
    expect(envFile.html).to.include(`OAUTH_CLIENT_ID=${client.id}\n`);
    expect(envFile.html).to.match(/# The secret was shown once[^\n]*\nOAUTH_CLIENT_SECRET=\n/);
  });

  it('has a .env file without a secret for a public application', async () => {
    const { id } = await running.addClient({ owner: 'ada', clientType: 'public', grantTypes: ['authorization-code'] });
    expect((await browser.get(`/o/applications/${id}/env/`)).html).not.to.include('SECRET');
  });

  it('offers no secret for an application with a private key, and says how the application is protected', async () => {
    const client = await running.addClient({ owner: 'ada', grantTypes: ['authorization-code'] });
    await registerKeys(running, client, keyPairFor('ES256', 'key of 2026'));
    await updateSecuritySettings(running, client, {
      dpopBoundAccessTokens: true,
      requirePushedAuthorizationRequests: true,
    });
    const path = `/o/applications/${client.id}/`;
    for (const page of [path, `${path}update/`]) {
      const { html } = await browser.get(page);
      expect(html, page).not.to.match(/rotate|client secret/i);
      expect(html, page).to.include(`href="${path}keys/"`);
    }
    const { html } = await browser.get(path);
    for (const fact of [
      '1 registered',
      'Signature with a private key',
      '<code>key of 2026</code>',
      'bound to a key of the application (DPoP)',
      'must be pushed (PAR)',
    ])
      expect(html).to.include(fact);
    expect((await browser.get(`${path}env/`)).html)
      .to.include('# The application authenticates with a private key: private_key_jwt.\n')
      .and.not.include('SECRET');
    expect((await browser.get(`${path}rotate_secret/`)).status).to.equal(404);
  });

  it('offers to create the first secret for an application that has switched to secrets', async () => {
    const client = await running.addClient({ owner: 'ada', name: 'Engine' });
    const path = `/o/applications/${client.id}/`;
    expect((await browser.get(path)).html).not.to.include('Authentication and protection');
    const keyClientPage = await browser.submitAndFollow(await browser.get('/o/applications/register/?view=expert'), {
      name: 'Engine',
      client_type: 'confidential',
      authorization_grant_type: 'client-credentials',
      redirect_uris: '',
      auth_method: 'private_key_jwt',
      client_keys: JSON.stringify(keyPairFor('ES256').jwk),
    });
    const keysPage = await browser.get(`${keyClientPage.path}keys/`);
    await browser.submit(keysPage, { auth_method: 'client_secret_basic' }, `${keyClientPage.path}authentication/`);
    expect((await browser.get(keyClientPage.path)).html)
      .to.include('None yet')
      .and.include('Create a secret…');
    expect((await browser.get(`${keyClientPage.path}env/`)).html).to.include('# The application has no secret yet.');
    const form = await browser.get(`${keyClientPage.path}rotate_secret/`);
    expect(form.html).to.include('Create a secret for').and.not.include('name="old_secret"');
    expect((await browser.submitAndFollow(form, {})).html).to.include('id="client-secret"');
    expect((await browser.get(keyClientPage.path)).html).to.include('Rotate the secret…');
  });

  it('shows the URLs for mutual TLS if the application uses a certificate', async () => {
    const client = await running.addClient({ owner: 'ada' });
    const path = `/o/applications/${client.id}/`;
    await running.restart({ ...TRUSTED_PROXY, mtlsUrl: 'https://mtls.example' });
    await browser.logIn(ada.username, ada.password);
    expect((await browser.get(path)).html).not.to.include('mtls.example');
    await setClientAuthentication(running, client, await selfSignedSettings(issueCertificate()), true);
    expect((await browser.get(path)).html)
      .to.include('<code id="endpoint-mtls_token_endpoint" data-copy>https://mtls.example/o/token/</code>')
      .and.include('bound to its TLS client certificate');
    expect((await browser.get(`${path}env/`)).html).to.include(
      'OAUTH_MTLS_TOKEN_ENDPOINT=https://mtls.example/o/token/\n',
    );
  });

  it('offers a .env file with the secret while the secret is shown, but not afterwards', async () => {
    const form = await browser.get('/o/applications/register/');
    const page = await browser.submitAndFollow(form, { application_kind: 'machine', name: 'Engine' });
    const secret = /id="client-secret"[^>]*>([^<]+)</.exec(page.html)?.[1] ?? '';
    const envFile = /download="engine\.env"\s+href="data:text\/plain;charset=utf-8,([^"]*)"/.exec(page.html)?.[1] ?? '';
    expect(decodeURIComponent(envFile)).to.include(`OAUTH_CLIENT_SECRET=${secret}\n`);
    expect((await browser.get(page.path)).html).not.to.include('data:');
  });
});

describe('Deleting an application', () => {
  let running: RunningService;
  afterEach(() => running.close());

  it('requires its name once a user has authorized it', async () => {
    running = await runningService();
    const ada = await running.addUser('ada');
    const client = await running.addClient({ owner: 'ada', name: 'Engine' });
    const browser = running.browser();
    await browser.logIn(ada.username, ada.password);
    const path = `/o/applications/${client.id}/delete/`;
    expect((await browser.get(path)).html).not.to.include('Type Engine to confirm');
    await running.authorize(client, ada, {});
    await running.token(client, { grant_type: 'password', username: ada.username, password: ada.password });
    const page = await browser.get(path);
    expect(page.html).to.include('Type Engine to confirm');
    for (const name of ['', 'engine', 'Engine2']) {
      const refusal = await browser.submit(page, name === '' ? {} : { name });
      expect(refusal.status, name).to.equal(422);
      expect(refusal.html).to.include('id="name-error"');
    }
    expect(running.service().projections.clients.find(client.id)).not.to.equal(undefined);
    expect((await browser.submit(page, { name: ' Engine ' })).status).to.equal(302);
    expect(running.service().projections.clients.find(client.id)).to.equal(undefined);
  });
});

describe('The application list', () => {
  let running: RunningService;
  let browser: BrowserSession;
  beforeEach(async () => {
    running = await runningService();
    const ada = await running.addUser('ada');
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  const listNames = async (query: string): Promise<readonly string[]> =>
    [...(await browser.get(`/o/applications/${query}`)).html.matchAll(/row__title">\s*<a[^>]*><bdi>([^<]*)/g)].map(
      ([, name = '']) => name,
    );

  it('is sorted by registration, name or last use', async () => {
    const [firstClient] = [await running.addClient({ owner: 'ada', name: 'b 10' })];
    await running.addClient({ owner: 'ada', name: 'c' });
    await running.addClient({ owner: 'ada', name: 'B 9' });
    await running.token(firstClient, { grant_type: 'client_credentials' });
    expect(await listNames('')).to.deep.equal(['B 9', 'c', 'b 10']);
    expect(await listNames('?sort=name')).to.deep.equal(['B 9', 'b 10', 'c']);
    expect(await listNames('?sort=last-used')).to.deep.equal(['b 10', 'B 9', 'c']);
    expect(await listNames('?sort=nonsense')).to.deep.equal(['B 9', 'c', 'b 10']);
    expect(await listNames('?sort=name&q=b')).to.deep.equal(['B 9', 'b 10']);
  });

  it('keeps the search and the sort order from page to page, and shows the number of applications', async () => {
    for (let count = 0; count < 51; count += 1) await running.addClient({ owner: 'ada', name: `app ${count}` });
    const { html } = await browser.get('/o/applications/?sort=name&q=app');
    expect(html).to.include('51 applications, 51 matches').and.include('<option value="name" selected>');
    const next = /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(await listNames(next.slice('/o/applications/'.length))).to.deep.equal(['app 50']);
    expect(await listNames('?sort=name&q=app&page=2')).to.deep.equal(['app 50']);
  });

  it('makes the client id easy to copy, and says when the application was registered', async () => {
    const { id } = await running.addClient({ owner: 'ada' });
    const { html } = await browser.get('/o/applications/');
    expect(html)
      .to.match(new RegExp(`<code id="client-id-0" data-copy>${id}</code>`))
      .and.to.match(/registered\s+<time/);
  });
});
