import { expect } from 'chai';
import type { EventLog, RecordedEvent, StreamName, StreamRevision } from '../../src/event-store/event-log.ts';

type Pages = AsyncIterable<readonly RecordedEvent[]>;

/**
 * The maximum number of events per page if each append has few events, so that a read does not delay other requests.
 */
const PAGE_LIMIT = 128;

/** Reads a stream to its end, and returns its events and the revision to expect when appending to it. */
export async function readWholeStream(
  log: Pick<EventLog, 'readStream'>,
  stream: StreamName,
): Promise<{ readonly events: readonly RecordedEvent[]; readonly revision: StreamRevision }> {
  const events = await readPages(log.readStream(stream));
  return { events, revision: events.at(-1)?.revision ?? 'no-stream' };
}

/** Reads the stream in both directions, from its ends and from some events inside it, and expects exactly `events`. */
export async function expectStream(
  log: Pick<EventLog, 'readStream' | 'readStreamBackwards'>,
  stream: StreamName,
  events: readonly RecordedEvent[],
  label = stream,
): Promise<void> {
  expect(await readPages(log.readStream(stream)), label).to.deep.equal(events);
  expect(await readPages(log.readStreamBackwards(stream)), `${label}, backwards`).to.deep.equal(events.toReversed());
  const sampleIndexes = new Set([0, 1, Math.floor(events.length / 2), events.length - 1]);
  for (const [index, { revision, position }] of events.entries()) {
    if (!sampleIndexes.has(index)) continue;
    const forwardEvents = await readPages(log.readStream(stream, { revision, position }));
    const backwardEvents = await readPages(log.readStreamBackwards(stream, { revision, position }));
    expect(forwardEvents, `${label} from ${revision}`).to.deep.equal(events.slice(index));
    expect(backwardEvents, `${label} backwards from ${revision}`).to.deep.equal(
      events.slice(0, index + 1).toReversed(),
    );
  }
}

/** Reads all pages into one list. Fails if a page is empty or has more than `limit` events. */
export async function readPages(pages: Pages, limit = Infinity): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const page of pages) {
    expect(page.length).to.be.within(1, limit);
    events.push(...page);
  }
  return events;
}

export const readShortPages = (pages: Pages): Promise<readonly RecordedEvent[]> => readPages(pages, PAGE_LIMIT);
