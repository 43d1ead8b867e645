import { expect } from 'chai';
import {
  parseRedirect,
  authorizePath,
  expectErrorPage,
  expectErrorRedirect,
  openSession,
} from '../support/authorize-requests.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { expectTokens } from '../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

describe('RFC 6749 §3.1: the authorization endpoint', () => {
  let running: RunningService;
  let client: TestClient;
  let owner: TestUser;
  let browser: BrowserSession;

  before(async () => {
    running = await runningService();
    client = await running.addClient();
    owner = await running.addUser();
    browser = await openSession(running, owner);
  });
  after(() => running.close());

  const getWithoutSession = (path: string): Promise<Page> => running.browser().get(path);
  const getWithSession = (path: string): Promise<Page> => browser.get(path);

  /** Checks the response with and without a session, and that the log does not grow. */
  async function expectForEveryone(path: string, expectation: (page: Page) => void): Promise<void> {
    const eventCount = (await running.events()).length;
    expectation(await getWithoutSession(path));
    expectation(await getWithSession(path));
    expect((await running.events()).length).to.equal(eventCount);
  }

  describe('shows an error page and redirects nowhere', () => {
    it('for an unknown or missing client', async () => {
      for (const id of ['nobody', '', null, '\u0000', 'x'.repeat(4_000), '__proto__']) {
        await expectForEveryone(authorizePath(client, { client_id: id }), expectErrorPage);
      }
    });

    it('for a redirect URI that the client has not registered', async () => {
      for (const uri of [
        'https://evil.example/',
        'not a URI',
        `${REDIRECT_URI}/`,
        `${REDIRECT_URI}?x=1`,
        `${REDIRECT_URI}#x`,
        'javascript:alert(1)',
      ]) {
        await expectForEveryone(authorizePath(client, { redirect_uri: uri }), expectErrorPage);
      }
    });

    it('for any repeated parameter', async () => {
      for (const name of ['client_id', 'redirect_uri', 'response_type', 'state', 'scope', 'unknown']) {
        const path = authorizePath(client, { state: 's', scope: 'read', unknown: 'u' });
        const value = new URL(path, running.origin()).searchParams.get(name) ?? '';
        await expectForEveryone(`${path}&${name}=${encodeURIComponent(value)}`, expectErrorPage);
      }
    });

    it('for malformed percent-encoding', async () => {
      for (const tail of ['&state=%', '&state=%ff', '&%zz=1'])
        await expectForEveryone(`${authorizePath(client)}${tail}`, expectErrorPage);
    });

    it('before it checks the other request parameters', async () => {
      await expectForEveryone(
        authorizePath(client, { redirect_uri: 'https://evil.example/', response_type: 'token', scope: 'unknown' }),
        expectErrorPage,
      );
    });

    it('for an omitted redirect URI if several are registered', async () => {
      const otherClient = await running.addClient({ redirectUris: [REDIRECT_URI, 'https://app.example/other'] });
      await expectForEveryone(authorizePath(otherClient, { redirect_uri: null }), expectErrorPage);
    });
  });

  describe('reports to the client by redirect (§4.1.2.1)', () => {
    const mistakes: readonly [string, Readonly<Record<string, string | null>>, string][] = [
      ['that response_type is missing', { response_type: null }, 'invalid_request'],
      ['that response_type is empty, which is equivalent to missing', { response_type: '' }, 'invalid_request'],
      ['that the implicit grant is not supported', { response_type: 'token' }, 'unsupported_response_type'],
      ['that a scope is unknown', { scope: 'read admin' }, 'invalid_scope'],
      ['that a scope is malformed', { scope: 'r"ead' }, 'invalid_scope'],
      ['that a response mode is not supported', { response_mode: 'fragment' }, 'invalid_request'],
      ['that a challenge method was sent without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
      ['that a prompt is unknown', { prompt: 'dance' }, 'invalid_request'],
      ['that max_age is not a number', { max_age: '-1' }, 'invalid_request'],
    ];
    for (const [title, parameters, error] of mistakes) {
      it(title, async () => {
        await expectForEveryone(authorizePath(client, { state: 'a b&=é', ...parameters }), (page) =>
          expectErrorRedirect(page, error, 'a b&=é'),
        );
        await expectForEveryone(authorizePath(client, parameters), (page) => expectErrorRedirect(page, error));
      });
    }

    it('that the client is not registered for codes', async () => {
      const otherClient = await running.addClient({ grantTypes: ['password'] });
      await expectForEveryone(authorizePath(otherClient), (page) => expectErrorRedirect(page, 'unauthorized_client'));
    });
  });

  it('treats an empty parameter as absent', async () => {
    const page = await getWithSession(authorizePath(client, { redirect_uri: '', scope: '', state: '' }));
    expect(page.status).to.equal(200);
    expect(parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters).to.have.all.keys(
      'code',
      'iss',
    );
  });

  it('accepts a path without the trailing slash', async () => {
    expect((await getWithSession(authorizePath(client).replace('/?', '?'))).status).to.equal(200);
  });

  it("adds its response to the redirect URI's query", async () => {
    const uri = 'https://app.example/callback?tenant=1&x=%2F';
    const otherClient = await running.addClient({ redirectUris: [uri] });
    const { location } = await browser.submit(
      await getWithSession(authorizePath(otherClient, { redirect_uri: uri, state: 's' })),
      { allow: 'Authorize' },
    );
    expect(location).to.match(/^https:\/\/app\.example\/callback\?tenant=1&x=%2F&code=[^&]+&state=s&iss=[^&]+$/);
  });

  it('redirects a user who is not logged in to the login URL, and from there back to the same request', async () => {
    const path = authorizePath(client, { state: 'a+b c&d', scope: 'read' });
    const newBrowser = running.browser();
    const { status, location } = await newBrowser.get(path);
    expect(status).to.equal(302);
    const login = new URL(location ?? '', running.origin());
    expect(login.pathname).to.equal('/accounts/login/');
    const next = login.searchParams.get('next') ?? '';
    expect(next).to.match(/^\/o\/authorize\/\?/);
    expect(new URL(next, running.origin()).searchParams.get('state')).to.equal('a+b c&d');
    const loginResponse = await newBrowser.submit(await newBrowser.get(`${login.pathname}${login.search}`), {
      username: owner.username,
      password: owner.password,
    });
    expect({ status: loginResponse.status, location: loginResponse.location }).to.deep.equal({
      status: 302,
      location: next,
    });
    const consent = await newBrowser.get(next);
    expect(parseRedirect(await newBrowser.submit(consent, { allow: 'Authorize' })).parameters).to.include({
      state: 'a+b c&d',
    });
  });

  it('redirects to a custom login URL if one is configured', async () => {
    const configuredService = await runningService({ settings: { loginUrl: 'https://sso.example/login?x=1' } });
    try {
      const { location } = await configuredService.browser().get(authorizePath(await configuredService.addClient()));
      expect(location).to.match(/^https:\/\/sso\.example\/login\?x=1&next=%2Fo%2Fauthorize%2F%3F/);
    } finally {
      await configuredService.close();
    }
  });

  it('never redirects to a different origin because of the next parameter', async () => {
    for (const next of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      '\\\\evil.example',
      'javascript:alert(1)',
      '/%09/evil.example',
      '/\t/evil.example',
      'http:evil.example',
    ]) {
      const newBrowser = running.browser();
      const page = await newBrowser.get(`/accounts/login/?${new URLSearchParams({ next }).toString()}`);
      const { status, location } = await newBrowser.submit(page, {
        username: owner.username,
        password: owner.password,
      });
      expect(status).to.equal(302);
      expect(new URL(location ?? '', running.origin()).origin, next).to.equal(running.origin());
    }
  });

  describe('with a consent page', () => {
    it('shows the application, its owner, the recipient of the code, and the description of each scope', async () => {
      const developer = await running.addUser('the developer');
      const application = await running.addClient({ owner: developer.username, name: 'Photo <b>printer</b>' });
      const { html, headers } = await getWithSession(authorizePath(application, { scope: 'read groups' }));
      expect(html)
        .to.include('Photo &lt;b&gt;printer&lt;/b&gt;')
        .and.to.include('the developer')
        .and.to.include('app.example');
      expect(html)
        .to.include('e-mail address of every user')
        .and.to.include('See the names of all groups')
        .and.not.to.include('Create accounts');
      expect(headers.get('cache-control')).to.include('no-store');
      expect(headers.get('x-frame-options')).to.equal('DENY');
      expect(headers.get('content-security-policy')).to.include("frame-ancestors 'none'");
    });

    it('reports a denial to the client', async () => {
      const page = await getWithSession(authorizePath(client, { state: 'xyz' }));
      expectErrorRedirect(await browser.submit(page, { deny: 'Deny' }), 'access_denied', 'xyz');
      expectErrorRedirect(await browser.submit(page, {}), 'access_denied', 'xyz');
    });

    it('lets the user remove scopes', async () => {
      const page = await getWithSession(authorizePath(client, { scope: 'read write groups' }));
      const { parameters } = parseRedirect(
        await browser.submit(page, { allow: 'Authorize', leave_out: ['write', 'groups'] }),
      );
      const response = await running.token(client, {
        grant_type: 'authorization_code',
        code: parameters['code'] ?? '',
        redirect_uri: REDIRECT_URI,
      });
      expectTokens(response, { scope: 'read', refresh: true });
    });

    it('treats the removal of every scope as a denial', async () => {
      const page = await getWithSession(authorizePath(client, { scope: 'read' }));
      expectErrorRedirect(await browser.submit(page, { allow: 'Authorize', leave_out: 'read' }), 'access_denied');
    });

    it('ignores additional fields that would change the client, redirect URI, scope or state', async () => {
      const otherClient = await running.addClient({ redirectUris: ['https://other.example/'] });
      const page = await getWithSession(authorizePath(client, { scope: 'read', state: 'shown' }));
      const smuggledFields = {
        allow: 'Authorize',
        client_id: otherClient.id,
        redirect_uri: 'https://other.example/',
        scope: 'read',
        state: 'other',
        leave_out: 'nothing',
        response_type: 'token',
      };
      const { address, parameters } = parseRedirect(await browser.submit(page, smuggledFields));
      expect(address).to.equal(REDIRECT_URI);
      expect(parameters).to.include({ state: 'shown' });
      const response = await running.token(client, {
        grant_type: 'authorization_code',
        code: parameters['code'] ?? '',
        redirect_uri: REDIRECT_URI,
      });
      expectTokens(response, { scope: 'read', refresh: true });
    });

    it('refuses a form that was altered, belongs to another session or has expired', async () => {
      const path = authorizePath(client);
      const page = await getWithSession(path);
      const [, sealedRequest = ''] = /name="request" value="([^"]*)"/.exec(page.html) ?? [];
      const [payload = '', signature = ''] = sealedRequest.split('.');
      const alteredPayload = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
        parameters: [string, string][];
      };
      alteredPayload.parameters.push(['scope', 'groups']);
      const forgedRequest = `${Buffer.from(JSON.stringify(alteredPayload)).toString('base64url')}.${signature}`;
      const eventCount = (await running.events()).length;
      for (const request of [forgedRequest, '', '.', sealedRequest.slice(0, -2), payload]) {
        expectErrorPage(await browser.submit(page, { allow: 'Authorize', request }));
      }
      expectErrorPage(await browser.submit(page, { allow: 'Authorize', csrf_token: '' }), 403);
      expectErrorPage(await browser.submit(page, { allow: 'Authorize', csrf_token: 'x' }), 403);
      expect((await running.events()).length).to.equal(eventCount);

      const otherSession = await openSession(running, await running.addUser());
      expectErrorPage(
        await otherSession.submit(await otherSession.get(path), { allow: 'Authorize', request: sealedRequest }),
      );
      running.clock.advance(3_600);
      expectErrorPage(await browser.submit(page, { allow: 'Authorize' }));
    });

    it('skips the consent page if the operator allows this for the client', async () => {
      const trustedClient = await running.addClient({ skipAuthorization: true });
      expect(
        parseRedirect(await getWithSession(authorizePath(trustedClient, { state: 's' }))).parameters,
      ).to.have.all.keys('code', 'state', 'iss');
    });
  });

  it('refuses a state that exceeds the length limit', async () => {
    const { parameters } = parseRedirect(await getWithSession(authorizePath(client, { state: 'x'.repeat(4_097) })));
    expect(parameters).to.include({ error: 'invalid_request' });
    expect((await getWithSession(authorizePath(client, { state: 'x'.repeat(4_096) }))).status).to.equal(200);
  });

  it('refuses unsupported methods with 405 and a list of the allowed methods', async () => {
    const { status, headers } = await running.send(authorizePath(client), { method: 'PUT' });
    expect(status).to.equal(405);
    expect(headers.get('allow')).to.include('GET').and.to.include('POST');
  });
});
