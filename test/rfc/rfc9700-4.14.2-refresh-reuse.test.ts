import { expect } from 'chai';
import fc from 'fast-check';
import { request } from 'node:http';
import { expectRefusal, expectTokens, isAccepted, expectNothingAppended } from '../support/protocol-responses.ts';
import { runningService, type TestResponse, type RunningService, type TestClient } from '../support/running-service.ts';

const WINDOW = 30;
const ALL_TOKENS = { scope: 'read write groups', refresh: true };

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
    first = await startGrant();
  }
  beforeEach(() => start());
  afterEach(() => running.close());

  async function startGrant(): Promise<Tokens> {
    return expectTokens(
      await running.token(client, { grant_type: 'password', ...(await running.addUser()) }),
      ALL_TOKENS,
    );
  }

  const refresh = (
    { refresh: value }: Tokens,
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<TestResponse> =>
    running.token(client, { grant_type: 'refresh_token', refresh_token: value, ...parameters });

  async function expectReuse(reuse: () => Promise<TestResponse>, ...issuedTokens: readonly Tokens[]): Promise<void> {
    const eventCount = (await running.events()).length;
    expectRefusal(await reuse(), 'invalid_grant');
    const newEvents = (await running.events()).slice(eventCount).map(({ type, data }) => ({ type, data }));
    expect(newEvents).to.deep.equal([{ type: 'GrantRevoked', data: { reason: 'refresh-token-reused' } }]);
    for (const tokens of issuedTokens) {
      expect(await isAccepted(running, tokens.access)).to.equal(false);
      expectRefusal(await expectNothingAppended(running, () => refresh(tokens)), 'invalid_grant');
    }
  }

  it('within thirty seconds gets the same response any number of times, without adding an event', async () => {
    const waits = fc.array(fc.nat(WINDOW - 1), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(waits, async (seconds) => {
        const grant = await startGrant();
        const lostResponse = await refresh(grant);
        let total = 0;
        for (const wait of seconds.filter((second) => (total += second) < WINDOW)) {
          running.clock.advance(wait);
          expect((await expectNothingAppended(running, () => refresh(grant))).text).to.equal(lostResponse.text);
        }
        expectTokens(await refresh(expectTokens(lostResponse, ALL_TOKENS)), ALL_TOKENS);
      }),
      { numRuns: 10, examples: [[[WINDOW - 1]]] },
    );
  });

  it('gets the response that was lost in transit', async () => {
    const lostRequest = request(new URL('/o/token/', running.origin()), {
      method: 'POST',
      headers: { authorization: client.basic, 'content-type': 'application/x-www-form-urlencoded' },
    }).on('error', () => {});
    const rotation = waitForRotation();
    lostRequest.end(new URLSearchParams({ grant_type: 'refresh_token', refresh_token: first.refresh }).toString());
    await rotation;
    lostRequest.destroy();
    const repeatedResponse = await expectNothingAppended(running, () => refresh(first));
    expect(await isAccepted(running, expectTokens(repeatedResponse, ALL_TOKENS).access)).to.equal(true);
    expect((await expectNothingAppended(running, () => refresh(first))).text).to.equal(repeatedResponse.text);
  });

  /** Resolves when the log contains the rotation, before the client can read the response. */
  function waitForRotation(): Promise<void> {
    const { log } = running;
    return new Promise((resolve) => {
      log.subscribe(log.head(), (events) => {
        if (events.some(({ type }) => type === 'AccessTokenIssued')) resolve();
      });
    });
  }

  it('within thirty seconds gets the same response even after a restart', async () => {
    const lostResponse = await refresh(first, { scope: 'read' });
    await running.restart();
    expect((await expectNothingAppended(running, () => refresh(first, { scope: 'read' }))).text).to.equal(
      lostResponse.text,
    );
    expect(await isAccepted(running, String(lostResponse.json?.['access_token']))).to.equal(true);
  });

  it('gets the same response in all concurrent requests', async () => {
    const eventCount = (await running.events()).length;
    const responses = await Promise.all(Array.from({ length: 8 }, () => refresh(first)));
    expect(new Set(responses.map(({ text }) => text)).size).to.equal(1);
    expectTokens(responses[0]!, ALL_TOKENS);
    expect((await running.events()).slice(eventCount).map(({ type }) => type)).to.deep.equal([
      'RefreshTokenRotated',
      'AccessTokenIssued',
    ]);
  });

  it('after thirty seconds counts as reuse, and revokes the whole grant with one event', async () => {
    const second = expectTokens(await refresh(first), ALL_TOKENS);
    running.clock.advance(30);
    await expectReuse(() => refresh(first), first, second);
  });

  it('after its successor has been used counts as reuse, even within thirty seconds', async () => {
    const second = expectTokens(await refresh(first), ALL_TOKENS);
    const third = expectTokens(await refresh(second), ALL_TOKENS);
    await expectReuse(() => refresh(first), first, second, third);
  });

  it('still counts as reuse several refreshes later', async () => {
    let currentTokens = first;
    for (let times = 0; times < 5; times += 1) {
      running.clock.advance(60);
      currentTokens = expectTokens(await refresh(currentTokens), ALL_TOKENS);
    }
    await expectReuse(() => refresh(first), first, currentTokens);
  });

  it('with a different scope than in the lost response is refused, without a revocation', async () => {
    const lostResponse = await refresh(first, { scope: 'read' });
    for (const scope of ['', 'write', 'read write'])
      expectRefusal(await expectNothingAppended(running, () => refresh(first, { scope })), 'invalid_scope');
    expect((await expectNothingAppended(running, () => refresh(first, { scope: 'read' }))).text).to.equal(
      lostResponse.text,
    );
    expect(await isAccepted(running, String(lostResponse.json?.['access_token']))).to.equal(true);
  });

  it('with the same scope in a different order gets the same response', async () => {
    const lostResponse = await refresh(first, { scope: 'read write' });
    expect((await expectNothingAppended(running, () => refresh(first, { scope: 'write read write' }))).text).to.equal(
      lostResponse.text,
    );
  });

  it('does not restore a grant that was revoked within the window', async () => {
    const second = expectTokens(await refresh(first), ALL_TOKENS);
    await running.post('/o/revoke_token/', { token: second.refresh }, { authorization: client.basic });
    expectRefusal(await expectNothingAppended(running, () => refresh(first)), 'invalid_grant');
    expect(await isAccepted(running, second.access)).to.equal(false);
  });

  it('by a different client, or without client authentication, revokes nothing', async () => {
    const second = expectTokens(await refresh(first), ALL_TOKENS);
    running.clock.advance(60);
    const otherClient = await running.addClient();
    const parameters = { grant_type: 'refresh_token', refresh_token: first.refresh };
    expectRefusal(await expectNothingAppended(running, () => running.token(otherClient, parameters)), 'invalid_grant');
    expectRefusal(
      await expectNothingAppended(running, () => running.token({ ...client, basic: 'Basic eDp5' }, parameters)),
      'invalid_client',
    );
    expect(await isAccepted(running, second.access)).to.equal(true);
  });

  it('repeatedly after the revocation adds nothing to the log', async () => {
    await refresh(first);
    running.clock.advance(60);
    await refresh(first);
    for (let times = 0; times < 3; times += 1)
      expectRefusal(await expectNothingAppended(running, () => refresh(first)), 'invalid_grant');
  });

  it('always counts as reuse if the window is zero', async () => {
    await running.close();
    await start({ refreshReuseWindowSeconds: 0 });
    const second = expectTokens(await refresh(first), ALL_TOKENS);
    await expectReuse(() => refresh(first), first, second);
  });
});
