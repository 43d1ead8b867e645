import { expect } from 'chai';
import {
  createRemovalForecasts,
  type ForecastedProjections,
  type ProviderForecast,
} from '../../../src/audit/queries/removal-forecasts.ts';
import { TOKEN_TYPES } from '../../../src/oauth/exchange/token-types.ts';
import { JWT_BEARER_GRANT_TYPE } from '../../../src/oauth/grant-types/jwt-bearer.ts';
import { registerResource } from '../../support/resource-servers.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../../support/running-service.ts';
import { unchecked } from '../../support/unchecked.ts';
import { expectAccessToken, allowExchange, exchangeForToken, introspect } from '../../support/token-exchange.ts';
import { signForeignToken, OTHER_ISSUER, trustIssuer } from '../../support/trusted-issuers.ts';

const [API, OTHER_API] = ['https://api.example', 'https://other.example'];
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('A removal forecast', () => {
  let running: RunningService;
  let app: TestClient;
  let otherApp: TestClient;
  let ada: TestUser;

  beforeEach(async () => {
    running = await runningService({ settings: { resources: [OTHER_API] } });
    const grantTypes = ['password', 'token-exchange', 'client-credentials', 'jwt-bearer'] as const;
    app = await running.addClient({ name: 'App', grantTypes, owner: (await running.addUser('olga')).username });
    otherApp = await running.addClient({ name: 'Other', grantTypes });
    ada = await running.addUser('ada');
    await registerResource(running, { uri: API });
  });
  afterEach(() => running.close());

  const forecasts = () => running.service().removalForecasts;
  async function issueToken({ id, secret }: TestClient, ...resources: readonly string[]): Promise<string> {
    const { username, password } = ada;
    const fields = { grant_type: 'password', username, password, client_id: id, client_secret: secret };
    const uris = resources.map((uri): [string, string] => ['resource', uri]);
    return expectAccessToken(
      await running.post('/o/token/', new URLSearchParams([...Object.entries(fields), ...uris]).toString()),
    );
  }
  const resource = () => running.service().projections.resources.find(API) ?? expect.fail();
  const client = () => running.service().projections.clients.find(app.id) ?? expect.fail();
  const issuer = () => running.service().projections.trustedIssuers.find(OTHER_ISSUER) ?? expect.fail();

  it('counts the users, grants and tokens of an application, and the policies and issuers that name it', async () => {
    await issueToken(app);
    await issueToken(app);
    await issueToken(otherApp);
    await allowExchange(running, app, otherApp);
    await trustIssuer(running, app);
    const { owners, ...counts } = forecasts().ofClient(client());
    expect(counts).to.deep.equal({ users: 1, grants: 2, isExact: true, maxTokens: 2, policies: 1, issuers: 1 });
    expect(owners).to.have.length(1);
  });

  it('counts the tokens for a resource server, and separately the tokens that become invalid', async () => {
    const noTokens = { scopes: 1, applications: 0, grants: 0, tokens: 0, endingTokens: 0, policies: 0, issuers: 0 };
    await issueToken(app);
    expect(forecasts().ofResource(resource())).to.deep.equal({ ...noTokens, isExact: true });
    const apiToken = await issueToken(app, API);
    const bothApisToken = await issueToken(otherApp, API, OTHER_API);
    expect(forecasts().ofResource(resource())).to.deep.include({
      applications: 2,
      grants: 2,
      tokens: 2,
      endingTokens: 1,
    });
    await running.service().resourceRegistry.remove(API, OPERATOR);
    const isActive = async (token: string) => (await introspect(running, app, token)).active;
    expect([await isActive(apiToken), await isActive(bothApisToken)]).to.deep.equal([false, true]);
  });

  it('counts the grants and tokens that came from a trusted issuer, at every exchange depth', async () => {
    await trustIssuer(running, app, { uses: ['assertion', 'subject-token'], mapping: 'user-name' });
    await allowExchange(running, otherApp, app);
    const assertionForAda = () => signForeignToken(running, { claims: { sub: 'ada' } });
    const noTokens = { applications: 1, users: 0, grants: 0, tokens: 0, isExact: true };
    await issueToken(app);
    expect(forecasts().ofIssuer(issuer())).to.deep.equal(noTokens);
    await running.token(app, { grant_type: JWT_BEARER_GRANT_TYPE, assertion: await assertionForAda() });
    const firstToken = await exchangeForToken(running, app, await assertionForAda(), {
      subject_token_type: TOKEN_TYPES.jwt,
    });
    await exchangeForToken(running, otherApp, firstToken);
    expect(forecasts().ofIssuer(issuer())).to.deep.equal({ ...noTokens, users: 1, grants: 3, tokens: 3 });
    await running.service().trustedIssuerRegistry.remove(issuer(), OPERATOR);
    await trustIssuer(running, app);
    expect(forecasts().ofIssuer(issuer())).to.deep.equal(noTokens);
  });
});

describe('The removal forecast for a provider', () => {
  interface LoginMethods {
    readonly active?: boolean;
    readonly passwordHash?: string;
    readonly passkeys?: number;
    readonly otherProviders?: readonly string[];
  }

  /** Forecasts the removal of `corp`, for a user with an account there and these other login methods. */
  function forecast(
    { active = true, passwordHash = '', passkeys = 0, otherProviders = [] }: LoginMethods,
    requiredProvider: string | null,
    enabledProviders: readonly string[] = ['corp', 'second'],
  ) {
    const accountAt = (providerId: string) => ({ providerId, userId: 'u' });
    const projections: ForecastedProjections = unchecked({
      users: { find: () => ({ active, passwordHash }) },
      passkeys: { listByUser: () => Array.from({ length: passkeys }) },
      upstreamAccounts: {
        listByProvider: () => [accountAt('corp')],
        listByUser: () => ['corp', ...otherProviders].map(accountAt),
      },
      upstreamProviders: {
        allEnabled: () =>
          enabledProviders.map((providerId) => ({ providerId, required: providerId === requiredProvider })),
      },
    });
    const parts = { projections, now: () => unchecked(0), settings: { accessTokenLifetimeSeconds: 60 } };
    return createRemovalForecasts(parts).ofProvider(unchecked({ providerId: 'corp' }));
  }
  const countLockedOut = (methods: LoginMethods, requiredProvider: string | null = null): number =>
    forecast(methods, requiredProvider).lockedOut;

  it('counts the users who have no other way to log in', () => {
    const expectedForecast: ProviderForecast = { accounts: 1, users: 1, lockedOut: 1, turnsPasswordsOn: false };
    expect(forecast({}, null)).to.deep.equal(expectedForecast);
    expect(countLockedOut({ passwordHash: 'h' })).to.equal(0);
    expect(countLockedOut({ passkeys: 1 })).to.equal(0);
    expect(countLockedOut({ otherProviders: ['second'] })).to.equal(0);
  });

  it('does not count users who cannot log in anyway because another provider is required or it is disabled', () => {
    for (const methods of [{}, { passwordHash: 'h' }]) expect(countLockedOut(methods, 'second')).to.equal(0);
    expect(forecast({}, null, ['second']).lockedOut).to.equal(0);
  });

  it('does not count users with passwords, which work again if only this provider was required', () => {
    expect(countLockedOut({}, 'corp')).to.equal(1);
    expect(countLockedOut({ passwordHash: 'h' }, 'corp')).to.equal(0);
  });

  it('states that passwords work again only if this is the last enabled provider that is required', () => {
    const turnsPasswordsOn = (requiredProvider: string | null) => forecast({}, requiredProvider).turnsPasswordsOn;
    expect([turnsPasswordsOn(null), turnsPasswordsOn('second'), turnsPasswordsOn('corp')]).to.deep.equal([
      false,
      false,
      true,
    ]);
  });

  it('ignores accounts at removed providers, and disabled users', () => {
    expect(countLockedOut({ otherProviders: ['gone'] })).to.equal(1);
    expect(countLockedOut({ active: false })).to.equal(0);
  });
});
