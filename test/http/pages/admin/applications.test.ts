import { expect } from 'chai';
import { keyPairFor, registerKeys } from '../../../support/assertions.ts';
import { hiddenFields, type BrowserSession, type Page } from '../../../support/browser-session.ts';
import { png } from '../../../support/images.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
} from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('Application administration', () => {
  let running: RunningService;
  let browser: BrowserSession;
  let engine: TestClient;

  beforeEach(async () => {
    running = await runningService();
    await running
      .service()
      .accounts.register({ username: 'root', password: 'the password of root', roles: ['administrator'] }, OPERATOR);
    await running.addUser('ada');
    engine = await running.addClient({ owner: 'ada', name: 'Engine' });
    browser = running.browser();
    await browser.logIn('root', 'the password of root');
  });
  afterEach(() => running.close());

  const path = (client: TestClient): string => `/admin/applications/${client.id}/`;
  const submitForm = async (
    formPath: string,
    fields: Readonly<Record<string, string | readonly string[]>> = {},
  ): Promise<Page> => browser.submit(await browser.get(formPath), fields);
  const textWithId = ({ html }: Page, id: string): string =>
    new RegExp(`id="${id}"[^>]*>([^<]+)<`).exec(html)?.[1] ?? '';
  const root = () => running.service().projections.users.findByName('root') ?? expect.fail('no root');
  const currentClient = () => running.service().projections.clients.find(engine.id) ?? expect.fail('no engine');
  const newestEvent = async () => (await running.events()).at(-1);
  const isAccepted = async (secret: string): Promise<boolean> =>
    (await running.post('/o/token/', { grant_type: 'client_credentials', client_id: engine.id, client_secret: secret }))
      .status === 200;

  it('lists disabled applications as disabled, whatever their mode', async () => {
    const isListed = async (state: string): Promise<boolean> =>
      (await browser.get(`/admin/applications/?mode=${state}`)).html.includes(path(engine));
    expect(await isListed('live')).to.equal(true);
    await running.service().registration.setDisabled(currentClient().clientId, true, OPERATOR);
    expect(await Promise.all(['live', 'test', 'disabled'].map(isListed))).to.deep.equal([false, false, true]);
  });

  it('includes the redirect URIs in the exported list of applications', async () => {
    const { html } = await browser.get('/admin/applications/?format=csv');
    const [header = '', row = ''] = html.split('\r\n');
    expect(row.split(',')[header.split(',').indexOf('redirect_uris')]).to.equal(REDIRECT_URI);
  });

  it('uses the dative for the number of users in German', async () => {
    for (const name of ['eve', 'mia']) {
      const user = await running.addUser(name);
      await running.token(engine, { grant_type: 'password', ...user });
    }
    const german = running.browser({ 'accept-language': 'de' });
    await german.logIn('root', 'the password of root');
    expect((await german.get(path(engine))).html).to.match(/<dt>Zugelassen von<\/dt>[^]*?2 Benutzern</);
  });

  it('lists all applications with their owners and last use, and finds them by name, owner and id', async () => {
    const loom = await running.addClient({ name: 'Loom' });
    await running.token(engine, { grant_type: 'client_credentials' });
    const find = async (q: string): Promise<readonly string[]> => {
      const { html } = await browser.get(`/admin/applications/?${new URLSearchParams({ q }).toString()}`);
      return [engine, loom].filter((client) => html.includes(path(client))).map(({ id }) => id);
    };
    expect(await find('')).to.deep.equal([engine.id, loom.id]);
    expect(await find('loo')).to.deep.equal([loom.id]);
    expect(await find('ADA')).to.deep.equal([engine.id]);
    expect(await find(engine.id)).to.deep.equal([engine.id]);
    expect(await find('nothing')).to.deep.equal([]);
    const { html } = await browser.get('/admin/applications/');
    expect(html)
      .to.include('never')
      .and.match(/<time datetime=/)
      .and.include('>ada<')
      .and.match(/>Live<[\s\S]*<bdi>1<\/bdi>/);
  });

  it('filters the applications by owner', async () => {
    await running.addUser('bob');
    const loom = await running.addClient({ owner: 'bob', name: 'Loom' });
    const { html } = await browser.get('/admin/applications/');
    const choices = [...html.matchAll(/<option value="(\d+)">([^<]+)</g)].map(([, id = '', name]) => ({ id, name }));
    expect(choices.map(({ name }) => name)).to.deep.equal(['ada', 'bob']);
    const bobsApplications = await browser.get(`/admin/applications/?owner=${choices[1]?.id}`);
    expect(bobsApplications.html).to.include(path(loom)).and.not.include(path(engine));
    const csv = await browser.get(`/admin/applications/?owner=${choices[0]?.id}&format=csv`);
    expect(csv.html).to.include(engine.id).and.not.include(loom.id);
    expect((await browser.get('/admin/applications/?owner=99')).html)
      .to.include(path(loom))
      .and.include(path(engine));
  });

  it('registers applications for any user or without an owner, and shows the secret', async () => {
    const fields = { name: 'Loom', client_type: 'confidential', authorization_grant_type: 'client-credentials' };
    const addition = await submitForm('/admin/applications/register/', {
      ...fields,
      username: 'ada',
      skip_authorization: 'yes',
      restricted_scope: ['audit'],
    });
    const secret = /gls[0-9A-Za-z]{49}/.exec((await browser.get(addition.location ?? '')).html)?.[0];
    expect(secret).to.be.a('string');
    const registeredClient = running
      .service()
      .projections.clients.all()
      .find(({ name }) => name === 'Loom');
    expect(registeredClient).to.deep.include({ skipAuthorization: true, restrictedScopes: ['audit'] });
    expect(registeredClient?.members).to.have.lengthOf(1);
    expect((await newestEvent())?.actor.kind).to.equal('user');
    await submitForm('/admin/applications/register/', { ...fields, name: 'Nobody’s', username: '' });
    expect(running.service().projections.clients.all().at(-1)).to.deep.include({ name: 'Nobody’s', members: [] });
    const refusal = await submitForm('/admin/applications/register/', { ...fields, username: 'nobody' });
    expect(refusal.status).to.equal(422);
    expect(refusal.html).to.include('No user has this name.').and.include('value="Loom"');
  });

  it('reports all errors of a registration together, and keeps the input in the form', async () => {
    const faultyFields = {
      name: '',
      client_type: 'confidential',
      authorization_grant_type: 'authorization-code',
      redirect_uris: 'http://app.example.com/cb\nfoo',
    };
    for (const [fields, invalidFields] of [
      [{ username: 'nobody' }, ['name', 'redirect_uris', 'username']],
      [
        { username: 'nobody', auth_method: 'private_key_jwt', client_keys: 'no key' },
        ['name', 'client_keys', 'username'],
      ],
      [
        { username: 'ada', auth_method: 'private_key_jwt', client_keys: 'no key' },
        ['name', 'redirect_uris', 'client_keys'],
      ],
      [{ username: 'ada' }, ['name', 'redirect_uris']],
    ] as const) {
      const refusal = await submitForm('/admin/applications/register/', { ...faultyFields, ...fields });
      expect(refusal.status).to.equal(422);
      for (const name of invalidFields) expect(refusal.html, name).to.include(`id="${name}-error"`);
      expect(refusal.html)
        .to.include('value="' + fields.username)
        .and.include('http://app.example.com/cb\nfoo');
      expect(textWithId(refusal, 'redirect_uris-error')).to.include('app.example.com').and.include('foo');
      expect(refusal.html).not.to.include('id="auth_method-error"');
    }
  });

  it('words the form for administrators, not for owners, and mentions logos only at registration', async () => {
    const registration = await browser.get('/admin/applications/register/');
    const update = await browser.get(`${path(engine)}update/`);
    for (const { html } of [registration, update])
      expect(html).to.include('Let its owners try the whole flow').and.not.include('Let me try');
    expect(registration.html).to.include('You can add a logo later, in the settings.');
    expect(update.html).not.to.include('add a logo later');
    const german = running.browser({ 'accept-language': 'de' });
    await german.logIn('root', 'the password of root');
    expect((await german.get(`${path(engine)}update/`)).html)
      .to.include('Die Besitzer den ganzen Ablauf')
      .and.not.include('Ein Logo können Sie später');
  });

  it('shows administrators what users see of the application', async () => {
    const registration = await running.service().registration.register(
      {
        name: 'Portal',
        clientType: 'public',
        grantTypes: ['authorization-code'],
        redirectUris: ['https://app.example/callback'],
        allowedOrigins: [],
        skipAuthorization: false,
        presentation: { description: 'Shows and pays invoices', homepageUri: 'https://portal.example/' },
      },
      null,
      OPERATOR,
    );
    if (!('clientId' in registration)) return expect.fail(JSON.stringify(registration));
    const { html } = await browser.get(`/admin/applications/${registration.clientId}/`);
    expect(html).to.include('Shows and pays invoices').and.include('<code>https://portal.example/</code>');
    expect(html).not.to.include('Privacy policy').and.not.include('Users who give it access');
    expect((await browser.get(path(engine))).html).not.to.include('What users see');
  });

  it('says how many users can use an application in test mode, and marks only its deletion as dangerous', async () => {
    const page = await browser.get(`${path(engine)}mode/`);
    expect(page.html)
      .to.match(/Owners<\/dt><dd>1</)
      .and.match(/Test users<\/dt><dd>none</);
    expect(page.html).to.include('button--primary').and.not.include('button--danger-solid');
    const resultPage = await browser.submitAndFollow(page, {});
    expect(resultPage.html).to.include('is in test mode');
    expect((await browser.get(`${path(engine)}mode/`)).html)
      .to.include('button--primary')
      .and.not.include('<dl');
    expect((await browser.get(`${path(engine)}transfer/`)).html)
      .to.include('who replaces all owners')
      .and.not.include('button--danger-solid');
    expect((await browser.get(`${path(engine)}remove/`)).html).to.include('button--danger-solid');
  });

  it('says that nothing was changed, and records nothing, if settings are saved without a change', async () => {
    const page = await browser.get(`${path(engine)}update/`);
    const fields = {
      name: 'Engine',
      client_type: 'confidential',
      authorization_grant_type: ['authorization-code'],
      redirect_uris: 'https://app.example/callback',
    };
    const firstSave = await browser.submitAndFollow(page, fields, `${path(engine)}update/`);
    expect(firstSave.html).to.match(/The settings of .?Engine.? were saved\./u);
    const head = running.log.head();
    const secondSave = await browser.submitAndFollow(page, fields, `${path(engine)}update/`);
    expect(secondSave.html).to.include('Nothing was changed.');
    expect(running.log.head()).to.equal(head);
  });

  it('changes the settings of an application with the form for owners, extended for administrators', async () => {
    const page = await browser.get(`${path(engine)}update/`);
    expect(page.html).to.include('Settings of <bdi>Engine</bdi>').and.include('Skip it for this application');
    const fields = {
      name: 'Analytical Engine',
      client_type: 'confidential',
      authorization_grant_type: ['authorization-code'],
      redirect_uris: 'https://app.example/callback',
      skip_authorization: 'yes',
    };
    expect((await browser.submit(page, fields, `${path(engine)}update/`)).location).to.equal(path(engine));
    expect(currentClient()).to.deep.include({
      name: 'Analytical Engine',
      grantTypes: ['authorization-code'],
      skipAuthorization: true,
      restrictedScopes: [],
    });
    const changedPage = await browser.get(`${path(engine)}update/`);
    const refusal = await browser.submit(changedPage, { ...fields, name: '' }, `${path(engine)}update/`);
    expect(refusal.status).to.equal(422);
    const ada = running.browser();
    await ada.logIn('ada', "ada's password");
    expect((await ada.get(`${path(engine)}update/`)).status).to.equal(403);
  });

  it('changes, shows and removes the logo of an application, and records who changed it', async () => {
    const form = new FormData();
    const page = await browser.get(`${path(engine)}update/`);
    form.append('csrf_token', hiddenFields(page.html)['csrf_token'] ?? '');
    form.append('logo', new Blob([new Uint8Array(png())]), 'logo.png');
    const { status, location } = await browser.upload(`${path(engine)}logo/`, form);
    expect([status, location]).to.deep.equal([302, `${path(engine)}update/#presentation`]);
    expect(await newestEvent()).to.deep.include({
      type: 'ClientLogoChanged',
      actor: { kind: 'user', id: root().userId },
    });
    const pageWithLogo = await browser.get(`${path(engine)}update/`);
    expect(pageWithLogo.html).to.include(`/o/applications/${engine.id}/logo/?v=`);
    expect((await browser.get(path(engine))).html, 'the logo').to.match(
      new RegExp(`<img class="app-logo" src="/o/applications/${engine.id}/logo/[^>]*alt="[^"]*Engine`),
    );
    const removal = await browser.submit(pageWithLogo, {}, `${path(engine)}logo/remove/`);
    expect([removal.status, currentClient().logo]).to.deep.equal([302, null]);
    const invalidForm = new FormData();
    invalidForm.append('csrf_token', hiddenFields(pageWithLogo.html)['csrf_token'] ?? '');
    invalidForm.append('logo', new Blob(['text']), 'logo.png');
    const refusal = await browser.upload(`${path(engine)}logo/`, invalidForm);
    expect(refusal.status).to.equal(422);
    const [summary] = [...refusal.html.matchAll(/role="alert">/g)].map(({ index }) => index);
    expect(summary, 'one summary, inside the logo form').to.be.within(
      refusal.html.indexOf('id="logo-title"'),
      refusal.html.indexOf('id="logo-error"'),
    );
  });

  it('changes the public keys, their URL and the authentication, as an owner can', async () => {
    const keys = `${path(engine)}keys/`;
    const { jwk } = keyPairFor('ES256', 'one');
    const addition = await submitForm(keys, { client_keys: JSON.stringify({ keys: [jwk] }) });
    expect([addition.status, addition.location]).to.deep.equal([302, keys]);
    const event = await newestEvent();
    expect(event?.actor).to.deep.equal({ kind: 'user', id: root().userId });
    const [key] = currentClient().authentication.keys;
    expect((await browser.get(keys)).html)
      .to.include(key?.keyId)
      .and.include('Public keys and authentication for <bdi>Engine</bdi>');
    const methods = { auth_method: ['private_key_jwt'] };
    expect((await browser.submit(await browser.get(keys), methods, `${path(engine)}authentication/`)).status).to.equal(
      302,
    );
    expect(currentClient().authentication.methods).to.deep.equal(['private_key_jwt']);
    const uri = { jwks_uri: 'https://engine.example/jwks' };
    expect((await browser.submit(await browser.get(keys), uri, `${path(engine)}jwks_uri/`)).status).to.equal(302);
    expect(currentClient().authentication).to.deep.include({ keysUri: uri.jwks_uri, keys: [] });
    const refusal = await browser.submit(await browser.get(keys), { jwks_uri: '' }, `${path(engine)}jwks_uri/`);
    expect([refusal.status, refusal.html.includes('id="jwks_uri-error"')]).to.deep.equal([422, true]);
    const basicAuthentication = { auth_method: ['client_secret_basic'] };
    await browser.submit(await browser.get(keys), basicAuthentication, `${path(engine)}authentication/`);
    await browser.submit(await browser.get(keys), { jwks_uri: '' }, `${path(engine)}jwks_uri/`);
    await submitForm(keys, { client_keys: JSON.stringify({ keys: [jwk] }) });
    const removal = `${keys}${key?.keyId}/remove/`;
    expect((await browser.get(removal)).html).to.include('href="/admin/applications/"');
    expect((await submitForm(removal)).location).to.equal(keys);
    expect(currentClient().authentication.keys).to.deep.equal([]);
  });

  it('refuses the forms for keys, authentication and logos to an owner who is not an administrator', async () => {
    const ada = running.browser();
    await ada.logIn('ada', "ada's password");
    expect((await ada.get(`${path(engine)}keys/`)).status).to.equal(403);
    const token = hiddenFields((await ada.get('/o/applications/register/')).html)['csrf_token'] ?? '';
    for (const formPath of ['keys/', 'jwks_uri/', 'authentication/', 'logo/', 'logo/remove/'])
      expect((await ada.post(`${path(engine)}${formPath}`, { csrf_token: token })).status, formPath).to.equal(403);
  });

  it('transfers an application to another user, who becomes its only owner', async () => {
    await running.addUser('bob');
    const transferPath = `${path(engine)}transfer/`;
    expect((await browser.get(transferPath)).html).to.include('<bdi>ada</bdi> will no longer');
    expect((await submitForm(transferPath, { username: 'nobody' })).status).to.equal(422);
    expect((await submitForm(transferPath, { username: 'bob' })).location).to.equal(path(engine));
    const names = currentClient().members.map(
      ({ userId }) => running.service().projections.users.find(userId)?.username,
    );
    expect(names).to.deep.equal(['bob']);
    const bob = running.service().projections.users.findByName('bob') ?? expect.fail('no bob');
    await running.service().accounts.disable(bob, OPERATOR);
    await submitForm(transferPath, { username: 'ada' });
    const refusal = await submitForm(transferPath, { username: 'bob' });
    expect(refusal.html).to.include('This account is disabled');
  });

  it('lists the users who give an application access, and links to the revocation', async () => {
    expect((await browser.get(`${path(engine)}users/`)).html).to.include('No users have given this application access');
    const { username, password } = await running.addUser('bob');
    await running.token(engine, { grant_type: 'password', username, password, scope: 'read' });
    await running.token(engine, { grant_type: 'password', username, password, scope: 'read write' });
    const page = (await browser.get(path(engine))).html.replaceAll(/\s+/g, ' ');
    expect(page)
      .to.include(`<a href="${path(engine)}users/"><bdi>1 user</bdi></a>`)
      .and.include('at most 2');
    const { html } = await browser.get(`${path(engine)}users/`);
    const { id } = running.service().projections.users.findByName('bob') ?? expect.fail('no bob');
    expect(html).to.include('>bob<').and.include('read write').and.not.include('>ada<');
    const revocation = /href="([^"]+\/revoke\/)"/.exec(html)?.[1];
    expect(revocation).to.equal(`/admin/users/${id}/authorizations/${engine.id}/revoke/`);
    for (const action of ['disable', 'mode', 'remove'])
      expect((await browser.get(`${path(engine)}${action}/`)).html, action).to.include('1 user has authorized it');
    await submitForm(`${path(engine)}mode/`);
    expect((await browser.get(`${path(engine)}mode/`)).html).to.not.include('has authorized it');
    await submitForm(revocation ?? '');
    expect((await browser.get(`${path(engine)}users/`)).html).to.not.include('>bob<');
  });

  it('shows an application without its secret or a hash of the secret', async () => {
    const { html } = await browser.get(path(engine));
    for (const text of ['Engine', engine.id, 'ada', 'Confidential', 'https://app.example/callback'])
      expect(html).to.include(text);
    expect(html)
      .not.to.include(engine.secret)
      .and.not.match(/sha256|argon2/);
    expect((await browser.get('/admin/applications/nothing/')).status).to.equal(404);
  });

  it('grants and removes restricted scopes, and changes nothing else', async () => {
    const previousClient = currentClient();
    await submitForm(`${path(engine)}scopes/`, { restricted_scope: ['audit', 'introspection', 'read'] });
    expect(currentClient().restrictedScopes).to.deep.equal(['audit', 'introspection']);
    expect(await newestEvent()).to.deep.include({ type: 'ClientUpdated', actor: { kind: 'user', id: root().userId } });
    const { json } = await running.token(engine, { grant_type: 'client_credentials', scope: 'audit' });
    const fetchEventsStatus = async (): Promise<number> =>
      (await running.get('/o/events/', { authorization: `Bearer ${String(json?.['access_token'])}` })).status;
    expect(await fetchEventsStatus()).to.equal(200);
    await submitForm(`${path(engine)}scopes/`, { restricted_scope: 'introspection' });
    expect(await fetchEventsStatus()).to.equal(403);
    const { lastUse, restrictedScopes, revision, detailTypes, ...rest } = currentClient();
    expect(previousClient).to.deep.include(rest);
    expect([previousClient.detailTypes, detailTypes]).to.deep.equal([undefined, undefined]);
    expect([restrictedScopes, revision, lastUse.anySecret === null]).to.deep.equal([['introspection'], 3, false]);
  });

  it('shows how an application is protected, and does not rotate the secret of one that uses a key', async () => {
    expect((await browser.get(path(engine))).html)
      .to.include('Rotate the client secret…')
      .and.not.include('Authentication and protection');
    await registerKeys(running, engine, keyPairFor('ES256', 'key of 2026'));
    expect((await browser.get(path(engine))).html)
      .to.include('Signature with a private key')
      .and.include('<code>key of 2026</code>')
      .and.not.include('Rotate the client secret…');
    expect((await browser.get(`${path(engine)}rotate_secret/`)).status).to.equal(404);
  });

  it('rotates a secret, shows it once, and keeps the old one valid for the chosen time', async () => {
    const confirmation = await browser.get(`${path(engine)}rotate_secret/`);
    expect(confirmation.html).to.match(/value="day"\s+required\s+checked/);
    const page = await browser.submitAndFollow(confirmation, { old_secret: 'hour' });
    const secret = /id="client-secret"[^>]*>([^<]+)</.exec(page.html)?.[1] ?? '';
    expect(await isAccepted(secret)).to.equal(true);
    expect(await isAccepted(engine.secret)).to.equal(true);
    expect((await browser.get(path(engine))).html)
      .to.include('The old secret expires')
      .and.not.include(secret);
    const secondRotationPage = await browser.submitAndFollow(await browser.get(`${path(engine)}rotate_secret/`), {
      old_secret: 'now',
    });
    expect(await isAccepted(secret)).to.equal(false);
    expect(secondRotationPage.headers.get('cache-control')).to.equal('no-store');
    expect((await submitForm(`${path(engine)}rotate_secret/`, { old_secret: 'never' })).status).to.equal(400);
    expect(
      (await running.events()).filter(({ type }) => type === 'ClientSecretRotated').map(({ actor }) => actor),
    ).to.deep.equal([
      { kind: 'user', id: root().userId },
      { kind: 'user', id: root().userId },
    ]);
    const app = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
    expect((await browser.get(`${path(app)}rotate_secret/`)).status).to.equal(404);
    expect((await browser.get(path(app))).html).not.to.include('rotate_secret');
  });

  it('deletes an application after a confirmation, and invalidates its tokens', async () => {
    const { json } = await running.token(engine, { grant_type: 'client_credentials' });
    const confirmation = await browser.get(`${path(engine)}remove/`);
    expect(confirmation.html)
      .to.include('<dd>no user has authorized it</dd>')
      .and.include('<dd>ada</dd>')
      .and.match(/<dt>Exchange policies<\/dt><dd>none<\/dd>/);
    expect(confirmation.html).to.include('cannot be undone');
    expect((await newestEvent())?.type).to.equal('AccessTokenIssued');
    for (const name of ['', 'engine', 'Loom']) {
      const refusal = await browser.submit(confirmation, { name });
      expect(refusal.status).to.equal(422);
      expect(refusal.html).to.include('Type Engine to confirm.');
    }
    expect((await newestEvent())?.type).to.equal('AccessTokenIssued');
    expect((await browser.submit(confirmation, { name: ' Engine ' })).location).to.equal('/admin/applications/');
    expect(await newestEvent()).to.deep.include({ type: 'ClientRemoved', actor: { kind: 'user', id: root().userId } });
    expect(
      (await running.get('/users/', { authorization: `Bearer ${String(json?.['access_token'])}` })).status,
    ).to.equal(401);
    expect((await browser.get('/admin/applications/')).html).to.include('Engine was removed.');
    expect((await browser.get(path(engine))).status).to.equal(404);
  });

  describe('changes owners, test users and the mode directly:', () => {
    const userNamed = (name: string) =>
      running.service().projections.users.findByName(name) ?? expect.fail(`no ${name}`);
    const currentMembers = () => currentClient().members.map(({ userId, role }) => [userId, role]);

    beforeEach(() => running.addUser('bob'));

    it('a new owner is added, and then the old one is removed', async () => {
      const addition = await submitForm(`${path(engine)}people/`, { username: 'bob', member_role: 'owner' });
      expect(addition.location).to.equal(`${path(engine)}people/`);
      expect((await newestEvent())?.type).to.equal('ClientMemberAdded');
      expect((await browser.get('/admin/applications/')).html).to.include('ada and 1 more');
      expect((await browser.get('/admin/applications/?q=bob')).html).to.include(path(engine));
      await submitForm(`${path(engine)}people/${userNamed('ada').id}/remove/`);
      expect(currentMembers()).to.deep.equal([[userNamed('bob').userId, 'owner']]);
    });

    it('the last owner cannot be removed; the page explains why and offers to add another', async () => {
      const address = `${path(engine)}people/${userNamed('ada').id}/remove/`;
      const expectExplained = (html: string) => {
        expect(html).to.include('ada cannot be removed yet').and.not.to.include('Remove ada?');
        expect(html).to.include('No other owner of Engine can log in, so ada must remain an owner.');
        expect(html)
          .to.include(`href="${path(engine)}people/#add-title"`)
          .and.not.to.include('Remove the owner');
      };
      expectExplained((await browser.get(address)).html);
      const refusal = await browser.submit(await browser.get(`${path(engine)}people/`), {}, address);
      expect(refusal.status).to.equal(422);
      expectExplained(refusal.html);
      expect(currentMembers()).to.deep.equal([[userNamed('ada').userId, 'owner']]);
    });

    it('the owners and test users are listed above the form that adds one, with links to their accounts', async () => {
      const { html } = await browser.get(`${path(engine)}people/`);
      const link = html.indexOf(`<a href="/admin/users/${userNamed('ada').id}/"><bdi>ada</bdi></a>`);
      expect(link).to.be.within(1, html.indexOf('name="member_role"'));
    });

    it('test users are added and removed', async () => {
      const ownerPage = await submitForm(`${path(engine)}people/`, { username: 'ada', member_role: 'test-user' });
      expect([ownerPage.status, ownerPage.html.includes('This user is an owner')]).to.deep.equal([422, true]);
      await submitForm(`${path(engine)}people/`, { username: 'bob', member_role: 'test-user' });
      expect(currentMembers()[1]).to.deep.equal([userNamed('bob').userId, 'test-user']);
      await submitForm(`${path(engine)}people/${userNamed('bob').id}/remove/`);
      expect(currentMembers()).to.have.length(1);
      expect((await browser.get(`${path(engine)}people/${userNamed('bob').id}/remove/`)).status).to.equal(404);
    });

    it('an unknown name is refused at its field', async () => {
      const { status, html } = await submitForm(`${path(engine)}people/`, { username: 'eve', member_role: 'owner' });
      expect(status).to.equal(422);
      expect(html).to.include('<a href="#username">User name – No user has this name.</a>');
    });

    it('an application whose last owner was erased gets a new one', async () => {
      await running.service().accounts.erase(userNamed('ada'), OPERATOR);
      expect((await browser.get(path(engine))).html).to.include('only administrators can manage it');
      await submitForm(`${path(engine)}people/`, { username: 'bob', member_role: 'owner' });
      expect(currentMembers()).to.deep.equal([[userNamed('bob').userId, 'owner']]);
    });

    it('the mode is switched after a confirmation', async () => {
      await submitForm(`${path(engine)}mode/`);
      expect(currentClient().mode).to.equal('test');
      await submitForm(`${path(engine)}mode/`);
      expect(currentClient().mode).to.equal('live');
    });

    it('a refused change to the mode or the restricted scopes is shown as a warning', async () => {
      running.service().registration.update = () => Promise.resolve({ errors: {} });
      for (const formPath of ['mode/', 'scopes/']) {
        await submitForm(`${path(engine)}${formPath}`);
        const { html } = await browser.get(path(engine));
        expect(html).to.include('flash--warning').and.include('Nothing was changed').and.not.include('flash--good');
      }
    });
  });
});
