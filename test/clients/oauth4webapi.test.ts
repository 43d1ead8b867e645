import { expect } from 'chai';
import * as oauth from 'oauth4webapi';
import { approve } from '../support/authorize-requests.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

/** The loopback has no TLS; everything else is as the library's examples have it. */
const LOOPBACK = { [oauth.allowInsecureRequests]: true } as const;

describe('oauth4webapi, which validates every response against its RFC', () => {
  let running: RunningService;
  let owner: TestUser;
  let server: oauth.AuthorizationServer;

  before(async () => {
    running = await runningService({ isItsOwnIssuer: true });
    owner = await running.addUser();
    const issuer = new URL(running.origin());
    server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...LOOPBACK, algorithm: 'oauth2' }),
    );
  });
  after(() => running.close());

  async function answered({ id }: TestClient, verifier: string, state: string): Promise<URL> {
    const address = new URL(server.authorization_endpoint ?? '');
    address.search = new URLSearchParams({
      response_type: 'code',
      client_id: id,
      redirect_uri: REDIRECT_URI,
      scope: 'read',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    return approve(running, owner, address);
  }

  const kinds: Readonly<
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

  for (const [who, { clientType, authentication }] of Object.entries(kinds)) {
    it(`accepts every response to ${who}`, async () => {
      const registered = await running.addClient({ clientType, grantTypes: ['authorization-code'] });
      const [client, proof] = [{ client_id: registered.id }, authentication(registered)];
      const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];

      const callback = oauth.validateAuthResponse(server, client, await answered(registered, verifier, state), state);
      const redeemed = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        proof,
        callback,
        REDIRECT_URI,
        verifier,
        LOOPBACK,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, redeemed);
      const refreshed = await oauth.refreshTokenGrantRequest(
        server,
        client,
        proof,
        tokens.refresh_token ?? '',
        LOOPBACK,
      );
      const next = await oauth.processRefreshTokenResponse(server, client, refreshed);
      expect(next.refresh_token).to.be.a('string').and.not.equal(tokens.refresh_token);

      const users = new URL('/users/', running.origin());
      expect(
        (await oauth.protectedResourceRequest(next.access_token, 'GET', users, undefined, undefined, LOOPBACK)).status,
      ).to.equal(200);
      const again = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        proof,
        callback,
        REDIRECT_URI,
        verifier,
        LOOPBACK,
      );
      const refusal = await reasonOf(oauth.processAuthorizationCodeResponse(server, client, again));
      expect(refusal).to.be.instanceOf(oauth.ResponseBodyError).and.to.include({ error: 'invalid_grant', status: 400 });
      const challenge = await reasonOf(
        oauth.protectedResourceRequest(next.access_token, 'GET', users, undefined, undefined, LOOPBACK),
      );
      expect(challenge, 'the replay ended the grant').to.be.instanceOf(oauth.WWWAuthenticateChallengeError);
    });
  }

  it('accepts the responses to client credentials, introspection and revocation', async () => {
    const registered = await running.addClient();
    const [client, proof] = [{ client_id: registered.id }, oauth.ClientSecretBasic(registered.secret)];
    const issued = await oauth.clientCredentialsGrantRequest(server, client, proof, { scope: 'read' }, LOOPBACK);
    const { access_token: token } = await oauth.processClientCredentialsResponse(server, client, issued);
    const introspect = async (): Promise<oauth.IntrospectionResponse> =>
      oauth.processIntrospectionResponse(
        server,
        client,
        await oauth.introspectionRequest(server, client, proof, token, LOOPBACK),
      );
    expect(await introspect()).to.include({ active: true, scope: 'read', client_id: registered.id });
    for (let times = 0; times < 2; times += 1) {
      expect(
        await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, proof, token, LOOPBACK)),
      ).to.equal(undefined);
    }
    expect(await introspect()).to.deep.equal({ active: false });
  });
});

async function reasonOf(refusal: Promise<unknown>): Promise<unknown> {
  return refusal.then(
    () => expect.fail('it was not refused'),
    (reason: unknown) => reason,
  );
}
