import { createPublicKey } from 'node:crypto';
import { expect } from 'chai';
import type { Client } from '../../src/projections/clients.ts';
import { signAssertion, keyPairFor, withAssertion } from '../support/assertions.ts';
import {
  parseCertificate,
  authorityIssuedSettings,
  setClientAuthentication,
  TRUSTED_PROXY,
} from '../support/certificate-clients.ts';
import { clientCertHeaders, issueAuthority, issueCertificate } from '../support/certificates.ts';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const [OLD_KEY, NEW_KEY] = [keyPairFor('ES256'), keyPairFor('EdDSA')];
const pemOf = ({ jwk, privateKey }: typeof OLD_KEY, half: 'public' | 'private'): string =>
  half === 'private'
    ? privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    : createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' }).toString();

describe('The keys of an application', () => {
  let running: RunningService;
  let browser: BrowserSession;
  let app: TestClient;
  const path = (): string => `/o/applications/${app.id}/`;
  const client = (): Client => running.service().projections.clients.find(app.id) ?? expect.fail('no client');
  const keyIds = () => client().authentication.keys.map(({ keyId }) => keyId);

  beforeEach(async () => {
    running = await runningService();
    const ada = await running.addUser('ada');
    app = await running.addClient({ owner: 'ada' });
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  const addKeys = async (keys: string): Promise<Page> =>
    browser.submit(await browser.get(`${path()}keys/`), { client_keys: keys }, `${path()}keys/`);
  const chooseMethods = async (methods: readonly string[], page?: Page): Promise<Page> => {
    const form = page ?? (await browser.get(`${path()}keys/`));
    return browser.submit(form, { auth_method: methods }, `${path()}authentication/`);
  };
  const statusWithKey = async (key: typeof OLD_KEY): Promise<number> => {
    const assertion = await signAssertion(running, app, key);
    return (await running.post('/o/token/', { grant_type: 'client_credentials', ...withAssertion(assertion) })).status;
  };

  it('are added as a JWK, JWK Set or PEM, in addition to existing ones', async () => {
    await addKeys(JSON.stringify(OLD_KEY.jwk));
    await addKeys(JSON.stringify({ keys: [OLD_KEY.jwk, NEW_KEY.jwk] }));
    await addKeys(pemOf(keyPairFor('PS256'), 'public'));
    expect(client().authentication.keys.map(({ publicKey }) => publicKey.kty)).to.deep.equal(['EC', 'OKP', 'RSA']);
    const { html } = await browser.get(`${path()}keys/`);
    for (const id of keyIds()) expect(html).to.include(id);
    expect(html).to.include('never used').and.to.include('ES256').and.to.include('PS256 or RS256');
  });

  it('are not added again by an old form after they have been removed', async () => {
    const form = await browser.get(`${path()}keys/`);
    const submit = (): Promise<Page> =>
      browser.submit(form, { client_keys: JSON.stringify(OLD_KEY.jwk) }, `${path()}keys/`);
    await submit();
    const removalPath = `${path()}keys/${keyIds()[0]}/remove/`;
    await browser.submit(await browser.get(removalPath), {}, removalPath);
    expect(keyIds()).to.deep.equal([]);
    expect((await submit()).status).to.equal(409);
    expect(keyIds()).to.deep.equal([]);
  });

  it("require at least one authentication method, as the page says in the user's language", async () => {
    const { status, html } = await chooseMethods([]);
    expect([status, html.includes('Choose at least one way to authenticate.')]).to.deep.equal([422, true]);
    const german = running.browser({ 'accept-language': 'de' });
    await german.logIn('ada', "ada's password");
    const form = await german.get(`${path()}keys/`);
    const germanResponse = await german.submit(form, { auth_method: [] }, `${path()}authentication/`);
    expect(germanResponse.html).to.include('Wählen Sie mindestens eine Art der Authentifizierung.');
  });

  it('can be replaced without interruption', async () => {
    await addKeys(JSON.stringify(OLD_KEY.jwk));
    await chooseMethods(['private_key_jwt']);
    expect(await statusWithKey(OLD_KEY)).to.equal(200);
    await addKeys(JSON.stringify(NEW_KEY.jwk));
    expect([await statusWithKey(OLD_KEY), await statusWithKey(NEW_KEY)]).to.deep.equal([200, 200]);
    expect((await browser.get(`${path()}keys/`)).html).to.not.include('never used');
    const [oldId = '', nextId] = keyIds();
    const removal = await browser.get(`${path()}keys/${oldId}/remove/`);
    expect(removal.html).to.include(oldId);
    expect((await browser.submit(removal, {}, `${path()}keys/${oldId}/remove/`)).status).to.equal(302);
    expect((await browser.submit(removal, {}, `${path()}keys/${oldId}/remove/`)).status).to.equal(302);
    expect(keyIds()).to.deep.equal([nextId]);
    expect([await statusWithKey(OLD_KEY), await statusWithKey(NEW_KEY)]).to.deep.equal([401, 200]);
  });

  it('are refused if they are private, malformed or too many, and stay in the form', async () => {
    for (const [text, problem] of [
      ['', 'Paste at least one public key'],
      ['{"a":1}', 'Paste public keys as'],
      ['not a key', 'Paste public keys as'],
      ['-----BEGIN PUBLIC KEY-----', 'Paste public keys as'],
      ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', 'is not a public key'],
      [pemOf(OLD_KEY, 'private'), 'This is a private key'],
      [JSON.stringify({ ...OLD_KEY.jwk, d: 'AAAA' }), 'Key 1 is private'],
      [JSON.stringify({ kty: 'oct', k: 'AAAA' }), 'Key 1 is private'],
      [JSON.stringify({ keys: Array.from({ length: 10_000 }, () => 0) }), '1 to 10 keys'],
    ] as const) {
      const { status, html } = await addKeys(text);
      expect(status, text).to.equal(422);
      expect(html, text).to.include(problem);
    }
    expect((await addKeys('not a <key>')).html).to.include('not a &lt;key&gt;');
    expect(keyIds()).to.deep.equal([]);
  });

  it('are required for private_key_jwt, so the last one cannot be removed', async () => {
    expect((await chooseMethods(['private_key_jwt'])).html).to.include('private_key_jwt needs at least one public key');
    await addKeys(JSON.stringify(OLD_KEY.jwk));
    expect((await chooseMethods(['private_key_jwt'])).status).to.equal(302);
    const removal = await browser.get(`${path()}keys/${keyIds()[0]}/remove/`);
    const refusal = await browser.submit(removal, {}, `${path()}keys/${keyIds()[0]}/remove/`);
    expect(refusal.status).to.equal(422);
    expect(refusal.html).to.include('needs at least one public key');
    expect(keyIds()).to.have.length(1);
  });

  it('that are missing are reported at the top, in the page title, and at the focused field', async () => {
    const form = await browser.get(`${path()}keys/`);
    expect(form.html).to.include('<title>Public keys and authentication for').and.not.include('autofocus');
    expect(form.html).to.include('can use a private key to prove');
    const refusal = await chooseMethods(['private_key_jwt', 'tls_client_auth']);
    expect(refusal.status).to.equal(422);
    expect(refusal.html).to.include('<title>Error: Public keys and authentication for');
    const summary = /role="alert">([\s\S]*?)<\/div>/.exec(refusal.html)?.[1] ?? expect.fail('no summary');
    expect(summary).to.include('Please fix the following').and.include('href="#auth_method"');
    for (const problem of ['private_key_jwt needs at least one public key', 'tls_client_auth needs the subject'])
      expect(summary).to.include(problem);
    expect(refusal.html).to.match(/id="auth_method-client_secret_basic"[^>]* autofocus/);
    expect((await addKeys('not a key')).html)
      .to.include('href="#client_keys"')
      .and.match(/<textarea id="client_keys"[^>]* autofocus/);
  });

  it('can be read from a URL instead, and registered again after the URL is removed', async () => {
    await addKeys(JSON.stringify(OLD_KEY.jwk));
    const publish = async (uri: string, page?: Page): Promise<Page> =>
      browser.submit(page ?? (await browser.get(`${path()}keys/`)), { jwks_uri: uri }, `${path()}jwks_uri/`);
    const oldForm = await browser.get(`${path()}keys/`);
    expect((await publish('https://app.example/jwks.json')).status).to.equal(302);
    expect(client().authentication).to.deep.include({ keys: [], keysUri: 'https://app.example/jwks.json' });
    expect((await publish('https://other.example/', oldForm)).status, 'an outdated form').to.equal(409);
    for (const uri of ['http://10.0.0.1/', 'not an address', 'ftp://app.example/<b>']) {
      const refusal = await publish(uri);
      expect({ status: refusal.status, isShown: refusal.html.includes('jwks_uri-error') }, uri).to.deep.equal({
        status: 422,
        isShown: true,
      });
    }
    expect(client().authentication.keysUri).to.equal('https://app.example/jwks.json');
    await chooseMethods(['private_key_jwt']);
    expect((await publish('')).html, 'the application authenticates with these keys').to.include(
      'needs at least one public key',
    );
    await chooseMethods(['client_secret_basic']);
    expect((await publish('')).status).to.equal(302);
    expect(client().authentication.keysUri).to.equal(null);
    await addKeys(JSON.stringify(NEW_KEY.jwk));
    expect(keyIds()).to.have.length(1);
  });

  it('of a public application only sign its requests, and the page offers no authentication with them', async () => {
    app = await running.addClient({ owner: 'ada', clientType: 'public', grantTypes: ['authorization-code'] });
    const { html } = await browser.get(`${path()}keys/`);
    expect(html).to.include('sign its authorization').and.not.include('private_key_jwt');
  });

  it('and their authentication methods are not changed back by an outdated form', async () => {
    await addKeys(JSON.stringify(OLD_KEY.jwk));
    const oldForm = await browser.get(`${path()}keys/`);
    await chooseMethods(['private_key_jwt']);
    expect((await chooseMethods(['client_secret_basic'], oldForm)).status).to.equal(409);
    expect((await chooseMethods(['private_key_jwt'], oldForm)).status).to.equal(302);
    expect(client().authentication.methods).to.deep.equal(['private_key_jwt']);
    expect((await chooseMethods(['none'])).status).to.equal(422);
    expect((await chooseMethods([])).status).to.equal(422);
  });

  it('can be seen and changed only by owners', async () => {
    await addKeys(JSON.stringify(OLD_KEY.jwk));
    const bob = await running.addUser('bob');
    const otherBrowser = running.browser();
    await otherBrowser.logIn(bob.username, bob.password);
    const { csrf_token: token = '' } = hiddenFields((await otherBrowser.get('/o/applications/register/')).html);
    for (const formPath of ['keys/', `keys/${keyIds()[0]}/remove/`])
      expect((await otherBrowser.get(`${path()}${formPath}`)).status, formPath).to.equal(404);
    for (const formPath of ['keys/', `keys/${keyIds()[0]}/remove/`, 'authentication/'])
      expect((await otherBrowser.post(`${path()}${formPath}`, { csrf_token: token })).status, formPath).to.equal(404);
    expect(keyIds()).to.have.length(1);
  });
});

describe('The certificate of an application', () => {
  const authority = issueAuthority();
  let running: RunningService;
  let browser: BrowserSession;
  let app: TestClient;
  const path = (): string => `/o/applications/${app.id}/`;
  const authentication = (): Client['authentication'] =>
    running.service().projections.clients.find(app.id)?.authentication ?? expect.fail('no client');

  beforeEach(async () => {
    running = await runningService({ settings: TRUSTED_PROXY, clientAuthorities: [parseCertificate(authority)] });
    const ada = await running.addUser('ada');
    app = await running.addClient({ owner: 'ada' });
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  const save = async (methods: readonly string[], kind: string, subject: string, page?: Page): Promise<Page> =>
    browser.submit(
      page ?? (await browser.get(`${path()}keys/`)),
      { auth_method: methods, tls_subject_kind: kind, tls_subject: subject },
      `${path()}authentication/`,
    );
  const statusWith = async (dns: string): Promise<number> => {
    const certificate = issueCertificate({ issuer: authority, dns: [dns] });
    const parameters = { grant_type: 'client_credentials', client_id: app.id };
    return (await running.post('/o/token/', parameters, clientCertHeaders(certificate))).status;
  };

  it('must come from a trusted authority, with the subject that an owner has registered', async () => {
    expect((await save(['tls_client_auth'], 'san_dns', ' app.example ')).status).to.equal(302);
    expect(authentication()).to.deep.include({
      methods: ['tls_client_auth'],
      tls: { kind: 'san_dns', value: 'app.example' },
    });
    expect([await statusWith('app.example'), await statusWith('other.example')]).to.deep.equal([200, 401]);
    const { html } = await browser.get(`${path()}keys/`);
    expect(html)
      .to.match(/value="san_dns"\s+selected/)
      .and.to.include('value="app.example"');
    expect((await save(['client_secret_basic'], 'san_dns', '')).status).to.equal(302);
    expect(authentication()).to.deep.include({ methods: ['client_secret_basic'], tls: null });
  });

  it('is validated, with errors beside the fields and the input left in the form', async () => {
    for (const [methods, kind, subject, error, problem] of [
      [['tls_client_auth'], 'subject_dn', '', 'auth_method', 'needs the subject of the certificate'],
      [['client_secret_basic'], 'subject_dn', 'CN=app', 'auth_method', 'is used only with tls_client_auth'],
      [['tls_client_auth'], 'subject_dn', 'app <b>', 'tls_subject', 'is not a distinguished name'],
      [['tls_client_auth'], 'san_dns', '*.app.example', 'tls_subject', 'without a wildcard'],
      [['tls_client_auth'], 'san_uri', 'app', 'tls_subject', 'is not a URI'],
      [['tls_client_auth'], 'san_ip', '192.0.2', 'tls_subject', 'is not an IPv4 or IPv6 address'],
      [['tls_client_auth'], 'san_email', 'app', 'tls_subject', 'is not an e-mail address'],
    ] as const) {
      const { status, html } = await save(methods, kind, subject);
      expect(status, problem).to.equal(422);
      expect(html, problem).to.include(problem).and.to.include(`id="${error}-error"`);
      expect(html, 'the entered subject').to.include(
        `value="${subject.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`,
      );
    }
    expect(authentication()).to.deep.include({ methods: ['client_secret_basic', 'client_secret_post'], tls: null });
  });

  it('is refused with all reasons together, each beside its field', async () => {
    const { html } = await save(['private_key_jwt', 'tls_client_auth'], 'san_ip', '192.0.2');
    expect(html).to.include('private_key_jwt needs at least one public key').and.to.include('is not an IPv4');
    for (const field of ['auth_method', 'tls_subject']) expect(html).to.include(`href="#${field}"`);
  });

  it('can be tried with commands, which the page says to run in a terminal', async () => {
    const { html } = await browser.get(`${path()}keys/`);
    expect(html).not.to.include('its operator').and.not.include('Its operator');
    await save(['tls_client_auth'], 'san_dns', 'app.example');
    const tryItPage = await browser.get(`${path()}try/`);
    expect(tryItPage.html).to.include('--cert client.pem').and.include('run them in a terminal');
    expect(tryItPage.html).to.include('under “Fill in a response that you got elsewhere”');
    expect(tryItPage.html).not.to.include('Run each request').and.not.include('cannot work here');
  });

  it('is not changed back by an outdated form', async () => {
    const oldForm = await browser.get(`${path()}keys/`);
    await save(['tls_client_auth'], 'san_dns', 'app.example');
    expect((await save(['tls_client_auth'], 'san_dns', 'old.example', oldForm)).status).to.equal(409);
    expect((await save(['tls_client_auth'], 'san_dns', 'app.example', oldForm)).status).to.equal(302);
    expect(authentication().tls?.value).to.equal('app.example');
  });

  it('can be chosen when the application is registered', async () => {
    const form = await browser.get('/o/applications/register/?view=expert');
    const fields = {
      name: 'Bank',
      client_type: 'confidential',
      authorization_grant_type: 'client-credentials',
      auth_method: 'tls_client_auth',
      tls_subject_kind: 'subject_dn',
    };
    const refusal = await browser.submit(form, fields);
    expect([refusal.status, refusal.html.includes('needs the subject of the certificate')]).to.deep.equal([422, true]);
    expect((await browser.submit(form, { ...fields, tls_subject: 'CN=app,O=Bank' })).status).to.equal(302);
    const registeredClient = running.service().projections.clients.all().at(-1);
    expect(registeredClient?.authentication).to.deep.include({
      methods: ['tls_client_auth'],
      tls: { kind: 'subject_dn', value: 'CN=app,O=Bank' },
    });
  });
});

describe('A client certificate that the server cannot use', () => {
  const SUBJECT = authorityIssuedSettings('san_dns', 'app.example');
  let running: RunningService;
  afterEach(() => running.close());

  async function openPages(
    settings: Readonly<Record<string, unknown>>,
    protectApp: (app: TestClient) => Promise<void>,
  ) {
    running = await runningService({ settings });
    const ada = await running.addUser('ada');
    const app = await running.addClient({ owner: 'ada' });
    await protectApp(app);
    const browser = running.browser();
    await browser.logIn(ada.username, ada.password);
    const openTab = async (tab: string): Promise<string> =>
      (await browser.get(`/o/applications/${app.id}/${tab}`)).html.replaceAll(/\s+/g, ' ');
    return {
      keys: await openTab('keys/'),
      tryIt: await openTab('try/'),
      callback: await openTab('callback/?code=the-code'),
    };
  }
  const countIn = (html: string, text: string): number => html.split(text).length - 1;

  for (const [name, protectApp] of [
    ['authenticates the application', (app: TestClient) => setClientAuthentication(running, app, SUBJECT)],
    ['binds its tokens', (app: TestClient) => setClientAuthentication(running, app, {}, true)],
  ] as const)
    it(`is explained in place of commands that cannot work, if it ${name}`, async () => {
      const { keys, tryIt, callback } = await openPages({}, protectApp);
      expect(countIn(keys, 'This server does not accept client certificates yet.'), 'beside both methods').to.equal(2);
      for (const html of [tryIt, callback]) {
        expect(html).to.include('This server does not accept client certificates yet.');
        expect(html).to.include('mtlsPort').and.include('clientCertificateProxies');
        expect(html).not.to.include('curl').and.not.include('Run each request').and.not.include('data-try-it');
      }
    });

  it('is explained if no authority is trusted', async () => {
    const { keys, tryIt } = await openPages(TRUSTED_PROXY, (app) => setClientAuthentication(running, app, SUBJECT));
    expect(countIn(keys, 'This server does not trust any certificate authority for client certificates yet.')).to.equal(
      1,
    );
    expect(tryIt).to.include('tlsClientCaFile').and.not.include('curl');
  });

  it('is not mentioned for an application without one', async () => {
    const { tryIt } = await openPages({}, async () => {});
    expect(tryIt).to.include('Run each request on this page').and.not.include('client certificate');
  });
});

describe('The protection of an application', () => {
  let running: RunningService;
  let browser: BrowserSession;
  beforeEach(async () => {
    running = await runningService();
    const ada = await running.addUser('ada');
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  const FIELDS = {
    name: 'Bank',
    client_type: 'confidential',
    authorization_grant_type: 'authorization-code',
    redirect_uris: 'https://bank.example/callback',
    auth_method: 'private_key_jwt',
    client_keys: JSON.stringify(OLD_KEY.jwk),
    security: 'yes',
    security_profile: 'fapi2',
    token_binding: '',
    request_requirement: [],
  };
  const register = async (fields: object = {}): Promise<Page> =>
    browser.submit(await browser.get('/o/applications/register/?view=expert'), { ...FIELDS, ...fields });
  const newestClient = (): Client => running.service().projections.clients.all().at(-1) ?? expect.fail('no client');

  it('is registered with its profile and key, shown in the form, and kept if a form lacks its fields', async () => {
    expect((await register()).status).to.equal(302);
    expect(newestClient().authentication.methods).to.deep.equal(['private_key_jwt']);
    expect(newestClient().security).to.include({
      profile: 'fapi2',
      dpopBoundAccessTokens: true,
      requirePushedAuthorizationRequests: true,
      authorizationResponseAlgorithm: 'PS256',
    });
    const path = `/o/applications/${newestClient().clientId}/`;
    const form = await browser.get(`${path}update/`);
    expect(/<details[^>]*id="security-section"[^>]*>/.exec(form.html)?.[0]).to.include(' open');
    expect(/<details[^>]*>\s*<summary>Request and response signatures/.exec(form.html)?.[0]).to.include(' open');
    const registeredSecurity = newestClient().security;
    const { auth_method: _method, client_keys: _keys, security: _marker, ...otherFields } = FIELDS;
    const { csrf_token: token = '' } = hiddenFields(form.html);
    const fields = { ...otherFields, redirect_uris: 'https://bank.example/other', csrf_token: token };
    expect((await browser.post(`${path}update/`, fields)).status).to.equal(302);
    expect(newestClient()).to.deep.include({
      security: registeredSecurity,
      redirectUris: ['https://bank.example/other'],
    });
    expect(newestClient().authentication.keys).to.have.length(1);
  });

  it('is refused with all reasons together', async () => {
    const { status, html } = await register({
      authorization_grant_type: ['authorization-code', 'password'],
      redirect_uris: 'http://localhost/callback',
      auth_method: 'client_secret_basic',
    });
    expect(status).to.equal(422);
    for (const reason of ['forbids the password grant', 'requires https', 'requires private_key_jwt'])
      expect(html).to.include(reason);
  });

  it('can be turned on later, once the application has what the profile requires', async () => {
    const app = await running.addClient({ owner: 'ada', grantTypes: ['authorization-code'] });
    const path = `/o/applications/${app.id}/`;
    const { auth_method: _method, client_keys: _keys, ...fields } = FIELDS;
    const refusal = await browser.submit(await browser.get(`${path}update/`), fields, `${path}update/`);
    expect(refusal.status).to.equal(422);
    expect(refusal.html).to.include('requires private_key_jwt or a client certificate');
    const keys = { client_keys: JSON.stringify(OLD_KEY.jwk) };
    await browser.submit(await browser.get(`${path}keys/`), keys, `${path}keys/`);
    const method = { auth_method: 'private_key_jwt' };
    await browser.submit(await browser.get(`${path}keys/`), method, `${path}authentication/`);
    const answer = await browser.submit(await browser.get(`${path}update/`), fields, `${path}update/`);
    expect(answer.status).to.equal(302);
    expect(newestClient().security).to.include({ profile: 'fapi2', dpopBoundAccessTokens: true });
  });
});
