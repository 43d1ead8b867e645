import { expect } from 'chai';
import { keyPairFor } from '../../../support/assertions.ts';
import type { BrowserSession, Page } from '../../../support/browser-session.ts';
import { runningService, type RunningService, type TestUser } from '../../../support/running-service.ts';
import {
  beginLogin,
  CLIENT_SECRET,
  linkAccount,
  logInThrough,
  LOOPBACK_PROVIDERS,
  startScriptedProvider,
  setProvider,
  type ScriptedProvider,
} from '../../../support/scripted-provider.ts';
import { pushedPath, pushForUri } from '../../../support/signed-requests.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ADA = { sub: 'subject-of-ada', email: 'ada@example.org', email_verified: true, preferred_username: 'ada' };

describe('a login through a provider', () => {
  let running: RunningService;
  let provider: ScriptedProvider;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService({ settings: LOOPBACK_PROVIDERS });
    provider = await startScriptedProvider(running.clock.now);
    browser = running.browser();
  });

  afterEach(async () => {
    await running.close();
    await provider.close();
  });

  const userNamed = (username: string) => running.service().projections.users.findByName(username);
  const eventTypes = async (): Promise<readonly string[]> => (await running.events()).map(({ type }) => type);

  /** Adds an account with the address that Ada has at the provider. */
  async function addAda({ verified = true } = {}): Promise<TestUser> {
    const user = await running.addUser('ada');
    const { accounts } = running.service();
    const change = { email: ADA.email };
    await accounts.changeProfile(userNamed('ada')!, change, OPERATOR);
    if (verified) await accounts.verifyEmail(userNamed('ada')!, OPERATOR);
    return user;
  }

  const expectRefused = async (page: Page, rule: string): Promise<void> => {
    expect(page.status).to.be.greaterThan(400);
    const requestId = page.headers.get('x-request-id') ?? '';
    expect(running.service().explanations.find(requestId)?.rule, page.html).to.equal(rule);
    expect(await browser.get('/accounts/').then(({ location }) => location)).to.match(/login/);
  };

  describe('with a linked account', () => {
    beforeEach(async () => {
      await setProvider(running, provider);
      const { username, password } = await addAda();
      await browser.logIn(username, password);
      expect((await linkAccount(browser, provider, ADA)).location).to.equal('/accounts/ways/');
      browser = running.browser();
    });

    it('starts a session that records the provider, and continues where the login began', async () => {
      const page = await logInThrough(browser, provider, ADA, 'corp', '/accounts/sessions/');
      expect(page.location).to.equal('/accounts/sessions/');
      const event = (await running.events()).findLast(({ type }) => type === 'SessionStarted');
      expect(event?.data).to.have.property('authentication').that.includes({ method: 'upstream', providerId: 'corp' });
      expect((await browser.get('/accounts/sessions/')).html).to.contain('through the provider corp');
    });

    describe('after the provider has been disabled', () => {
      it('is not offered, cannot begin, and starts no session if it began before', async () => {
        const authorizationUrl = await beginLogin(browser);
        await setProvider(running, provider, { disabled: true });
        await expectRefused(await browser.get(provider.authorize(authorizationUrl, ADA)), 'upstream-provider-changed');
        const page = await browser.get('/accounts/login/');
        expect(page.html).to.not.contain('Log in with');
        expect((await browser.submit(page, {}, '/accounts/login/provider/corp/')).status).to.equal(404);
      });

      it('succeeds again once the provider is enabled, with the same link', async () => {
        await setProvider(running, provider, { disabled: true });
        await setProvider(running, provider);
        expect((await logInThrough(browser, provider, ADA)).location).to.equal('/accounts/');
      });

      it('cannot be required, because then nobody could log in', async () => {
        const { projections } = running.service();
        const fields = { required: true, disabled: true };
        const error = await setProvider(running, provider, fields).catch((problem: unknown) => String(problem));
        expect(error).to.contain('required-and-disabled');
        expect(projections.upstreamProviders.areRequired()).to.equal(false);
      });
    });

    it('uses PKCE with S256, and authenticates with the secret', async () => {
      const authorizationUrl = new URL(await beginLogin(browser));
      const parameters = Object.fromEntries(authorizationUrl.searchParams);
      expect(parameters).to.include({ response_type: 'code', code_challenge_method: 'S256', client_id: 'grantlog' });
      expect(parameters['redirect_uri']).to.match(/\/accounts\/login\/provider\/corp\/callback\/$/);
      await browser.get(provider.authorize(authorizationUrl.href, ADA));
      const tokenRequest = provider.requests.findLast(({ path }) => path === '/token');
      expect(tokenRequest?.form.get('code_verifier')).to.match(/^[\w-]{43}$/);
      const secret = encodeURIComponent(CLIENT_SECRET).replaceAll('%20', '+');
      expect(tokenRequest?.authorization).to.equal(`Basic ${Buffer.from(`grantlog:${secret}`).toString('base64')}`);
    });

    for (const [problem, spoil] of [
      ['the issuer of another server', (p: ScriptedProvider) => (p.script.claims = { iss: 'https://evil.example' })],
      ['another nonce', (p: ScriptedProvider) => (p.script.claims = { nonce: 'replayed' })],
      ['no nonce', (p: ScriptedProvider) => (p.script.claims = { nonce: undefined })],
      ['another audience', (p: ScriptedProvider) => (p.script.claims = { aud: 'another' })],
      ['a second audience and no azp', (p: ScriptedProvider) => (p.script.claims = { aud: ['grantlog', 'b'] })],
      ['the azp of another client', (p: ScriptedProvider) => (p.script.claims = { azp: 'another' })],
      ['an expiry in the past', (p: ScriptedProvider) => (p.script.claims = { exp: 1 })],
      ['no expiry', (p: ScriptedProvider) => (p.script.claims = { exp: undefined })],
      ['an old time of issue', (p: ScriptedProvider) => (p.script.claims = { iat: 1 })],
      ['no subject', (p: ScriptedProvider) => (p.script.claims = { sub: '' })],
      [
        'a key that is not published',
        (p: ScriptedProvider) => (p.script.signsWith = keyPairFor('ES256', 'key of an attacker')),
      ],
      ['an unknown kid', (p: ScriptedProvider) => (p.script.header = { alg: 'ES256', kid: 'unknown' })],
      [
        'no signature',
        (p: ScriptedProvider) => (p.script.idToken = `${encodeJson({ alg: 'none' })}.${encodeJson(ADA)}.`),
      ],
      ['text that is not a JWT', (p: ScriptedProvider) => (p.script.idToken = 'not a token')],
    ] as const) {
      it(`is refused if the ID token has ${problem}`, async () => {
        const authorizationUrl = await beginLogin(browser);
        spoil(provider);
        await expectRefused(await browser.get(provider.authorize(authorizationUrl, ADA)), 'upstream-token-invalid');
      });
    }

    it('follows a change of the key set, and refuses removed keys', async () => {
      await logInThrough(browser, provider, ADA);
      const [oldKey, newKey] = [provider.script.signsWith, keyPairFor('ES256', 'rotated')];
      Object.assign(provider.script, { keys: [newKey], signsWith: newKey, header: { alg: 'ES256', kid: 'rotated' } });
      running.clock.advance(61);
      browser = running.browser();
      expect((await logInThrough(browser, provider, ADA)).location).to.equal('/accounts/');
      Object.assign(provider.script, { signsWith: oldKey, header: { alg: 'ES256', kid: 'provider' } });
      running.clock.advance(61);
      browser = running.browser();
      await expectRefused(await logInThrough(browser, provider, ADA), 'upstream-token-invalid');
    });

    it('is refused if the request for the key set hangs', async () => {
      await running.restart();
      provider.script.hangingPaths = ['/jwks'];
      const authorizationUrl = await beginLogin(browser);
      const page = await browser.get(provider.authorize(authorizationUrl, ADA));
      await expectRefused(page, 'upstream-unavailable');
    }).timeout(15_000);

    it('is refused if the response contains a different issuer (RFC 9207)', async () => {
      const authorizationUrl = await beginLogin(browser);
      provider.script.response = { iss: 'https://evil.example' };
      await expectRefused(await browser.get(provider.authorize(authorizationUrl, ADA)), 'upstream-issuer-differs');
    });

    it('is refused if the response contains no issuer, although the metadata promises one', async () => {
      provider.script.metadata = { authorization_response_iss_parameter_supported: true };
      await running.restart();
      await expectRefused(await logInThrough(browser, provider, ADA), 'upstream-issuer-differs');
      provider.script.response = { iss: provider.issuer };
      expect((await logInThrough(browser, provider, ADA)).location).to.equal('/accounts/');
    });

    it('is refused at the redirect URI of another provider', async () => {
      const otherProvider = await startScriptedProvider(running.clock.now);
      await setProvider(running, otherProvider, {}, 'other');
      const authorizationUrl = await beginLogin(browser);
      const path = provider.authorize(authorizationUrl, ADA).replace('/corp/', '/other/');
      await expectRefused(await browser.get(path), 'upstream-login-unknown');
      await otherProvider.close();
    });

    it("is refused in a different browser, so that no user is logged in to an attacker's account", async () => {
      const path = provider.authorize(await beginLogin(browser), ADA);
      browser = running.browser();
      await expectRefused(await browser.get(path), 'upstream-login-unknown');
      await beginLogin(browser);
      await expectRefused(await browser.get(path), 'upstream-login-unknown');
    });

    it('is refused if the response arrives twice, or too late', async () => {
      const path = provider.authorize(await beginLogin(browser), ADA);
      const lateBrowser = running.browser();
      const latePath = provider.authorize(await beginLogin(lateBrowser), ADA);
      await browser.get(path);
      const secondResponse = await browser.get(path);
      expect(secondResponse.status).to.equal(403);
      running.clock.advance(600);
      expect((await lateBrowser.get(latePath)).status).to.equal(403);
    });

    it('is refused if the provider reports an error, or refuses the code', async () => {
      provider.script.response = { error: 'access_denied', code: undefined };
      await expectRefused(await logInThrough(browser, provider, ADA), 'upstream-denied');
      provider.script.response = {};
      provider.script.tokenError = 'invalid_client';
      await expectRefused(await logInThrough(browser, provider, ADA), 'upstream-code-refused');
    });

    it('is refused if the provider is changed or removed in the meantime', async () => {
      const authorizationUrl = await beginLogin(browser);
      await setProvider(running, provider, { name: 'Changed' });
      await expectRefused(await browser.get(provider.authorize(authorizationUrl, ADA)), 'upstream-provider-changed');
      const secondUrl = await beginLogin(browser);
      provider.script.beforeTokens = async () => {
        const { providerRegistry, projections } = running.service();
        await providerRegistry.remove(projections.upstreamProviders.find('corp')!, OPERATOR);
      };
      await expectRefused(await browser.get(provider.authorize(secondUrl, ADA)), 'upstream-provider-changed');
    });

    it('is refused for a user who is disabled', async () => {
      await running.service().accounts.disable(userNamed('ada')!, OPERATOR);
      await expectRefused(await logInThrough(browser, provider, ADA), 'upstream-user-inactive');
    });

    it('is refused for the same subject from another issuer behind the same provider', async () => {
      const successor = await startScriptedProvider(running.clock.now);
      await setProvider(running, successor);
      await expectRefused(await logInThrough(browser, successor, ADA), 'upstream-user-unknown');
      await successor.close();
    });

    it('starts a session with a new cookie', async () => {
      const path = provider.authorize(await beginLogin(browser), ADA);
      const previousCookies = new Map(browser.cookies());
      await browser.get(path);
      const session = [...previousCookies.keys()].find((name) => !name.includes('browser')) ?? '';
      expect(browser.cookies().get(session)).not.to.equal(previousCookies.get(session));
    });

    it('continues only to paths on this server', async () => {
      const page = await logInThrough(browser, provider, ADA, 'corp', 'https://evil.example/');
      expect(page.location).to.equal('/');
    });

    it('asks a user who is logged in to authenticate again, and refuses an earlier authentication', async () => {
      await logInThrough(browser, provider, ADA);
      const authorizationUrl = await beginLogin(browser);
      expect(Object.fromEntries(new URL(authorizationUrl).searchParams)).to.include({ prompt: 'login', max_age: '0' });
      const anHourAgo = Math.floor(running.clock.now() / 1000) - 3_600;
      provider.script.claims = { auth_time: anHourAgo };
      const page = await browser.get(provider.authorize(authorizationUrl, ADA));
      const requestId = page.headers.get('x-request-id') ?? '';
      expect(running.service().explanations.find(requestId)?.rule).to.equal('upstream-login-too-old');
    });

    it('asks a user to authenticate again only if the authorization request requires a login', async () => {
      const client = await running.addClient();
      const beginFor = async (request: Readonly<Record<string, string>>): Promise<URLSearchParams> => {
        const requestUri = await pushForUri(running, client, request);
        const next = (await running.browser().get(pushedPath(client, requestUri))).location ?? '';
        const target = new URL(next, running.origin()).searchParams.get('next') ?? '';
        expect(target).to.include('continuation=');
        return new URL(await beginLogin(running.browser(), 'corp', target)).searchParams;
      };
      expect([...(await beginFor({})).keys()]).to.not.include.members(['prompt']);
      expect(Object.fromEntries(await beginFor({ prompt: 'login' }))).to.include({ prompt: 'login', max_age: '0' });
    });

    it("does not replace a required second factor, unless the operator accepts the provider's", async () => {
      await running.restart({ ...LOOPBACK_PROVIDERS, requireSecondFactor: 'all' });
      const account = { ...ADA, amr: ['pwd', 'mfa'] };
      expect((await logInThrough(browser, provider, account)).location).to.match(/second-step/);
      await setProvider(running, provider, { secondFactorValues: ['mfa'] });
      expect((await logInThrough(browser, provider, account)).location).to.equal('/accounts/');
      browser = running.browser();
      expect((await logInThrough(browser, provider, ADA)).location).to.match(/second-step/);
    });
  });

  describe('with an account that is not linked', () => {
    it('is refused if only users can link accounts, even with the same verified address', async () => {
      await setProvider(running, provider);
      await addAda();
      await expectRefused(await logInThrough(browser, provider, ADA), 'upstream-user-unknown');
      expect(await eventTypes()).not.to.include('UpstreamAccountLinked');
    });

    it('links accounts with the same verified address, if the operator allows it', async () => {
      await setProvider(running, provider, { linking: 'verified-email' });
      await addAda();
      const page = await logInThrough(browser, provider, { ...ADA, email: 'ADA@example.org' });
      expect(page.location).to.equal('/accounts/');
      const linkEvent = (await running.events()).find(({ type }) => type === 'UpstreamAccountLinked');
      expect(linkEvent?.data).to.include({ basis: 'verified-email', userId: userNamed('ada')?.userId });
    });

    for (const [problem, account, verified] of [
      ['not verified at the provider', { ...ADA, email_verified: false }, true],
      ['verified only by a string', { ...ADA, email_verified: 'true' }, true],
      ['without a verification status', { ...ADA, email_verified: undefined }, true],
      ['not verified here', ADA, false],
    ] as const) {
      it(`never links an address that is ${problem}`, async () => {
        await setProvider(running, provider, { linking: 'verified-email' });
        await addAda({ verified });
        await expectRefused(await logInThrough(browser, provider, account), 'upstream-user-unknown');
        expect(await eventTypes()).not.to.include('UpstreamAccountLinked');
      });
    }

    it('links no address outside the allowed domains', async () => {
      await setProvider(running, provider, { linking: 'verified-email', domains: ['corp.example'] });
      await addAda();
      await expectRefused(await logInThrough(browser, provider, ADA), 'upstream-user-unknown');
    });

    it('creates a user with a verified address and no password', async () => {
      await setProvider(running, provider, { createsUsers: true, domains: ['example.org'] });
      expect((await logInThrough(browser, provider, ADA)).location).to.equal('/accounts/');
      expect(userNamed('ada')).to.include({ email: ADA.email, emailVerified: true, passwordHash: '' });
      browser = running.browser();
      await logInThrough(browser, provider, ADA);
      expect(running.service().projections.users.size()).to.equal(1);
    });

    it('gives a new user a free name, and takes over no account', async () => {
      await running.addUser('ada');
      await setProvider(running, provider, { createsUsers: true });
      await logInThrough(browser, provider, { ...ADA, email_verified: false });
      expect(userNamed('ada-2')).to.include({ email: ADA.email, emailVerified: false });
    });

    it('creates no user for a verified address that a user already has', async () => {
      await addAda();
      await setProvider(running, provider, { createsUsers: true });
      await expectRefused(await logInThrough(browser, provider, ADA), 'upstream-user-unknown');
      expect(running.service().projections.users.size()).to.equal(1);
    });

    it('creates no user outside the allowed domains, or without a verified address in them', async () => {
      await setProvider(running, provider, { createsUsers: true, domains: ['corp.example'] });
      await expectRefused(await logInThrough(browser, provider, ADA), 'upstream-user-unknown');
      const unverifiedAccount = { ...ADA, email: 'ada@corp.example', email_verified: false };
      await expectRefused(await logInThrough(browser, provider, unverifiedAccount), 'upstream-user-unknown');
    });

    it('reads claims that the ID token lacks from userinfo, for the same subject only', async () => {
      await setProvider(running, provider, { createsUsers: true });
      provider.script.userinfo = { sub: 'another', email: ADA.email, email_verified: true };
      const { sub } = ADA;
      const account = { sub, preferred_username: 'ada' };
      await expectRefused(await logInThrough(browser, provider, account), 'upstream-token-invalid');
      provider.script.userinfo = { sub, email: ADA.email, email_verified: true };
      await logInThrough(browser, provider, account);
      expect(userNamed('ada')).to.include({ email: ADA.email, emailVerified: true });
    });

    it('grants and withdraws roles at each login, according to the groups at the provider', async () => {
      const roles = ['auditor=auditors', 'administrator=admins'];
      await setProvider(running, provider, { createsUsers: true, groupsClaim: 'realm.roles', roles });
      await logInThrough(browser, provider, { ...ADA, realm: { roles: ['auditors'] } });
      expect(userNamed('ada')?.roles).to.deep.equal(['auditor']);
      await logInThrough(running.browser(), provider, { ...ADA, realm: { roles: [] } });
      expect(userNamed('ada')?.roles).to.deep.equal([]);
    });

    it('adds users to local groups, and removes them', async () => {
      const { groupDirectory, projections } = running.service();
      await groupDirectory.create('Staff', OPERATOR);
      const groups = ['Staff=employees', 'No such group=employees'];
      await setProvider(running, provider, { createsUsers: true, groupsClaim: 'groups', groups });
      await logInThrough(browser, provider, { ...ADA, groups: ['employees', 'others'] });
      const { groupId } = projections.groups.findByName('Staff')!;
      expect(projections.groups.membersOf(groupId)).to.have.length(1);
      await logInThrough(running.browser(), provider, { ...ADA, groups: 'others' });
      expect(projections.groups.membersOf(groupId)).to.have.length(0);
    });

    it('keeps the role of the last administrator, whatever the groups are', async () => {
      const roles = ['administrator=admins'];
      await setProvider(running, provider, { createsUsers: true, groupsClaim: 'groups', roles });
      await logInThrough(browser, provider, { ...ADA, groups: ['admins'] });
      await logInThrough(running.browser(), provider, { ...ADA, groups: [] });
      expect(userNamed('ada')?.roles).to.deep.equal(['administrator']);
    });

    it('records nothing before the provider has authenticated the user', async () => {
      await setProvider(running, provider, { createsUsers: true });
      const eventCount = (await running.events()).length;
      const authorizationUrl = await beginLogin(browser);
      provider.script.tokenError = 'invalid_grant';
      await browser.get(provider.authorize(authorizationUrl, ADA));
      await browser.get('/accounts/login/provider/corp/callback/?code=made-up&state=made-up');
      expect(await running.events()).to.have.length(eventCount);
    });
  });

  it('is limited per IP address', async () => {
    await running.close();
    const { LIMITS } = await import('../../../../src/platform/limits/limits.ts');
    const limits = { ...LIMITS, 'upstream-logins-by-address': { max: 1, windowSeconds: 60 } };
    running = await runningService({ settings: LOOPBACK_PROVIDERS, limits });
    await setProvider(running, provider);
    browser = running.browser();
    await beginLogin(browser);
    const answer = await browser.get('/accounts/login/provider/corp/callback/?code=x&state=y');
    expect(answer.status).to.equal(429);
  });
});

function encodeJson(json: object): string {
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}
