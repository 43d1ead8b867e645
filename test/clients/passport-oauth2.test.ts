import { expect } from 'chai';
import OAuth2Strategy from 'passport-oauth2';
import { approve, deny } from '../support/authorize-requests.ts';
import { isAccepted } from '../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

interface LoginResult {
  readonly access: string;
  readonly refresh: string;
  readonly scope: string;
  readonly profile: unknown;
}

/** The outcome of a request to passport. */
type Outcome =
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'success'; readonly user: LoginResult }
  | { readonly kind: 'fail'; readonly message: string; readonly status: number | undefined }
  | { readonly kind: 'error'; readonly error: unknown };

/** A strategy for this server: a subclass, as passport-oauth2 intends. */
class GrantlogStrategy extends OAuth2Strategy {
  private readonly profileUrl: string;

  constructor(
    origin: string,
    options: Partial<OAuth2Strategy.StrategyOptions> &
      Pick<OAuth2Strategy.StrategyOptions, 'clientID' | 'clientSecret'>,
  ) {
    super(
      {
        authorizationURL: `${origin}/o/authorize/`,
        tokenURL: `${origin}/o/token/`,
        callbackURL: REDIRECT_URI,
        scope: ['read', 'write'],
        pkce: true,
        state: true,
        ...options,
      },
      (
        access: string,
        refresh: string,
        { scope }: { readonly scope: string },
        profile: unknown,
        verified: OAuth2Strategy.VerifyCallback,
      ) => verified(null, { access, refresh, scope, profile } satisfies LoginResult),
    );
    this.profileUrl = `${origin}/users/`;
    this.oauth2().useAuthorizationHeaderforGET(true);
  }

  /** Returns the library's OAuth client, which subclasses access under this name. */
  private oauth2() {
    const { _oauth2: oauth2 } = this;
    return oauth2;
  }

  override userProfile(accessToken: string, done: (error?: unknown, profile?: unknown) => void): void {
    this.oauth2().get(this.profileUrl, accessToken, (error, text) => {
      if (error) done(error);
      else done(null, JSON.parse(String(text)));
    });
  }

  refreshTokens(refreshToken: string): Promise<{ readonly access: string; readonly refresh: string }> {
    return new Promise((resolve, reject) => {
      this.oauth2().getOAuthAccessToken(
        refreshToken,
        { grant_type: 'refresh_token' },
        (error, access = '', refresh = '') => {
          if (error) reject(error);
          else resolve({ access, refresh });
        },
      );
    });
  }
}

interface PassportRequest {
  readonly query: Readonly<Record<string, string>>;
  readonly session: object;
}

/** Runs a strategy as passport does: on a new object for each request, with the four callbacks that complete it. */
function authenticate(strategy: OAuth2Strategy, request: PassportRequest): Promise<Outcome> {
  return new Promise((resolve) => {
    const run = Object.assign(Object.create(strategy) as GrantlogStrategy, {
      redirect: (to: string) => resolve({ kind: 'redirect', to }),
      success: (user: LoginResult) => resolve({ kind: 'success', user }),
      fail: ({ message }: { readonly message: string }, status?: number) => resolve({ kind: 'fail', message, status }),
      error: (error: unknown) => resolve({ kind: 'error', error }),
    });
    run.authenticate(request as unknown as Parameters<OAuth2Strategy['authenticate']>[0]);
  });
}

const callbackRequest = (callback: URL, session: object): PassportRequest => ({
  query: Object.fromEntries(callback.searchParams),
  session,
});

describe('passport-oauth2', () => {
  let running: RunningService;
  let owner: TestUser;

  before(async () => {
    running = await runningService();
    owner = await running.addUser();
  });
  after(() => running.close());

  async function beginLogin(
    strategy: OAuth2Strategy,
  ): Promise<{ readonly authorizationUrl: string; readonly session: object }> {
    const session = {};
    const outcome = await authenticate(strategy, { query: {}, session });
    if (outcome.kind !== 'redirect') throw new Error(`expected a redirect, got ${outcome.kind}`);
    return { authorizationUrl: outcome.to, session };
  }

  async function logIn(strategy: OAuth2Strategy): Promise<LoginResult> {
    const { authorizationUrl, session } = await beginLogin(strategy);
    const outcome = await authenticate(
      strategy,
      callbackRequest(await approve(running, owner, authorizationUrl), session),
    );
    if (outcome.kind !== 'success') throw new Error(`expected a success, got ${outcome.kind}`, { cause: outcome });
    return outcome.user;
  }

  const strategies: Readonly<Record<string, () => Promise<GrantlogStrategy>>> = {
    'a confidential client with its secret in the body': async () => createStrategy(await running.addClient()),
    'a confidential client that also sends Basic': async () => {
      const client = await running.addClient();
      return createStrategy(client, { customHeaders: { Authorization: client.basic } });
    },
    'a confidential client without PKCE': async () => createStrategy(await running.addClient(), { pkce: false }),
    'a public client': async () =>
      createStrategy(await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] })),
  };

  const createStrategy = (
    { id, secret }: TestClient,
    options: Partial<OAuth2Strategy.StrategyOptions> = {},
  ): GrantlogStrategy => new GrantlogStrategy(running.origin(), { clientID: id, clientSecret: secret, ...options });

  for (const [kind, create] of Object.entries(strategies)) {
    it(`logs a user in for ${kind}, gets the profile from the API, and refreshes`, async () => {
      const strategy = await create();
      const { access, refresh, scope, profile } = await logIn(strategy);
      expect(scope).to.equal('read write');
      expect(profile).to.deep.include({ username: owner.username, email: '', first_name: '', last_name: '' });
      const refreshedTokens = await strategy.refreshTokens(refresh);
      expect(refreshedTokens.refresh).not.to.equal(refresh);
      expect(await isAccepted(running, refreshedTokens.access)).to.equal(true);
      expect(refreshedTokens.access).not.to.equal(access);
    });
  }

  it('treats a denial as a failed login, not as an error', async () => {
    const strategy = createStrategy(await running.addClient());
    const { authorizationUrl, session } = await beginLogin(strategy);
    const outcome = await authenticate(
      strategy,
      callbackRequest(await deny(running, owner, authorizationUrl), session),
    );
    expect(outcome).to.deep.include({ kind: 'fail', message: 'the resource owner denied the request' });
  });

  it('refuses a response to a different request, and a response with a modified state', async () => {
    const strategy = createStrategy(await running.addClient());
    const { authorizationUrl, session } = await beginLogin(strategy);
    const callback = await approve(running, owner, authorizationUrl);
    expect(await authenticate(strategy, callbackRequest(callback, {}))).to.include({ kind: 'fail', status: 403 });
    callback.searchParams.set('state', 'forged');
    expect(await authenticate(strategy, callbackRequest(callback, session))).to.include({ kind: 'fail', status: 403 });
  });

  it('reports errors from the server', async () => {
    const client = await running.addClient();
    expect(
      await getErrorAfter(createStrategy(client, { scope: ['unheard-of'] }), (authorizationUrl) =>
        getRedirect(authorizationUrl),
      ),
    )
      .to.be.instanceOf(OAuth2Strategy.AuthorizationError)
      .and.to.include({ code: 'invalid_scope' });
    expect(
      await getErrorAfter(createStrategy({ ...client, secret: 'wrong' }), (authorizationUrl) =>
        approve(running, owner, authorizationUrl),
      ),
    )
      .to.be.instanceOf(OAuth2Strategy.TokenError)
      .and.to.include({ code: 'invalid_client' });
    expect(
      await getErrorAfter(createStrategy(client), async (authorizationUrl) => {
        const callback = await approve(running, owner, authorizationUrl);
        callback.searchParams.set('code', 'nonsense');
        return callback;
      }),
    )
      .to.be.instanceOf(OAuth2Strategy.TokenError)
      .and.to.include({ code: 'invalid_grant' });
  });

  async function getErrorAfter(
    strategy: OAuth2Strategy,
    visit: (authorizationUrl: string) => Promise<URL>,
  ): Promise<unknown> {
    const { authorizationUrl, session } = await beginLogin(strategy);
    const outcome = await authenticate(strategy, callbackRequest(await visit(authorizationUrl), session));
    return outcome.kind === 'error' ? outcome.error : expect.fail(`expected an error, got ${outcome.kind}`);
  }

  /** Returns the redirect that the server immediately sends in response to an invalid request. */
  async function getRedirect(authorizationUrl: string): Promise<URL> {
    const { pathname, search } = new URL(authorizationUrl);
    return new URL((await running.browser().get(pathname + search)).location ?? '');
  }
});
