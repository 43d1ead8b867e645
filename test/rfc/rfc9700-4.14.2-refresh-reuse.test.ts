import { expect } from 'chai';
import { expectRefusal, expectTokens, isAccepted, withoutTrace } from '../support/protocol-answers.ts';
import { runningService, type Answer, type RunningService, type TestClient } from '../support/running-service.ts';

const ALL = { scope: 'read write groups', refresh: true };

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

describe('RFC 9700 §4.14.2: a refresh token presented again', () => {
  let running: RunningService;
  let client: TestClient;
  let first: Tokens;

  async function start(settings = {}): Promise<void> {
    running = await runningService({ settings });
    client = await running.addClient();
    const owner = await running.addUser();
    first = expectTokens(
      await running.token(client, { grant_type: 'password', username: owner.username, password: owner.password }),
      ALL,
    );
  }
  beforeEach(() => start());
  afterEach(() => running.close());

  const refresh = ({ refresh: value }: Tokens, parameters: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    running.token(client, { grant_type: 'refresh_token', refresh_token: value, ...parameters });

  async function expectReuse(reuse: () => Promise<Answer>, ...issued: readonly Tokens[]): Promise<void> {
    const before = (await running.events()).length;
    expectRefusal(await reuse(), 'invalid_grant');
    expect((await running.events()).slice(before).map(({ type }) => type)).to.deep.equal(['GrantRevoked']);
    for (const tokens of issued) {
      expect(await isAccepted(running, tokens.access)).to.equal(false);
      expectRefusal(await withoutTrace(running, () => refresh(tokens)), 'invalid_grant');
    }
  }

  it('within thirty seconds gets the same response, without an event', async () => {
    const lost = await refresh(first);
    running.clock.advance(29);
    const again = await withoutTrace(running, () => refresh(first));
    expect(again.text).to.equal(lost.text);
    expectTokens(await refresh(expectTokens(again, ALL)), ALL);
  });

  it('within thirty seconds gets the same response also after a restart', async () => {
    const lost = await refresh(first);
    await running.restart();
    expect((await withoutTrace(running, () => refresh(first))).text).to.equal(lost.text);
  });

  it('concurrently gets one response for all', async () => {
    const before = (await running.events()).length;
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(first)));
    expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
    expectTokens(answers[0]!, ALL);
    expect((await running.events()).slice(before).map(({ type }) => type)).to.deep.equal([
      'RefreshTokenRotated',
      'AccessTokenIssued',
    ]);
  });

  it('after thirty seconds is reuse: the whole grant is revoked with one event', async () => {
    const second = expectTokens(await refresh(first), ALL);
    running.clock.advance(30);
    await expectReuse(() => refresh(first), first, second);
  });

  it('after its successor was used is reuse, however soon', async () => {
    const second = expectTokens(await refresh(first), ALL);
    const third = expectTokens(await refresh(second), ALL);
    await expectReuse(() => refresh(first), first, second, third);
  });

  it('generations later is still reuse', async () => {
    let current = first;
    for (let times = 0; times < 5; times += 1) {
      running.clock.advance(60);
      current = expectTokens(await refresh(current), ALL);
    }
    await expectReuse(() => refresh(first), first, current);
  });

  it('with a scope other than that of the lost response is refused, and nothing is revoked', async () => {
    const narrow = await refresh(first, { scope: 'read' });
    expectRefusal(await withoutTrace(running, () => refresh(first)), 'invalid_scope');
    expectRefusal(await withoutTrace(running, () => refresh(first, { scope: 'write' })), 'invalid_scope');
    expect((await withoutTrace(running, () => refresh(first, { scope: 'read' }))).text).to.equal(narrow.text);
  });

  it('by another client, or by one that fails to authenticate, revokes nothing', async () => {
    const second = expectTokens(await refresh(first), ALL);
    running.clock.advance(60);
    const other = await running.addClient();
    const parameters = { grant_type: 'refresh_token', refresh_token: first.refresh };
    expectRefusal(await withoutTrace(running, () => running.token(other, parameters)), 'invalid_grant');
    expectRefusal(
      await withoutTrace(running, () => running.token({ ...client, basic: 'Basic eDp5' }, parameters)),
      'invalid_client',
    );
    expect(await isAccepted(running, second.access)).to.equal(true);
  });

  it('repeatedly after the revocation adds nothing to the log', async () => {
    await refresh(first);
    running.clock.advance(60);
    await refresh(first);
    for (let times = 0; times < 3; times += 1)
      expectRefusal(await withoutTrace(running, () => refresh(first)), 'invalid_grant');
  });

  it('is always reuse if the operator turned the retry off', async () => {
    await running.close();
    await start({ refreshReuseWindowSeconds: 0 });
    const second = expectTokens(await refresh(first), ALL);
    await expectReuse(() => refresh(first), first, second);
  });
});
