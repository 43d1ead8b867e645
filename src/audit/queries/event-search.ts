import type { Position, RecordedEvent } from '../../event-store/event-log.ts';
import type { EventPredicate } from './event-filter.ts';

/** The effort limit per request: each examined event costs 1, or `LOOKUP_EFFORT` if it needs a lookup. */
const MAX_EFFORT = 20_000;
const LOOKUP_EFFORT = 100;

export interface SearchResult {
  /** The matching events, in the order they were read. */
  readonly events: readonly RecordedEvent[];
  /** The first examined event, or undefined if no event was examined. */
  readonly first: RecordedEvent | undefined;
  /** The last examined event, or undefined if no event was examined. */
  readonly last: RecordedEvent | undefined;
  /** Where to continue: the next event to examine, or undefined if the search has reached its end. */
  readonly next: Position | undefined;
  /** Whether the search stopped because of the effort limit rather than the number of results. */
  readonly isTruncated: boolean;
}

/** Finds the first `limit` matching events of `batches`, or fewer if more would exceed the effort limit. */
export async function searchEvents(
  batches: AsyncIterable<readonly RecordedEvent[]>,
  matches: EventPredicate,
  limit: number,
): Promise<SearchResult> {
  const events: RecordedEvent[] = [];
  let first: RecordedEvent | undefined;
  let last: RecordedEvent | undefined;
  let effort = 0;
  for await (const batch of batches) {
    for (const event of batch) {
      const isTruncated = effort >= MAX_EFFORT;
      if (isTruncated || events.length >= limit) return { events, first, last, next: event.position, isTruncated };
      const result = matches(event);
      effort += typeof result === 'boolean' ? 1 : LOOKUP_EFFORT;
      if (typeof result === 'boolean' ? result : await result) events.push(event);
      first ??= event;
      last = event;
    }
  }
  return { events, first, last, next: undefined, isTruncated: false };
}
