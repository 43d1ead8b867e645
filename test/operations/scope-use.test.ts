import { expect } from 'chai';
import { createScopeUseFinder } from '../../src/operations/scope-use.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const DAY_SECONDS = 86_400;

describe('The use of a scope', () => {
  let running: RunningService;
  let engine: TestClient;
  /** The positions after which the log was read. */
  let readPositions: number[];

  beforeEach(async () => {
    running = await runningService();
    engine = await running.addClient({ name: 'Engine' });
    readPositions = [];
  });
  afterEach(() => running.close());

  function createFinder(limit?: number) {
    return createScopeUseFinder({
      log: {
        head: () => running.log.head(),
        readAll: (after, ...rest) => {
          readPositions.push(after);
          return running.log.readAll(after, ...rest);
        },
      },
      nameOf: (clientId) => `name of ${clientId}`,
      now: () => running.clock.now(),
      ...(limit !== undefined && { limit }),
    });
  }
  const requestToken = (scope: string, client = engine) =>
    running.token(client, { grant_type: 'client_credentials', scope });

  it('counts the tokens with the scope that each application got in the last month, in descending order', async () => {
    const otherClient = await running.addClient({ name: 'Other' });
    await requestToken('read');
    running.clock.advance(31 * DAY_SECONDS);
    await requestToken('write', otherClient);
    await requestToken('read write');
    await requestToken('read', otherClient);
    await requestToken('read', otherClient);
    const { applications, since } = await createFinder()('read');
    expect(applications).to.deep.equal([
      { clientId: otherClient.id, application: `name of ${otherClient.id}`, tokens: 2 },
      { clientId: engine.id, application: `name of ${engine.id}`, tokens: 1 },
    ]);
    expect(since).to.equal(running.clock.now() - 30 * DAY_SECONDS * 1000);
  });

  it('is found by reading each event once, regardless of the scopes that are searched for', async () => {
    const findUse = createFinder();
    await requestToken('read');
    const firstHead = running.log.head();
    await findUse('read');
    await requestToken('read write');
    const [readUse, writeUse] = await Promise.all([findUse('read'), findUse('write')]);
    expect([readUse, writeUse].map(({ applications }) => applications[0]?.tokens)).to.deep.equal([2, 1]);
    expect(readPositions).to.deep.equal([0, firstHead, running.log.head()]);
  });

  it('is limited to the newest events, and states the time of the oldest one', async () => {
    await requestToken('read');
    running.clock.advance(DAY_SECONDS);
    const since = running.clock.now();
    await requestToken('read');
    const newestPosition = (await running.events()).at(-1)?.position ?? 0;
    running.clock.advance(DAY_SECONDS);
    await requestToken('read');
    const findUse = createFinder(running.log.head() - newestPosition + 1);
    expect(await findUse('read')).to.deep.include({ since });
    expect((await findUse('read')).applications[0]?.tokens).to.equal(2);
  });

  it('keeps no more tokens than the limit, and no token for more than a month', async () => {
    const findUse = createFinder(2);
    for (let count = 0; count < 3; count += 1) {
      running.clock.advance(1);
      await requestToken('read');
      await findUse('read');
    }
    expect((await findUse('read')).applications[0]?.tokens).to.be.at.most(2);
    running.clock.advance(31 * DAY_SECONDS);
    expect((await findUse('read')).applications).to.deep.equal([]);
  });
});
