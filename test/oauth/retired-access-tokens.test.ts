import { expect } from 'chai';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import { expectTokens, isAccepted } from '../support/protocol-responses.ts';
import { REDIRECT_URI, runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const WINDOW = 30;
const LIFETIME = 36_000;
const HOUR = 3_600;
const FULL_RESPONSE = { scope: 'read write groups', refresh: true };

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

describe('an access token whose refresh token was used', () => {
  let running: RunningService;
  let client: TestClient;
  let firstTokens: Tokens;

  async function start(settings = {}, clientOptions = {}): Promise<void> {
    running = await runningService({ settings });
    client = await running.addClient(clientOptions);
    firstTokens = expectTokens(
      await running.token(client, { grant_type: 'password', ...(await running.addUser()) }),
      FULL_RESPONSE,
    );
  }
  beforeEach(() => start());
  afterEach(() => running.close());

  const refresh = async ({ refresh: refresh_token }: Tokens): Promise<Tokens> =>
    expectTokens(await running.token(client, { grant_type: 'refresh_token', refresh_token }), FULL_RESPONSE);
  const introspect = async (token: string): Promise<Readonly<Record<string, unknown>> | undefined> =>
    (await running.post('/o/introspect/', { token }, { authorization: client.basic })).json;
  const now = (): number => Math.floor(running.clock.now() / 1000);
  const tokenCount = (): number => running.service().projections.accessTokens.size();

  async function expectExpiry(retiredTokens: Tokens, newTokens: Tokens, seconds: number): Promise<void> {
    if (seconds > 0) {
      running.clock.advance(seconds - 1);
      expect(await isAccepted(running, retiredTokens.access), 'in the last second').to.equal(true);
      expect(await introspect(retiredTokens.access)).to.include({ active: true, exp: now() + 1 });
      running.clock.advance(1);
    }
    expect(await isAccepted(running, retiredTokens.access), 'after the expiry').to.equal(false);
    expect(await introspect(retiredTokens.access)).to.deep.equal({ active: false });
    expect(await isAccepted(running, newTokens.access), 'the new token').to.equal(true);
    expect(await introspect(newTokens.access)).to.include({ active: true, exp: now() - seconds + LIFETIME });
  }

  it('stays valid exactly until the retry window ends', async () => {
    running.clock.advance(100);
    await expectExpiry(firstTokens, await refresh(firstTokens), WINDOW);
  });

  it('expires with the window even if another refresh issued it', async () => {
    const secondTokens = await refresh(firstTokens);
    const thirdTokens = await refresh(secondTokens);
    await expectExpiry(secondTokens, thirdTokens, WINDOW);
    expect(await isAccepted(running, firstTokens.access)).to.equal(false);
  });

  it('expires with the window even if it was issued for a code', async () => {
    const code = await running.authorize(client, await running.addUser(), { scope: 'read write groups' });
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    const codeTokens = expectTokens(await running.token(client, exchange), FULL_RESPONSE);
    await expectExpiry(codeTokens, await refresh(codeTokens), WINDOW);
  });

  it('expires with the window at this server even if it is a JWT', async () => {
    await running.close();
    await start({}, { accessTokenFormat: 'jwt' });
    await expectExpiry(firstTokens, await refresh(firstTokens), WINDOW);
  });

  it('expires immediately if the window is zero', async () => {
    await running.close();
    await start({ refreshReuseWindowSeconds: 0 });
    await expectExpiry(firstTokens, await refresh(firstTokens), 0);
  });

  it('keeps its own expiry if that is sooner', async () => {
    running.clock.advance(LIFETIME - 10);
    await refresh(firstTokens);
    expect(await introspect(firstTokens.access)).to.include({ active: true, exp: now() + 10 });
    running.clock.advance(10);
    expect(await introspect(firstTokens.access)).to.deep.equal({ active: false });
  });

  it('is not extended when a lost response is repeated', async () => {
    const secondTokens = await refresh(firstTokens);
    running.clock.advance(20);
    expect(await refresh(firstTokens)).to.deep.equal(secondTokens);
    running.clock.advance(WINDOW - 20 - 1);
    expect(await isAccepted(running, firstTokens.access)).to.equal(true);
    running.clock.advance(1);
    expect(await isAccepted(running, firstTokens.access)).to.equal(false);
  });

  it('expires with the original window even after a restart and a change to the window', async () => {
    const log = createMemoryLog();
    await running.close();
    running = await runningService({ log });
    client = await running.addClient();
    firstTokens = expectTokens(
      await running.token(client, { grant_type: 'password', ...(await running.addUser()) }),
      FULL_RESPONSE,
    );
    const secondTokens = await refresh(firstTokens);
    const { keys, config } = running.service();
    const settings = { refreshReuseWindowSeconds: 600 };
    const laterServer = await runningService({ log, keys, startsAt: running.clock.now(), settings });
    const areAccepted = () =>
      Promise.all([firstTokens, secondTokens].map(({ access }) => isAccepted(laterServer, access)));
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
    await refresh(firstTokens);
    const refreshedAt = running.clock.now();
    running.clock.advance(HOUR);
    const liveLifetimesAt = async (time: number): Promise<readonly number[]> => {
      const { projections } = await running.service().projectionsAsOf({ position: Infinity, time });
      return [...projections.accessTokens.live(time / 1000)].map(({ expiresAt }) => expiresAt - issuedAt);
    };
    expect(await liveLifetimesAt(refreshedAt - 1_000)).to.deep.equal([LIFETIME]);
    expect(await liveLifetimesAt(refreshedAt + 1_000)).to.have.members([100 + WINDOW, 100 + LIFETIME]);
    expect(await liveLifetimesAt(refreshedAt + WINDOW * 1_000)).to.deep.equal([100 + LIFETIME]);
  });

  it('uses no memory an hour after its expiry, for any number of refreshes', async () => {
    for (const [secondsBetween, refreshes, maxSize] of [
      [HOUR, 40, 3],
      [60, 400, 122],
    ] as const) {
      let currentTokens = firstTokens;
      for (let nth = 0; nth < refreshes; nth += 1) {
        running.clock.advance(secondsBetween);
        currentTokens = await refresh(currentTokens);
        expect(tokenCount(), `${nth} refreshes, ${secondsBetween} s apart`).to.be.at.most(maxSize);
      }
      firstTokens = currentTokens;
    }
  });
});
