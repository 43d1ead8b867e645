import { START, type EventLog, type Position } from '../../../event-store/event-log.ts';
import { createEventPredicate, type EventCriteria } from '../../../audit/queries/event-filter.ts';
import { searchEvents, type SearchResult } from '../../../audit/queries/event-search.ts';
import { createNameLookup } from '../../../audit/queries/sentence-parts.ts';
import { eventRows, createPartyLookup, type EventRow, type EventRowsDeps } from './event-rows.ts';
import type { Moment } from '../times.ts';
import { toMoment } from './moments.ts';

export interface TimelineDeps extends EventRowsDeps {
  readonly log: Pick<EventLog, 'head' | 'readAll' | 'readBackwards' | 'readStream'>;
}

/** Where a page of events starts: at `from` going back, after `after` going forward, or else at the newest event. */
export interface PageStart {
  readonly from: number | undefined;
  readonly after: number | undefined;
}

/** A page of events, newest first. */
export interface TimelinePage {
  readonly rows: readonly EventRow[];
  /** The query fields of the adjacent pages, if any. */
  readonly older: { readonly from: number } | null;
  readonly newer: { readonly after: number } | null;
  /** The event where a long search paused, or null if it did not. */
  readonly stopped: { readonly position: number; readonly at: Moment; readonly direction: 'older' | 'newer' } | null;
}

const ROWS_PER_PAGE = 50;

/** Returns a page of the events that match the criteria, or fewer of them if the search would take too long. */
export async function timelinePage(
  criteria: EventCriteria,
  { from, after }: PageStart,
  deps: TimelineDeps,
): Promise<TimelinePage> {
  const { log } = deps;
  const partiesOf = createPartyLookup(deps);
  const isMatch = createEventPredicate(criteria, partiesOf);
  const rowsOf = (events: SearchResult['events']): Promise<readonly EventRow[]> =>
    eventRows(events, partiesOf, createNameLookup(deps));
  if (after !== undefined) {
    const result = await searchEvents(log.readAll(after as Position), isMatch, ROWS_PER_PAGE);
    return {
      rows: await rowsOf(result.events.toReversed()),
      older: after > START ? { from: after } : null,
      newer: result.next === undefined || result.last === undefined ? null : { after: result.last.position },
      stopped: stoppedAt(result, 'newer'),
    };
  }
  const result = await searchEvents(log.readBackwards((from ?? log.head()) as Position), isMatch, ROWS_PER_PAGE);
  return {
    rows: await rowsOf(result.events),
    older: result.next === undefined ? null : { from: result.next },
    newer: result.first === undefined || result.first.position === log.head() ? null : { after: result.first.position },
    stopped: stoppedAt(result, 'older'),
  };
}

function stoppedAt({ isTruncated, last }: SearchResult, direction: 'older' | 'newer'): TimelinePage['stopped'] {
  return isTruncated && last !== undefined
    ? { position: last.position, at: toMoment(last.recordedAt), direction }
    : null;
}
