import { expect } from 'chai';
import * as oauth from 'oauth4webapi';
import { importKey, keyPairFor, registerKeys } from '../support/assertions.ts';
import { updateSecuritySettings } from '../support/dpop.ts';
import { approve } from '../support/authorize-requests.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

/** Loopback connections have no TLS. All other options are as in the library's examples. */
const LOOPBACK = { [oauth.allowInsecureRequests]: true } as const;

describe('oauth4webapi, which validates every response against its RFC', () => {
  let running: RunningService;
  let owner: TestUser;
  let server: oauth.AuthorizationServer;

  before(async () => {
    running = await runningService({ isItsOwnIssuer: true, startsAt: Date.now() });
    owner = await running.addUser();
    const issuer = new URL(running.origin());
    server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...LOOPBACK, algorithm: 'oauth2' }),
    );
  });
  after(() => running.close());

  async function obtainAuthorizationResponse(
    { id }: TestClient,
    verifier: string,
    state: string,
    otherParameters: Readonly<Record<string, string>> = {},
  ): Promise<URL> {
    const authorizationUrl = new URL(server.authorization_endpoint ?? '');
    authorizationUrl.search = new URLSearchParams({
      response_type: 'code',
      client_id: id,
      redirect_uri: REDIRECT_URI,
      scope: 'read',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...otherParameters,
    }).toString();
    return approve(running, owner, authorizationUrl);
  }

  /** Requests a token with the client credentials grant. */
  async function requestClientToken(client: oauth.Client, authentication: oauth.ClientAuth): Promise<string> {
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      authentication,
      { scope: 'read' },
      LOOPBACK,
    );
    const { access_token: token } = await oauth.processClientCredentialsResponse(server, client, response);
    return token;
  }

  const clientKinds: Readonly<
    Record<
      string,
      {
        readonly clientType: 'confidential' | 'public';
        readonly authentication: (client: TestClient) => oauth.ClientAuth;
      }
    >
  > = {
    'a confidential client with Basic': {
      clientType: 'confidential',
      authentication: ({ secret }) => oauth.ClientSecretBasic(secret),
    },
    'a confidential client with its secret in the body': {
      clientType: 'confidential',
      authentication: ({ secret }) => oauth.ClientSecretPost(secret),
    },
    'a public client': { clientType: 'public', authentication: () => oauth.None() },
  };

  it('accepts every response to a client that pushes and signs its requests', async () => {
    const registeredClient = await running.addClient({ grantTypes: ['authorization-code'] });
    const key = keyPairFor('ES256');
    await registerKeys(running, registeredClient, key);
    const privateKey = await importKey(key);
    const client = { client_id: registeredClient.id };
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const parameters = {
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: 'read',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    const request = await oauth.issueRequestObject(server, client, parameters, privateKey);
    const clientAuthentication = oauth.PrivateKeyJwt(privateKey);
    const response = await oauth.pushedAuthorizationRequest(
      server,
      client,
      clientAuthentication,
      { request },
      LOOPBACK,
    );
    const { request_uri, expires_in } = await oauth.processPushedAuthorizationResponse(server, client, response);
    expect(expires_in).to.equal(60);
    const authorizationUrl = new URL(server.authorization_endpoint ?? '');
    authorizationUrl.search = new URLSearchParams({ client_id: registeredClient.id, request_uri }).toString();
    const callback = oauth.validateAuthResponse(server, client, await approve(running, owner, authorizationUrl), state);
    const tokenResponse = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      clientAuthentication,
      callback,
      REDIRECT_URI,
      verifier,
      LOOPBACK,
    );
    expect(await oauth.processAuthorizationCodeResponse(server, client, tokenResponse)).to.include({ scope: 'read' });
  });

  it('accepts every response to a client with DPoP, including the error that requires a nonce', async () => {
    const registeredClient = await running.addClient({ grantTypes: ['authorization-code'] });
    await updateSecuritySettings(running, registeredClient, { dpopBoundAccessTokens: true });
    const client: oauth.Client = { client_id: registeredClient.id };
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
    const authentication = oauth.ClientSecretBasic(registeredClient.secret);
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const dpop_jkt = await DPoP.calculateThumbprint();
    const redirectUrl = await obtainAuthorizationResponse(registeredClient, verifier, state, { dpop_jkt });
    const callback = oauth.validateAuthResponse(server, client, redirectUrl, state);
    const options = { ...LOOPBACK, DPoP };
    const redeem = async () => {
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        callback,
        REDIRECT_URI,
        verifier,
        options,
      );
      return oauth.processAuthorizationCodeResponse(server, client, response);
    };
    const nonceError = await redeem().catch((error: unknown) => error);
    expect(oauth.isDPoPNonceError(nonceError)).to.equal(true);
    const tokens = await redeem();
    expect(tokens.token_type).to.equal('dpop');
    const refreshedTokens = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token ?? '', options),
    );
    expect(refreshedTokens).to.include({ token_type: 'dpop', refresh_token: tokens.refresh_token });
  });

  for (const [kind, { clientType, authentication }] of Object.entries(clientKinds)) {
    it(`accepts every response to ${kind}`, async () => {
      const registeredClient = await running.addClient({ clientType, grantTypes: ['authorization-code'] });
      const [client, clientAuthentication] = [{ client_id: registeredClient.id }, authentication(registeredClient)];
      const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];

      const callback = oauth.validateAuthResponse(
        server,
        client,
        await obtainAuthorizationResponse(registeredClient, verifier, state),
        state,
      );
      const tokenResponse = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        clientAuthentication,
        callback,
        REDIRECT_URI,
        verifier,
        LOOPBACK,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, tokenResponse);
      const refreshResponse = await oauth.refreshTokenGrantRequest(
        server,
        client,
        clientAuthentication,
        tokens.refresh_token ?? '',
        LOOPBACK,
      );
      const refreshedTokens = await oauth.processRefreshTokenResponse(server, client, refreshResponse);
      expect(refreshedTokens.refresh_token).to.be.a('string').and.not.equal(tokens.refresh_token);

      const users = new URL('/users/', running.origin());
      expect(
        (
          await oauth.protectedResourceRequest(
            refreshedTokens.access_token,
            'GET',
            users,
            undefined,
            undefined,
            LOOPBACK,
          )
        ).status,
      ).to.equal(200);
      const replayedResponse = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        clientAuthentication,
        callback,
        REDIRECT_URI,
        verifier,
        LOOPBACK,
      );
      const refusal = await rejectionReason(oauth.processAuthorizationCodeResponse(server, client, replayedResponse));
      expect(refusal).to.be.instanceOf(oauth.ResponseBodyError).and.to.include({ error: 'invalid_grant', status: 400 });
      const challenge = await rejectionReason(
        oauth.protectedResourceRequest(refreshedTokens.access_token, 'GET', users, undefined, undefined, LOOPBACK),
      );
      expect(challenge, 'the replay ended the grant').to.be.instanceOf(oauth.WWWAuthenticateChallengeError);
    });
  }

  it('authenticates with private_key_jwt', async () => {
    const registeredClient = await running.addClient({ grantTypes: ['client-credentials'] });
    const key = keyPairFor('ES256');
    await registerKeys(running, registeredClient, key);
    const privateKey = await importKey(key);
    const [client, clientAuthentication] = [{ client_id: registeredClient.id }, oauth.PrivateKeyJwt(privateKey)];
    const token = await requestClientToken(client, clientAuthentication);
    const introspectionResponse = await oauth.introspectionRequest(
      server,
      client,
      clientAuthentication,
      token,
      LOOPBACK,
    );
    expect(await oauth.processIntrospectionResponse(server, client, introspectionResponse)).to.include({
      active: true,
    });
  });

  it('accepts signed authorization responses, but not expired ones or those for other clients', async () => {
    const registeredClient = await running.addClient({ grantTypes: ['authorization-code'] });
    const [client, clientAuthentication] = [
      { client_id: registeredClient.id },
      oauth.ClientSecretBasic(registeredClient.secret),
    ];
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const redirectUrl = await obtainAuthorizationResponse(registeredClient, verifier, state, { response_mode: 'jwt' });
    const callback = await oauth.validateJwtAuthResponse(server, client, redirectUrl, state, LOOPBACK);
    const tokenResponse = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      clientAuthentication,
      callback,
      REDIRECT_URI,
      verifier,
      LOOPBACK,
    );
    expect(await oauth.processAuthorizationCodeResponse(server, client, tokenResponse)).to.have.property(
      'access_token',
    );
    const refusalFor = (oauthClient: oauth.Client) =>
      rejectionReason(oauth.validateJwtAuthResponse(server, oauthClient, redirectUrl, state, LOOPBACK)).then(String);
    expect(await refusalFor({ client_id: 'another' })).to.match(/"aud"/);
    expect(await refusalFor({ ...client, [oauth.clockSkew]: 700 })).to.match(/"exp"/);
    expect(await refusalFor({ ...client, authorization_signed_response_alg: 'ES256' })).to.match(/alg/);
  });

  it('accepts signed introspection responses, but not those for other clients', async () => {
    const registeredClient = await running.addClient();
    const [client, clientAuthentication] = [
      { client_id: registeredClient.id },
      oauth.ClientSecretBasic(registeredClient.secret),
    ];
    const token = await requestClientToken(client, clientAuthentication);
    const options = { ...LOOPBACK, requestJwtResponse: true };
    const response = await oauth.introspectionRequest(server, client, clientAuthentication, token, options);
    const clonedResponse = response.clone();
    const introspection = await oauth.processIntrospectionResponse(server, client, response);
    await oauth.validateApplicationLevelSignature(server, response, LOOPBACK);
    expect(introspection).to.include({ active: true, scope: 'read' });
    const otherClientResult = oauth.processIntrospectionResponse(server, { client_id: 'another' }, clonedResponse);
    expect(String(await rejectionReason(otherClientResult))).to.match(/"aud"/);
  });

  it('accepts the responses to client credentials, introspection and revocation', async () => {
    const registeredClient = await running.addClient();
    const [client, clientAuthentication] = [
      { client_id: registeredClient.id },
      oauth.ClientSecretBasic(registeredClient.secret),
    ];
    const token = await requestClientToken(client, clientAuthentication);
    const introspect = async (): Promise<oauth.IntrospectionResponse> =>
      oauth.processIntrospectionResponse(
        server,
        client,
        await oauth.introspectionRequest(server, client, clientAuthentication, token, LOOPBACK),
      );
    expect(await introspect()).to.include({ active: true, scope: 'read', client_id: registeredClient.id });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(
        await oauth.processRevocationResponse(
          await oauth.revocationRequest(server, client, clientAuthentication, token, LOOPBACK),
        ),
      ).to.equal(undefined);
    }
    expect(await introspect()).to.deep.equal({ active: false });
  });
});

async function rejectionReason(request: Promise<unknown>): Promise<unknown> {
  return request.then(
    () => expect.fail('the request was not refused'),
    (reason: unknown) => reason,
  );
}
