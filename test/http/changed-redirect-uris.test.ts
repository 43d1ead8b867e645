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

const PLAIN_URI = 'http://intranet.example/callback';
const SECURE_URI = 'https://app.example/callback';
const PRIVATE_USE_URI = 'myapp:/callback';
const LOOSE_SETTINGS = { plainHttpRedirectUris: true, redirectUriSchemes: ['myapp'] };
const STRICT_SETTINGS = { plainHttpRedirectUris: false, redirectUriSchemes: [] };
const CHALLENGE = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** The clients are registered before a restart with stricter settings. */
describe('A registered redirect URI that the settings no longer allow', () => {
  let running: RunningService;
  let ada: TestUser;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService({ settings: LOOSE_SETTINGS });
    ada = await running.addUser('ada');
    browser = await openSession(running, ada);
  });
  afterEach(() => running.close());

  const addPlainClient = (options: Parameters<RunningService['addClient']>[0] = {}): Promise<TestClient> =>
    running.addClient({ owner: 'ada', name: 'Engine', redirectUris: [PLAIN_URI], ...options });
  const plainHttpPath = (client: TestClient, extraParameters: Readonly<Record<string, string | null>> = {}): string =>
    authorizePath(client, { redirect_uri: PLAIN_URI, ...extraParameters });
  const redeem = (client: TestClient, code: string) =>
    running.token(client, { grant_type: 'authorization_code', code, redirect_uri: PLAIN_URI });

  it('leads to an error page without a redirect, whether it is sent or implied, with or without a login', async () => {
    const client = await addPlainClient();
    expect((await browser.get(plainHttpPath(client))).status).to.equal(200);
    await running.restart(STRICT_SETTINGS);
    for (const session of [browser, running.browser()]) {
      for (const path of [plainHttpPath(client), plainHttpPath(client, { redirect_uri: null })])
        expectErrorPage(await session.get(path));
    }
    await running.restart(LOOSE_SETTINGS);
    expect((await browser.get(plainHttpPath(client))).status, 'after it is allowed again').to.equal(200);
  });

  it('receives no errors', async () => {
    const client = await addPlainClient();
    const refusedParameters = [{ scope: 'nonsense' }, { response_type: 'token' }, { prompt: 'none' }];
    for (const parameters of refusedParameters)
      expect((await browser.get(plainHttpPath(client, parameters))).status).to.equal(302);
    await running.restart(STRICT_SETTINGS);
    for (const parameters of refusedParameters) expectErrorPage(await browser.get(plainHttpPath(client, parameters)));
  });

  it('receives no code, even if consent is remembered or skipped', async () => {
    const [authorizedClient, trustedClient] = [
      await addPlainClient(),
      await addPlainClient({ skipAuthorization: true }),
    ];
    const code = await running.authorize(authorizedClient, ada, { redirect_uri: PLAIN_URI });
    expectTokens(await redeem(authorizedClient, code), { scope: 'read write', refresh: true });
    const paths = [plainHttpPath(authorizedClient, { approval_prompt: 'auto' }), plainHttpPath(trustedClient)];
    for (const path of paths) expect((await browser.get(path)).location).to.match(/[?&]code=/);
    await running.restart(STRICT_SETTINGS);
    const events = await running.events();
    for (const path of paths) expectErrorPage(await browser.get(path));
    expect(await running.events()).to.have.length(events.length);
  });

  it('receives neither a code nor an error from a consent form that was shown while it was allowed', async () => {
    const client = await addPlainClient();
    const [allowForm, denyForm] = [await browser.get(plainHttpPath(client)), await browser.get(plainHttpPath(client))];
    await running.restart(STRICT_SETTINGS);
    const events = await running.events();
    expectErrorPage(await browser.submit(allowForm, { allow: 'Authorize' }));
    expectErrorPage(await browser.submit(denyForm, {}));
    expect(await running.events()).to.have.length(events.length);
  });

  it('leads to an error page if its private-use scheme is no longer allowed', async () => {
    const client = await running.addClient({
      clientType: 'public',
      grantTypes: ['authorization-code'],
      redirectUris: [PRIVATE_USE_URI],
    });
    const path = authorizePath(client, { redirect_uri: PRIVATE_USE_URI, ...CHALLENGE });
    expect((await browser.get(path)).status).to.equal(200);
    await running.restart({ redirectUriSchemes: ['otherapp'] });
    expectErrorPage(await browser.get(path));
  });

  it("leaves the application's other URIs usable, but requests must still contain one of them", async () => {
    const client = await addPlainClient({ redirectUris: [PLAIN_URI, SECURE_URI] });
    await running.restart(STRICT_SETTINGS);
    expect((await browser.get(authorizePath(client, { redirect_uri: SECURE_URI }))).status).to.equal(200);
    expectErrorPage(await browser.get(plainHttpPath(client, { redirect_uri: null })));
  });

  it('is explained to the owner of the application and to the operator, with the name of the setting', async () => {
    const client = await addPlainClient();
    await running.restart(STRICT_SETTINGS);
    const { headers, html } = await browser.get(plainHttpPath(client));
    expect(html).to.include('it must use https');
    const explanation = running.service().explanations.find(headers.get('x-request-id') ?? '');
    expect(explanation).to.deep.include({ rule: 'redirect-uri-not-allowed', clientId: client.id, isProven: true });
    expect(explanation?.details).to.include({ uri: PLAIN_URI, setting: 'plainHttpRedirectUris' });
    expect(englishMessages(explanation)['advice']).to.include('plainHttpRedirectUris');
    expect((await browser.get(`/o/applications/${client.id}/refusals/`)).html).to.include(
      englishMessages(explanation)['advice'],
    );
  });

  it("is marked on the application's page, and not used in its examples", async () => {
    const client = await addPlainClient({ redirectUris: [PLAIN_URI, SECURE_URI] });
    const path = `/o/applications/${client.id}/`;
    expect((await browser.get(path)).html).not.to.include('no longer allows');
    await running.restart(STRICT_SETTINGS);
    const { html } = await browser.get(path);
    expect(html).to.match(
      new RegExp(
        `<code class="line">${PLAIN_URI}</code>\\s*<p class="caution">[^<]*must use https[^]*?plainHttpRedirectUris`,
      ),
    );
    expect(html).not.to.match(new RegExp(`<code class="line">${SECURE_URI}</code>\\s*<p class="caution">`));
    expect((await browser.get(`${path}try/`)).html)
      .to.include(encodeURIComponent(SECURE_URI))
      .and.not.include(encodeURIComponent(PLAIN_URI));
  });

  it("is marked on the administrators' page, and in `client show` and `client list`", async () => {
    const client = await addPlainClient();
    await running.restart(STRICT_SETTINGS);
    const root = await running
      .service()
      .accounts.register({ username: 'root', password: 'a long password', roles: ['administrator'] }, OPERATOR);
    if ('errors' in root) throw new Error(JSON.stringify(root.errors));
    const administrator = await openSession(running, { username: 'root', password: 'a long password' });
    expect((await administrator.get(`/admin/applications/${client.id}/`)).html).to.include('No longer allowed');
    const forbiddenUris = [
      {
        redirect_uri: PLAIN_URI,
        problem: 'must use https; http is allowed only for 127.0.0.1, [::1] and localhost',
        setting: 'plainHttpRedirectUris',
      },
    ];
    for (const [operation, input] of [
      ['client show', { clientId: client.id }],
      ['client list', {}],
    ] as const) {
      for await (const row of operate(running.service())(operation, input, new AbortController().signal)) {
        expect((row as ClientRow).forbidden_redirect_uris).to.deep.equal(forbiddenUris);
      }
    }
  });

  describe('prevents the redemption of its codes', () => {
    it('but leaves them valid, whether or not the token request contains the URI', async () => {
      const client = await addPlainClient();
      const code = await running.authorize(client, ada, { redirect_uri: PLAIN_URI });
      const codeWithoutUri = await running.authorize(client, ada, { redirect_uri: '' });
      await running.restart(STRICT_SETTINGS);
      expectRefusal(await redeem(client, code), 'invalid_grant');
      expectRefusal(
        await running.token(client, { grant_type: 'authorization_code', code: codeWithoutUri }),
        'invalid_grant',
      );
      const [newestExplanation] = running.service().explanations.listByClient(client.id);
      expect(newestExplanation).to.deep.include({ rule: 'redirect-uri-not-allowed', isProven: true });
      await running.restart(LOOSE_SETTINGS);
      expectTokens(await redeem(client, code), { scope: 'read write', refresh: true });
    });

    it('but not the detection of a replayed code', async () => {
      const client = await addPlainClient();
      const code = await running.authorize(client, ada, { redirect_uri: PLAIN_URI });
      const { refresh } = expectTokens(await redeem(client, code), { scope: 'read write', refresh: true });
      await running.restart(STRICT_SETTINGS);
      expectRefusal(await redeem(client, code), 'invalid_grant');
      expectRefusal(
        await running.token(client, { grant_type: 'refresh_token', refresh_token: refresh }),
        'invalid_grant',
      );
    });

    it('but not the refresh of tokens that were issued earlier', async () => {
      const client = await addPlainClient();
      const code = await running.authorize(client, ada, { redirect_uri: PLAIN_URI });
      const { refresh } = expectTokens(await redeem(client, code), { scope: 'read write', refresh: true });
      await running.restart(STRICT_SETTINGS);
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
      await running.restart(STRICT_SETTINGS);
      expect(await update(client, { restrictedScopes: [], name: 'Loom' })).to.equal(undefined);
      expect(running.service().projections.clients.find(client.id)).to.deep.include({
        name: 'Loom',
        restrictedScopes: [],
        redirectUris: [PLAIN_URI],
      });
    });

    it('but no other disallowed URI can be added, and a new client type requires all URIs to be allowed', async () => {
      const client = await running.addClient({
        clientType: 'public',
        grantTypes: ['authorization-code'],
        redirectUris: [PRIVATE_USE_URI],
      });
      await running.restart(STRICT_SETTINGS);
      expect(await problemOf(client, { redirectUris: [PRIVATE_USE_URI, 'otherapp:/callback'] })).to.include('otherapp');
      expect(await problemOf(client, { clientType: 'confidential' })).to.include(PRIVATE_USE_URI);
      expect(await update(client, { redirectUris: [SECURE_URI] })).to.equal(undefined);
      expect(await problemOf(client, { redirectUris: [PRIVATE_USE_URI] }), 'after its removal').to.include(
        PRIVATE_USE_URI,
      );
    });
  });
});
