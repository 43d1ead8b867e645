import { expect } from 'chai';
import { LogUnavailable, START, type Position, type RecordedEvent } from '../../../src/event-store/event-log.ts';
import { createFeed, type Feed } from '../../../src/event-store/postgres/feed.ts';

describe('the feed of a log in PostgreSQL', () => {
  let delivered: RecordedEvent[];
  let fetched: (events: readonly RecordedEvent[]) => void;
  let feed: Feed;

  beforeEach(() => {
    delivered = [];
    feed = createFeed({
      from: START,
      fetch: () => new Promise((resolve) => (fetched = resolve)),
      deliver: (events) => delivered.push(...events),
      onFailed: (cause) => feed.fail(new LogUnavailable('the log has failed', { cause })),
    });
  });

  it('delivers neither own nor fetched events after it has failed', async () => {
    feed.extend(1 as Position);
    feed.fail(new LogUnavailable('the log is closed'));
    fetched([eventAt(1)]);
    await new Promise(setImmediate);
    feed.offer([eventAt(1)]);
    expect(delivered).to.deep.equal([]);
  });

  it('delivers nothing after a listener has thrown', async () => {
    const failing: Feed = createFeed({
      from: START,
      fetch: () => expect.fail(),
      deliver(events) {
        delivered.push(...events);
        throw new Error('the projection is wrong');
      },
      onFailed: (cause) => failing.fail(new LogUnavailable('the log has failed', { cause })),
    });
    failing.offer([eventAt(1)]);
    failing.offer([eventAt(2)]);
    expect(delivered).to.deep.equal([eventAt(1)]);
  });
});

function eventAt(position: number): RecordedEvent {
  return { position } as unknown as RecordedEvent;
}
