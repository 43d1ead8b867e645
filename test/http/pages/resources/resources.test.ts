import { expect } from 'chai';
import { openSession } from '../../../support/authorize-requests.ts';
import type { BrowserSession } from '../../../support/browser-session.ts';
import { PAYMENT } from '../../../support/detail-types.ts';
import { runningService, type RunningService, type TestUser } from '../../../support/running-service.ts';

const REGISTER_PATH = '/o/resources/register/';
const FILES_URI = 'https://files.example/mcp';
const CONFIGURED_URI = 'https://fixed.example/';
const FORM_VALUES = {
  resource_uri: FILES_URI,
  name: 'Files',
  resource_scopes: 'files:read Read your files\r\n\r\nfiles:write   Change your files',
  access_token_format: 'jwt',
  access_token_algorithm: 'ES256',
  access_token_lifetime: '600',
  publish_metadata: 'on',
};

describe('The resource server pages', () => {
  let running: RunningService;
  let ada: TestUser;
  let developer: BrowserSession;
  let administrator: BrowserSession;

  async function setUp(settings: Readonly<Record<string, unknown>> = {}): Promise<void> {
    running = await runningService({ settings: { resources: [CONFIGURED_URI], ...settings } });
    ada = await running.addUser('ada');
    const root = await running.addUser('root', ['administrator']);
    developer = await openSession(running, ada);
    administrator = await openSession(running, root);
  }
  afterEach(() => running.close());

  const submitForm = async (browser: BrowserSession, formPath: string, fields: Readonly<Record<string, string>>) =>
    browser.submit(await browser.get(formPath), fields, formPath);
  const currentResource = () => running.service().projections.resources.find(FILES_URI);
  const findUserId = (name: string) => running.service().projections.users.findByName(name)?.userId ?? null;
  const resourcePath = () => `/o/resources/${currentResource()?.resourceId ?? ''}/`;

  it('register a resource server with all its settings, and show the URL of its metadata', async () => {
    await setUp();
    const { status, location } = await submitForm(administrator, REGISTER_PATH, FORM_VALUES);
    expect([status, location]).to.deep.equal([302, resourcePath()]);
    expect(currentResource()).to.deep.include({
      uri: FILES_URI,
      name: 'Files',
      ownerId: findUserId('root'),
      scopes: [
        { name: 'files:read', description: 'Read your files' },
        { name: 'files:write', description: 'Change your files' },
      ],
      accessTokenFormat: 'jwt',
      accessTokenAlgorithm: 'ES256',
      accessTokenLifetimeSeconds: 600,
      publishesMetadata: true,
    });
    const { html } = await administrator.get(resourcePath());
    expect(html).to.include(`/o/resource-metadata/${currentResource()?.resourceId}`);
    expect((await administrator.get('/o/resources/')).html.replaceAll('<wbr>', ''))
      .to.include(FILES_URI)
      .and.include(CONFIGURED_URI);
  });

  it('declare authorization detail types, keep them, and remove them', async () => {
    await setUp();
    await submitForm(administrator, REGISTER_PATH, { ...FORM_VALUES, detail_types: JSON.stringify([PAYMENT]) });
    const declaredTypes = [{ ...PAYMENT, schema: JSON.stringify(PAYMENT.schema) }];
    expect(currentResource()?.detailTypes).to.deep.equal(declaredTypes);
    const json = JSON.stringify([PAYMENT], null, 2);
    expect((await administrator.get(resourcePath())).html).to.include(json.replaceAll('"', '&#34;'));
    await submitForm(administrator, resourcePath(), { name: 'All files', detail_types: json.replaceAll('\n', '\r\n') });
    expect(currentResource()).to.deep.include({ name: 'All files', detailTypes: declaredTypes });
    const otherFields = {
      ...FORM_VALUES,
      resource_uri: 'https://other.example/',
      detail_types: JSON.stringify([PAYMENT]),
    };
    const { status, html } = await submitForm(administrator, REGISTER_PATH, otherFields);
    expect(status).to.equal(422);
    expect(html).to.include('id="detail_types-error"').and.include('belongs to one resource server');
    await submitForm(administrator, resourcePath(), { name: 'Files', detail_types: '' });
    expect(currentResource()).not.to.have.property('detailTypes');
  });

  it('let owners choose one of their own confidential clients for introspection, and administrators any', async () => {
    await setUp({ resourceRegistration: 'developers' });
    const ownClient = await running.addClient({ owner: ada.username });
    const otherClient = await running.addClient();
    const publicClient = await running.addClient({
      clientType: 'public',
      grantTypes: ['authorization-code'],
      owner: ada.username,
    });
    await submitForm(developer, REGISTER_PATH, { ...FORM_VALUES, introspection_client: ownClient.id });
    expect(currentResource()?.introspectionClient).to.equal(ownClient.id);
    expect((await administrator.get(resourcePath())).html).to.include(`value="${ownClient.id}"`);
    for (const id of [otherClient.id, 'nobody', publicClient.id]) {
      const { status, html } = await submitForm(developer, resourcePath(), { introspection_client: id });
      expect([status, html.includes('id="introspection_client-error"')], id).to.deep.equal([422, true]);
    }
    for (const id of ['nobody', publicClient.id])
      expect((await submitForm(administrator, resourcePath(), { introspection_client: id })).status, id).to.equal(422);
    await submitForm(administrator, resourcePath(), { name: 'Files', introspection_client: otherClient.id });
    await submitForm(developer, resourcePath(), { name: 'All files', introspection_client: otherClient.id });
    expect(currentResource()).to.include({ name: 'All files', introspectionClient: otherClient.id });
    await submitForm(developer, resourcePath(), { name: 'All files', introspection_client: '' });
    expect(currentResource()).not.to.have.property('introspectionClient');
  });

  it('show each problem beside its field, and register nothing', async () => {
    await setUp();
    const invalidFields = { resource_uri: 'x', name: '', resource_scopes: 'files:read', access_token_lifetime: 'soon' };
    const { status, html } = await submitForm(administrator, REGISTER_PATH, { ...FORM_VALUES, ...invalidFields });
    expect(status).to.equal(422);
    for (const field of Object.keys(invalidFields)) expect(html, field).to.include(`id="${field}-error"`);
    expect(running.service().projections.resources.all()).to.deep.equal([]);
  });

  it('report an invalid URI only once, even if its metadata would be published', async () => {
    await setUp();
    const invalidFields = { resource_uri: 'files', publish_metadata: 'on' };
    const { status, html } = await submitForm(administrator, REGISTER_PATH, { ...FORM_VALUES, ...invalidFields });
    expect(status).to.equal(422);
    const [, summary = ''] = /<div class="notice notice--danger"([\s\S]*?)<\/div>/.exec(html) ?? [];
    expect([...summary.matchAll(/<a href="#([^"]+)"/g)].map(([, field]) => field)).to.deep.equal(['resource_uri']);
  });

  it('let only administrators register a resource server, unless a setting permits developers to', async () => {
    await setUp();
    expect((await developer.get(REGISTER_PATH)).status).to.equal(403);
    const form = await administrator.get(REGISTER_PATH);
    expect((await developer.post(REGISTER_PATH, { ...FORM_VALUES, csrf_token: 'x' })).status).to.equal(403);
    expect(form.status).to.equal(200);
    expect(currentResource()).to.equal(undefined);
    await running.close();

    await setUp({ resourceRegistration: 'developers' });
    expect((await submitForm(developer, REGISTER_PATH, FORM_VALUES)).status).to.equal(302);
    expect(currentResource()?.ownerId).to.equal(findUserId('ada'));
  });

  it('link to the administration pages only for administrators', async () => {
    await setUp({ resourceRegistration: 'developers' });
    expect((await administrator.get('/admin/applications/')).html).to.include('href="/o/resources/"');
    expect((await administrator.get('/o/resources/')).html).to.include('href="/admin/scopes/"');
    expect((await developer.get('/o/resources/')).html).to.not.include('href="/admin/');
  });

  it('prevent developers from taking over a URI from the settings', async () => {
    await setUp({ resourceRegistration: 'developers' });
    for (const uri of [
      CONFIGURED_URI,
      CONFIGURED_URI.endsWith('/') ? CONFIGURED_URI.slice(0, -1) : `${CONFIGURED_URI}/`,
    ])
      expect((await submitForm(developer, REGISTER_PATH, { ...FORM_VALUES, resource_uri: uri })).status, uri).to.equal(
        422,
      );
    expect(
      (await submitForm(administrator, REGISTER_PATH, { ...FORM_VALUES, resource_uri: CONFIGURED_URI })).status,
    ).to.equal(302);
  });

  it('are found only by the owner and by administrators', async () => {
    await setUp({ resourceRegistration: 'developers' });
    await submitForm(developer, REGISTER_PATH, FORM_VALUES);
    const otherUser = await openSession(running, await running.addUser('other'));
    for (const path of [resourcePath(), `${resourcePath()}delete/`]) {
      expect((await otherUser.get(path)).status, path).to.equal(404);
      expect((await developer.get(path)).status, path).to.equal(200);
      expect((await administrator.get(path)).status, path).to.equal(200);
    }
    expect((await otherUser.get('/o/resources/')).html).not.to.include(FILES_URI);
    await submitForm(administrator, resourcePath(), { name: 'Our files' });
    expect(currentResource()).to.include({ name: 'Our files', ownerId: findUserId('ada') });
  });

  it('do not overwrite a change that was made after the form was shown', async () => {
    await setUp();
    await submitForm(administrator, REGISTER_PATH, FORM_VALUES);
    const form = await administrator.get(resourcePath());
    await submitForm(administrator, resourcePath(), { name: 'Newer' });
    expect((await administrator.submit(form, { name: 'Older' }, resourcePath())).status).to.equal(409);
    expect(currentResource()?.name).to.equal('Newer');
  });

  it('remove a resource server after a confirmation', async () => {
    await setUp();
    await submitForm(administrator, REGISTER_PATH, FORM_VALUES);
    const path = `${resourcePath()}delete/`;
    expect((await administrator.get(path)).html).to.match(/<dt>Access tokens<\/dt><dd>none is restricted to it<\/dd>/);
    expect(await submitForm(administrator, path, {})).to.include({ status: 302, location: '/o/resources/' });
    expect(currentResource()).to.equal(undefined);
  });
});
