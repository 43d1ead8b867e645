import { resolveTimeZone } from '../../language/moments.ts';
import type { RequestContext } from './state.ts';

/** The reader's time zone. */
export interface ReaderTimeZone {
  /** The name in the IANA time zone database. */
  readonly name: string;
  /** Whether the reader chose this time zone in the profile. Otherwise, the browser reported it. */
  readonly isChosen: boolean;
}

/**
 * Returns the time zone in the reader's profile or, failing that, the browser's time zone, which `static/times.js`
 * writes to a cookie. Returns null if neither is known. The cookie is not signed: a forged one can only change how
 * times are shown.
 */
export function readerTimeZone({ cookies }: Pick<RequestContext, 'cookies'>, zoneinfo = ''): ReaderTimeZone | null {
  const chosenZone = resolveTimeZone(zoneinfo);
  if (chosenZone !== undefined) return { name: chosenZone, isChosen: true };
  const name = resolveTimeZone(cookies.get(cookies.secure ? '__Host-grantlog-time-zone' : 'grantlog-time-zone') ?? '');
  return name === undefined ? null : { name, isChosen: false };
}
