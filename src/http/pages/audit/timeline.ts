import { START, type EventLog, type Position } from '../../../event-store/event-log.ts';
import { createEventPredicate, type EventCriteria } from '../../../audit/queries/event-filter.ts';
import { searchEvents, type SearchResult } from '../../../audit/queries/event-search.ts';
import { createNameLookup } from '../../../audit/queries/sentence-parts.ts';
import { createPartyLookup, formatEventRows, type EventRow, type EventRowsDeps } from './event-rows.ts';
import type { Moment } from '../times.ts';
import { toMoment } from './moments.ts';

export interface TimelineDeps extends EventRowsDeps {
  readonly log: Pick<EventLog, 'head' | 'readAll' | 'readBackwards' | 'readStream'>;
}

/** The start of a page of events: after `after` going forward, or at `from` or the newest event going back. */
export interface PageStart {
  readonly from: number | undefined;
  readonly after: number | undefined;
}

/** A page of events, newest first. */
export interface TimelinePage {
  readonly rows: readonly EventRow[];
  /** The query fields for the page of older events; null on the last page. */
  readonly older: { readonly from: number } | null;
  /** The query fields for the page of newer events; null on the first page. */
  readonly newer: { readonly after: number } | null;
  /** The last event that a truncated search examined; null if the search was not truncated. */
  readonly stopped: { readonly position: number; readonly at: Moment; readonly direction: 'older' | 'newer' } | null;
}

const ROWS_PER_PAGE = 50;

/** Reads a page of the events that match the criteria. If the search takes too long, the page has fewer rows. */
export async function readTimelinePage(
  criteria: EventCriteria,
  { from, after }: PageStart,
  deps: TimelineDeps,
): Promise<TimelinePage> {
  const { log } = deps;
  const findParties = createPartyLookup(deps);
  const isMatch = createEventPredicate(criteria, findParties);
  const toRows = (events: SearchResult['events']): Promise<readonly EventRow[]> =>
    formatEventRows(events, findParties, createNameLookup(deps));
  if (after !== undefined) {
    const result = await searchEvents(log.readAll(after as Position), isMatch, ROWS_PER_PAGE);
    return {
      rows: await toRows(result.events.toReversed()),
      older: after > START ? { from: after } : null,
      newer: result.next === undefined || result.last === undefined ? null : { after: result.last.position },
      stopped: stoppedAt(result, 'newer'),
    };
  }
  const result = await searchEvents(log.readBackwards((from ?? log.head()) as Position), isMatch, ROWS_PER_PAGE);
  return {
    rows: await toRows(result.events),
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
