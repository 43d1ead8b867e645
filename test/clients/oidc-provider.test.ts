import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Provider from 'oidc-provider';
import { keyPairFor } from '../support/assertions.ts';
import { browserSession, type BrowserSession, type Page } from '../support/browser-session.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { beginLogin, LOOPBACK_PROVIDERS, setProvider } from '../support/scripted-provider.ts';

const SECRET = 'a secret with +, % and : in it';

/** Starts a provider that logs every browser in as `ada`, and discloses her e-mail address to this server. */
async function startRealProvider(client: object): Promise<{ readonly issuer: string; readonly server: Server }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = keyPairFor('RS256', 'node-oidc-provider');
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'grantlog', client_secret: SECRET, ...client }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'real' }] },
    cookies: { keys: ['a key for cookies'] },
    claims: { email: ['email', 'email_verified'], profile: ['preferred_username'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { Session: 3_600, Interaction: 600, Grant: 3_600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    findAccount: (_ctx: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, email: `${sub}@example.org`, email_verified: true, preferred_username: sub }),
    }),
    async loadExistingGrant({ oidc }: { oidc: { session: { accountId: string } } }) {
      const grant = new provider.Grant({ clientId: 'grantlog', accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return handle(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: 'ada' } });
  });
  return { issuer, server };
}

describe('node-oidc-provider as a provider', () => {
  let running: RunningService;
  let browser: BrowserSession;
  let providerBrowser: BrowserSession;
  let realProvider: Awaited<ReturnType<typeof startRealProvider>>;

  beforeEach(async () => {
    const settings = LOOPBACK_PROVIDERS;
    running = await runningService({ settings, startsAt: Date.now(), isItsOwnIssuer: true });
    browser = running.browser();
  });

  afterEach(async () => {
    await running.close();
    realProvider.server.closeAllConnections();
    realProvider.server.close();
  });

  async function setUp(client: object = {}, fields: object = {}): Promise<void> {
    const callback = `${running.origin()}/accounts/login/provider/corp/callback/`;
    realProvider = await startRealProvider({ redirect_uris: [callback], ...client });
    providerBrowser = browserSession(() => realProvider.issuer);
    await setProvider(running, realProvider, { secret: SECRET, createsUsers: true, ...fields });
  }

  /** Follows the provider's redirects until one leads back to this server. Returns this server's response. */
  async function followProvider(url: string): Promise<Page> {
    let location: string | null = url;
    while (location?.startsWith(running.origin()) === false) ({ location } = await providerBrowser.get(location));
    return browser.get((location ?? '').slice(running.origin().length));
  }

  const findUser = (username: string) => running.service().projections.users.findByName(username);
  const runConnectionTest = async () => {
    const { projections, testProvider } = running.service();
    const provider = projections.upstreamProviders.find('corp') ?? expect.fail('there is no provider');
    const checks = await testProvider(provider, Math.floor(running.clock.now() / 1000) as never);
    return checks.map(({ step, result }) => `${step} ${result}`);
  };

  it('logs users in, with the e-mail address from userinfo and the issuer in the response', async () => {
    await setUp();
    expect((await followProvider(await beginLogin(browser))).location).to.equal('/accounts/');
    expect(findUser('ada')).to.include({ email: 'ada@example.org', emailVerified: true });
    browser = running.browser();
    expect((await followProvider(await beginLogin(browser))).location).to.equal('/accounts/');
    expect(running.service().projections.users.size()).to.equal(1);
  });

  it('authenticates a user again if a new login is required', async () => {
    await setUp();
    await followProvider(await beginLogin(browser));
    const secondLogin = await followProvider(await beginLogin(browser));
    expect(secondLogin.location).to.equal('/accounts/');
  });

  it("accepts this server's signature instead of a secret (private_key_jwt)", async () => {
    await running
      .service()
      .keyRotation.introduce('RS256', Math.floor(running.clock.now() / 1000) as never, 'requested');
    const { json } = await running.get('/.well-known/jwks.json');
    const keys = (json?.['keys'] ?? []) as readonly Readonly<Record<string, unknown>>[];
    const jwks = { keys: keys.filter(({ alg }) => alg === 'RS256') };
    const authentication = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'RS256' };
    await setUp(
      { ...authentication, jwks, client_secret: undefined },
      { authentication: 'private_key_jwt', secret: '' },
    );
    expect((await followProvider(await beginLogin(browser))).location).to.equal('/accounts/');
  });

  it('passes the connection test, and fails it with a wrong secret', async () => {
    await setUp();
    expect(await runConnectionTest()).to.deep.equal(['metadata good', 'keys good', 'client good']);
    await setProvider(running, realProvider, { secret: 'another secret' });
    expect(await runConnectionTest()).to.deep.equal(['metadata good', 'keys good', 'client bad']);
  });
});
