import { message } from '../../../language/message.ts';
import { createLocalTimes } from '../../../language/local-times.ts';
import { resolveTimeZone } from '../../../language/moments.ts';
import { unreadableQueryError } from '../../pipeline/query.ts';

/** The instant to choose if clocks were set back and showed a local time twice. */
type Occurrence = 'first' | 'last';

/**
 * Converts the times that a reader entered in a form. The fields contain local times, so the form sends the reader's
 * time zone in `time_zone`. Without `time_zone`, as in a hand-written URL, the times are in UTC.
 */
export interface EnteredTimes {
  /**
   * Returns the time in UTC, as ISO 8601. Returns the text unchanged if the form sent no zone, or if the text is not a
   * valid local time.
   */
  inUtc(text: string, occurrence: Occurrence): string;
  /**
   * Returns the last occurrence of the time, like `inUtc`, but moves a converted whole second to the end of the second.
   * Pages show times to the second, so the state at a shown time must include the events of the whole second.
   */
  endOfSecond(text: string): string;
}

/** @throws PageError 400 if the time zone is unknown */
export function createEnteredTimes(zoneName: string | undefined): EnteredTimes {
  const zone = zoneName === undefined ? undefined : resolveTimeZone(zoneName);
  if (zone === undefined && zoneName !== undefined)
    throw unreadableQueryError(message('filters.unknown-zone', { zone: zoneName }));
  const inUtc = (text: string, occurrence: Occurrence): string => {
    const instants = zone === undefined || text === '' ? undefined : createLocalTimes(zone).instants(text);
    return instants === undefined ? text : new Date(instants[occurrence]).toISOString();
  };
  return {
    inUtc,
    endOfSecond(text) {
      const time = inUtc(text, 'last');
      return time === text ? text : time.replace(/\.000Z$/, '.999Z');
    },
  };
}
