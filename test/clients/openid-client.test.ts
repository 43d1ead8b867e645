import { expect } from 'chai';
import * as client from 'openid-client';
import { importKey, keyPairFor, registerKeys } from '../support/assertions.ts';
import { secureRequests } from '../support/signed-requests.ts';
import { secure } from '../support/dpop.ts';
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

const METHODS = {
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
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: 'read write',
      state: expectedState,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      ...parameters,
    });
    return { address, checks: { pkceCodeVerifier, expectedState } };
  }

  async function getTokensByCode(config: client.Configuration): Promise<Tokens> {
    const { address, checks } = await buildRequest(config);
    return client.authorizationCodeGrant(config, await approve(running, owner, address), checks);
  }

  it('gets and refreshes tokens that are bound to its key with DPoP', async () => {
    for (const clientType of ['confidential', 'public'] as const) {
      const registered = await running.addClient({ clientType, grantTypes: ['authorization-code'] });
      await secure(running, registered, { dpopBoundAccessTokens: true });
      const isPublic = clientType === 'public';
      const config = await discover(
        registered.id,
        isPublic ? client.None() : client.ClientSecretBasic(registered.secret),
      );
      const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
      const { address, checks } = await buildRequest(config, { dpop_jkt: await DPoP.calculateThumbprint() });
      const callback = await approve(running, owner, address);
      const tokens = await client.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
      expect(tokens.token_type).to.equal('dpop');
      const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP });
      expect(refreshed).to.include({ token_type: 'dpop', refresh_token: tokens.refresh_token });
      const bearer = await client
        .refreshTokenGrant(config, tokens.refresh_token ?? '')
        .catch((error: unknown) => error);
      expect(bearer).to.include({ error: 'invalid_dpop_proof' });
    }
  });

  it('gets, refreshes and revokes tokens as a client that authenticates with a key', async () => {
    const registered = await running.addClient({ grantTypes: ['authorization-code'] });
    const key = keyPairFor('ES256');
    await registerKeys(running, registered, key);
    const config = await discover(registered.id, client.PrivateKeyJwt(await importKey(key)));
    const tokens = await getTokensByCode(config);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(await client.tokenIntrospection(config, refreshed.access_token)).to.include({ active: true });
    await client.tokenRevocation(config, refreshed.access_token);
    expect(await client.tokenIntrospection(config, refreshed.access_token)).to.deep.equal({ active: false });
  });

  it('pushes signed requests, authenticated with a key', async () => {
    const registered = await running.addClient({ grantTypes: ['authorization-code'] });
    const key = keyPairFor('ES256');
    await registerKeys(running, registered, key);
    await secureRequests(running, registered, [key], {
      requirePushedAuthorizationRequests: true,
      requireSignedRequestObject: true,
    });
    const privateKey = await importKey(key);
    const config = await discover(registered.id, client.PrivateKeyJwt(privateKey));
    const { address, checks } = await buildRequest(config);
    const signed = await client.buildAuthorizationUrlWithJAR(config, address.searchParams, privateKey);
    const pushed = await client.buildAuthorizationUrlWithPAR(config, signed.searchParams);
    expect([...pushed.searchParams.keys()]).to.have.members(['client_id', 'request_uri']);
    const tokens = await client.authorizationCodeGrant(config, await approve(running, owner, pushed), checks);
    expect(tokens).to.include({ scope: 'read write' });
  });

  it('gets tokens with signed authorization responses', async () => {
    const registered = await running.addClient({ grantTypes: ['authorization-code'] });
    const config = await discover(registered.id, client.ClientSecretBasic(registered.secret));
    client.useJwtResponseMode(config);
    expect((await buildRequest(config)).address.searchParams.get('response_mode')).to.equal('jwt');
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

  for (const [kind, { clientType, authentication }] of Object.entries(METHODS)) {
    describe(`for ${kind}`, () => {
      let registered: TestClient;
      let config: client.Configuration;

      before(async () => {
        registered = await running.addClient({ clientType, grantTypes: ['authorization-code', 'password'] });
        config = await discover(registered.id, authentication(registered));
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
        const first = await getTokensByCode(config);
        const second = await client.refreshTokenGrant(config, first.refresh_token ?? '');
        const third = await client.refreshTokenGrant(config, second.refresh_token ?? '', { scope: 'read' });
        expect(new Set([first, second, third].map((tokens) => tokens.refresh_token)).size).to.equal(3);
        expect(third.scope).to.equal('read');
        expect(await isAccepted(running, third.access_token)).to.equal(true);
      });

      it('gets the same response when it repeats a refresh', async () => {
        const { refresh_token: token = '' } = await getTokensByCode(config);
        const [lost, repeated] = [
          await client.refreshTokenGrant(config, token),
          await client.refreshTokenGrant(config, token),
        ];
        expect({ ...repeated }).to.deep.equal({ ...lost });
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

      it('reports errors of the server: a denial, a redeemed code, another verifier', async () => {
        const { address, checks } = await buildRequest(config);
        await expectError(
          deny(running, owner, address).then((callback) => client.authorizationCodeGrant(config, callback, checks)),
          'access_denied',
        );
        const callback = await approve(running, owner, address);
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

      it('detects a response from another server, and a response to another request', async () => {
        const { address, checks } = await buildRequest(config);
        const [mixedUp, otherResponse] = [
          await approve(running, owner, address),
          await approve(running, owner, address),
        ];
        mixedUp.searchParams.set('iss', 'https://attacker.example');
        await expectRejection(client.authorizationCodeGrant(config, mixedUp, checks), 'OAUTH_INVALID_RESPONSE');
        otherResponse.searchParams.set('state', 'forged');
        await expectRejection(client.authorizationCodeGrant(config, otherResponse, checks), 'OAUTH_INVALID_RESPONSE');
      });
    });
  }

  for (const kind of [
    'a confidential client with Basic',
    'a confidential client with its secret in the body',
  ] as const) {
    describe(`for ${kind} on its own behalf`, () => {
      let config: client.Configuration;
      const { authentication } = METHODS[kind];

      before(async () => {
        const registered = await running.addClient();
        config = await discover(registered.id, authentication(registered));
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
    const restricted = await runningService({ isItsOwnIssuer: true, settings: { resources: [calendar, contacts] } });
    try {
      const { id, secret } = await restricted.addClient();
      const config = await client.discovery(new URL(restricted.origin()), id, secret, undefined, {
        algorithm: 'oauth2',
        execute: [client.allowInsecureRequests],
      });
      const { address, checks } = await buildRequest(config);
      for (const resource of [calendar, contacts]) address.searchParams.append('resource', resource);
      const callback = await approve(restricted, await restricted.addUser(), address);
      const first = await client.authorizationCodeGrant(config, callback, checks, { resource: calendar });
      expect((await client.tokenIntrospection(config, first.access_token)).aud).to.equal(calendar);
      const next = await client.refreshTokenGrant(config, first.refresh_token ?? '', { resource: contacts });
      expect((await client.tokenIntrospection(config, next.access_token)).aud).to.equal(contacts);
      const request = client.fetchProtectedResource(
        config,
        next.access_token,
        new URL('/users/', restricted.origin()),
        'GET',
      );
      expect(challenge(await reasonOf(request))).to.include({ error: 'invalid_token' });
      await expectError(
        client.clientCredentialsGrant(config, { resource: 'https://unheard-of.example' }),
        'invalid_target',
      );
    } finally {
      await restricted.close();
    }
  });

  it('reports a wrong secret in the header or the body', async () => {
    const { id } = await running.addClient();
    for (const authentication of [client.ClientSecretBasic('wrong'), client.ClientSecretPost('wrong')]) {
      const reason = await reasonOf(client.clientCredentialsGrant(await discover(id, authentication)));
      if (!(reason instanceof client.WWWAuthenticateChallengeError)) throw reason;
      expect(reason.status).to.equal(401);
      expect(await reason.response.json()).to.include({ error: 'invalid_client' });
    }
  });

  it('reports an invalid token, and a token with insufficient scope', async () => {
    const registered = await running.addClient();
    const config = await discover(registered.id, client.ClientSecretBasic(registered.secret));
    const groups = new URL('/groups/', running.origin());
    const invalid = await reasonOf(client.fetchProtectedResource(config, 'invalid', groups, 'GET'));
    expect(challenge(invalid)).to.deep.include({ scheme: 'bearer', error: 'invalid_token' });
    const { access_token: weak } = await client.clientCredentialsGrant(config, { scope: 'read' });
    const denial = await reasonOf(client.fetchProtectedResource(config, weak, groups, 'GET'));
    expect(challenge(denial)).to.deep.include({ scheme: 'bearer', error: 'insufficient_scope', scope: 'groups' });
  });

  it('refuses a server whose issuer differs from the requested issuer', async () => {
    const otherIssuer = await runningService({ settings: { issuer: 'https://id.example' } });
    try {
      const discovery = client.discovery(new URL(otherIssuer.origin()), 'x', undefined, undefined, {
        algorithm: 'oauth2',
        execute: [client.allowInsecureRequests],
      });
      await expectRejection(discovery, 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED');
    } finally {
      await otherIssuer.close();
    }
  });
});

function challenge(reason: unknown): object {
  if (!(reason instanceof client.WWWAuthenticateChallengeError)) throw new Error('no challenge', { cause: reason });
  const [{ scheme, parameters } = { scheme: '', parameters: {} }] = reason.cause;
  return { scheme, ...parameters };
}

async function reasonOf(refusal: Promise<unknown>): Promise<unknown> {
  return refusal.then(
    () => expect.fail('the request was not refused'),
    (reason: unknown) => reason,
  );
}

/** Expects that the library reports this error of the server. */
async function expectError(refusal: Promise<unknown>, error: string): Promise<void> {
  expect(await reasonOf(refusal)).to.include({ error });
}

/** Expects that the library rejects the response. */
async function expectRejection(refusal: Promise<unknown>, code: string): Promise<void> {
  expect(await reasonOf(refusal)).to.include({ code });
}
