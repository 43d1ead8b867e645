import { englishMessages } from '../support/english-messages.ts';
import { expect } from 'chai';
import type { RegistrationErrors } from '../../src/oauth/clients/registration-rules.ts';
import { operate } from '../../src/operations/operations.ts';
import type { ClientRow } from '../../src/operations/clients.ts';
import { authorizePath, expectErrorPage, openSession } from '../support/authorize-requests.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { englishProblem } from '../support/english-problems.ts';
import { expectRefusal, expectTokens } from '../support/protocol-responses.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';

const PLAIN = 'http://intranet.example/callback';
const SECURE = 'https://app.example/callback';
const OWN_SCHEME = 'myapp:/callback';
const LOOSE = { plainHttpRedirectUris: true, redirectUriSchemes: ['myapp'] };
const STRICT = { plainHttpRedirectUris: false, redirectUriSchemes: [] };
const CHALLENGE = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** The clients are registered before a restart with stricter settings. */
describe('A registered redirect URI that the settings no longer allow', () => {
  let running: RunningService;
  let ada: TestUser;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService({ settings: LOOSE });
    ada = await running.addUser('ada');
    browser = await openSession(running, ada);
  });
  afterEach(() => running.close());

  const addPlainClient = (options: Parameters<RunningService['addClient']>[0] = {}): Promise<TestClient> =>
    running.addClient({ owner: 'ada', name: 'Engine', redirectUris: [PLAIN], ...options });
  const plainHttpPath = (client: TestClient, more: Readonly<Record<string, string | null>> = {}): string =>
    authorizePath(client, { redirect_uri: PLAIN, ...more });
  const redeem = (client: TestClient, code: string) =>
    running.token(client, { grant_type: 'authorization_code', code, redirect_uri: PLAIN });

  it('leads to an error page without a redirect, whether sent or implied, with or without a login', async () => {
    const client = await addPlainClient();
    expect((await browser.get(plainHttpPath(client))).status).to.equal(200);
    await running.restart(STRICT);
    for (const session of [browser, running.browser()]) {
      for (const path of [plainHttpPath(client), plainHttpPath(client, { redirect_uri: null })])
        expectErrorPage(await session.get(path));
    }
    await running.restart(LOOSE);
    expect((await browser.get(plainHttpPath(client))).status, 'allowed again').to.equal(200);
  });

  it('receives no errors', async () => {
    const client = await addPlainClient();
    const refusedParameters = [{ scope: 'nonsense' }, { response_type: 'token' }, { prompt: 'none' }];
    for (const more of refusedParameters) expect((await browser.get(plainHttpPath(client, more))).status).to.equal(302);
    await running.restart(STRICT);
    for (const more of refusedParameters) expectErrorPage(await browser.get(plainHttpPath(client, more)));
  });

  it('receives no code, even if consent is remembered or skipped', async () => {
    const [authorized, trusted] = [await addPlainClient(), await addPlainClient({ skipAuthorization: true })];
    const code = await running.authorize(authorized, ada, { redirect_uri: PLAIN });
    expectTokens(await redeem(authorized, code), { scope: 'read write', refresh: true });
    const paths = [plainHttpPath(authorized, { approval_prompt: 'auto' }), plainHttpPath(trusted)];
    for (const path of paths) expect((await browser.get(path)).location).to.match(/[?&]code=/);
    await running.restart(STRICT);
    const events = await running.events();
    for (const path of paths) expectErrorPage(await browser.get(path));
    expect(await running.events()).to.have.length(events.length);
  });

  it('receives neither a code nor an error from a consent form that was shown while it was allowed', async () => {
    const client = await addPlainClient();
    const [allowForm, denyForm] = [await browser.get(plainHttpPath(client)), await browser.get(plainHttpPath(client))];
    await running.restart(STRICT);
    const events = await running.events();
    expectErrorPage(await browser.submit(allowForm, { allow: 'Authorize' }));
    expectErrorPage(await browser.submit(denyForm, {}));
    expect(await running.events()).to.have.length(events.length);
  });

  it('leads to an error page if its private-use scheme is no longer allowed', async () => {
    const client = await running.addClient({
      clientType: 'public',
      grantTypes: ['authorization-code'],
      redirectUris: [OWN_SCHEME],
    });
    const path = authorizePath(client, { redirect_uri: OWN_SCHEME, ...CHALLENGE });
    expect((await browser.get(path)).status).to.equal(200);
    await running.restart({ redirectUriSchemes: ['otherapp'] });
    expectErrorPage(await browser.get(path));
  });

  it("leaves the application's other URIs usable, but requests must still contain one of them", async () => {
    const client = await addPlainClient({ redirectUris: [PLAIN, SECURE] });
    await running.restart(STRICT);
    expect((await browser.get(authorizePath(client, { redirect_uri: SECURE }))).status).to.equal(200);
    expectErrorPage(await browser.get(plainHttpPath(client, { redirect_uri: null })));
  });

  it('is explained to the owner of the application and to the operator, with the name of the setting', async () => {
    const client = await addPlainClient();
    await running.restart(STRICT);
    const { headers, html } = await browser.get(plainHttpPath(client));
    expect(html).to.include('it must use https');
    const explanation = running.service().explanations.find(headers.get('x-request-id') ?? '');
    expect(explanation).to.deep.include({ rule: 'redirect-uri-not-allowed', clientId: client.id, isProven: true });
    expect(explanation?.details).to.include({ uri: PLAIN, setting: 'plainHttpRedirectUris' });
    expect(englishMessages(explanation)['advice']).to.include('plainHttpRedirectUris');
    expect((await browser.get(`/o/applications/${client.id}/refusals/`)).html).to.include(
      englishMessages(explanation)['advice'],
    );
  });

  it("is marked on the application's page, and not used in its examples", async () => {
    const client = await addPlainClient({ redirectUris: [PLAIN, SECURE] });
    const path = `/o/applications/${client.id}/`;
    expect((await browser.get(path)).html).not.to.include('no longer allows');
    await running.restart(STRICT);
    const { html } = await browser.get(path);
    expect(html).to.match(
      new RegExp(
        `<code class="line">${PLAIN}</code>\\s*<p class="caution">[^<]*must use https[^]*?plainHttpRedirectUris`,
      ),
    );
    expect(html).not.to.match(new RegExp(`<code class="line">${SECURE}</code>\\s*<p class="caution">`));
    expect((await browser.get(`${path}try/`)).html)
      .to.include(encodeURIComponent(SECURE))
      .and.not.include(encodeURIComponent(PLAIN));
  });

  it("is marked on the administrators' page, and in `client show` and `client list`", async () => {
    const client = await addPlainClient();
    await running.restart(STRICT);
    const root = await running
      .service()
      .accounts.register({ username: 'root', password: 'a long password', roles: ['administrator'] }, OPERATOR);
    if ('errors' in root) throw new Error(JSON.stringify(root.errors));
    const administrator = await openSession(running, { username: 'root', password: 'a long password' });
    expect((await administrator.get(`/admin/applications/${client.id}/`)).html).to.include('No longer allowed');
    const forbidden = [
      {
        redirect_uri: PLAIN,
        problem: 'must use https; http is only allowed for 127.0.0.1, [::1] and localhost',
        setting: 'plainHttpRedirectUris',
      },
    ];
    for (const [operation, input] of [
      ['client show', { clientId: client.id }],
      ['client list', {}],
    ] as const) {
      for await (const row of operate(running.service())(operation, input, new AbortController().signal)) {
        expect((row as ClientRow).forbidden_redirect_uris).to.deep.equal(forbidden);
      }
    }
  });

  describe('prevents the redemption of its codes', () => {
    it('which remain valid, whether or not the token request contains the URI', async () => {
      const client = await addPlainClient();
      const code = await running.authorize(client, ada, { redirect_uri: PLAIN });
      const codeWithoutUri = await running.authorize(client, ada, { redirect_uri: '' });
      await running.restart(STRICT);
      expectRefusal(await redeem(client, code), 'invalid_grant');
      expectRefusal(
        await running.token(client, { grant_type: 'authorization_code', code: codeWithoutUri }),
        'invalid_grant',
      );
      const [newest] = running.service().explanations.listByClient(client.id);
      expect(newest).to.deep.include({ rule: 'redirect-uri-not-allowed', isProven: true });
      await running.restart(LOOSE);
      expectTokens(await redeem(client, code), { scope: 'read write', refresh: true });
    });

    it('but not the detection of a replay of a redeemed code', async () => {
      const client = await addPlainClient();
      const code = await running.authorize(client, ada, { redirect_uri: PLAIN });
      const { refresh } = expectTokens(await redeem(client, code), { scope: 'read write', refresh: true });
      await running.restart(STRICT);
      expectRefusal(await redeem(client, code), 'invalid_grant');
      expectRefusal(
        await running.token(client, { grant_type: 'refresh_token', refresh_token: refresh }),
        'invalid_grant',
      );
    });

    it('but not the refresh of tokens issued before', async () => {
      const client = await addPlainClient();
      const code = await running.authorize(client, ada, { redirect_uri: PLAIN });
      const { refresh } = expectTokens(await redeem(client, code), { scope: 'read write', refresh: true });
      await running.restart(STRICT);
      expectTokens(await running.token(client, { grant_type: 'refresh_token', refresh_token: refresh }), {
        scope: 'read write',
        refresh: true,
      });
    });
  });

  describe('prevents no other change to the application', () => {
    const update = async (client: TestClient, changes: object): Promise<unknown> => {
      const registeredClient = running.service().projections.clients.find(client.id);
      if (registeredClient === undefined) throw new Error('there is no such client');
      return running
        .service()
        .registration.update(registeredClient.clientId, { ...registeredClient, ...changes }, OPERATOR);
    };

    const problemOf = async (client: TestClient, changes: object): Promise<string | undefined> => {
      const { errors } = (await update(client, changes)) as { readonly errors: RegistrationErrors };
      return englishProblem(errors.redirectUris);
    };

    it('such as the removal of a scope', async () => {
      const client = await addPlainClient({ restrictedScopes: ['introspection'] });
      await running.restart(STRICT);
      expect(await update(client, { restrictedScopes: [], name: 'Loom' })).to.equal(undefined);
      expect(running.service().projections.clients.find(client.id)).to.deep.include({
        name: 'Loom',
        restrictedScopes: [],
        redirectUris: [PLAIN],
      });
    });

    it('but no other such URI can be added, and a new client type requires all of them to be allowed', async () => {
      const client = await running.addClient({
        clientType: 'public',
        grantTypes: ['authorization-code'],
        redirectUris: [OWN_SCHEME],
      });
      await running.restart(STRICT);
      expect(await problemOf(client, { redirectUris: [OWN_SCHEME, 'otherapp:/callback'] })).to.include('otherapp');
      expect(await problemOf(client, { clientType: 'confidential' })).to.include(OWN_SCHEME);
      expect(await update(client, { redirectUris: [SECURE] })).to.equal(undefined);
      expect(await problemOf(client, { redirectUris: [OWN_SCHEME] }), 'after its removal').to.include(OWN_SCHEME);
    });
  });
});
