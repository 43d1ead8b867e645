import { message } from '../../../language/message.ts';
import { createLocalTimes } from '../../../language/local-times.ts';
import { resolveTimeZone } from '../../../language/moments.ts';
import { unreadableQueryError } from '../../pipeline/query.ts';

/** The instant that a local time stands for, if clocks were set back and showed it twice. */
type Occurrence = 'first' | 'last';

/**
 * Reads the times in a form. Its fields have no zone, so the form sends the reader's zone in `time_zone`. If it is
 * missing, as in a hand-written URL, times are in UTC.
 */
export interface EnteredTimes {
  /**
   * Returns the time in UTC, as ISO 8601. Returns the text unchanged if the form sent no zone, or if the text is not a
   * valid local time.
   */
  inUtc(text: string, occurrence: Occurrence): string;
  /**
   * Like `inUtc` with the last occurrence, but moves a converted time without a fraction to the end of its second. Rows
   * show seconds, so the state at the time of a row must include its event.
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
