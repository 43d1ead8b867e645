import { expect } from 'chai';
import { DEFAULT_OPENID } from '../../src/domain/openid-settings.ts';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import { REDIRECT_URI, runningService, type RunningService, type TestUser } from '../support/running-service.ts';

const FIELDS = {
  name: 'Engine',
  client_type: 'confidential',
  authorization_grant_type: ['authorization-code', 'client-credentials', 'password'],
  redirect_uris: `${REDIRECT_URI}\nhttps://app.example/other`,
  allowed_origins: 'https://app.example',
} as const;

const STORED_LINK = 'href="\\/o\\/applications\\/\\w+\\/try\\/" data-stored\\s+data-client-id="\\w+"';

describe("A user's applications", () => {
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

  async function register(fields: Readonly<Record<string, string | readonly string[]>> = {}): Promise<Page> {
    return browser.submitAndFollow(await browser.get('/o/applications/register/?view=expert'), {
      ...FIELDS,
      ...fields,
    });
  }

  const textWithId = ({ html }: Page, id: 'client-id' | 'client-secret'): string =>
    new RegExp(`id="${id}"[^>]*>([^<]+)<`).exec(html)?.[1] ?? '';
  const credentials = (page: Page) => ({
    client_id: textWithId(page, 'client-id'),
    client_secret: textWithId(page, 'client-secret'),
  });
  const pathOf = (page: Page): string => `/o/applications/${textWithId(page, 'client-id')}/`;
  const csrf = async (): Promise<string> =>
    hiddenFields((await browser.get('/o/applications/register/')).html)['csrf_token'] ?? '';
  const requestToken = (client: ReturnType<typeof credentials>) =>
    running.post('/o/token/', { grant_type: 'client_credentials', ...client });

  describe('when they are registered', () => {
    it('have credentials that work immediately', async () => {
      const page = await register();
      expect(page.status).to.equal(200);
      expect((await requestToken(credentials(page))).status).to.equal(200);
      expect(
        (
          await running.token(
            { id: '', secret: '', basic: `Basic ${btoa(Object.values(credentials(page)).join(':'))}` },
            {
              grant_type: 'password',
              username: ada.username,
              password: ada.password,
            },
          )
        ).status,
      ).to.equal(200);
    });

    it('show the secret on one page only', async () => {
      const page = await register();
      const { client_secret } = credentials(page);
      expect(client_secret).to.match(/^gls/);
      expect(page.headers.get('cache-control')).to.equal('no-store');
      for (const path of ['/o/applications/', pathOf(page), `${pathOf(page)}update/`, `${pathOf(page)}delete/`]) {
        const { html, status } = await browser.get(path);
        expect(status, path).to.equal(200);
        expect(html, path).not.to.include(client_secret);
      }
      expect(JSON.stringify(await running.events())).not.to.include(client_secret);
    });

    it('show the registered values in the list and on their pages', async () => {
      const page = await register({ name: '  Engine <No 1>  ' });
      const list = await browser.get('/o/applications/');
      const detail = await browser.get(pathOf(page));
      for (const { html } of [list, detail])
        expect(html).to.include('Engine &lt;No 1&gt;').and.include(textWithId(page, 'client-id'));
      for (const text of [
        'Confidential',
        'Authorization code, Client credentials, Resource owner password',
        REDIRECT_URI,
        'https://app.example/other',
      ]) {
        expect(detail.html).to.include(text);
      }
    });

    it('have no secret if they are public, and cannot get one', async () => {
      const page = await register({ client_type: 'public', authorization_grant_type: 'authorization-code' });
      expect(page.status).to.equal(200);
      expect(textWithId(page, 'client-secret')).to.equal('');
      expect((await browser.get(`${pathOf(page)}try/`)).html).to.include('code_challenge');
      expect((await browser.get(pathOf(page))).html).not.to.include('rotate_secret');
      expect((await browser.post(`${pathOf(page)}rotate_secret/`, { csrf_token: await csrf() })).status).to.equal(404);
    });

    it('require the CSRF token', async () => {
      expect((await browser.post('/o/applications/register/', { ...FIELDS })).status).to.equal(403);
      expect((await browser.get('/o/applications/')).html).to.include('No applications yet');
    });

    it('ignore fields for trust, id, secret and owner', async () => {
      const page = await register({
        skip_authorization: 'true',
        skipAuthorization: 'true',
        client_id: 'mine',
        client_secret: 'mine',
        owner: 'bob',
        user: 'bob',
      });
      const client = running.service().projections.clients.find(textWithId(page, 'client-id'));
      expect(client?.skipAuthorization).to.equal(false);
      const owner = running.service().projections.users.findByName('ada');
      expect(client?.members.map(({ userId, role }) => [userId, role])).to.deep.equal([[owner?.userId, 'owner']]);
      expect(running.service().projections.clients.find('mine')).to.equal(undefined);
    });
  });

  describe('have a page for each tab', () => {
    const TABS = {
      '': ['Overview', 'id="client-id"'],
      'try/': ['Try it', 'data-try-it'],
      'refusals/': ['Refusals', 'Refused requests'],
      'people/': ['People', 'ada</bdi> (you)'],
      'update/': ['Settings', 'name="redirect_uris"'],
    } as const;

    for (const [path, [title, content]] of Object.entries(TABS)) {
      it(`${title}, which is marked as current and links to all other tabs`, async () => {
        const { id } = await running.addClient({ owner: 'ada', name: 'Engine' });
        const applicationPath = `/o/applications/${id}/`;
        const { html } = await browser.get(`${applicationPath}${path}`);
        expect(html)
          .to.include(`<a href="${applicationPath}${path}" aria-current="page">${title}</a>`)
          .and.include(content);
        for (const tabPath of Object.keys(TABS)) expect(html).to.include(`<a href="${applicationPath}${tabPath}"`);
      });

      it(`${title}, for the owner only`, async () => {
        const bob = await running.addUser('bob');
        const { id } = await running.addClient({ owner: 'ada' });
        const otherBrowser = running.browser();
        await otherBrowser.logIn(bob.username, bob.password);
        expect((await otherBrowser.get(`/o/applications/${id}/${path}`)).status).to.equal(404);
        expect((await running.browser().get(`/o/applications/${id}/${path}`)).status).to.equal(302);
      });
    }
  });

  const INVALID_FIELDS = {
    'no name': ['name', ' '],
    'a long name': ['name', 'x'.repeat(256)],
    'a name with a control character': ['name', 'a\u0000b'],
    'a name with a direction mark': ['name', 'Bank \u202egro.elpmaxe'],
    'no client type': ['client_type', ''],
    'an unknown client type': ['client_type', 'secret'],
    'no grant type': ['authorization_grant_type', []],
    'an unknown grant type': ['authorization_grant_type', ['authorization-code', 'implicit']],
    'no redirect URI': ['redirect_uris', ''],
    'a relative redirect URI': ['redirect_uris', '/callback'],
    'a redirect URI with a fragment': ['redirect_uris', 'https://app.example/#x'],
    'a redirect URI with the javascript scheme': ['redirect_uris', 'javascript:alert(1)'],
    'a redirect URI with a wildcard': ['redirect_uris', 'https://*.example/'],
    'a plain http redirect URI': ['redirect_uris', 'http://app.example/'],
    'one invalid redirect URI among valid ones': ['redirect_uris', 'https://app.example/ nonsense'],
    'an origin with a path': ['allowed_origins', 'https://app.example/path'],
    'an unknown access token format': ['access_token_format', 'saml'],
    'an unknown signature algorithm for access tokens': ['access_token_algorithm', 'HS256'],
    'an unsigned ID token': ['id_token_algorithm', 'none'],
    'an unknown signature algorithm for userinfo': ['userinfo_algorithm', 'HS256'],
    'an unknown subject type': ['subject_type', 'private'],
    'a relative sector identifier URI': ['sector_identifier_uri', 'sector.json'],
    'a post-logout URI with a fragment': ['post_logout_redirect_uris', `${REDIRECT_URI} ${REDIRECT_URI}#top`],
    'a plain http back-channel logout URI': ['backchannel_logout_uri', 'http://app.example/'],
    'a plain http login page': ['initiate_login_uri', 'http://localhost/'],
    'a maximum age in words': ['default_max_age', 'an hour'],
  } as const satisfies Readonly<Record<string, readonly [string, string | readonly string[]]>>;

  for (const [problem, [field, value]] of Object.entries(INVALID_FIELDS)) {
    it(`are refused with ${problem}: the error is beside its field, and the input stays in the form`, async () => {
      const eventCount = (await running.events()).length;
      const page = await register({ [field]: value });
      expect(page.status).to.equal(422);
      expect(page.html).to.include(`id="${field}-error"`).and.include(`href="#${field}"`);
      expect(page.html.match(/class="field-error"/g)).to.have.length(1);
      expect(await running.events()).to.have.length(eventCount);
      if (field !== 'name') expect(page.html).to.include('value="Engine"');
      if (field !== 'client_type') expect(page.html).to.match(/value="confidential"\s+required\s+checked/);
      if (field !== 'allowed_origins') expect(page.html).to.match(/>\n?https:\/\/app\.example<\/textarea>/);
      expect((await browser.submit(page, FIELDS)).status, 'the corrected form').to.equal(302);
    });
  }

  describe('with settings for OpenID Connect', () => {
    const OPENID = {
      openid: 'yes',
      post_logout_redirect_uris: 'https://app.example/bye\nhttps://app.example/ciao',
      backchannel_logout_uri: ' https://app.example/logout ',
      initiate_login_uri: 'https://app.example/login',
      default_max_age: '3600',
      openid_requirement: ['session', 'auth-time'],
      subject_type: 'pairwise',
      sector_identifier_uri: '',
      id_token_algorithm: 'ES256',
      userinfo_algorithm: 'PS256',
    };
    const clientOf = (page: Page) => running.service().projections.clients.find(textWithId(page, 'client-id'));
    const sectionOf = ({ html }: Page) =>
      /<details class="disclosure form-section" id="openid-section"[^>]*>/.exec(html)?.[0];

    it('have the defaults if their section stays closed, and do not show them', async () => {
      expect(sectionOf(await browser.get('/o/applications/register/?view=expert'))).to.not.include('open>');
      const credentialsPage = await register();
      expect(clientOf(credentialsPage)).to.deep.include({ accessTokenAlgorithm: 'RS256', openid: DEFAULT_OPENID });
      expect((await browser.get(pathOf(credentialsPage))).html).not.to.include('id="openid-title"');
      expect(sectionOf(await browser.get(`${pathOf(credentialsPage)}update/`))).to.not.include('open>');
    });

    it('are registered and shown as entered, and their section is open when they are edited', async () => {
      const credentialsPage = await register({
        ...OPENID,
        access_token_format: 'jwt',
        access_token_algorithm: 'EdDSA',
      });
      expect(clientOf(credentialsPage)).to.deep.include({
        accessTokenAlgorithm: 'EdDSA',
        openid: {
          idTokenAlgorithm: 'ES256',
          userinfoAlgorithm: 'PS256',
          subjectType: 'pairwise',
          sectorIdentifierUri: null,
          postLogoutRedirectUris: ['https://app.example/bye', 'https://app.example/ciao'],
          backchannelLogoutUri: 'https://app.example/logout',
          backchannelLogoutSessionRequired: true,
          initiateLoginUri: 'https://app.example/login',
          defaultMaxAgeSeconds: 3_600,
          requireAuthTime: true,
        },
      });
      const { html } = await browser.get(pathOf(credentialsPage));
      for (const text of [
        'https://app.example/ciao',
        'https://app.example/logout',
        'https://app.example/login',
        '3,600 seconds',
        'Signed (JWT), with EdDSA',
        'signed with ES256',
        'signed with PS256',
        'its own (pairwise)',
      ])
        expect(html).to.include(text);
      expect(sectionOf(await browser.get(`${pathOf(credentialsPage)}update/`))).to.include('open>');
    });

    it('open the section for user ids and signatures only if one of them is set or invalid', async () => {
      const partOf = ({ html }: Page) => /<details class="disclosure"[^>]*>\s*<summary>User ids/.exec(html)?.[0];
      const pageWithLogout = await register({ openid: 'yes', backchannel_logout_uri: 'https://app.example/logout' });
      const form = await browser.get(`${pathOf(pageWithLogout)}update/`);
      expect([sectionOf(form)?.includes('open>'), partOf(form)?.includes('open>')]).to.deep.equal([true, false]);
      for (const fields of [{ subject_type: 'pairwise' }, { id_token_algorithm: 'ES256' }]) {
        const credentialsPage = await register({ openid: 'yes', ...fields });
        expect(partOf(await browser.get(`${pathOf(credentialsPage)}update/`)), Object.keys(fields)[0]).to.include(
          'open>',
        );
      }
      const refusal = await browser.post(`${pathOf(pageWithLogout)}update/`, {
        csrf_token: await csrf(),
        ...FIELDS,
        openid: 'yes',
        sector_identifier_uri: 'sector',
      });
      expect(partOf(refusal)).to.include('open>');
    });

    it('keep these settings if a form lacks the fields, and lose them if the fields are empty', async () => {
      const credentialsPage = await register(OPENID);
      const previousOpenid = clientOf(credentialsPage)?.openid;
      const update = async (fields: object): Promise<unknown> => {
        await browser.post(`${pathOf(credentialsPage)}update/`, { csrf_token: await csrf(), ...FIELDS, ...fields });
        return clientOf(credentialsPage)?.openid;
      };
      expect(await update({})).to.deep.equal(previousOpenid);
      const emptyFields = Object.fromEntries(Object.keys(OPENID).map((name) => [name, name === 'openid' ? 'yes' : '']));
      expect(await update(emptyFields)).to.deep.equal(DEFAULT_OPENID);
    });

    it('open the section if one of its fields is refused', async () => {
      const page = await register({ default_max_age: '-1' });
      expect(page.status).to.equal(422);
      expect(sectionOf(page)).to.include('open>');
      expect(page.html).to.include('value="-1"');
    });

    it('need a sector identifier URI for pairwise ids if their redirect URIs have several hosts', async () => {
      const redirect_uris = `${REDIRECT_URI} https://app.example.net/`;
      const page = await register({ redirect_uris, subject_type: 'pairwise' });
      expect(page.status).to.equal(422);
      expect(page.html).to.match(/id="sector_identifier_uri-error">[^<]*app\.example, app\.example\.net/);
    });

    it('mark post-logout URIs that the settings no longer allow', async () => {
      await running.restart({ plainHttpRedirectUris: true });
      const { id } = await running.addClient({
        owner: 'ada',
        openid: { postLogoutRedirectUris: ['http://app.example/bye'] },
      });
      await running.restart({ plainHttpRedirectUris: false });
      await browser.logIn(ada.username, ada.password);
      expect((await browser.get(`/o/applications/${id}/`)).html).to.include('No longer allowed: it must use https');
    });
  });

  it('cannot be public with the client credentials grant', async () => {
    const page = await register({ client_type: 'public' });
    expect(page.status).to.equal(422);
    expect(page.html).to.include('id="authorization_grant_type-error"');
  });

  it('need no redirect URI if no grant type uses one', async () => {
    expect((await register({ authorization_grant_type: 'client-credentials', redirect_uris: '' })).status).to.equal(
      200,
    );
  });

  describe('with the built-in callback page', () => {
    const callbackOf = (page: Page): string => `http://localhost:8000${pathOf(page)}callback/`;
    const registeredClient = (page: Page) => running.service().projections.clients.find(textWithId(page, 'client-id'));

    it('need no other redirect URI, and get one on this server that contains their id', async () => {
      for (const client_type of ['confidential', 'public']) {
        const credentialsPage = await register({
          client_type,
          authorization_grant_type: 'authorization-code',
          redirect_uris: '',
          builtin_callback: 'yes',
        });
        expect(registeredClient(credentialsPage)?.redirectUris).to.deep.equal([callbackOf(credentialsPage)]);
      }
    });

    it('show it as a checkbox, apart from their other redirect URIs', async () => {
      const credentialsPage = await register({ builtin_callback: 'yes' });
      const redirectUris = registeredClient(credentialsPage)?.redirectUris ?? [];
      expect(redirectUris).to.have.length(3).and.include(callbackOf(credentialsPage));
      const form = await browser.get(`${pathOf(credentialsPage)}update/`);
      expect(form.html)
        .to.match(/name="builtin_callback" value="yes"\s+checked/)
        .and.match(/https:\/\/app\.example\/other<\/textarea>/);
      await browser.submit(form, { ...FIELDS, builtin_callback: 'yes' });
      expect(registeredClient(credentialsPage)?.redirectUris).to.deep.equal(redirectUris);
      await browser.submit(await browser.get(`${pathOf(credentialsPage)}update/`), FIELDS);
      expect(registeredClient(credentialsPage)?.redirectUris).to.deep.equal(redirectUris.slice(0, 2));
    });
  });

  describe('when they are updated', () => {
    it('show the registered values in the form, and save the changes', async () => {
      const credentialsPage = await register();
      const form = await browser.get(`${pathOf(credentialsPage)}update/`);
      expect(form.html)
        .to.include('value="Engine"')
        .and.match(/https:\/\/app\.example\/callback\nhttps:\/\/app\.example\/other<\/textarea>/);
      expect(form.html.match(/ checked/g)).to.have.length(10);
      const answer = await browser.submit(form, {
        ...FIELDS,
        name: 'Difference Engine',
        authorization_grant_type: 'client-credentials',
      });
      expect(answer).to.include({ status: 302, location: pathOf(credentialsPage) });
      const { html } = await browser.get(pathOf(credentialsPage));
      expect(html).to.include('Difference Engine').and.include('<dd>Client credentials</dd>');
      expect((await requestToken(credentials(credentialsPage))).status, 'the secret is unchanged').to.equal(200);
    });

    it('are validated as they are at registration, and stay unchanged if refused', async () => {
      const credentialsPage = await register();
      const page = await browser.submit(await browser.get(`${pathOf(credentialsPage)}update/`), {
        ...FIELDS,
        name: 'Other',
        redirect_uris: 'nonsense',
      });
      expect(page.status).to.equal(422);
      expect(page.html).to.include('id="redirect_uris-error"').and.include('value="Other"');
      expect((await browser.get(pathOf(credentialsPage))).html).not.to.include('Other');
    });

    it('change the access token format only if the form contains it', async () => {
      const credentialsPage = await register();
      const update = async (fields: object): Promise<string | undefined> => {
        await browser.post(`${pathOf(credentialsPage)}update/`, { csrf_token: await csrf(), ...FIELDS, ...fields });
        return running.service().projections.clients.find(textWithId(credentialsPage, 'client-id'))?.accessTokenFormat;
      };
      expect(running.service().projections.clients.find(textWithId(credentialsPage, 'client-id'))).to.include({
        accessTokenFormat: 'opaque',
      });
      expect(await update({ access_token_format: 'jwt' })).to.equal('jwt');
      expect((await browser.get(`${pathOf(credentialsPage)}update/`)).html).to.match(/value="jwt"\s+checked/);
      expect((await browser.get(pathOf(credentialsPage))).html).to.include('Signed (JWT)');
      expect(await update({})).to.equal('jwt');
      expect(await update({ access_token_format: 'opaque' })).to.equal('opaque');
    });

    it('limit the authorization detail types only if the form contains the limit', async () => {
      const credentialsPage = await register();
      const save = async (fields: Readonly<Record<string, string>>) => {
        const form = { csrf_token: await csrf(), ...FIELDS, ...fields };
        const { status } = await browser.post(`${pathOf(credentialsPage)}update/`, form);
        return [
          status,
          running.service().projections.clients.find(textWithId(credentialsPage, 'client-id'))?.detailTypes,
        ];
      };
      const types = ['pay', 'https://bank.example/read'];
      const limit = { detail_type_limit: 'listed' };
      expect(await save({ ...limit, allowed_detail_types: types.join('\n') })).to.deep.equal([302, types]);
      expect((await browser.get(pathOf(credentialsPage))).html).to.include('https://bank.example/read</code>');
      expect(await save({ ...limit, allowed_detail_types: '"quotes"' })).to.deep.equal([422, types]);
      expect(await save({}), 'a form from a script').to.deep.equal([302, types]);
      expect(await save({ ...limit, allowed_detail_types: '' }), 'no type').to.deep.equal([302, []]);
      expect(await save({ detail_type_limit: 'all' })).to.deep.equal([302, undefined]);
    });

    it('keep settings that their owners cannot change', async () => {
      const client = await running.addClient({ owner: 'ada', skipAuthorization: true });
      await browser.submit(await browser.get(`/o/applications/${client.id}/update/`), {
        ...FIELDS,
        skip_authorization: '',
      });
      expect(running.service().projections.clients.find(client.id)).to.include({
        name: 'Engine',
        skipAuthorization: true,
      });
    });
  });

  it('accept the new secret immediately after a rotation, show it once, and refuse the old one', async () => {
    const credentialsPage = await register();
    const oldCredentials = credentials(credentialsPage);
    const page = await browser.submitAndFollow(await browser.get(`${pathOf(credentialsPage)}rotate_secret/`), {
      old_secret: 'now',
    });
    const newCredentials = credentials(page);
    expect(page.status).to.equal(200);
    expect(newCredentials.client_id).to.equal(oldCredentials.client_id);
    expect([(await requestToken(oldCredentials)).status, (await requestToken(newCredentials)).status]).to.deep.equal([
      401, 200,
    ]);
    expect((await browser.get(pathOf(credentialsPage))).html).not.to.include(newCredentials.client_secret);
  });

  describe('with an old secret that is still valid', () => {
    let oldCredentials: ReturnType<typeof credentials>;
    let newCredentials: ReturnType<typeof credentials>;
    let page: Page;
    let path: string;
    const rotate = async (old_secret: string): Promise<Page> =>
      browser.submitAndFollow(await browser.get(`${path}rotate_secret/`), { old_secret });
    const statuses = async () => [
      (await requestToken(oldCredentials)).status,
      (await requestToken(newCredentials)).status,
    ];
    const instantIn = (html: string, label: string): string | undefined =>
      new RegExp(`<dt>${label}</dt>\\s*<dd>(.*?)</dd>`, 's')
        .exec(html)?.[1]
        ?.replaceAll(/<[^>]*>/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim();

    beforeEach(async () => {
      const credentialsPage = await register();
      path = pathOf(credentialsPage);
      oldCredentials = credentials(credentialsPage);
      page = await rotate('hour');
      newCredentials = credentials(page);
    });

    it('accept it along with the new one until the time that the owner chose', async () => {
      expect(page.html).to.match(/The old secret expires <time/);
      expect(await statuses()).to.deep.equal([200, 200]);
      running.clock.advance(3_599);
      expect(await statuses()).to.deep.equal([200, 200]);
      running.clock.advance(1);
      expect(await statuses()).to.deep.equal([401, 200]);
    });

    it('show it with its expiry and last use until it expires', async () => {
      const start = new Date(running.clock.now()).toISOString();
      expect(instantIn((await browser.get(path)).html, 'Last used')).to.equal('never');
      expect(instantIn((await browser.get(path)).html, 'Old secret')).to.match(
        /^expires in .*; not used since the rotation$/,
      );
      await requestToken(oldCredentials);
      running.clock.advance(60);
      await requestToken(newCredentials);
      const { html } = await browser.get(path);
      expect(instantIn(html, 'Last used')).to.equal('just now');
      expect(instantIn(html, 'Old secret')).to.match(/^expires in 59 minutes; last used 1 minute ago$/);
      expect(html)
        .to.include(`datetime="${start}"`)
        .and.include(`datetime="${new Date(running.clock.now()).toISOString()}"`);
      running.clock.advance(3_600);
      expect(instantIn((await browser.get(path)).html, 'Old secret')).to.equal(undefined);
    });

    it('refuse it immediately after another rotation', async () => {
      expect((await browser.get(`${path}rotate_secret/`)).html).to.include(
        'If you rotate again, it will expire immediately.',
      );
      const nextCredentials = credentials(await rotate('week'));
      expect(await statuses()).to.deep.equal([401, 200]);
      expect((await requestToken(nextCredentials)).status).to.equal(200);
      await rotate('now');
      expect([...(await statuses()), (await requestToken(nextCredentials)).status]).to.deep.equal([401, 401, 401]);
    });

    it('refuse an overlap that the form does not offer', async () => {
      const eventCount = (await running.events()).length;
      for (const old_secret of ['year', '3600', 'toString', '__proto__']) {
        expect((await rotate(old_secret)).status, old_secret).to.equal(400);
      }
      expect(await running.events()).to.have.length(eventCount);
    });
  });

  describe('with recent refusals', () => {
    it('show what was expected, what was seen and what to do, and whether the client was authenticated', async () => {
      const credentialsPage = await register();
      expect((await browser.get(`${pathOf(credentialsPage)}refusals/`)).html).to.include('None yet. If a request');
      const client = credentials(credentialsPage);
      await running.post('/o/token/', { grant_type: 'authorization_code', code: 'x', ...client });
      await running.post('/o/token/', { grant_type: 'client_credentials', ...client, client_secret: 'wrong' });
      const { html } = await browser.get(`${pathOf(credentialsPage)}refusals/`);
      const refusals = html.match(/<details class="disclosure refusal"[\s\S]*?<\/details>/g) ?? [];
      expect(refusals).to.have.length(2);
      expect(refusals[0])
        .to.include('invalid_client')
        .and.include('sender not verified')
        .and.include('POST /o/token/')
        .and.not.include('wrong</');
      expect(refusals[1]).to.include('invalid_grant').and.not.include('sender not verified');
      for (const refusal of refusals)
        for (const word of ['Expected', 'Received', 'What to do']) expect(refusal).to.include(`<dt>${word}</dt>`);
    });

    it('keep authenticated refusals despite many unauthenticated ones, and show five of the latter', async () => {
      const credentialsPage = await register();
      const client = credentials(credentialsPage);
      await running.post('/o/token/', { grant_type: 'refresh_token', ...client });
      for (let count = 0; count < 30; count += 1)
        await running.post('/o/token/', { grant_type: 'refresh_token', ...client, client_secret: 'wrong' });
      const refusals =
        (await browser.get(`${pathOf(credentialsPage)}refusals/`)).html.match(
          /<details class="disclosure refusal"[\s\S]*?<\/details>/g,
        ) ?? [];
      expect(refusals).to.have.length(6);
      expect(refusals.at(-1)).not.to.include('sender not verified');
    });

    it('show only their own, at most the newest twenty', async () => {
      const [credentialsPage, otherPage] = [await register(), await register()];
      for (let count = 0; count < 25; count += 1)
        await running.post('/o/token/', { grant_type: 'refresh_token', ...credentials(credentialsPage) });
      expect(
        (await browser.get(`${pathOf(credentialsPage)}refusals/`)).html.match(/class="disclosure refusal"/g),
      ).to.have.length(20);
      expect((await browser.get(`${pathOf(otherPage)}refusals/`)).html).to.include('None yet. If a request');
    });
  });

  describe('in use', () => {
    const plainText = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

    it('show in the list when they were last used, if ever', async () => {
      const credentialsPage = await register();
      expect(plainText((await browser.get('/o/applications/')).html)).to.include('never used');
      await requestToken(credentials(credentialsPage));
      expect(plainText((await browser.get('/o/applications/')).html)).to.include('last used just now');
    });

    it('show their tokens by hour and by day, with the same numbers in a sentence and a table', async () => {
      const credentialsPage = await register();
      expect((await browser.get(pathOf(credentialsPage))).html)
        .to.include('No tokens issued in the last 30 days.')
        .and.not.include('<svg class="chart__bars"');
      for (const pause of [0, 0, 3_600]) {
        running.clock.advance(pause);
        await requestToken(credentials(credentialsPage));
      }
      const { html } = await browser.get(pathOf(credentialsPage));
      expect(plainText(html))
        .to.include('Last 24 hours: 3 tokens, at most 2 in an hour (1 January 2026 at 00:00 UTC)')
        .and.include('Last 30 days: 3 tokens');
      expect(
        [...html.matchAll(/<rect class="chart__bar"[^>]* height="([1-9]\d*)"/g)].map(([, height]) => height),
      ).to.deep.equal(['100', '50', '100']);
      expect(plainText(html)).to.match(
        /Hour starting Number of tokens 1 January 2026 at 01:00 UTC 1 1 January 2026 at 00:00 UTC 2 31 December 2025/,
      );
      expect(html).to.match(/role="img" aria-labelledby="hours"/);
    });

    it('show before deletion how many users, authorizations and tokens they have', async () => {
      const credentialsPage = await register();
      const readDeletionPage = async (): Promise<string> =>
        plainText((await browser.get(`${pathOf(credentialsPage)}delete/`)).html);
      expect(await readDeletionPage())
        .to.include('no users have active authorizations')
        .and.include('no active authorizations')
        .and.include('no active access tokens');
      const client = {
        id: '',
        secret: '',
        basic: `Basic ${btoa(Object.values(credentials(credentialsPage)).join(':'))}`,
      };
      const bob = await running.addUser('bob');
      for (const { username, password } of [ada, ada, bob])
        await running.token(client, { grant_type: 'password', username, password });
      await requestToken(credentials(credentialsPage));
      expect(await readDeletionPage())
        .to.include('2 users have active authorizations')
        .and.include('3 active')
        .and.include('up to 4 active access tokens');
    });

    it('show the message about a change once, and the message about a deletion in the list', async () => {
      const credentialsPage = await register();
      await browser.submit(await browser.get(`${pathOf(credentialsPage)}update/`), { ...FIELDS, name: 'Loom' });
      expect((await browser.get(pathOf(credentialsPage))).html).to.include('Your changes were saved.');
      expect((await browser.get(pathOf(credentialsPage))).html).not.to.include('Your changes were saved.');
      await browser.submit(await browser.get(`${pathOf(credentialsPage)}delete/`), {});
      expect((await browser.get('/o/applications/')).html).to.include('Loom and all of its tokens were deleted.');
    });
  });

  it('are by default confidential, with the authorization code grant and opaque tokens', async () => {
    const { html } = await browser.get('/o/applications/register/?view=expert');
    for (const value of ['confidential', 'authorization-code', 'opaque'])
      expect(html, value).to.match(new RegExp(`value="${value}"[^>]* checked`));
    expect(html.match(/ checked/g)).to.have.length(10);
  });

  it('show the secret with a link to confirm that it is stored', async () => {
    const { html } = await register();
    expect(html)
      .to.match(new RegExp(`${STORED_LINK}>I have stored it: try the application<`))
      .and.include('/static/stored.js');
    expect(
      (await register({ client_type: 'public', authorization_grant_type: 'authorization-code' })).html,
    ).not.to.include('stored');
  });

  it('ask for confirmation before deletion, which invalidates their tokens with the same event', async () => {
    const credentialsPage = await register();
    const { json } = await requestToken(credentials(credentialsPage));
    const authorization = `Bearer ${String(json?.['access_token'])}`;
    expect((await running.get('/users/', { authorization })).status).to.equal(200);
    const confirmation = await browser.get(`${pathOf(credentialsPage)}delete/`);
    expect(confirmation.html).to.include('Delete <bdi>Engine</bdi>?');
    expect((await running.get('/users/', { authorization })).status, 'the confirmation page deletes nothing').to.equal(
      200,
    );

    const eventCount = (await running.events()).length;
    expect(await browser.submit(confirmation, {})).to.include({ status: 302, location: '/o/applications/' });
    expect((await running.events()).slice(eventCount).map(({ type }) => type)).to.deep.equal(['ClientRemoved']);
    expect((await running.get('/users/', { authorization })).status).to.equal(401);
    expect((await requestToken(credentials(credentialsPage))).status).to.equal(401);
    expect((await browser.get(pathOf(credentialsPage))).status).to.equal(404);
    expect((await browser.get('/o/applications/')).html).to.include('No applications yet');
  });

  it('do not exist for other users', async () => {
    const credentialsPage = await register();
    const { username, password } = await running.addUser('bob');
    const bob = running.browser();
    await bob.logIn(username, password);
    const csrf_token = hiddenFields((await bob.get('/o/applications/register/')).html)['csrf_token'] ?? '';
    const unknownPage = await bob.get('/o/applications/unknown/');
    const pages = ['', 'update/', 'delete/', 'rotate_secret/', 'credentials/x/'];
    for (const path of pages.map((subpath) => pathOf(credentialsPage) + subpath)) {
      const page = await bob.get(path);
      const withoutRequestId = ({ html, headers }: Page): string =>
        html.replaceAll(headers.get('x-request-id') ?? '', '');
      expect(page.status, path).to.equal(404);
      expect(withoutRequestId(page)).to.equal(withoutRequestId(unknownPage));
    }
    for (const path of ['update/', 'delete/', 'rotate_secret/'].map((subpath) => pathOf(credentialsPage) + subpath)) {
      expect((await bob.post(path, { ...FIELDS, name: 'Stolen', csrf_token })).status, path).to.equal(404);
    }
    expect((await bob.get('/o/applications/')).html).to.include('No applications yet');
    expect((await browser.get(pathOf(credentialsPage))).html)
      .to.include('Engine')
      .and.not.include('Stolen');
    expect((await requestToken(credentials(credentialsPage))).status).to.equal(200);
  });

  it('do not change without the CSRF token', async () => {
    const credentialsPage = await register();
    for (const path of ['update/', 'delete/', 'rotate_secret/'].map((subpath) => pathOf(credentialsPage) + subpath)) {
      expect((await browser.post(path, { ...FIELDS })).status, path).to.equal(403);
    }
    expect((await requestToken(credentials(credentialsPage))).status).to.equal(200);
  });

  it('do not include applications without an owner', async () => {
    const client = await running.addClient();
    expect((await browser.get(`/o/applications/${client.id}/`)).status).to.equal(404);
  });
});
