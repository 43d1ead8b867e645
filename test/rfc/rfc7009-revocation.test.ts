import { expect } from 'chai';
import { expectRefusal, expectTokens, isAccepted, expectNothingAppended } from '../support/protocol-responses.ts';
import {
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const ALL_TOKENS = { scope: 'read write groups', refresh: true };

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

function expectSuccess(response: TestResponse): void {
  expect({ status: response.status, text: response.text }).to.deep.equal({ status: 200, text: '' });
  expect(response.headers.get('cache-control')).to.equal('no-store');
  expect(response.headers.get('content-type'), 'the content type of an empty response').to.equal(null);
}

describe('RFC 7009: revocation', () => {
  let running: RunningService;
  let client: TestClient;
  let owner: TestUser;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient();
    owner = await running.addUser();
  });
  afterEach(() => running.close());

  const issueTokens = async (caller = client): Promise<Tokens> =>
    expectTokens(
      await running.post('/o/token/', {
        grant_type: 'password',
        username: owner.username,
        password: owner.password,
        client_id: caller.id,
        client_secret: caller.secret,
      }),
      ALL_TOKENS,
    );
  const revoke = (
    token: string,
    parameters: Readonly<Record<string, string>> = {},
    caller = client,
  ): Promise<TestResponse> =>
    running.post('/o/revoke_token/', { token, client_id: caller.id, client_secret: caller.secret, ...parameters });
  const refresh = ({ refresh: value }: Tokens, caller = client): Promise<TestResponse> =>
    running.post('/o/token/', {
      grant_type: 'refresh_token',
      refresh_token: value,
      client_id: caller.id,
      client_secret: caller.secret,
    });

  async function expectInvalid(tokens: Tokens): Promise<void> {
    expect(await isAccepted(running, tokens.access)).to.equal(false);
    expectRefusal(await expectNothingAppended(running, () => refresh(tokens)), 'invalid_grant');
  }

  it('of an access or refresh token ends the whole grant with a single event', async () => {
    for (const kind of ['access', 'refresh'] as const) {
      const first = await issueTokens();
      const second = expectTokens(await refresh(first), ALL_TOKENS);
      const eventCount = (await running.events()).length;
      expectSuccess(await revoke(second[kind]));
      expect((await running.events()).slice(eventCount).map(({ type }) => type)).to.deep.equal(['GrantRevoked']);
      await expectInvalid(second);
      expect(await isAccepted(running, first.access)).to.equal(false);
    }
  });

  it('of a client credentials token invalidates only that token', async () => {
    const { access } = expectTokens(await running.token(client, { grant_type: 'client_credentials' }), {
      scope: 'read write',
      refresh: false,
    });
    const otherTokens = expectTokens(await running.token(client, { grant_type: 'client_credentials' }), {
      scope: 'read write',
      refresh: false,
    });
    expectSuccess(await revoke(access));
    expect(await isAccepted(running, access)).to.equal(false);
    expect(await isAccepted(running, otherTokens.access)).to.equal(true);
  });

  it('of an expired access token changes nothing, even after other tokens have been issued', async () => {
    for (const issuesOtherTokens of [false, true]) {
      const first = await issueTokens();
      const second = expectTokens(await refresh(first), ALL_TOKENS);
      running.clock.advance(3_600); // after a refresh, the first access token stays valid until it expires
      expect(await isAccepted(running, first.access)).to.equal(false);
      if (issuesOtherTokens) await running.token(client, { grant_type: 'client_credentials' });
      const eventCount = (await running.events()).length;
      expectSuccess(await revoke(first.access));
      expect((await running.events()).length).to.equal(eventCount);
      expect(await isAccepted(running, second.access)).to.equal(true);
    }
  });

  it('accepts client authentication in the Authorization header, and a path without the trailing slash', async () => {
    const tokens = await issueTokens();
    expectSuccess(await running.post('/o/revoke_token', { token: tokens.refresh }, { authorization: client.basic }));
    await expectInvalid(tokens);
  });

  it('ignores token_type_hint', async () => {
    for (const hint of ['access_token', 'refresh_token', 'nonsense', '']) {
      const tokens = await issueTokens();
      expectSuccess(await revoke(tokens.access, { token_type_hint: hint }));
      await expectInvalid(tokens);
    }
  });

  it("treats revoked, unknown, expired and other clients' tokens alike, and appends no event", async () => {
    const otherClient = await running.addClient();
    const [revokedTokens, expiredTokens] = [await issueTokens(), await issueTokens()];
    await revoke(revokedTokens.access);
    running.clock.advance(36_000);
    const otherTokens = await issueTokens(otherClient);
    for (const token of [
      revokedTokens.access,
      revokedTokens.refresh,
      expiredTokens.access,
      otherTokens.access,
      otherTokens.refresh,
      'unknown',
      '\u0000',
      'x'.repeat(60_000),
      owner.password,
    ]) {
      expectSuccess(await expectNothingAppended(running, () => revoke(token)));
    }
    expect(await isAccepted(running, otherTokens.access)).to.equal(true);
    expectTokens(await refresh(otherTokens, otherClient), ALL_TOKENS);
  });

  it('requires only the id of a public client, which can revoke only its own tokens', async () => {
    const publicClient = await running.addClient({ clientType: 'public', grantTypes: ['password'] });
    const [ownTokens, otherTokens] = [await issueTokens(publicClient), await issueTokens()];
    expectSuccess(await revoke(otherTokens.refresh, {}, publicClient));
    expect(await isAccepted(running, otherTokens.access)).to.equal(true);
    expectSuccess(await revoke(ownTokens.refresh, {}, publicClient));
    expect(await isAccepted(running, ownTokens.access)).to.equal(false);
  });

  it('requires an authenticated client and a token', async () => {
    const { access } = await issueTokens();
    expectRefusal(
      await expectNothingAppended(running, () => running.post('/o/revoke_token/', { token: access })),
      'invalid_client',
    );
    expectRefusal(
      await expectNothingAppended(running, () => revoke(access, { client_secret: 'wrong' })),
      'invalid_client',
    );
    expectRefusal(await expectNothingAppended(running, () => revoke('')), 'invalid_request');
    expect(await isAccepted(running, access)).to.equal(true);
  });

  it('parses its requests like token requests', async () => {
    const headers = { authorization: client.basic };
    expectRefusal(await running.post('/o/revoke_token/', 'token=a&token=b', headers), 'invalid_request');
    expectRefusal(await running.post('/o/revoke_token/?token=a', 'token=a', headers), 'invalid_request');
    expectRefusal(
      await running.post('/o/revoke_token/', '{"token":"a"}', { ...headers, 'content-type': 'application/json' }),
      'invalid_request',
      415,
    );
    expectRefusal(await running.post('/o/revoke_token/', 'token=%', headers), 'invalid_request');
  });

  it('does not affect other grants by the same user to the same client, and survives a restart', async () => {
    const [revokedTokens, activeTokens] = [await issueTokens(), await issueTokens()];
    expectSuccess(await revoke(revokedTokens.refresh));
    await running.restart();
    await expectInvalid(revokedTokens);
    expect(await isAccepted(running, activeTokens.access)).to.equal(true);
    expectTokens(await refresh(activeTokens), ALL_TOKENS);
  });
});
