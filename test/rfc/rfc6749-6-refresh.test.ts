import { expect } from 'chai';
import { expectRefusal, expectTokens, isAccepted, expectNothingAppended } from '../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ALL_TOKENS = { scope: 'read write groups', refresh: true };

describe('RFC 6749 §6: a refresh', () => {
  let running: RunningService;
  let client: TestClient;
  let owner: TestUser;
  let tokens: { readonly access: string; readonly refresh: string };

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient();
    owner = await running.addUser();
    tokens = expectTokens(
      await running.token(client, { grant_type: 'password', username: owner.username, password: owner.password }),
      ALL_TOKENS,
    );
  });
  afterEach(() => running.close());

  const refresh = (
    refreshToken: string,
    parameters: Readonly<Record<string, string>> = {},
    caller = client,
  ): Promise<TestResponse> =>
    running.post('/o/token/', {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: caller.id,
      client_secret: caller.secret,
      ...parameters,
    });

  it('returns a new access token and a new refresh token', async () => {
    const next = expectTokens(await refresh(tokens.refresh), ALL_TOKENS);
    expect(new Set([...Object.values(tokens), ...Object.values(next)]).size).to.equal(4);
    expect(await isAccepted(running, next.access)).to.equal(true);
  });

  it('does not invalidate the previous access token immediately', async () => {
    await refresh(tokens.refresh);
    expect(await isAccepted(running, tokens.access)).to.equal(true);
  });

  it('accepts client credentials in the header', async () => {
    expectTokens(
      await running.token(client, { grant_type: 'refresh_token', refresh_token: tokens.refresh }),
      ALL_TOKENS,
    );
  });

  it('can be repeated without limit if each token is used only once', async () => {
    let { refresh: currentToken } = tokens;
    for (let times = 0; times < 5; times += 1) {
      running.clock.advance(36_000);
      ({ refresh: currentToken } = expectTokens(await refresh(currentToken), ALL_TOKENS));
    }
  });

  it('can narrow the scope of one access token, but not of the grant', async () => {
    const narrowedTokens = expectTokens(await refresh(tokens.refresh, { scope: 'read' }), {
      scope: 'read',
      refresh: true,
    });
    const headers = { authorization: `Bearer ${narrowedTokens.access}` };
    expect((await running.get('/groups/', headers)).status).to.equal(403);
    expectTokens(await refresh(narrowedTokens.refresh), ALL_TOKENS);
  });

  it('ignores an empty scope', async () => {
    expectTokens(await refresh(tokens.refresh, { scope: '' }), ALL_TOKENS);
  });

  it('never widens the scope, and a refused attempt leaves the token valid', async () => {
    const code = await running.authorize(client, owner, { scope: 'read' });
    const limitedTokens = expectTokens(
      await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI }),
      { scope: 'read', refresh: true },
    );
    for (const scope of ['read write', 'groups', 'unknown', 'r"ead']) {
      expectRefusal(
        await expectNothingAppended(running, () => refresh(limitedTokens.refresh, { scope })),
        'invalid_scope',
      );
    }
    expectTokens(await refresh(limitedTokens.refresh), { scope: 'read', refresh: true });
  });

  it('is refused to a different client, without invalidating the token', async () => {
    const otherClient = await running.addClient();
    expectRefusal(
      await expectNothingAppended(running, () => refresh(tokens.refresh, {}, otherClient)),
      'invalid_grant',
    );
    expectTokens(await refresh(tokens.refresh), ALL_TOKENS);
  });

  it("is refused without the client's secret", async () => {
    const send = () =>
      running.post('/o/token/', { grant_type: 'refresh_token', refresh_token: tokens.refresh, client_id: client.id });
    expectRefusal(await expectNothingAppended(running, send), 'invalid_client');
  });

  it('is refused to a client that is registered only for client credentials', async () => {
    const otherClient = await running.addClient({ grantTypes: ['client-credentials'] });
    expectRefusal(
      await expectNothingAppended(running, () => refresh(tokens.refresh, {}, otherClient)),
      'unauthorized_client',
    );
  });

  it("refuses unknown tokens, mistyped tokens and other clients' tokens with identical responses", async () => {
    const otherClient = await running.addClient();
    const mistypedToken = `${tokens.refresh.slice(0, -1)}${tokens.refresh.endsWith('A') ? 'B' : 'A'}`;
    const responses = [
      await refresh('x'),
      await refresh(mistypedToken),
      await refresh(tokens.access),
      await refresh(tokens.refresh, {}, otherClient),
    ];
    responses.forEach((response) => expectRefusal(response, 'invalid_grant'));
    expect(new Set(responses.map(({ text }) => text)).size).to.equal(1);
  });

  it('requires a refresh token', async () => {
    expectRefusal(
      await expectNothingAppended(running, () => running.token(client, { grant_type: 'refresh_token' })),
      'invalid_request',
    );
  });

  it('is refused after the user is disabled or erased, or the client is removed', async () => {
    const { accounts, projections, registration } = running.service();
    const changes = [
      (username: string) => accounts.disable(projections.users.findByName(username)!, OPERATOR),
      (username: string) => accounts.erase(projections.users.findByName(username)!, OPERATOR),
    ];
    for (const change of changes) {
      const user = await running.addUser();
      const userTokens = expectTokens(
        await running.token(client, { grant_type: 'password', username: user.username, password: user.password }),
        ALL_TOKENS,
      );
      await change(user.username);
      expectRefusal(await expectNothingAppended(running, () => refresh(userTokens.refresh)), 'invalid_grant');
    }
    await registration.remove(projections.clients.find(client.id)!.clientId, OPERATOR);
    expectRefusal(await expectNothingAppended(running, () => refresh(tokens.refresh)), 'invalid_client');
  });

  it('is still refused after a disabled user is enabled again', async () => {
    const { accounts, projections } = running.service();
    await accounts.disable(projections.users.findByName(owner.username)!, OPERATOR);
    await accounts.enable(projections.users.findByName(owner.username)!, OPERATOR);
    expectRefusal(await expectNothingAppended(running, () => refresh(tokens.refresh)), 'invalid_grant');
    expect(await isAccepted(running, tokens.access)).to.equal(false);
  });

  it('is refused once the refresh token has expired, if the operator sets a lifetime', async () => {
    const strictService = await runningService({ settings: { refreshTokenLifetimeSeconds: 100 } });
    try {
      const strictClient = await strictService.addClient();
      const user = await strictService.addUser();
      const first = expectTokens(
        await strictService.token(strictClient, {
          grant_type: 'password',
          username: user.username,
          password: user.password,
        }),
        ALL_TOKENS,
      );
      strictService.clock.advance(99);
      const second = expectTokens(
        await strictService.token(strictClient, { grant_type: 'refresh_token', refresh_token: first.refresh }),
        ALL_TOKENS,
      );
      strictService.clock.advance(100);
      expectRefusal(
        await expectNothingAppended(strictService, () =>
          strictService.token(strictClient, { grant_type: 'refresh_token', refresh_token: second.refresh }),
        ),
        'invalid_grant',
      );
    } finally {
      await strictService.close();
    }
  });
});
