import { expect } from 'chai';
import { createScopeUseFinder } from '../../src/operations/scope-use.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const DAY_SECONDS = 86_400;

describe('The use of a scope', () => {
  let running: RunningService;
  let engine: TestClient;
  /** The positions after which the log was read. */
  let reads: number[];

  beforeEach(async () => {
    running = await runningService();
    engine = await running.addClient({ name: 'Engine' });
    reads = [];
  });
  afterEach(() => running.close());

  function search(limit?: number) {
    return createScopeUseFinder({
      log: {
        head: () => running.log.head(),
        readAll: (after, ...rest) => {
          reads.push(after);
          return running.log.readAll(after, ...rest);
        },
      },
      nameOf: (clientId) => `name of ${clientId}`,
      now: () => running.clock.now(),
      ...(limit !== undefined && { limit }),
    });
  }
  const issue = (scope: string, client = engine) => running.token(client, { grant_type: 'client_credentials', scope });

  it('counts the tokens with the scope that each application got in the last month, most tokens first', async () => {
    const other = await running.addClient({ name: 'Other' });
    await issue('read');
    running.clock.advance(31 * DAY_SECONDS);
    await issue('write', other);
    await issue('read write');
    await issue('read', other);
    await issue('read', other);
    const { applications, since } = await search()('read');
    expect(applications).to.deep.equal([
      { clientId: other.id, application: `name of ${other.id}`, tokens: 2 },
      { clientId: engine.id, application: `name of ${engine.id}`, tokens: 1 },
    ]);
    expect(since).to.equal(running.clock.now() - 30 * DAY_SECONDS * 1000);
  });

  it('is found by reading each event once, regardless of the scopes that are searched for', async () => {
    const useOf = search();
    await issue('read');
    const before = running.log.head();
    await useOf('read');
    await issue('read write');
    const [read, write] = await Promise.all([useOf('read'), useOf('write')]);
    expect([read, write].map(({ applications }) => applications[0]?.tokens)).to.deep.equal([2, 1]);
    expect(reads).to.deep.equal([0, before, running.log.head()]);
  });

  it('is limited to the newest events, and reports when they begin', async () => {
    await issue('read');
    running.clock.advance(DAY_SECONDS);
    const firstRead = running.clock.now();
    await issue('read');
    const newest = (await running.events()).at(-1)?.position ?? 0;
    running.clock.advance(DAY_SECONDS);
    await issue('read');
    const useOf = search(running.log.head() - newest + 1);
    expect(await useOf('read')).to.deep.include({ since: firstRead });
    expect((await useOf('read')).applications[0]?.tokens).to.equal(2);
  });

  it('keeps no more tokens than the limit, and no token for more than a month', async () => {
    const useOf = search(2);
    for (let count = 0; count < 3; count += 1) {
      running.clock.advance(1);
      await issue('read');
      await useOf('read');
    }
    expect((await useOf('read')).applications[0]?.tokens).to.be.at.most(2);
    running.clock.advance(31 * DAY_SECONDS);
    expect((await useOf('read')).applications).to.deep.equal([]);
  });
});
