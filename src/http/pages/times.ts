import type { EpochSeconds } from '../../domain/values.ts';

/** A point in time for readers. */
export interface ShownTime {
  /** For the attribute `datetime`. */
  readonly iso: string;
  /** To the second, in UTC and in no particular language, such as "2026-01-31 09:30:00 UTC". */
  readonly exact: string;
  /** Such as "3 weeks ago" or "in 2 hours". */
  readonly relative: string;
  /** Such as "31 January 2026 at 09:30 UTC". For labels that must differ from each other. */
  readonly text: string;
}

/** Created once, because creating a formatter takes longer than rendering a page. */
const DATE_FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const DAY_FORMAT = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const RELATIVE_FORMAT = new Intl.RelativeTimeFormat('en');

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];

export function showTime(at: EpochSeconds, now: EpochSeconds): ShownTime {
  const date = new Date(at * 1000);
  return {
    iso: date.toISOString(),
    exact: exactTime(date),
    relative: relativeTime(at, now),
    // formatted only for the few pages that show it
    get text() {
      return `${DATE_FORMAT.format(date)} UTC`;
    },
  };
}

/** The day (UTC) of a time of which no more is known, such as "today", "yesterday" or "3 days ago". */
export function showDay(at: EpochSeconds, now: EpochSeconds): { readonly iso: string; readonly text: string } {
  const days = Math.floor(at / DAY) - Math.floor(now / DAY);
  return { iso: new Date(at * 1000).toISOString().slice(0, 10), text: DAY_FORMAT.format(Math.min(days, 0), 'day') };
}

/** Such as "2026-01-31 09:30:00 UTC". */
export function exactTime(date: Date): string {
  const iso = date.toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

const WEEK = 7 * DAY;
/** The mean length in the Gregorian calendar. */
const YEAR = 365.2425 * DAY;
const MONTH = YEAR / 12;

/** Each unit is used below the limit, in seconds. A larger unit would hide too much: 13 days are not "a week". */
const UNITS = [
  { unit: 'minute', seconds: MINUTE, below: HOUR },
  { unit: 'hour', seconds: HOUR, below: DAY },
  { unit: 'day', seconds: DAY, below: 2 * WEEK },
  { unit: 'week', seconds: WEEK, below: 2 * MONTH },
  { unit: 'month', seconds: MONTH, below: 2 * YEAR },
  { unit: 'year', seconds: YEAR, below: Infinity },
] as const;

/** Clocks of several nodes differ a little, and what happened is never in the future. */
const CLOCK_DIFFERENCE = 5;

/** In whole units, rounded towards now, so that nothing is said to be older or further away than it is. */
export function relativeTime(at: EpochSeconds, now: EpochSeconds): string {
  const distance = at - now;
  const length = Math.abs(distance);
  if (length < MINUTE) return distance > CLOCK_DIFFERENCE ? 'in less than a minute' : 'just now';
  const { unit, seconds } = UNITS.find(({ below }) => length < below) ?? UNITS[UNITS.length - 1]!;
  return RELATIVE_FORMAT.format(Math.sign(distance) * Math.floor(length / seconds), unit);
}
