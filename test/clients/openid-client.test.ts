import { expect } from 'chai';
import * as client from 'openid-client';
import { importKey, keyPairFor, registerKeys } from '../support/assertions.ts';
import { secureRequests } from '../support/signed-requests.ts';
import { updateSecuritySettings } from '../support/dpop.ts';
import { approve, deny } from '../support/authorize-requests.ts';
import { isAccepted } from '../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

type Tokens = client.TokenEndpointResponse;

const CLIENT_KINDS = {
  'a confidential client with Basic': {
    clientType: 'confidential',
    authentication: ({ secret }: TestClient) => client.ClientSecretBasic(secret),
  },
  'a confidential client with its secret in the body': {
    clientType: 'confidential',
    authentication: ({ secret }: TestClient) => client.ClientSecretPost(secret),
  },
  'a public client': { clientType: 'public', authentication: () => client.None() },
} as const;

describe('openid-client', () => {
  let running: RunningService;
  let owner: TestUser;

  before(async () => {
    running = await runningService({ isItsOwnIssuer: true, startsAt: Date.now() });
    owner = await running.addUser();
  });
  after(() => running.close());

  const discover = (id: string, authentication?: client.ClientAuth): Promise<client.Configuration> =>
    client.discovery(new URL(running.origin()), id, undefined, authentication, {
      algorithm: 'oauth2',
      execute: [client.allowInsecureRequests],
    });

  async function buildRequest(config: client.Configuration, parameters: Readonly<Record<string, string>> = {}) {
    const [pkceCodeVerifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()];
    const authorizationUrl = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: 'read write',
      state: expectedState,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      ...parameters,
    });
    return { authorizationUrl, checks: { pkceCodeVerifier, expectedState } };
  }

  async function getTokensByCode(config: client.Configuration): Promise<Tokens> {
    const { authorizationUrl, checks } = await buildRequest(config);
    return client.authorizationCodeGrant(config, await approve(running, owner, authorizationUrl), checks);
  }

  it('gets and refreshes tokens that are bound to its key with DPoP', async () => {
    for (const clientType of ['confidential', 'public'] as const) {
      const registeredClient = await running.addClient({ clientType, grantTypes: ['authorization-code'] });
      await updateSecuritySettings(running, registeredClient, { dpopBoundAccessTokens: true });
      const isPublic = clientType === 'public';
      const config = await discover(
        registeredClient.id,
        isPublic ? client.None() : client.ClientSecretBasic(registeredClient.secret),
      );
      const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
      const { authorizationUrl, checks } = await buildRequest(config, { dpop_jkt: await DPoP.calculateThumbprint() });
      const callback = await approve(running, owner, authorizationUrl);
      const tokens = await client.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
      expect(tokens.token_type).to.equal('dpop');
      const refreshedTokens = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP });
      expect(refreshedTokens).to.include({ token_type: 'dpop', refresh_token: tokens.refresh_token });
      const bearerRefusal = await client
        .refreshTokenGrant(config, tokens.refresh_token ?? '')
        .catch((error: unknown) => error);
      expect(bearerRefusal).to.include({ error: 'invalid_dpop_proof' });
    }
  });

  it('gets, refreshes and revokes tokens as a client that authenticates with a key', async () => {
    const registeredClient = await running.addClient({ grantTypes: ['authorization-code'] });
    const key = keyPairFor('ES256');
    await registerKeys(running, registeredClient, key);
    const config = await discover(registeredClient.id, client.PrivateKeyJwt(await importKey(key)));
    const tokens = await getTokensByCode(config);
    const refreshedTokens = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(await client.tokenIntrospection(config, refreshedTokens.access_token)).to.include({ active: true });
    await client.tokenRevocation(config, refreshedTokens.access_token);
    expect(await client.tokenIntrospection(config, refreshedTokens.access_token)).to.deep.equal({ active: false });
  });

  it('pushes signed requests, authenticated with a key', async () => {
    const registeredClient = await running.addClient({ grantTypes: ['authorization-code'] });
    const key = keyPairFor('ES256');
    await registerKeys(running, registeredClient, key);
    await secureRequests(running, registeredClient, [key], {
      requirePushedAuthorizationRequests: true,
      requireSignedRequestObject: true,
    });
    const privateKey = await importKey(key);
    const config = await discover(registeredClient.id, client.PrivateKeyJwt(privateKey));
    const { authorizationUrl, checks } = await buildRequest(config);
    const signedUrl = await client.buildAuthorizationUrlWithJAR(config, authorizationUrl.searchParams, privateKey);
    const pushedUrl = await client.buildAuthorizationUrlWithPAR(config, signedUrl.searchParams);
    expect([...pushedUrl.searchParams.keys()]).to.have.members(['client_id', 'request_uri']);
    const tokens = await client.authorizationCodeGrant(config, await approve(running, owner, pushedUrl), checks);
    expect(tokens).to.include({ scope: 'read write' });
  });

  it('gets tokens through signed authorization responses', async () => {
    const registeredClient = await running.addClient({ grantTypes: ['authorization-code'] });
    const config = await discover(registeredClient.id, client.ClientSecretBasic(registeredClient.secret));
    client.useJwtResponseMode(config);
    expect((await buildRequest(config)).authorizationUrl.searchParams.get('response_mode')).to.equal('jwt');
    expect(await getTokensByCode(config)).to.include({ scope: 'read write' });
  });

  it('discovers all endpoints and the support for the iss parameter from the issuer', async () => {
    const metadata = (await discover('anybody')).serverMetadata();
    expect(metadata.supportsPKCE()).to.equal(true);
    expect(metadata).to.include({ issuer: running.origin(), authorization_response_iss_parameter_supported: true });
    for (const name of [
      'authorization_endpoint',
      'token_endpoint',
      'revocation_endpoint',
      'introspection_endpoint',
    ] as const) {
      expect(metadata[name], name).to.match(new RegExp(`^${running.origin()}/o/`));
    }
  });

  for (const [kind, { clientType, authentication }] of Object.entries(CLIENT_KINDS)) {
    describe(`for ${kind}`, () => {
      let registeredClient: TestClient;
      let config: client.Configuration;

      before(async () => {
        registeredClient = await running.addClient({ clientType, grantTypes: ['authorization-code', 'password'] });
        config = await discover(registeredClient.id, authentication(registeredClient));
      });

      it('gets a code with PKCE, state and iss, redeems it, and uses the API', async () => {
        const tokens = await getTokensByCode(config);
        expect(tokens).to.include({ token_type: 'bearer', scope: 'read write' });
        expect((tokens as Tokens & client.TokenEndpointResponseHelpers).expiresIn()).to.be.within(35_990, 36_000);
        const response = await client.fetchProtectedResource(
          config,
          tokens.access_token,
          new URL('/users/', running.origin()),
          'GET',
        );
        expect(response.status).to.equal(200);
      });

      it('refreshes twice, the second time with the new token', async () => {
        const firstTokens = await getTokensByCode(config);
        const secondTokens = await client.refreshTokenGrant(config, firstTokens.refresh_token ?? '');
        const thirdTokens = await client.refreshTokenGrant(config, secondTokens.refresh_token ?? '', { scope: 'read' });
        expect(new Set([firstTokens, secondTokens, thirdTokens].map((tokens) => tokens.refresh_token)).size).to.equal(
          3,
        );
        expect(thirdTokens.scope).to.equal('read');
        expect(await isAccepted(running, thirdTokens.access_token)).to.equal(true);
      });

      it('gets the same response when it repeats a refresh', async () => {
        const { refresh_token: token = '' } = await getTokensByCode(config);
        const [lostTokens, repeatedTokens] = [
          await client.refreshTokenGrant(config, token),
          await client.refreshTokenGrant(config, token),
        ];
        expect({ ...repeatedTokens }).to.deep.equal({ ...lostTokens });
      });

      it('uses the password grant', async () => {
        const tokens = await client.genericGrantRequest(config, 'password', { ...owner });
        expect(tokens.scope).to.equal('read write groups');
      });

      it('revokes tokens, which are then invalid', async () => {
        const tokens = await getTokensByCode(config);
        await client.tokenRevocation(config, tokens.refresh_token ?? '', { token_type_hint: 'refresh_token' });
        expect(await isAccepted(running, tokens.access_token)).to.equal(false);
        await expectError(client.refreshTokenGrant(config, tokens.refresh_token ?? ''), 'invalid_grant');
      });

      it('reports errors from the server: a denial, a redeemed code, a wrong verifier', async () => {
        const { authorizationUrl, checks } = await buildRequest(config);
        await expectError(
          deny(running, owner, authorizationUrl).then((callback) =>
            client.authorizationCodeGrant(config, callback, checks),
          ),
          'access_denied',
        );
        const callback = await approve(running, owner, authorizationUrl);
        await expectError(
          client.authorizationCodeGrant(config, callback, {
            ...checks,
            pkceCodeVerifier: client.randomPKCECodeVerifier(),
          }),
          'invalid_grant',
        );
        await client.authorizationCodeGrant(config, callback, checks);
        await expectError(client.authorizationCodeGrant(config, callback, checks), 'invalid_grant');
      });

      it('detects a response from a different server, and a response to a different request', async () => {
        const { authorizationUrl, checks } = await buildRequest(config);
        const [forgedIssuerUrl, forgedStateUrl] = [
          await approve(running, owner, authorizationUrl),
          await approve(running, owner, authorizationUrl),
        ];
        forgedIssuerUrl.searchParams.set('iss', 'https://attacker.example');
        await expectRejection(client.authorizationCodeGrant(config, forgedIssuerUrl, checks), 'OAUTH_INVALID_RESPONSE');
        forgedStateUrl.searchParams.set('state', 'forged');
        await expectRejection(client.authorizationCodeGrant(config, forgedStateUrl, checks), 'OAUTH_INVALID_RESPONSE');
      });
    });
  }

  for (const kind of [
    'a confidential client with Basic',
    'a confidential client with its secret in the body',
  ] as const) {
    describe(`for ${kind} on its own behalf`, () => {
      let config: client.Configuration;
      const { authentication } = CLIENT_KINDS[kind];

      before(async () => {
        const registeredClient = await running.addClient();
        config = await discover(registeredClient.id, authentication(registeredClient));
      });

      it('gets a token for client credentials, but no refresh token', async () => {
        const tokens = await client.clientCredentialsGrant(config, { scope: 'read' });
        expect(tokens).to.include({ scope: 'read' }).and.not.to.have.property('refresh_token');
        expect(await isAccepted(running, tokens.access_token)).to.equal(true);
      });

      it('introspects access tokens, refresh tokens and invalid tokens', async () => {
        const { access_token: access, refresh_token: refresh = '' } = await getTokensByCode(config);
        expect(await client.tokenIntrospection(config, access)).to.include({
          active: true,
          scope: 'read write',
          username: owner.username,
          iss: running.origin(),
        });
        expect(await client.tokenIntrospection(config, refresh)).to.include({ active: true });
        await client.tokenRevocation(config, access);
        for (const token of [access, refresh, 'nonsense'])
          expect({ ...(await client.tokenIntrospection(config, token)) }).to.deep.equal({ active: false });
      });

      it('reports unknown scopes, unknown grant types and wrong passwords', async () => {
        await expectError(client.clientCredentialsGrant(config, { scope: 'unheard-of' }), 'invalid_scope');
        await expectError(
          client.genericGrantRequest(config, 'urn:ietf:params:oauth:grant-type:saml2-bearer', { assertion: 'x' }),
          'unsupported_grant_type',
        );
        await expectError(
          client.genericGrantRequest(config, 'password', { ...owner, password: 'wrong' }),
          'invalid_grant',
        );
      });
    });
  }

  it('restricts its tokens to the resource servers that it requests (RFC 8707)', async () => {
    const [calendar, contacts] = ['https://calendar.example', 'https://contacts.example'];
    const service = await runningService({ isItsOwnIssuer: true, settings: { resources: [calendar, contacts] } });
    try {
      const { id, secret } = await service.addClient();
      const config = await client.discovery(new URL(service.origin()), id, secret, undefined, {
        algorithm: 'oauth2',
        execute: [client.allowInsecureRequests],
      });
      const { authorizationUrl, checks } = await buildRequest(config);
      for (const resource of [calendar, contacts]) authorizationUrl.searchParams.append('resource', resource);
      const callback = await approve(service, await service.addUser(), authorizationUrl);
      const calendarTokens = await client.authorizationCodeGrant(config, callback, checks, { resource: calendar });
      expect((await client.tokenIntrospection(config, calendarTokens.access_token)).aud).to.equal(calendar);
      const contactsTokens = await client.refreshTokenGrant(config, calendarTokens.refresh_token ?? '', {
        resource: contacts,
      });
      expect((await client.tokenIntrospection(config, contactsTokens.access_token)).aud).to.equal(contacts);
      const request = client.fetchProtectedResource(
        config,
        contactsTokens.access_token,
        new URL('/users/', service.origin()),
        'GET',
      );
      expect(parseChallenge(await rejectionReason(request))).to.include({ error: 'invalid_token' });
      await expectError(
        client.clientCredentialsGrant(config, { resource: 'https://unheard-of.example' }),
        'invalid_target',
      );
    } finally {
      await service.close();
    }
  });

  it('reports a wrong secret in the header or the body', async () => {
    const { id } = await running.addClient();
    for (const authentication of [client.ClientSecretBasic('wrong'), client.ClientSecretPost('wrong')]) {
      const reason = await rejectionReason(client.clientCredentialsGrant(await discover(id, authentication)));
      if (!(reason instanceof client.WWWAuthenticateChallengeError)) throw reason;
      expect(reason.status).to.equal(401);
      expect(await reason.response.json()).to.include({ error: 'invalid_client' });
    }
  });

  it('reports an invalid token, and a token with insufficient scope', async () => {
    const registeredClient = await running.addClient();
    const config = await discover(registeredClient.id, client.ClientSecretBasic(registeredClient.secret));
    const groups = new URL('/groups/', running.origin());
    const invalidTokenError = await rejectionReason(client.fetchProtectedResource(config, 'invalid', groups, 'GET'));
    expect(parseChallenge(invalidTokenError)).to.deep.include({ scheme: 'bearer', error: 'invalid_token' });
    const { access_token: weakToken } = await client.clientCredentialsGrant(config, { scope: 'read' });
    const scopeError = await rejectionReason(client.fetchProtectedResource(config, weakToken, groups, 'GET'));
    expect(parseChallenge(scopeError)).to.deep.include({
      scheme: 'bearer',
      error: 'insufficient_scope',
      scope: 'groups',
    });
  });

  it('refuses a server whose issuer differs from the requested issuer', async () => {
    const service = await runningService({ settings: { issuer: 'https://id.example' } });
    try {
      const discovery = client.discovery(new URL(service.origin()), 'x', undefined, undefined, {
        algorithm: 'oauth2',
        execute: [client.allowInsecureRequests],
      });
      await expectRejection(discovery, 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED');
    } finally {
      await service.close();
    }
  });
});

function parseChallenge(reason: unknown): object {
  if (!(reason instanceof client.WWWAuthenticateChallengeError)) throw new Error('no challenge', { cause: reason });
  const [{ scheme, parameters } = { scheme: '', parameters: {} }] = reason.cause;
  return { scheme, ...parameters };
}

async function rejectionReason(request: Promise<unknown>): Promise<unknown> {
  return request.then(
    () => expect.fail('the request was not refused'),
    (reason: unknown) => reason,
  );
}

/** Expects the library to report this error from the server. */
async function expectError(request: Promise<unknown>, error: string): Promise<void> {
  expect(await rejectionReason(request)).to.include({ error });
}

/** Expects the library to reject the response. */
async function expectRejection(request: Promise<unknown>, code: string): Promise<void> {
  expect(await rejectionReason(request)).to.include({ code });
}
