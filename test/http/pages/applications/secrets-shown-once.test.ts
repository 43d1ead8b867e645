import { expect } from 'chai';
import { hiddenFields, type BrowserSession, type Page } from '../../../support/browser-session.ts';
import {
  runningService,
  type RunningOptions,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ROOT: TestUser = { username: 'root', password: 'the password of root' };
const APPLICATION = {
  name: 'Engine',
  client_type: 'confidential',
  authorization_grant_type: 'client-credentials',
} as const;

type Fields = Readonly<Record<string, string | readonly string[]>>;

describe('A generated secret', () => {
  let running: RunningService;
  let browser: BrowserSession;
  let application: TestClient;

  beforeEach(() => startService());
  afterEach(() => running.close());

  async function startService(options: RunningOptions = {}): Promise<void> {
    running = await runningService(options);
    const registration = await running.service().accounts.register({ ...ROOT, roles: ['administrator'] }, OPERATOR);
    if ('errors' in registration) throw new Error(JSON.stringify(registration.errors));
    await running.addUser('ada');
    application = await running.addClient({ owner: 'root', name: 'Engine' });
    browser = await startSession();
  }

  async function startSession(): Promise<BrowserSession> {
    const session = running.browser();
    await session.logIn(ROOT.username, ROOT.password);
    return session;
  }

  const submitForm = async (path: string, fields: Fields, userBrowser = browser): Promise<Page> =>
    userBrowser.submit(await userBrowser.get(path), fields, path);
  const extractSecret = ({ html }: Page): string | undefined =>
    /id="(?:client-secret|account-password)"[^>]*>([^<]+)</.exec(html)?.[1];
  const requestTokenStatus = async (secret: string, id = application.id): Promise<number> =>
    (await running.post('/o/token/', { grant_type: 'client_credentials', client_id: id, client_secret: secret }))
      .status;
  const canLogIn = async (username: string, password: string): Promise<boolean> =>
    (await running.browser().logIn(username, password)).status === 302;
  const rotationPath = (id = application.id): string => `/o/applications/${id}/rotate_secret/`;

  /** Each form that creates a secret, and a check that the secret is valid. */
  const FORMS: Readonly<
    Record<string, { readonly send: () => Promise<Page>; readonly isValid: (secret: string) => Promise<boolean> }>
  > = {
    'for a new application': {
      send: () => submitForm('/o/applications/register/', APPLICATION),
      async isValid(secret) {
        const newestClient = running.service().projections.clients.all().at(-1);
        return (await requestTokenStatus(secret, newestClient?.clientId)) === 200;
      },
    },
    'rotated by the application owner': {
      send: () => submitForm(rotationPath(), { old_secret: 'day' }),
      isValid: async (secret) => (await requestTokenStatus(secret)) === 200,
    },
    'rotated by an administrator': {
      send: () => submitForm(`/admin/applications/${application.id}/rotate_secret/`, { old_secret: 'day' }),
      isValid: async (secret) => (await requestTokenStatus(secret)) === 200,
    },
    'for a new user': {
      send: () => submitForm('/admin/users/add/', { username: 'eve', password: '' }),
      isValid: (password) => canLogIn('eve', password),
    },
    'set for a user by an administrator': {
      send: () => submitForm('/admin/users/2/password/', { password: '' }),
      isValid: (password) => canLogIn('ada', password),
    },
    'set by an administrator for their own account': {
      send: () => submitForm('/admin/users/1/password/', { password: '' }),
      isValid: (password) => canLogIn('root', password),
    },
  };

  for (const [name, form] of Object.entries(FORMS)) {
    describe(name, () => {
      it('is shown once, on a page that is never cached', async () => {
        const { location } = await form.send();
        const page = await browser.get(location ?? '');
        const secret = extractSecret(page) ?? '';
        expect(page.status).to.equal(200);
        expect(page.headers.get('cache-control')).to.equal('no-store');
        expect(await form.isValid(secret)).to.equal(true);
        const reloadedPage = await browser.get(location ?? '');
        expect(extractSecret(reloadedPage)).to.equal(undefined);
        expect(reloadedPage.status).to.equal(200);
        expect(reloadedPage.html).to.include('was shown only once').and.not.include(secret);
        expect(await form.isValid(secret), 'the secret remains valid').to.equal(true);
      });

      it('needs no state on the server between the form and the page', async () => {
        const { location, headers, html } = await form.send();
        await running.restart();
        const secret = extractSecret(await browser.get(location ?? '')) ?? '';
        expect(await form.isValid(secret)).to.equal(true);
        for (const text of [html, location ?? '', ...headers.getSetCookie(), JSON.stringify(await running.events())])
          expect(text).not.to.include(secret);
      });
    });
  }

  it('is not rotated again when its page is reloaded', async () => {
    const { location } = await submitForm(rotationPath(), { old_secret: 'week' });
    const secret = extractSecret(await browser.get(location ?? '')) ?? '';
    for (const reload of [1, 2]) expect((await browser.get(location ?? '')).status, String(reload)).to.equal(200);
    expect([await requestTokenStatus(application.secret), await requestTokenStatus(secret)]).to.deep.equal([200, 200]);
    expect((await running.events()).filter(({ type }) => type === 'ClientSecretRotated')).to.have.length(1);
  });

  it('is shown on its own page, even if other tabs are open', async () => {
    const otherApplication = await running.addClient({ owner: 'root', name: 'Loom' });
    const responses = [
      await submitForm(rotationPath(), { old_secret: 'day' }),
      await submitForm(rotationPath(otherApplication.id), { old_secret: 'day' }),
      await submitForm(rotationPath(), { old_secret: 'day' }),
    ];
    const secrets: string[] = [];
    for (const { location } of responses) secrets.push(extractSecret(await browser.get(location ?? '')) ?? '');
    expect(await requestTokenStatus(secrets[1] ?? '', otherApplication.id)).to.equal(200);
    expect(
      [await requestTokenStatus(secrets[0] ?? ''), await requestTokenStatus(secrets[2] ?? '')],
      'the secret from the first rotation remains valid during the overlap',
    ).to.deep.equal([200, 200]);
    expect(new Set(secrets).size).to.equal(3);
  });

  describe('before its page has been shown', () => {
    let location: string;
    let cookies: string;

    beforeEach(async () => {
      ({ location } = (await submitForm(rotationPath(), { old_secret: 'day' })) as { location: string });
      cookies = browser.cookieHeader(location);
    });

    const fetchSecret = async (path: string, cookie = cookies): Promise<string | undefined> => {
      const { status, text, headers } = await running.get(path, { cookie, accept: 'text/html' });
      expect(status).to.equal(200);
      return extractSecret({ html: text, headers, status, location: null, path });
    };
    const sealedSecret = (): string =>
      /grantlog-secret=([\w-]+)/.exec(cookies)?.[1] ?? expect.fail('there is no cookie with a secret');

    it('can be requested again if the page did not arrive', async () => {
      const secret = await fetchSecret(location);
      expect(secret).to.match(/^gls/);
      expect(await fetchSecret(location)).to.equal(secret);
    });

    it('is not used up by a HEAD request', async () => {
      const { headers } = await running.send(location, {
        method: 'HEAD',
        headers: { cookie: cookies, accept: 'text/html' },
      });
      expect(headers.getSetCookie().join()).not.to.include('grantlog-secret');
      expect(extractSecret(await browser.get(location))).to.match(/^gls/);
    });

    it('is available for five minutes', async () => {
      running.clock.advance(299);
      expect(await fetchSecret(location)).to.match(/^gls/);
      running.clock.advance(1);
      expect(await fetchSecret(location)).to.equal(undefined);
    });

    it('is available only in its own session and on its own page', async () => {
      const sessionCookies = (userBrowser: BrowserSession): string =>
        `${userBrowser.cookieHeader('/')}; grantlog-secret=${sealedSecret()}`;
      expect(await fetchSecret(location, sessionCookies(browser))).to.match(/^gls/);
      expect(
        await fetchSecret(location, sessionCookies(await startSession())),
        'another session of the same user',
      ).to.equal(undefined);
      for (const path of [
        location.replace(/[^/]+\/$/, 'AAAAAAAAAAAAAAAAAAAAAA/'),
        `/admin/applications/${application.id}/credentials/${location.split('/').at(-2)}/`,
      ]) {
        expect(await fetchSecret(path, sessionCookies(browser)), path).to.equal(undefined);
      }
    });

    it('is unavailable if its sealed form has been modified', async () => {
      const bytes = Buffer.from(sealedSecret(), 'base64url');
      for (let index = 0; index < bytes.length; index += 7) {
        const alteredBytes = Buffer.from(bytes);
        alteredBytes.writeUInt8(bytes.readUInt8(index) ^ 1, index);
        expect(
          await fetchSecret(location, cookies.replace(sealedSecret(), alteredBytes.toString('base64url'))),
          `byte ${index}`,
        ).to.equal(undefined);
      }
      for (const invalidText of ['', 'AAAA', sealedSecret().slice(0, 40), 'not base64!'])
        expect(await fetchSecret(location, cookies.replace(sealedSecret(), invalidText)), invalidText).to.equal(
          undefined,
        );
    });

    it('is unavailable on a server with different keys', async () => {
      const [oldSealedSecret, path] = [sealedSecret(), location];
      await running.close();
      await startService({ seed: 'another server' });
      const newPath = path.replace(/applications\/\w+/, `applications/${application.id}`);
      expect(await fetchSecret(newPath, `${browser.cookieHeader('/')}; grantlog-secret=${oldSealedSecret}`)).to.equal(
        undefined,
      );
    });
  });

  it('is sealed in a cookie that scripts, other sites and other pages cannot read', async () => {
    for (const issuer of ['http://id.example', 'https://id.example']) {
      await running.close();
      await startService({ settings: { issuer } });
      const { location, headers } = await submitForm(rotationPath(), { old_secret: 'day' });
      const cookie = headers.getSetCookie().find((text) => text.includes('grantlog-secret=')) ?? '';
      const path = location?.replace(/\/$/, '') ?? '';
      expect(path).to.match(new RegExp(`^/o/applications/${application.id}/credentials/[\\w-]{22}$`));
      for (const part of [`; path=${path};`, '; httponly', '; samesite=strict'])
        expect(`${cookie};`.toLowerCase()).to.include(part.toLowerCase());
      expect(cookie).not.to.match(/; domain/i);
      expect([cookie.startsWith('__Secure-'), /; secure/i.test(cookie)]).to.deep.equal(
        issuer.startsWith('https:') ? [true, true] : [false, false],
      );
    }
  });
});

describe('A form submitted twice', () => {
  let running: RunningService;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    const registration = await running.service().accounts.register({ ...ROOT, roles: ['administrator'] }, OPERATOR);
    if ('errors' in registration) throw new Error(JSON.stringify(registration.errors));
    browser = running.browser();
    await browser.logIn(ROOT.username, ROOT.password);
  });
  afterEach(() => running.close());

  const extractSecret = ({ html }: Page): string | undefined =>
    /id="(?:client-secret|account-password)"[^>]*>([^<]+)</.exec(html)?.[1];
  const follow = async ({ location }: Page): Promise<Page> => browser.get(location ?? '');
  const listEventTypesSince = async (position: number): Promise<readonly string[]> =>
    (await running.events()).slice(position).map(({ type }) => type);
  const requestTokenStatus = async (id: string, secret: string): Promise<number> =>
    (await running.post('/o/token/', { grant_type: 'client_credentials', client_id: id, client_secret: secret }))
      .status;
  const extractClientId = ({ location }: Page): string => /applications\/(\w+)\//.exec(location ?? '')?.[1] ?? '';

  it('registers one application, and shows its credentials both times', async () => {
    const form = await browser.get('/o/applications/register/');
    const head = running.log.head();
    const responses = [
      ...(await Promise.all([browser.submit(form, APPLICATION), browser.submit(form, APPLICATION)])),
      await browser.submit(form, APPLICATION),
    ];
    expect(await listEventTypesSince(head)).to.deep.equal(['ClientRegistered']);
    expect(new Set(responses.map(extractClientId)).size).to.equal(1);
    for (const response of responses)
      expect(await requestTokenStatus(extractClientId(response), extractSecret(await follow(response)) ?? '')).to.equal(
        200,
      );
  });

  it('registers another application if its fields or its id differ, or the id is missing', async () => {
    const form = await browser.get('/o/applications/register/');
    const csrf_token = hiddenFields(form.html)['csrf_token'] ?? '';
    const head = running.log.head();
    for (const fields of [APPLICATION, { ...APPLICATION, name: 'Loom' }]) await browser.submit(form, fields);
    await browser.submit(await browser.get('/o/applications/register/'), APPLICATION);
    for (const form_id of ['', 'x', 'x'.repeat(23)])
      await browser.post('/o/applications/register/', { csrf_token, ...APPLICATION, form_id });
    await browser.post('/o/applications/register/', { csrf_token, ...APPLICATION });
    expect(await listEventTypesSince(head)).to.deep.equal(Array.from({ length: 7 }, () => 'ClientRegistered'));
  });

  it('registers another application in a different session', async () => {
    const form_id = 'A'.repeat(22);
    const head = running.log.head();
    for (const count of [1, 2]) {
      const otherBrowser = running.browser();
      await otherBrowser.logIn(ROOT.username, ROOT.password);
      await otherBrowser.submit(await otherBrowser.get('/o/applications/register/'), { ...APPLICATION, form_id });
      expect((await listEventTypesSince(head)).filter((type) => type === 'ClientRegistered')).to.have.length(count);
    }
  });

  it('does not show a secret rotated since then, and says so if the application has been deleted', async () => {
    const form = await browser.get('/o/applications/register/');
    const id = extractClientId(await browser.submit(form, APPLICATION));
    await browser.submit(await browser.get(`/o/applications/${id}/rotate_secret/`), { old_secret: 'day' });
    const responseAfterRotation = await browser.submit(form, APPLICATION);
    expect(responseAfterRotation.location).to.equal(`/o/applications/${id}/`);
    expect(extractSecret(await follow(responseAfterRotation))).to.equal(undefined);
    await browser.submit(await browser.get(`/o/applications/${id}/delete/`), {});
    const responseAfterDeletion = await browser.submit(form, APPLICATION);
    expect(responseAfterDeletion.status).to.equal(409);
    expect(responseAfterDeletion.html).to.include('has since been deleted');
  });

  for (const [role, path] of [
    ['owner', '/o/applications/'],
    ['administrator', '/admin/applications/'],
  ] as const) {
    it(`rotates a secret once, and keeps the old one valid as long as the ${role} chose`, async () => {
      const { id, secret } = await running.addClient({ owner: 'root' });
      const form = await browser.get(`${path}${id}/rotate_secret/`);
      const head = running.log.head();
      const responses = await Promise.all([
        browser.submit(form, { old_secret: 'day' }),
        browser.submit(form, { old_secret: 'day' }),
      ]);
      expect(await listEventTypesSince(head)).to.deep.equal(['ClientSecretRotated']);
      for (const response of responses)
        expect(await requestTokenStatus(id, extractSecret(await follow(response)) ?? '')).to.equal(200);
      running.clock.advance(86_399);
      expect(await requestTokenStatus(id, secret)).to.equal(200);
      running.clock.advance(1);
      expect(await requestTokenStatus(id, secret)).to.equal(401);
    });
  }

  it('adds one user, and shows the password both times', async () => {
    const form = await browser.get('/admin/users/add/');
    const head = running.log.head();
    const responses = [
      await browser.submit(form, { username: 'ada', password: '' }),
      await browser.submit(form, { username: 'ada', password: '' }),
    ];
    expect(await listEventTypesSince(head)).to.deep.equal(['UserRegistered']);
    for (const response of responses)
      expect((await running.browser().logIn('ada', extractSecret(await follow(response)) ?? '')).status).to.equal(302);
    expect(
      (await browser.submit(await browser.get('/admin/users/add/'), { username: 'ada', password: '' })).status,
      'another form',
    ).to.equal(422);
  });

  it('sets one password, and shows it both times', async () => {
    await running.addUser('ada');
    const form = await browser.get('/admin/users/2/password/');
    const responses = await Promise.all([
      browser.submit(form, { password: '' }),
      browser.submit(form, { password: '' }),
    ]);
    const passwords = [extractSecret(await follow(responses[0])), extractSecret(await follow(responses[1]))];
    expect(new Set(passwords).size).to.equal(1);
    expect((await running.browser().logIn('ada', passwords[0] ?? '')).status).to.equal(302);
  });

  it('never undoes a later rotation or password change', async () => {
    const { id } = await running.addClient({ owner: 'root' });
    await running.addUser('ada');
    const canLogIn = async (password: string): Promise<boolean> =>
      (await running.browser().logIn('ada', password)).status === 302;
    const isSecretValid = async (secret: string): Promise<boolean> => (await requestTokenStatus(id, secret)) === 200;
    for (const [path, isValid, fields] of [
      [`/o/applications/${id}/rotate_secret/`, isSecretValid, { old_secret: 'now' }],
      [`/admin/applications/${id}/rotate_secret/`, isSecretValid, { old_secret: 'week' }],
      ['/admin/users/2/password/', canLogIn, { password: '' }],
    ] as const) {
      const [oldForm, unusedForm] = [await browser.get(path), await browser.get(path)];
      const firstSecret = extractSecret(await follow(await browser.submit(oldForm, fields))) ?? '';
      const lastForm = await browser.get(path);
      const secondSecret = extractSecret(await follow(await browser.submit(lastForm, fields))) ?? '';
      const head = running.log.head();
      for (const form of [oldForm, unusedForm, oldForm]) {
        const { status, html } = await browser.submit(form, fields);
        expect(status, path).to.equal(409);
        expect(html).to.include('This form is out of date').and.not.include(firstSecret);
      }
      expect(
        extractSecret(await follow(await browser.submit(lastForm, fields))),
        'the last form, submitted twice',
      ).to.equal(secondSecret);
      expect(await listEventTypesSince(head), path).to.deep.equal([]);
      expect(await isValid(secondSecret), path).to.equal(true);
    }
  });

  it('never sets an entered password again, and never reveals whether it is current', async () => {
    await running.addUser('ada');
    const form = await browser.get('/admin/users/2/password/');
    const fields = { password: 'what the administrator chose' };
    expect((await browser.submit(form, fields)).status).to.equal(302);
    const head = running.log.head();
    for (const password of [fields.password, 'another one altogether'])
      expect((await browser.submit(form, { password })).status).to.equal(409);
    expect(await listEventTypesSince(head)).to.deep.equal([]);
  });

  it('is refused as outdated if its id does not identify the secret that it replaces', async () => {
    const { id, secret } = await running.addClient({ owner: 'root' });
    const path = `/o/applications/${id}/rotate_secret/`;
    for (const form_id of ['A'.repeat(22), `${'A'.repeat(22)}.${'A'.repeat(22)}`]) {
      expect((await browser.submit(await browser.get(path), { old_secret: 'now', form_id })).status).to.equal(409);
    }
    expect(await requestTokenStatus(id, secret)).to.equal(200);
  });

  it('is accepted after a restart and other changes as long as the secret is the same', async () => {
    const { id } = await running.addClient({ owner: 'root', name: 'Engine' });
    const form = await browser.get(`/o/applications/${id}/rotate_secret/`);
    await browser.submit(await browser.get(`/admin/applications/${id}/scopes/`), {});
    await running.restart();
    expect(extractSecret(await follow(await browser.submit(form, { old_secret: 'now' })))).to.match(/^gls/);
  });
});
