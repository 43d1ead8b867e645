import { expect } from 'chai';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import { expectTokens, isAccepted } from '../support/protocol-responses.ts';
import { REDIRECT_URI, runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const WINDOW = 30;
const LIFETIME = 36_000;
const HOUR = 3_600;
const ALL = { scope: 'read write groups', refresh: true };

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

describe('an access token whose refresh token was used', () => {
  let running: RunningService;
  let client: TestClient;
  let first: Tokens;

  async function start(settings = {}, clientOptions = {}): Promise<void> {
    running = await runningService({ settings });
    client = await running.addClient(clientOptions);
    first = expectTokens(await running.token(client, { grant_type: 'password', ...(await running.addUser()) }), ALL);
  }
  beforeEach(() => start());
  afterEach(() => running.close());

  const refresh = async ({ refresh: refresh_token }: Tokens): Promise<Tokens> =>
    expectTokens(await running.token(client, { grant_type: 'refresh_token', refresh_token }), ALL);
  const introspect = async (token: string): Promise<Readonly<Record<string, unknown>> | undefined> =>
    (await running.post('/o/introspect/', { token }, { authorization: client.basic })).json;
  const now = (): number => Math.floor(running.clock.now() / 1000);
  const size = (): number => running.service().projections.accessTokens.size();

  async function expectEnd(retired: Tokens, successor: Tokens, inSeconds: number): Promise<void> {
    if (inSeconds > 0) {
      running.clock.advance(inSeconds - 1);
      expect(await isAccepted(running, retired.access), 'in the last second').to.equal(true);
      expect(await introspect(retired.access)).to.include({ active: true, exp: now() + 1 });
      running.clock.advance(1);
    }
    expect(await isAccepted(running, retired.access), 'after the end').to.equal(false);
    expect(await introspect(retired.access)).to.deep.equal({ active: false });
    expect(await isAccepted(running, successor.access), 'the new token').to.equal(true);
    expect(await introspect(successor.access)).to.include({ active: true, exp: now() - inSeconds + LIFETIME });
  }

  it('stays valid exactly until the retry window ends', async () => {
    running.clock.advance(100);
    await expectEnd(first, await refresh(first), WINDOW);
  });

  it('ends with the window even if another refresh issued it', async () => {
    const second = await refresh(first);
    const third = await refresh(second);
    await expectEnd(second, third, WINDOW);
    expect(await isAccepted(running, first.access)).to.equal(false);
  });

  it('ends with the window even if it was issued for a code', async () => {
    const code = await running.authorize(client, await running.addUser(), { scope: 'read write groups' });
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    const redeemed = expectTokens(await running.token(client, exchange), ALL);
    await expectEnd(redeemed, await refresh(redeemed), WINDOW);
  });

  it('ends with the window at this server even if it is a JWT', async () => {
    await running.close();
    await start({}, { accessTokenFormat: 'jwt' });
    await expectEnd(first, await refresh(first), WINDOW);
  });

  it('ends immediately if the window is zero', async () => {
    await running.close();
    await start({ refreshReuseWindowSeconds: 0 });
    await expectEnd(first, await refresh(first), 0);
  });

  it('ends at its own expiry if that is sooner', async () => {
    running.clock.advance(LIFETIME - 10);
    await refresh(first);
    expect(await introspect(first.access)).to.include({ active: true, exp: now() + 10 });
    running.clock.advance(10);
    expect(await introspect(first.access)).to.deep.equal({ active: false });
  });

  it('is not extended when a lost response is repeated', async () => {
    const second = await refresh(first);
    running.clock.advance(20);
    expect(await refresh(first)).to.deep.equal(second);
    running.clock.advance(WINDOW - 20 - 1);
    expect(await isAccepted(running, first.access)).to.equal(true);
    running.clock.advance(1);
    expect(await isAccepted(running, first.access)).to.equal(false);
  });

  it('ends with the original window even after a restart and a change of the window', async () => {
    const log = createMemoryLog();
    await running.close();
    running = await runningService({ log });
    client = await running.addClient();
    first = expectTokens(await running.token(client, { grant_type: 'password', ...(await running.addUser()) }), ALL);
    const second = await refresh(first);
    const { keys, config } = running.service();
    const settings = { refreshReuseWindowSeconds: 600 };
    const laterServer = await runningService({ log, keys, startsAt: running.clock.now(), settings });
    const areAccepted = () => Promise.all([first, second].map(({ access }) => isAccepted(laterServer, access)));
    expect(laterServer.service().config.refreshReuseWindowSeconds).not.to.equal(config.refreshReuseWindowSeconds);
    laterServer.clock.advance(WINDOW - 1);
    expect(await areAccepted()).to.deep.equal([true, true]);
    laterServer.clock.advance(1);
    expect(await areAccepted()).to.deep.equal([false, true]);
    await laterServer.close();
  });

  it('is reported with the new expiry until the window ends', async () => {
    const issuedAt = now();
    running.clock.advance(100);
    await refresh(first);
    const refreshedAt = running.clock.now();
    running.clock.advance(HOUR);
    const liveAt = async (time: number): Promise<readonly number[]> => {
      const { projections } = await running.service().projectionsAsOf({ position: Infinity, time });
      return [...projections.accessTokens.live(time / 1000)].map(({ expiresAt }) => expiresAt - issuedAt);
    };
    expect(await liveAt(refreshedAt - 1_000)).to.deep.equal([LIFETIME]);
    expect(await liveAt(refreshedAt + 1_000)).to.have.members([100 + WINDOW, 100 + LIFETIME]);
    expect(await liveAt(refreshedAt + WINDOW * 1_000)).to.deep.equal([100 + LIFETIME]);
  });

  it('uses no memory an hour after its end, for any number of refreshes', async () => {
    for (const [secondsBetween, refreshes, maxSize] of [
      [HOUR, 40, 3],
      [60, 400, 122],
    ] as const) {
      let current = first;
      for (let nth = 0; nth < refreshes; nth += 1) {
        running.clock.advance(secondsBetween);
        current = await refresh(current);
        expect(size(), `${nth} refreshes, ${secondsBetween} s apart`).to.be.at.most(maxSize);
      }
      first = current;
    }
  });
});
