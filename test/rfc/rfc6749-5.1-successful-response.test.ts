import { expect } from 'chai';
import { expectTokens, isAccepted } from '../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

describe('RFC 6749 §5.1: a token response', () => {
  let running: RunningService;
  let client: TestClient;
  let owner: TestUser;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient();
    owner = await running.addUser();
  });
  afterEach(() => running.close());

  const redeemCode = async (): Promise<TestResponse> =>
    running.post('/o/token/', {
      grant_type: 'authorization_code',
      code: await running.authorize(client, owner),
      redirect_uri: REDIRECT_URI,
      client_id: client.id,
      client_secret: client.secret,
    });
  const requestWithPassword = (): Promise<TestResponse> =>
    running.token(client, { grant_type: 'password', username: owner.username, password: owner.password });
  const refreshWith = (refreshToken: string): Promise<TestResponse> =>
    running.post('/o/token/', {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: client.id,
      client_secret: client.secret,
    });

  it('has exactly the specified members, and a refresh token if the grant type provides one', async () => {
    const membersWithRefreshToken = ['access_token', 'expires_in', 'token_type', 'scope', 'refresh_token'];
    const codeResponse = await redeemCode();
    expect(memberNames(codeResponse)).to.have.members(membersWithRefreshToken);
    const passwordResponse = await requestWithPassword();
    expect(memberNames(passwordResponse)).to.have.members(membersWithRefreshToken);
    const refreshResponse = await refreshWith(
      expectTokens(passwordResponse, { scope: 'read write groups', refresh: true }).refresh,
    );
    expect(memberNames(refreshResponse)).to.have.members(membersWithRefreshToken);
    const clientCredentialsResponse = await running.token(client, { grant_type: 'client_credentials' });
    expect(memberNames(clientCredentialsResponse)).to.have.members(membersWithRefreshToken.slice(0, -1));
  });

  it('states a lifetime of 36000 seconds, the type Bearer, and the granted scope', async () => {
    const { refresh } = expectTokens(await redeemCode(), { scope: 'read write', refresh: true });
    expectTokens(await refreshWith(refresh), { scope: 'read write', refresh: true });
    expectTokens(await requestWithPassword(), { scope: 'read write groups', refresh: true });
    expectTokens(await running.token(client, { grant_type: 'client_credentials' }), {
      scope: 'read write',
      refresh: false,
    });
  });

  it('states the true lifetime of its access token', async () => {
    const { access } = expectTokens(await requestWithPassword(), { scope: 'read write groups', refresh: true });
    running.clock.advance(35_999);
    expect(await isAccepted(running, access)).to.equal(true);
    running.clock.advance(1);
    expect(await isAccepted(running, access)).to.equal(false);
  });

  it('states the configured lifetime, after which its access token is refused', async () => {
    const shortLivedService = await runningService({ settings: { accessTokenLifetimeSeconds: 5 } });
    try {
      const { json } = await shortLivedService.token(await shortLivedService.addClient(), {
        grant_type: 'client_credentials',
      });
      expect(json).to.include({ expires_in: 5 });
      shortLivedService.clock.advance(5);
      expect(await isAccepted(shortLivedService, String(json?.['access_token']))).to.equal(false);
    } finally {
      await shortLivedService.close();
    }
  });

  it('contains tokens that survive a restart', async () => {
    const { access, refresh } = expectTokens(await requestWithPassword(), {
      scope: 'read write groups',
      refresh: true,
    });
    await running.restart();
    expect(await isAccepted(running, access)).to.equal(true);
    expectTokens(await refreshWith(refresh), { scope: 'read write groups', refresh: true });
  });

  it('is recorded without any secrets', async () => {
    const { access, refresh } = expectTokens(await requestWithPassword(), {
      scope: 'read write groups',
      refresh: true,
    });
    const events = await running.events();
    expect(events.filter(({ type }) => type === 'AccessTokenIssued')).to.have.length(1);
    const text = events.map(({ record }) => record).join('\n');
    for (const secret of [access, refresh, client.secret, owner.password]) expect(text).not.to.include(secret);
  });
});

function memberNames({ json }: TestResponse): string[] {
  return Object.keys(json ?? {});
}
