import { expect } from 'chai';
import * as client from 'openid-client';
import { SIGNING_ALGORITHMS } from '../../src/domain/values.ts';
import { approve, openSession } from '../support/authorize-requests.ts';
import {
  REDIRECT_URI,
  runningService,
  type ClientOptions,
  type RunningService,
  type TestUser,
} from '../support/running-service.ts';

const POST_LOGOUT_URI = 'https://app.example/logged-out';

describe('openid-client, with OpenID Connect,', () => {
  let running: RunningService;
  let user: TestUser;

  before(async () => {
    running = await runningService({ isItsOwnIssuer: true, startsAt: Date.now() });
    user = await running.addUser();
  });
  after(() => running.close());

  /** Registers a client. Returns its configuration, which makes the library verify the signatures of ID tokens. */
  async function registerClient(openid: ClientOptions['openid'] = {}, metadata: Partial<client.ClientMetadata> = {}) {
    const { id, secret } = await running.addClient({
      openid: { postLogoutRedirectUris: [POST_LOGOUT_URI], ...openid },
    });
    return client.discovery(new URL(running.origin()), id, metadata, client.ClientSecretBasic(secret), {
      execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
    });
  }

  /** Builds the URL of a request with PKCE, and the checks for its response. */
  async function buildRequest(config: client.Configuration, parameters: Readonly<Record<string, string>> = {}) {
    const [pkceCodeVerifier, expectedNonce] = [client.randomPKCECodeVerifier(), client.randomNonce()];
    const authorizationUrl = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: 'openid',
      nonce: expectedNonce,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      ...parameters,
    });
    return { authorizationUrl, checks: { pkceCodeVerifier, expectedNonce } };
  }

  async function logIn(config: client.Configuration, parameters: Readonly<Record<string, string>> = {}) {
    const { authorizationUrl, checks } = await buildRequest(config, parameters);
    const tokens = await client.authorizationCodeGrant(config, await approve(running, user, authorizationUrl), checks);
    return { tokens, sub: tokens.claims()?.sub ?? '' };
  }

  it('discovers the endpoints from openid-configuration', async () => {
    const metadata = (await registerClient()).serverMetadata();
    expect(metadata.supportsPKCE()).to.equal(true);
    expect(metadata).to.include({
      issuer: running.origin(),
      userinfo_endpoint: `${running.origin()}/o/userinfo/`,
      end_session_endpoint: `${running.origin()}/o/logout/`,
      jwks_uri: `${running.origin()}/.well-known/jwks.json`,
    });
  });

  it('gets the requested claims in the ID token, and the time of the login', async () => {
    const config = await registerClient();
    const claims = JSON.stringify({ id_token: { preferred_username: null } });
    const { authorizationUrl, checks } = await buildRequest(config, { max_age: '60', claims });
    const callback = await approve(running, user, authorizationUrl);
    const tokens = await client.authorizationCodeGrant(config, callback, { ...checks, maxAge: 60 });
    expect(tokens.claims()).to.include({ preferred_username: user.username, acr: 'pwd' });
  });

  it('refuses an ID token for a different request', async () => {
    const config = await registerClient();
    const { authorizationUrl, checks } = await buildRequest(config);
    const callback = await approve(running, user, authorizationUrl);
    const refusal = await client
      .authorizationCodeGrant(config, callback, { ...checks, expectedNonce: client.randomNonce() })
      .then(
        () => expect.fail('the ID token was accepted'),
        (reason: unknown) => reason,
      );
    expect(refusal).to.include({ code: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' });
  });

  for (const algorithm of SIGNING_ALGORITHMS)
    it(`verifies ID tokens and userinfo that are signed with ${algorithm}`, async () => {
      const config = await registerClient(
        { idTokenAlgorithm: algorithm, userinfoAlgorithm: algorithm },
        { id_token_signed_response_alg: algorithm, userinfo_signed_response_alg: algorithm },
      );
      const { tokens, sub } = await logIn(config, { scope: 'openid profile' });
      expect(await client.fetchUserInfo(config, tokens.access_token, sub)).to.include({
        sub,
        preferred_username: user.username,
      });
    });

  it('gets a new ID token for the same user and login with each refresh', async () => {
    const config = await registerClient();
    const { tokens, sub } = await logIn(config, { scope: 'openid profile' });
    const refreshedTokens = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshedTokens.id_token).to.be.a('string').and.not.equal(tokens.id_token);
    expect(refreshedTokens.claims()).to.include({ sub, sid: tokens.claims()?.['sid'] });
    expect(await client.fetchUserInfo(config, refreshedTokens.access_token, sub)).to.include({
      preferred_username: user.username,
    });
  });

  it('builds the URL that logs the user out and returns to the application', async () => {
    const config = await registerClient();
    const { tokens } = await logIn(config);
    const { pathname, search } = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: POST_LOGOUT_URI,
      state: 'xyz',
    });
    const browser = await openSession(running, user);
    expect((await browser.get(pathname + search)).location).to.equal(`${POST_LOGOUT_URI}?state=xyz`);
    expect((await browser.get('/accounts/')).status).not.to.equal(200);
  });
});
