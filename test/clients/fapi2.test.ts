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
  let registered: TestClient;

  before(async () => {
    running = await runningService({ isItsOwnIssuer: true, startsAt: Date.now() });
    owner = await running.addUser();
    registered = await running.addClient({ grantTypes: ['authorization-code'] });
    await registerKeys(running, registered, key);
    await secureRequests(running, registered, [key], { profile: 'fapi2', authorizationResponseAlgorithm: 'ES256' });
  });
  after(() => running.close());

  const users = (): URL => new URL('/users/', running.origin());

  it('logs in and uses the API with openid-client', async () => {
    const config = await client.discovery(
      new URL(running.origin()),
      registered.id,
      { authorization_signed_response_alg: 'ES256' },
      client.PrivateKeyJwt(await importKey(key)),
      { algorithm: 'oauth2', execute: [client.allowInsecureRequests, client.useJwtResponseMode] },
    );
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    const [pkceCodeVerifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()];
    const pushed = await client.buildAuthorizationUrlWithPAR(
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
    expect([...pushed.searchParams.keys()]).to.have.members(['client_id', 'request_uri']);
    const callback = await approve(running, owner, pushed);
    expect([...callback.searchParams.keys()]).to.deep.equal(['response']);
    const checks = { pkceCodeVerifier, expectedState };
    const tokens = await client.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
    expect(tokens).to.include({ token_type: 'dpop', scope: 'read write' });
    const apiResponse = await client.fetchProtectedResource(
      config,
      tokens.access_token,
      users(),
      'GET',
      undefined,
      undefined,
      { DPoP },
    );
    expect(apiResponse.status).to.equal(200);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP });
    expect(refreshed).to.include({ token_type: 'dpop', refresh_token: tokens.refresh_token });
    expect(await client.tokenIntrospection(config, refreshed.access_token)).to.deep.include({
      active: true,
      cnf: { jkt: await DPoP.calculateThumbprint() },
    });
    await client.tokenRevocation(config, refreshed.refresh_token ?? '');
    expect(await client.tokenIntrospection(config, refreshed.access_token)).to.deep.equal({ active: false });
  });

  it('logs in and uses the API with oauth4webapi', async () => {
    const issuer = new URL(running.origin());
    const discovered = await oauth.discoveryRequest(issuer, { ...LOOPBACK, algorithm: 'oauth2' });
    const server = await oauth.processDiscoveryResponse(issuer, discovered);
    const as: oauth.Client = { client_id: registered.id, authorization_signed_response_alg: 'ES256' };
    const proof = oauth.PrivateKeyJwt(await importKey(key));
    const options = { ...LOOPBACK, DPoP: oauth.DPoP(as, await oauth.generateKeyPair('ES256')) };
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
        as,
        await oauth.pushedAuthorizationRequest(server, as, proof, parameters, options),
      ),
    );
    const address = new URL(server.authorization_endpoint ?? '');
    address.search = new URLSearchParams({ client_id: registered.id, request_uri }).toString();
    const approved = await approve(running, owner, address);
    const callback = await oauth.validateJwtAuthResponse(server, as, approved, state, LOOPBACK);
    const tokens = await withNonceRetry(async () =>
      oauth.processAuthorizationCodeResponse(
        server,
        as,
        await oauth.authorizationCodeGrantRequest(server, as, proof, callback, REDIRECT_URI, verifier, options),
      ),
    );
    expect(tokens).to.include({ token_type: 'dpop', scope: 'read' });
    const apiResponse = await withNonceRetry(() =>
      oauth.protectedResourceRequest(tokens.access_token, 'GET', users(), undefined, undefined, options),
    );
    expect(apiResponse.status).to.equal(200);
    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      as,
      await oauth.refreshTokenGrantRequest(server, as, proof, tokens.refresh_token ?? '', options),
    );
    expect(refreshed).to.include({ token_type: 'dpop', refresh_token: tokens.refresh_token });
  });
});

/** Repeats a request whose proof lacked a nonce. The library keeps the nonce of the error response. */
async function withNonceRetry<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return request();
  }
}
