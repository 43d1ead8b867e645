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

const TOKENS = { scope: 'read write', refresh: true };

describe('RFC 9700 §4.5, RFC 6749 §4.1.2: a code presented again', () => {
  let running: RunningService;
  let client: TestClient;
  let owner: TestUser;
  let code: string;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient();
    owner = await running.addUser();
    code = await running.authorize(client, owner);
  });
  afterEach(() => running.close());

  const redeem = (caller = client, parameters: Readonly<Record<string, string>> = {}): Promise<TestResponse> =>
    running.token(caller, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...parameters });
  const refresh = (refreshToken: string): Promise<TestResponse> =>
    running.token(client, { grant_type: 'refresh_token', refresh_token: refreshToken });

  it('is refused, and all its tokens are revoked with one event', async () => {
    const first = expectTokens(await redeem(), TOKENS);
    const second = expectTokens(await refresh(first.refresh), TOKENS);
    const eventCount = (await running.events()).length;
    expectRefusal(await redeem(), 'invalid_grant');
    expect((await running.events()).slice(eventCount).map(({ type }) => type)).to.deep.equal(['GrantRevoked']);
    for (const token of [first.access, second.access]) expect(await isAccepted(running, token)).to.equal(false);
    expectRefusal(await expectNothingAppended(running, () => refresh(second.refresh)), 'invalid_grant');
  });

  it('for the third time adds nothing to the log', async () => {
    await redeem();
    await redeem();
    expectRefusal(await expectNothingAppended(running, () => redeem()), 'invalid_grant');
  });

  it('revokes the tokens even long after it has expired', async () => {
    const { access } = expectTokens(await redeem(), TOKENS);
    running.clock.advance(3_600);
    expectRefusal(await redeem(), 'invalid_grant');
    expect(await isAccepted(running, access)).to.equal(false);
  });

  it('revokes the tokens even if the replay has a wrong redirect URI', async () => {
    const { access } = expectTokens(await redeem(), TOKENS);
    expectRefusal(await redeem(client, { redirect_uri: 'https://evil.example/' }), 'invalid_grant');
    expect(await isAccepted(running, access)).to.equal(false);
  });

  it('revokes nothing if another client presents it, or if the client fails to authenticate', async () => {
    const { access } = expectTokens(await redeem(), TOKENS);
    const otherClient = await running.addClient();
    expectRefusal(await expectNothingAppended(running, () => redeem(otherClient)), 'invalid_grant');
    expectRefusal(
      await expectNothingAppended(running, () => redeem({ ...client, basic: 'Basic eDp5' })),
      'invalid_client',
    );
    expect(await isAccepted(running, access)).to.equal(true);
  });

  it('yields tokens at most once in concurrent requests, and these tokens are revoked', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => redeem()));
    const successes = responses.filter(({ status }) => status === 200);
    expect(successes).to.have.length(1);
    responses.filter(({ status }) => status !== 200).forEach((response) => expectRefusal(response, 'invalid_grant'));
    const types = (await running.events()).map(({ type }) => type);
    expect(types.filter((type) => type === 'AuthorizationCodeRedeemed')).to.have.length(1);
    expect(types.filter((type) => type === 'GrantRevoked')).to.have.length(1);
    expect(await isAccepted(running, String(successes[0]?.json?.['access_token']))).to.equal(false);
  });

  it('does not affect other grants by the same user to the same client', async () => {
    const otherCode = await running.authorize(client, owner);
    const otherTokens = expectTokens(
      await running.token(client, { grant_type: 'authorization_code', code: otherCode, redirect_uri: REDIRECT_URI }),
      TOKENS,
    );
    await redeem();
    await redeem();
    expect(await isAccepted(running, otherTokens.access)).to.equal(true);
  });
});
