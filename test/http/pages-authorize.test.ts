import { expect } from 'chai';
import fc from 'fast-check';
import { authorizePath } from '../support/authorize-requests.ts';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';
import { FILES, registerResource } from '../support/resource-servers.ts';
import { repetitions } from '../support/repetitions.ts';

const HOUR = 3_600;
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const USERS_EFFECT = 'See the user name, first and last name and e-mail address of every user';
const GROUPS_EFFECT = 'See the names of all groups on this server';

describe('At the authorization endpoint,', () => {
  let running: RunningService;
  let ada: TestUser;
  let client: TestClient;
  let browser: BrowserSession;

  async function start(settings: Readonly<Record<string, unknown>> = {}): Promise<void> {
    running = await runningService({ settings });
    ada = await running.addUser('ada');
    client = await running.addClient({ owner: 'ada', name: 'Engine' });
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  }

  async function startWith(settings: Readonly<Record<string, unknown>>): Promise<void> {
    await running.close();
    await start(settings);
  }

  beforeEach(() => start());
  afterEach(() => running.close());

  const requestPath = (parameters: Readonly<Record<string, string>> = {}): string =>
    authorizePath(client, { state: 'xyz', ...parameters });
  const ask = (parameters: Readonly<Record<string, string>> = {}, userBrowser = browser): Promise<Page> =>
    userBrowser.get(requestPath(parameters));
  const approve = (
    page: Page,
    fields: Readonly<Record<string, string | readonly string[]>> = {},
    userBrowser = browser,
  ): Promise<Page> => userBrowser.submit(page, { allow: 'Authorize', ...fields });

  /** Returns the parameters that the redirect URI receives. */
  function redirectParameters({ status, location }: Page): Readonly<Record<string, string>> {
    expect(status).to.equal(302);
    const url = new URL(location ?? '');
    expect(url.origin + url.pathname).to.equal(REDIRECT_URI);
    return Object.fromEntries(url.searchParams);
  }

  async function redeem(page: Page, redeemingClient = client): Promise<Readonly<Record<string, unknown>>> {
    const { json } = await running.token(redeemingClient, {
      grant_type: 'authorization_code',
      code: redirectParameters(page)['code'] ?? '',
      redirect_uri: REDIRECT_URI,
    });
    return json ?? {};
  }

  describe('the consent page', () => {
    it('shows the application, its owner, the user, the host and each scope with its description', async () => {
      const { html, status } = await ask({ scope: 'read groups' });
      expect(status).to.equal(200);
      for (const text of [
        'Authorize <bdi>Engine</bdi>?',
        '<bdi>ada</bdi>',
        '<strong class="host">app.example</strong>',
        USERS_EFFECT,
        GROUPS_EFFECT,
      ]) {
        expect(html).to.include(text);
      }
      expect(html).not.to.include('Create accounts');
    });

    it('shows a scope of a resource server that has the name of a member of every object', async () => {
      const scopes = [{ name: 'constructor', description: 'Construct your files' }];
      await registerResource(running, { scopes });
      const { html, status } = await ask({ scope: 'constructor', resource: FILES });
      expect([status, html.includes('Construct your files')]).to.deep.equal([200, true]);
    });

    it('says what a scope discloses through the sample API, as does the list of authorized applications', async () => {
      await startWith({ scopes: { read: 'A formality', write: 'Nothing', groups: 'Groups' } });
      const effect = USERS_EFFECT;
      const page = await ask({ scope: 'read' });
      expect(page.html).to.include('A formality').and.include(effect).and.not.include('Create accounts');
      await redeem(await approve(page));
      expect((await browser.get('/o/authorized_tokens/')).html).to.include(effect);
      await startWith({ sampleApi: false });
      expect((await ask({ scope: 'read write groups' })).html)
        .not.to.include(effect)
        .and.not.include('Create accounts');
    });

    it('shows the effects of a scope in place of a default description, or next to one from the operator', async () => {
      const descriptions = ({ html }: Page): readonly string[] =>
        [...html.matchAll(/<span class="asked__(?:title|effect)">([^<]*)</g)].map(([, text = '']) => text);
      expect(descriptions(await ask({ scope: 'read write groups' }))).to.deep.equal([
        USERS_EFFECT,
        'Create accounts on this server',
        'See your groups',
        GROUPS_EFFECT,
      ]);
      await startWith({ scopes: { read: 'Read your diary', write: 'Read your data', groups: 'See your groups' } });
      expect(descriptions(await ask({ scope: 'read write groups' }))).to.deep.equal([
        'Read your diary',
        USERS_EFFECT,
        'Read your data',
        'Create accounts on this server',
        'See your groups',
        GROUPS_EFFECT,
      ]);
      await startWith({ sampleApi: false });
      expect(descriptions(await ask({ scope: 'read groups' }))).to.deep.equal(['Read your data', 'See your groups']);
    });

    it('marks permissions that affect more than the user, and shows the total number', async () => {
      const page = await ask({ scope: 'read write groups' });
      expect(page.html.match(/Whole server/g)).to.have.length(3);
      expect(page.html).to.include('(3 permissions)');
      await startWith({ sampleApi: false });
      expect((await ask({ scope: 'read write groups' })).html).not.to.include('Whole server');
      expect((await ask({ scope: 'read' })).html).not.to.include('permissions)');
    });

    it('shows the operator in place of an owner if the application has none', async () => {
      client = await running.addClient();
      expect((await ask()).html).to.include('the operator of this server');
    });

    it('says when the application was registered and authorized, and warns if it is new', async () => {
      const day = 86_400;
      expect((await ask()).html)
        .to.include('no access to your account')
        .and.include('datetime="2026-01-01T00:00:00.000Z"');
      running.clock.advance(day - 1);
      await browser.logIn(ada.username, ada.password);
      const bob = await running.addUser('bob');
      const stranger = running.browser();
      await stranger.logIn(bob.username, bob.password);
      expect((await ask({}, stranger)).html).to.include('Anyone can choose any name');
      running.clock.advance(1);
      expect((await ask({}, stranger)).html).not.to.include('Anyone can choose any name');
      await redeem(await approve(await ask()));
      running.clock.advance(3_600);
      expect((await ask()).html).to.match(
        /authorized\s+<time datetime="2026-01-02T00:00:00.000Z" title="2026-01-02 00:00:00 UTC">1 hour ago</,
      );
    });

    it('lets a different user log in, and then asks that user', async () => {
      const bob = await running.addUser('bob');
      const page = await ask({ scope: 'read' });
      const { csrf_token = '', next = '' } = hiddenFields(page.html);
      const { location } = await browser.post('/accounts/logout/', { csrf_token, next });
      const loginPage = await browser.get((await browser.get(location ?? '')).location ?? '');
      const loginResponse = await browser.submit(loginPage, { ...bob });
      const consent = await browser.get(loginResponse.location ?? '');
      expect(consent.html).to.include('Logged in as <bdi>bob</bdi>');
      expect(redirectParameters(await approve(consent))).to.include({ state: 'xyz' });
      expect(
        (
          await browser.post('/accounts/logout/', {
            csrf_token: hiddenFields(consent.html)['csrf_token'] ?? '',
            next: 'https://evil.example/',
          })
        ).location,
      ).to.equal('/');
    });

    it('leads to a code for the shown scope, with state and issuer, when approved', async () => {
      const page = await approve(await ask({ scope: 'read groups' }));
      expect(redirectParameters(page))
        .to.have.all.keys('code', 'state', 'iss')
        .and.to.include({ state: 'xyz', iss: 'http://localhost:8000' });
      expect(await redeem(page)).to.include({ scope: 'read groups' });
      expect(page.headers.get('cache-control')).to.equal('no-store');
      expect(page.headers.get('referrer-policy')).to.equal('no-referrer');
    });

    it('grants exactly the ticked part of the requested scope, and denies the request if that is empty', async () => {
      const allScopes = ['openid', 'email', 'read', 'write', 'groups'];
      const requests = fc.subarray(allScopes, { minLength: 1 });
      const boxes = fc.subarray([...allScopes, 'profile', 'unknown', '']);
      await fc.assert(
        fc.asyncProperty(requests, boxes, async (requestedScopes, tickedScopes) => {
          const page = await ask({ scope: requestedScopes.join(' ') });
          const decision = await browser.submit(page, { allow: 'ticked', scope: tickedScopes });
          const expected = requestedScopes.filter((name) => name === 'openid' || tickedScopes.includes(name));
          if (expected.length === 0) expect(redirectParameters(decision)).to.include({ error: 'access_denied' });
          else expect(await redeem(decision)).to.include({ scope: expected.join(' ') });
        }),
        { numRuns: repetitions(60) },
      );
    });

    it('has a ticked checkbox for each scope that the user may refuse', async () => {
      const boxes = ({ html }: Page): readonly string[] =>
        [...html.matchAll(/<input type="checkbox"[^>]* name="scope" value="([^"]*)"\s+checked/g)].map(
          ([, name = '']) => name,
        );
      expect(boxes(await ask({ scope: 'openid read groups' }))).to.deep.equal(['read', 'groups']);
      expect((await ask({ scope: 'openid read' })).html).not.to.include('If nothing is checked');
      expect((await ask({ scope: 'read groups' })).html).to.include('If nothing is checked');
      expect(boxes(await ask({ scope: 'read' }))).to.deep.equal([]);
    });

    it('separates new permissions from those that the user has already allowed', async () => {
      const groupsOf = ({ html }: Page): readonly string[] =>
        [...html.matchAll(/<p class="asked__group">([^<]*)<|<span class="asked__title">([^<]*)</g)].map(
          ([, group = '', scope = '']) => group || scope,
        );
      expect(groupsOf(await ask({ scope: 'read groups' }))).to.deep.equal([USERS_EFFECT, 'See your groups']);
      await redeem(await approve(await ask({ scope: 'read' })));
      expect(groupsOf(await ask({ scope: 'read groups' }))).to.deep.equal([
        'New',
        'See your groups',
        'Already allowed',
        USERS_EFFECT,
      ]);
      expect(groupsOf(await ask({ scope: 'read' }))).to.deep.equal(['Already allowed', USERS_EFFECT]);
    });

    it('warns every user except the owner about a new application and about a program on a computer', async () => {
      const loopbackUri = 'http://127.0.0.1/callback';
      client = await running.addClient({ owner: 'ada', redirectUris: [loopbackUri] });
      const bob = await running.addUser('bob');
      const stranger = running.browser();
      await stranger.logIn(bob.username, bob.password);
      const strangersPage = await ask({ redirect_uri: loopbackUri }, stranger);
      expect(strangersPage.html.match(/notice--warning/g)).to.have.length(2);
      const ownersPage = await ask({ redirect_uri: loopbackUri });
      expect(ownersPage.html).to.include('a program on this computer').and.not.include('notice--warning');
    });

    it('says that the built-in callback page belongs to this server, without a warning', async () => {
      client = await running.addClient({ owner: 'ada' });
      const callback = `http://localhost:8000/o/applications/${client.id}/callback/`;
      await browser.submit(await browser.get(`/o/applications/${client.id}/try/`), {});
      const { html } = await ask({ redirect_uri: callback });
      expect(html).to.include('You’ll return to this application’s test page on Grantlog.');
      expect(html).not.to.match(/notice--warning|a program on this computer/);
    });

    it('shows the mark of the application, and has no navigation', async () => {
      const { html } = await ask({ scope: 'read write' });
      expect(html).to.match(/<span class="mark mark--\d" aria-hidden="true">E<\/span>/);
      expect(html).not.to.match(/<nav|popover|href="\/docs\/"/);
    });

    it('does not grant scopes that a script leaves out', async () => {
      const page = await approve(await ask({ scope: 'read write groups' }), { leave_out: ['read', 'groups'] });
      expect(await redeem(page)).to.include({ scope: 'write' });
    });

    it('treats an approval without any scope as a denial', async () => {
      expect(
        redirectParameters(await approve(await ask({ scope: 'read write' }), { leave_out: ['read', 'write'] })),
      ).to.include({
        error: 'access_denied',
      });
    });

    it('sends a denial to the application, and records nothing', async () => {
      const page = await ask();
      const eventCount = (await running.events()).length;
      const { error, state, code } = redirectParameters(await browser.submit(page, { deny: 'Deny' }));
      expect({ error, state, code }).to.deep.equal({ error: 'access_denied', state: 'xyz', code: undefined });
      expect(redirectParameters(await browser.submit(page, {}))['error'], 'no button at all').to.equal('access_denied');
      for (const value of ['', 'false', 'False', '0', 'no']) {
        expect(redirectParameters(await browser.submit(page, { allow: value }))['error'], `allow=${value}`).to.equal(
          'access_denied',
        );
      }
      expect(await running.events()).to.have.length(eventCount);
    });

    it('ignores all other posted fields', async () => {
      const otherClient = await running.addClient({ redirectUris: ['https://evil.example/'] });
      const fieldName = fc.constantFrom(
        'client_id',
        'redirect_uri',
        'scopes',
        'response_type',
        'state',
        'user',
        'userId',
        'code_challenge',
        'parameters',
        'leave_out',
        '__proto__',
      );
      const fieldValue = fc.constantFrom(
        otherClient.id,
        'https://evil.example/',
        'read write groups',
        'write',
        '',
        'token',
        'constructor',
      );
      await fc.assert(
        fc.asyncProperty(fc.dictionary(fieldName, fieldValue), async (fields) => {
          const page = await ask({ scope: 'read', code_challenge: CHALLENGE, code_challenge_method: 'S256' });
          const eventCount = (await running.events()).length;
          const { state } = redirectParameters(await approve(page, fields));
          expect(state).to.equal('xyz');
          const issuedCode = (await running.events())
            .slice(eventCount)
            .find(({ type }) => type === 'AuthorizationCodeIssued');
          expect(issuedCode?.data).to.deep.include({
            clientId: client.id,
            redirectUri: REDIRECT_URI,
            scope: ['read'],
            codeChallenge: { challenge: CHALLENGE, method: 'S256' },
          });
        }),
        { numRuns: repetitions(50) },
      );
    });
  });

  describe('a consent form that is sent twice', () => {
    const countIssuedCodes = async (): Promise<number> =>
      (await running.events()).filter(({ type }) => type === 'AuthorizationCodeIssued').length;

    it('is one approval: one code and the same response, in sequence or concurrently', async () => {
      for (const send of [
        async (page: Page) => [await approve(page), await approve(page)],
        (page: Page) => Promise.all([approve(page), approve(page), approve(page)]),
      ]) {
        const codeCount = await countIssuedCodes();
        const answers = await send(await ask({ scope: 'read' }));
        expect(new Set(answers.map(({ location }) => location)).size).to.equal(1);
        expect(await countIssuedCodes()).to.equal(codeCount + 1);
        expect(await redeem(answers[0] ?? expect.fail())).to.include({ scope: 'read' });
      }
    });

    it('does not issue a second code after the first has been redeemed, and leaves its tokens valid', async () => {
      const page = await ask({ scope: 'read' });
      const { access_token } = await redeem(await approve(page));
      const repeatedResponse = await approve(page);
      expect(repeatedResponse.status).to.equal(409);
      expect(repeatedResponse.html).to.include('You have already answered this request').and.not.include('glc_');
      expect((await running.get('/users/', { authorization: `Bearer ${String(access_token)}` })).status).to.equal(200);
      expect(await countIssuedCodes()).to.equal(1);
    });

    it('is refused after its code has expired, or with different scopes', async () => {
      const page = await ask({ scope: 'read write' });
      await approve(page);
      expect((await approve(page, { leave_out: 'write' })).status).to.equal(409);
      running.clock.advance(60);
      expect((await approve(page)).status).to.equal(409);
      expect(await countIssuedCodes()).to.equal(1);
    });

    it('revokes the approval if the second answer is a denial, whether or not the code has been redeemed', async () => {
      const [redeemedPage, unredeemedPage] = [await ask(), await ask()];
      const { access_token } = await redeem(await approve(redeemedPage));
      const code = redirectParameters(await approve(unredeemedPage))['code'] ?? '';
      for (const page of [redeemedPage, unredeemedPage])
        expect(redirectParameters(await browser.submit(page, { deny: 'Deny' }))['error']).to.equal('access_denied');
      expect((await running.get('/users/', { authorization: `Bearer ${String(access_token)}` })).status).to.equal(401);
      expect(
        (await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI })).json,
      ).to.include({ error: 'invalid_grant' });
    });

    it('is an approval if only the second answer approves', async () => {
      const page = await ask({ scope: 'read' });
      await browser.submit(page, { deny: 'Deny' });
      expect(await redeem(await approve(page))).to.include({ scope: 'read' });
    });

    it('gets the same response after a restart', async () => {
      const page = await ask();
      const { location } = await approve(page);
      await running.restart();
      expect((await approve(page)).location).to.equal(location);
    });
  });

  describe('the sealed request in the form', () => {
    async function expectRefused(page: Page): Promise<void> {
      expect(page.status).to.be.oneOf([400, 403]);
      expect(page.location).to.equal(null);
      expect((await running.events()).map(({ type }) => type)).not.to.include('AuthorizationCodeIssued');
    }

    it('is valid for an hour', async () => {
      const page = await ask();
      running.clock.advance(HOUR - 1);
      expect((await approve(page)).status).to.equal(302);
    });

    it('is refused after an hour', async () => {
      const page = await ask();
      running.clock.advance(HOUR);
      await expectRefused(await approve(page));
    });

    it('is refused in a different session, even of the same user', async () => {
      const page = await ask();
      const otherBrowser = running.browser();
      await otherBrowser.logIn(ada.username, ada.password);
      await expectRefused(await approve(page, {}, otherBrowser));
      const { csrf_token = '' } = hiddenFields((await ask({}, otherBrowser)).html);
      await expectRefused(await approve(page, { csrf_token }, otherBrowser));
    });

    it('is refused for a different user in the same browser', async () => {
      const page = await ask();
      const bob = await running.addUser('bob');
      await browser.logIn(bob.username, bob.password);
      const { csrf_token = '' } = hiddenFields((await ask()).html);
      await expectRefused(await approve(page, { csrf_token }));
    });

    it('is refused if a single character has been changed', async () => {
      const page = await ask();
      const { request = '' } = hiddenFields(page.html);
      await fc.assert(
        fc.asyncProperty(
          fc.nat(request.length - 1),
          fc.constantFrom('A', '.', 'z', '-', ''),
          async (index, character) => {
            const alteredRequest = request.slice(0, index) + character + request.slice(index + 1);
            // Some bits of the last character of base64url are not part of any byte.
            fc.pre(alteredRequest !== request && index !== request.length - 1);
            await expectRefused(await approve(page, { request: alteredRequest }));
          },
        ),
        { numRuns: repetitions(50) },
      );
      for (const nonsense of ['', '.', 'x.y', 'é.é']) await expectRefused(await approve(page, { request: nonsense }));
    });

    it('is refused without the CSRF token', async () => {
      await expectRefused(await approve(await ask(), { csrf_token: '' }));
    });

    it('is refused after logout', async () => {
      const page = await ask();
      await browser.post('/accounts/logout/', { csrf_token: hiddenFields(page.html)['csrf_token'] ?? '' });
      await expectRefused(await approve(page));
    });

    it('is refused if the application was deleted in the meantime', async () => {
      const page = await ask();
      await browser.submit(await browser.get(`/o/applications/${client.id}/delete/`), { name: 'Test application' });
      await expectRefused(await approve(page));
    });
  });

  describe('a request without a valid redirect URI', () => {
    const REQUESTS = {
      'an unknown client': (id: string) => `client_id=${id}x&response_type=code`,
      'no client': () => 'response_type=code',
      'a redirect URI that is not registered': (id: string) =>
        `client_id=${id}&response_type=code&redirect_uri=https://evil.example/`,
      'a redirect URI with an additional segment': (id: string) =>
        `client_id=${id}&response_type=code&redirect_uri=${REDIRECT_URI}/x`,
      'an unknown client and an empty redirect URI': (id: string) => `client_id=${id}x&redirect_uri=`,
      'a repeated parameter': (id: string) =>
        `client_id=${id}&response_type=code&redirect_uri=${REDIRECT_URI}&redirect_uri=${REDIRECT_URI}`,
      'a repeated scope': (id: string) => `client_id=${id}&response_type=code&scope=read&scope=write`,
      'malformed percent-encoding': (id: string) => `client_id=${id}&response_type=code&state=%zz`,
    } as const;

    for (const [problem, query] of Object.entries(REQUESTS)) {
      it(`with ${problem} leads to an error page without a redirect, with or without a login`, async () => {
        for (const userBrowser of [browser, running.browser()]) {
          const page = await userBrowser.get(`/o/authorize/?${query(client.id)}`);
          expect(page.status).to.equal(400);
          expect(page.location).to.equal(null);
          expect(page.html).to.include('This request is not valid').and.include(page.headers.get('x-request-id'));
        }
      });
    }

    it('is accepted if it has no redirect URI and exactly one is registered', async () => {
      const query = `/o/authorize/?response_type=code&client_id=${client.id}`;
      expect((await approve(await browser.get(query))).location).to.match(/^https:\/\/app\.example\/callback\?code=/);
      client = await running.addClient({ redirectUris: [REDIRECT_URI, 'https://app.example/other'] });
      expect((await browser.get(`/o/authorize/?response_type=code&client_id=${client.id}`)).status).to.equal(400);
    });
  });

  describe('a visitor', () => {
    it('logs in and returns to the same request', async () => {
      const visitor = running.browser();
      const { location } = await ask({ scope: 'read' }, visitor);
      expect(location).to.match(/^\/accounts\/login\/\?next=/);
      const loginPage = await visitor.get(location ?? '');
      expect(loginPage.html)
        .to.include('Log in to continue to <bdi>Engine</bdi>')
        .and.include('You will see what it asks for');
      const loginResponse = await visitor.submit(loginPage, { ...ada });
      const consent = await visitor.get(loginResponse.location ?? '');
      expect(redirectParameters(await approve(consent, {}, visitor))).to.include({ state: 'xyz' });
    });

    it('sees the name of the application on the login page only if the request is from a known client', async () => {
      const trustedClient = await running.addClient({ name: 'Loom', skipAuthorization: true });
      const visitor = running.browser();
      const loginPageFor = async (next: string): Promise<string> =>
        (await visitor.get(`/accounts/login/?next=${encodeURIComponent(next)}`)).html;
      expect(await loginPageFor(authorizePath(trustedClient)))
        .to.include('Log in to continue to <bdi>Loom</bdi>')
        .and.not.include('You will see what it asks for');
      for (const next of ['/accounts/', '/o/authorize/', '/o/authorize/?client_id=unknown', `/?client_id=${client.id}`])
        expect(await loginPageFor(next), next).to.include('<h1>Log in</h1>');
    });

    it('is sent to the configured login page', async () => {
      await startWith({ loginUrl: '/sso/start?realm=x' });
      const { location } = await ask({}, running.browser());
      const url = new URL(location ?? '', running.origin());
      expect(url.pathname).to.equal('/sso/start');
      expect(url.searchParams.get('realm')).to.equal('x');
      expect(url.searchParams.get('next')).to.match(/^\/o\/authorize\/\?response_type=code&client_id=/);
    });
  });

  describe('prompt', () => {
    it('none redirects with an error instead of showing a page', async () => {
      expect(redirectParameters(await ask({ prompt: 'none' }, running.browser()))).to.include({
        error: 'login_required',
        state: 'xyz',
      });
      expect(redirectParameters(await ask({ prompt: 'none' }))).to.include({ error: 'consent_required', state: 'xyz' });
    });

    it('none redirects with a code if consent is remembered', async () => {
      await redeem(await approve(await ask()));
      expect(redirectParameters(await ask({ prompt: 'none', approval_prompt: 'auto' }))).to.have.property('code');
    });

    it('login asks for the password again, once', async () => {
      const { location } = await ask({ prompt: 'login' });
      expect(location).to.match(/^\/accounts\/login\//);
      const loginResponse = await browser.submit(await browser.get(location ?? ''), { ...ada });
      expect((await browser.get(loginResponse.location ?? '')).html).to.include('Authorize <bdi>Engine</bdi>?');
    });

    it('consent asks even if consent is remembered', async () => {
      await redeem(await approve(await ask()));
      expect((await ask({ prompt: 'consent', approval_prompt: 'auto' })).status).to.equal(200);
    });

    it('is an error if a value is unknown, or if “none” is combined with another value', async () => {
      for (const prompt of ['nonsense', 'none login'])
        expect(redirectParameters(await ask({ prompt }))).to.include({ error: 'invalid_request' });
    });
  });

  it('max_age asks for a more recent login, once', async () => {
    running.clock.advance(100);
    expect((await ask({ max_age: '100' })).status).to.equal(200);
    expect(redirectParameters(await ask({ max_age: '99', prompt: 'none' }))).to.include({ error: 'login_required' });
    for (const max_age of ['99', '0']) {
      const { location } = await ask({ max_age });
      expect(location).to.match(/^\/accounts\/login\//);
      const loginResponse = await browser.submit(await browser.get(location ?? ''), { ...ada });
      expect((await browser.get(loginResponse.location ?? '')).status).to.equal(200);
      running.clock.advance(100);
    }
  });

  describe('approval_prompt=auto', () => {
    const autoPrompt = { approval_prompt: 'auto' };

    it('skips the consent page exactly for scopes that a live grant covers', async () => {
      expect((await ask(autoPrompt)).status, 'nothing granted yet').to.equal(200);
      await redeem(await approve(await ask({ scope: 'read write' })));
      expect(await redeem(await ask({ ...autoPrompt, scope: 'read' }))).to.include({ scope: 'read' });
      expect((await ask({ ...autoPrompt, scope: 'read groups' })).status).to.equal(200);
      expect((await ask({ scope: 'read' })).status, 'force is the default').to.equal(200);
    });

    it('can be the default, and force still shows the page', async () => {
      await startWith({ approvalPrompt: 'auto' });
      await redeem(await approve(await ask()));
      expect((await ask()).status).to.equal(302);
      expect((await ask({ approval_prompt: 'force' })).status).to.equal(200);
    });

    it('still asks other users, and asks for other applications', async () => {
      await redeem(await approve(await ask()));
      const bob = await running.addUser('bob');
      const visitor = running.browser();
      await visitor.logIn(bob.username, bob.password);
      expect((await ask(autoPrompt, visitor)).status).to.equal(200);
      client = await running.addClient();
      expect((await ask(autoPrompt)).status).to.equal(200);
    });

    it('asks again after the grant has been revoked', async () => {
      await redeem(await approve(await ask()));
      await browser.submit(await browser.get('/o/authorized_tokens/'), {});
      expect((await ask(autoPrompt)).status).to.equal(200);
    });

    it('always asks for a public client with a loopback URI, which anyone can impersonate', async () => {
      client = await running.addClient({
        clientType: 'public',
        grantTypes: ['authorization-code'],
        redirectUris: ['http://127.0.0.1/callback'],
      });
      const request = {
        ...autoPrompt,
        redirect_uri: 'http://127.0.0.1:5000/callback',
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
      };
      const { location } = await approve(await ask(request));
      expect(location).to.match(/^http:\/\/127\.0\.0\.1:5000\/callback\?code=/);
      expect((await ask(request)).status).to.equal(200);
    });
  });

  it('a trusted application skips the consent page, but not the login', async () => {
    client = await running.addClient({ skipAuthorization: true });
    expect(redirectParameters(await ask())).to.have.property('code');
    expect((await ask({}, running.browser())).location).to.match(/^\/accounts\/login\//);
    expect((await ask({ prompt: 'consent' })).status).to.equal(200);
  });

  it('state is returned unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 20 }), async (state) => {
        expect(redirectParameters(await ask({ state, prompt: 'none' }))['state']).to.equal(state);
      }),
      { numRuns: repetitions(50) },
    );
  });

  it('other errors are sent to the redirect URI, with state and issuer', async () => {
    const errors = {
      invalid_request: [
        { response_type: '' },
        { code_challenge_method: 'S256' },
        { code_challenge: 'short', code_challenge_method: 'S256' },
        { max_age: 'x' },
      ],
      unsupported_response_type: [{ response_type: 'token' }],
      invalid_scope: [{ scope: 'read nonsense' }],
    } as const;
    for (const [error, requests] of Object.entries(errors)) {
      for (const request of requests)
        expect(redirectParameters(await ask(request)), JSON.stringify(request)).to.include({
          error,
          state: 'xyz',
          iss: 'http://localhost:8000',
        });
    }
    client = await running.addClient({ grantTypes: ['client-credentials'] });
    expect(redirectParameters(await ask())).to.include({ error: 'unauthorized_client' });
    client = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
    expect(redirectParameters(await ask()), 'a public client without PKCE').to.include({ error: 'invalid_request' });
  });
});
