import { expect } from 'chai';
import {
  AuthorizationCode,
  ClientCredentials,
  ResourceOwnerPassword,
  type AccessToken,
  type ModuleOptions,
} from 'simple-oauth2';
import { approve, deny } from '../support/authorize-requests.ts';
import { isAccepted } from '../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

type WithPkce = Parameters<AuthorizationCode['authorizeURL']>[0] & {
  readonly code_challenge: string;
  readonly code_challenge_method: string;
};

/** The example from RFC 7636, Appendix B, because the library passes PKCE parameters on, but does not create them. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const PKCE: Pick<WithPkce, 'code_challenge' | 'code_challenge_method'> = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

const METHODS: Readonly<Record<string, NonNullable<ModuleOptions['options']>>> = {
  'Basic, form-encoded': { authorizationMethod: 'header', credentialsEncodingMode: 'strict' },
  'Basic without encoding': { authorizationMethod: 'header', credentialsEncodingMode: 'loose' },
  'the secret in the body': { authorizationMethod: 'body' },
};

describe('simple-oauth2', () => {
  let running: RunningService;
  let owner: TestUser;
  let registeredClient: TestClient;

  before(async () => {
    running = await runningService();
    owner = await running.addUser();
    registeredClient = await running.addClient();
  });
  after(() => running.close());

  /** Accepts responses without JSON, because revocation responses (RFC 7009) are empty. */
  const moduleOptions = (options: ModuleOptions['options'] = {}, { id, secret } = registeredClient): ModuleOptions => ({
    client: { id, secret },
    auth: { tokenHost: running.origin(), tokenPath: '/o/token/', revokePath: '/o/revoke_token/' },
    http: { json: true },
    options,
  });

  function createAuthorizationCode(options?: ModuleOptions['options'], client?: TestClient): AuthorizationCode {
    const { auth, ...otherOptions } = moduleOptions(options, client);
    return new AuthorizationCode({ ...otherOptions, auth: { ...auth, authorizePath: '/o/authorize/' } });
  }

  async function getTokensByCode(library: AuthorizationCode, state = 'xyz'): Promise<AccessToken> {
    const request: WithPkce = { redirect_uri: REDIRECT_URI, scope: ['read', 'write'], state, ...PKCE };
    const callback = await approve(running, owner, library.authorizeURL(request));
    expect(callback.searchParams.get('state')).to.equal(state);
    return library.getToken(redemption(callback));
  }

  for (const [method, options] of Object.entries(METHODS)) {
    describe(`with ${method}`, () => {
      it('gets a code and its tokens', async () => {
        const { token } = await getTokensByCode(createAuthorizationCode(options));
        expect(token).to.include({ scope: 'read write', token_type: 'Bearer', expires_in: 36_000 });
        expect(await isAccepted(running, String(token['access_token']))).to.equal(true);
      });

      it('gets a token for client credentials', async () => {
        const { token } = await new ClientCredentials(moduleOptions(options)).getToken({ scope: ['read', 'groups'] });
        expect(token).to.include({ scope: 'read groups' }).and.not.to.have.property('refresh_token');
      });

      it('uses the password grant', async () => {
        const { token } = await new ResourceOwnerPassword(moduleOptions(options)).getToken({ ...owner, scope: 'read' });
        expect(token).to.include({ scope: 'read' });
      });

      it('refreshes twice, the second time with the new token', async () => {
        const firstTokens = await getTokensByCode(createAuthorizationCode(options));
        expect(firstTokens.expired()).to.equal(false);
        const secondTokens = await firstTokens.refresh();
        const thirdTokens = await secondTokens.refresh({ scope: 'read' });
        expect(thirdTokens.token['scope']).to.equal('read');
        expect(
          new Set([firstTokens, secondTokens, thirdTokens].map(({ token }) => token['refresh_token'])).size,
        ).to.equal(3);
      });

      it('revokes a single token, and all tokens', async () => {
        for (const revoke of [
          (tokens: AccessToken) => tokens.revoke('refresh_token'),
          (tokens: AccessToken) => tokens.revokeAll(),
        ]) {
          const tokens = await getTokensByCode(createAuthorizationCode(options));
          await revoke(tokens);
          expect(await isAccepted(running, String(tokens.token['access_token']))).to.equal(false);
          await expectError(tokens.refresh(), 400, 'invalid_grant');
        }
      });
    });
  }

  it('revokes with its default settings, but treats the empty response as an error', async () => {
    const { http: _http, ...defaults } = moduleOptions();
    const tokens = await new ResourceOwnerPassword(defaults).getToken({ ...owner });
    const failure = await tokens.revoke('access_token').then(
      () => undefined,
      (problem: unknown) => problem,
    );
    expect(String(failure)).to.include('The content-type is not JSON compatible');
    expect(await isAccepted(running, String(tokens.token['access_token']))).to.equal(false);
  });

  it('reports errors from the server', async () => {
    const library = createAuthorizationCode();
    const request: WithPkce = { redirect_uri: REDIRECT_URI, state: 'xyz', ...PKCE };
    const callback = await deny(running, owner, library.authorizeURL(request));
    expect(Object.fromEntries(callback.searchParams)).to.include({ error: 'access_denied', state: 'xyz' });
    await expectError(library.getToken({ code: 'nonsense', redirect_uri: REDIRECT_URI }), 400, 'invalid_grant');
    await expectError(new ClientCredentials(moduleOptions()).getToken({ scope: 'unheard-of' }), 400, 'invalid_scope');
    await expectError(
      new ResourceOwnerPassword(moduleOptions()).getToken({ ...owner, password: 'wrong' }),
      400,
      'invalid_grant',
    );
    const clientWithWrongSecret = { ...registeredClient, secret: 'wrong' };
    for (const options of Object.values(METHODS))
      await expectError(
        new ClientCredentials(moduleOptions(options, clientWithWrongSecret)).getToken({}),
        401,
        'invalid_client',
      );
  });

  it('sends JSON if the operator allows it', async () => {
    const service = await runningService({ settings: { jsonTokenRequests: true } });
    try {
      const { id, secret } = await service.addClient();
      for (const authorizationMethod of ['header', 'body'] as const) {
        const library = new ClientCredentials({
          client: { id, secret },
          auth: { tokenHost: service.origin(), tokenPath: '/o/token/' },
          options: { bodyFormat: 'json', authorizationMethod },
        });
        expect((await library.getToken({ scope: 'read' })).token).to.include({ scope: 'read' });
      }
    } finally {
      await service.close();
    }
  });

  it('gets, refreshes and revokes tokens for a public client, which has no secret', async () => {
    const app = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
    for (const options of Object.values(METHODS)) {
      const tokens = await getTokensByCode(createAuthorizationCode(options, app));
      const refreshedTokens = await tokens.refresh();
      await refreshedTokens.revokeAll();
      expect(await isAccepted(running, String(refreshedTokens.token['access_token']))).to.equal(false);
    }
  });
});

function redemption(callback: URL) {
  return { code: callback.searchParams.get('code') ?? '', redirect_uri: REDIRECT_URI, code_verifier: VERIFIER };
}

/** Expects the library to report this status and error from the server. */
async function expectError(request: Promise<unknown>, status: number, error: string): Promise<void> {
  const reason = await request.then(
    () => expect.fail('the request was not refused'),
    (problem: unknown) => problem,
  );
  const { output, data } = reason as {
    readonly output: { readonly statusCode: number };
    readonly data: { readonly payload: object };
  };
  expect(output.statusCode).to.equal(status);
  expect(data.payload).to.include({ error });
}
