import { expect } from 'chai';
import { mock } from 'node:test';
import { START } from '../../../src/event-store/event-log.ts';
import { LogUnreachable } from '../../../src/event-store/log-unreachable.ts';
import { createFeed } from '../../../src/event-store/postgres/feed.ts';
import { createTail } from '../../../src/event-store/postgres/tail.ts';

describe('following a log in PostgreSQL', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('gives up a catch-up after three seconds if the database does not respond', async () => {
    const feed = createFeed({ from: START, fetch: async () => [], deliver() {}, onFailure() {} });
    const tail = createTail({
      open: () => new Promise(() => {}),
      attach: async () => {},
      feed: () => feed,
      lastRecord: () => undefined,
      archive: { firstBatch: async () => [] },
      onFailure() {},
    });
    const outcome = tail.catchUp().catch((error: unknown) => error);
    await Promise.resolve();
    mock.timers.tick(3_000);
    expect(await Promise.race([outcome, new Promise(setImmediate)])).to.be.instanceOf(LogUnreachable);
  });
});
