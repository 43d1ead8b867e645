import { expect } from 'chai';
import { LogUnavailable, START, type Position, type RecordedEvent } from '../../../src/event-store/event-log.ts';
import { createFeed, type Feed } from '../../../src/event-store/postgres/feed.ts';

describe('the feed of a log in PostgreSQL', () => {
  let deliveredEvents: RecordedEvent[];
  let resolveFetch: (events: readonly RecordedEvent[]) => void;
  let feed: Feed;

  beforeEach(() => {
    deliveredEvents = [];
    feed = createFeed({
      from: START,
      fetch: () => new Promise((resolve) => (resolveFetch = resolve)),
      deliver: (events) => deliveredEvents.push(...events),
      onFailure: (cause) => feed.fail(new LogUnavailable('the log has failed', { cause })),
    });
  });

  it('delivers neither its own nor fetched events after it has failed', async () => {
    feed.extend(1 as Position);
    feed.fail(new LogUnavailable('the log is closed'));
    resolveFetch([eventAt(1)]);
    await new Promise(setImmediate);
    feed.offer([eventAt(1)]);
    expect(deliveredEvents).to.deep.equal([]);
  });

  it('delivers nothing after a listener has thrown', async () => {
    const failingFeed: Feed = createFeed({
      from: START,
      fetch: () => expect.fail(),
      deliver(events) {
        deliveredEvents.push(...events);
        throw new Error('the projection is wrong');
      },
      onFailure: (cause) => failingFeed.fail(new LogUnavailable('the log has failed', { cause })),
    });
    failingFeed.offer([eventAt(1)]);
    failingFeed.offer([eventAt(2)]);
    expect(deliveredEvents).to.deep.equal([eventAt(1)]);
  });
});

function eventAt(position: number): RecordedEvent {
  return { position } as unknown as RecordedEvent;
}
