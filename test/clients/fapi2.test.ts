import { expect } from 'chai';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { importKey, keyPairFor, registerKeys } from '../support/assertions.ts';
import { approve } from '../support/authorize-requests.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';
import { secureRequests } from '../support/signed-requests.ts';

/** Loopback connections have no TLS. All other options are as in production. */
const LOOPBACK = { [oauth.allowInsecureRequests]: true } as const;

describe('A client that uses FAPI 2.0 with private_key_jwt, PAR, DPoP and JARM', () => {
  const key = keyPairFor('ES256');
  let running: RunningService;
  let owner: TestUser;
  let registeredClient: TestClient;

  before(async () => {
    running = await runningService({ isItsOwnIssuer: true, startsAt: Date.now() });
    owner = await running.addUser();
    registeredClient = await running.addClient({ grantTypes: ['authorization-code'] });
    await registerKeys(running, registeredClient, key);
    await secureRequests(running, registeredClient, [key], {
      profile: 'fapi2',
      authorizationResponseAlgorithm: 'ES256',
    });
  });
  after(() => running.close());

  const usersUrl = (): URL => new URL('/users/', running.origin());

  it('logs in and uses the API with openid-client', async () => {
    const config = await client.discovery(
      new URL(running.origin()),
      registeredClient.id,
      { authorization_signed_response_alg: 'ES256' },
      client.PrivateKeyJwt(await importKey(key)),
      { algorithm: 'oauth2', execute: [client.allowInsecureRequests, client.useJwtResponseMode] },
    );
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    const [pkceCodeVerifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()];
    const authorizationUrl = await client.buildAuthorizationUrlWithPAR(
      config,
      {
        redirect_uri: REDIRECT_URI,
        scope: 'read write',
        state: expectedState,
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      },
      { DPoP },
    );
    expect([...authorizationUrl.searchParams.keys()]).to.have.members(['client_id', 'request_uri']);
    const callback = await approve(running, owner, authorizationUrl);
    expect([...callback.searchParams.keys()]).to.deep.equal(['response']);
    const checks = { pkceCodeVerifier, expectedState };
    const tokens = await client.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
    expect(tokens).to.include({ token_type: 'dpop', scope: 'read write' });
    const apiResponse = await client.fetchProtectedResource(
      config,
      tokens.access_token,
      usersUrl(),
      'GET',
      undefined,
      undefined,
      { DPoP },
    );
    expect(apiResponse.status).to.equal(200);
    const refreshedTokens = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP });
    expect(refreshedTokens).to.include({ token_type: 'dpop', refresh_token: tokens.refresh_token });
    expect(await client.tokenIntrospection(config, refreshedTokens.access_token)).to.deep.include({
      active: true,
      cnf: { jkt: await DPoP.calculateThumbprint() },
    });
    await client.tokenRevocation(config, refreshedTokens.refresh_token ?? '');
    expect(await client.tokenIntrospection(config, refreshedTokens.access_token)).to.deep.equal({ active: false });
  });

  it('logs in and uses the API with oauth4webapi', async () => {
    const issuer = new URL(running.origin());
    const discoveryResponse = await oauth.discoveryRequest(issuer, { ...LOOPBACK, algorithm: 'oauth2' });
    const server = await oauth.processDiscoveryResponse(issuer, discoveryResponse);
    const oauthClient: oauth.Client = { client_id: registeredClient.id, authorization_signed_response_alg: 'ES256' };
    const clientAuthentication = oauth.PrivateKeyJwt(await importKey(key));
    const options = { ...LOOPBACK, DPoP: oauth.DPoP(oauthClient, await oauth.generateKeyPair('ES256')) };
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const parameters = {
      response_type: 'code',
      response_mode: 'jwt',
      redirect_uri: REDIRECT_URI,
      scope: 'read',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    const { request_uri } = await withNonceRetry(async () =>
      oauth.processPushedAuthorizationResponse(
        server,
        oauthClient,
        await oauth.pushedAuthorizationRequest(server, oauthClient, clientAuthentication, parameters, options),
      ),
    );
    const authorizationUrl = new URL(server.authorization_endpoint ?? '');
    authorizationUrl.search = new URLSearchParams({ client_id: registeredClient.id, request_uri }).toString();
    const redirectUrl = await approve(running, owner, authorizationUrl);
    const callback = await oauth.validateJwtAuthResponse(server, oauthClient, redirectUrl, state, LOOPBACK);
    const tokens = await withNonceRetry(async () =>
      oauth.processAuthorizationCodeResponse(
        server,
        oauthClient,
        await oauth.authorizationCodeGrantRequest(
          server,
          oauthClient,
          clientAuthentication,
          callback,
          REDIRECT_URI,
          verifier,
          options,
        ),
      ),
    );
    expect(tokens).to.include({ token_type: 'dpop', scope: 'read' });
    const apiResponse = await withNonceRetry(() =>
      oauth.protectedResourceRequest(tokens.access_token, 'GET', usersUrl(), undefined, undefined, options),
    );
    expect(apiResponse.status).to.equal(200);
    const refreshedTokens = await oauth.processRefreshTokenResponse(
      server,
      oauthClient,
      await oauth.refreshTokenGrantRequest(
        server,
        oauthClient,
        clientAuthentication,
        tokens.refresh_token ?? '',
        options,
      ),
    );
    expect(refreshedTokens).to.include({ token_type: 'dpop', refresh_token: tokens.refresh_token });
  });
});

/** Sends the request again if its proof lacked a nonce. The library keeps the nonce from the error response. */
async function withNonceRetry<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return request();
  }
}
