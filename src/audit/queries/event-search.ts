import type { Position, RecordedEvent } from '../../event-store/event-log.ts';
import type { EventPredicate } from './event-filter.ts';

/** What one request may cost: one for each event that is looked at, more for each that has to be looked up elsewhere. */
const MAX_EFFORT = 20_000;
const LOOKUP_EFFORT = 100;

export interface SearchResult {
  /** Those that are wanted, in the order in which they were read. */
  readonly events: readonly RecordedEvent[];
  /** The first and the last event that were looked at; undefined when there was none. */
  readonly first: RecordedEvent | undefined;
  readonly last: RecordedEvent | undefined;
  /** Where the search ended before its end did: the next event to be looked at. */
  readonly next: Position | undefined;
  /** Whether it ended because it was long, and not because it found as many as it should. */
  readonly isTruncated: boolean;
}

/** The first `limit` wanted events of `batches`, or as many as are among those that can be looked at in one request. */
export async function searchEvents(
  batches: AsyncIterable<readonly RecordedEvent[]>,
  isWanted: EventPredicate,
  limit: number,
): Promise<SearchResult> {
  const events: RecordedEvent[] = [];
  let first: RecordedEvent | undefined;
  let last: RecordedEvent | undefined;
  let effort = 0;
  for await (const batch of batches) {
    for (const event of batch) {
      const isCutShort = effort >= MAX_EFFORT;
      if (isCutShort || events.length >= limit)
        return { events, first, last, next: event.position, isTruncated: isCutShort };
      const answer = isWanted(event);
      effort += typeof answer === 'boolean' ? 1 : LOOKUP_EFFORT;
      if (typeof answer === 'boolean' ? answer : await answer) events.push(event);
      first ??= event;
      last = event;
    }
  }
  return { events, first, last, next: undefined, isTruncated: false };
}
