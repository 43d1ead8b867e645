import type { EpochSeconds } from '../../domain/values.ts';
import { LOCALES } from '../../language/languages.ts';
import { createLocalTimes } from '../../language/local-times.ts';
import type { Translator } from '../../language/translator.ts';

/** A point in time, formatted for display. */
export interface FormattedTime {
  /** The value of the `datetime` attribute. */
  readonly iso: string;
  /** The time to the second, the same in every language, such as "2026-01-31 09:30:00 UTC". */
  readonly exact: string;
  /** The distance from now, such as "3 weeks ago" or "in 2 hours". */
  readonly relative: string;
  /** The date and time, such as "31 January 2026 at 09:30 UTC". Used for labels that must differ from each other. */
  readonly text: string;
  /** The period from this time to now, such as "in the last 30 days". */
  readonly period: string;
}

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];

/** An instant for a `<time>` element, to the second, because auditors compare seconds. */
export interface Moment {
  readonly iso: string;
  /** In UTC. */
  readonly text: string;
}

/** A day in UTC, such as "today" or "3 days ago", for times that are known only to the day. */
export interface FormattedDay {
  readonly iso: string;
  readonly text: string;
}

/** An hour or a day on a chart's axis. */
export interface FormattedPeriod {
  /** The full label, such as "31 January 2026 at 09:00 CET" for an hour, or "31 January 2026 UTC" for a day. */
  readonly text: string;
  /** A short label, such as "09:00" or "31 January". */
  readonly short: string;
  /** The time zone, such as "CET". */
  readonly zone: string;
}

/** Formats times in one language, in UTC if no time zone is given. */
export interface Times {
  instant(at: EpochSeconds, now: EpochSeconds, timeZone?: string): FormattedTime;
  day(at: EpochSeconds, now: EpochSeconds): FormattedDay;
  /** Formats an hour in the time zone. */
  hour(at: EpochSeconds, timeZone?: string): FormattedPeriod;
  /** Returns the name of the zone with its current offset, such as "Europe/Berlin (now UTC+01:00)". */
  zone(now: EpochSeconds, timeZone?: string): string;
  /** Formats a UTC day, because daily counts use UTC. */
  date(at: EpochSeconds): FormattedPeriod;
}

/** Returns formatters for one language. Reuse them, because creating them takes longer than rendering a page. */
export function createTimes({ language, t, moments }: Pick<Translator, 'language' | 't' | 'moments'>): Times {
  const locale = LOCALES[language];
  const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const shortDateFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  const relativeDayFormat = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const relativeFormat = new Intl.RelativeTimeFormat(locale);

  return {
    instant(at, now, timeZone) {
      const date = new Date(at * 1000);
      return {
        iso: date.toISOString(),
        exact: moments.exact({ at, timeZone }),
        relative: formatRelative(at, now),
        // formatted only for the few pages that show it
        get text() {
          return moments.moment({ at, timeZone });
        },
        get period() {
          return formatPeriod(now - at);
        },
      };
    },
    day(at, now) {
      const distance = Math.floor(at / DAY) - Math.floor(now / DAY);
      return {
        iso: new Date(at * 1000).toISOString().slice(0, 10),
        text: relativeDayFormat.format(Math.min(distance, 0), 'day'),
      };
    },
    hour(at, timeZone) {
      const moment = { at, timeZone };
      return { text: moments.moment(moment), short: moments.clock(moment), zone: moments.zone(moment) };
    },
    zone: (now, timeZone = 'UTC') =>
      timeZone === 'UTC'
        ? timeZone
        : t('time.zone-now', { zone: timeZone, offset: moments.offset({ at: now, timeZone }) }),
    date: (at) => ({
      text: `${dateFormat.format(at * 1000)} UTC`,
      short: shortDateFormat.format(at * 1000),
      zone: 'UTC',
    }),
  };

  /** Formats the length of the period in hours or days, rounded, but at least one hour. */
  function formatPeriod(length: number): string {
    return length < DAY
      ? t('time.last-hours', { count: Math.max(1, Math.round(length / HOUR)) })
      : t('time.last-days', { count: Math.round(length / DAY) });
  }

  /** Formats the distance in whole units, rounded down, so that it never exceeds the actual distance. */
  function formatRelative(at: EpochSeconds, now: EpochSeconds): string {
    const distance = at - now;
    const length = Math.abs(distance);
    if (length < MINUTE) return t(distance > MAX_CLOCK_SKEW_SECONDS ? 'time.soon' : 'time.now');
    const { unit, seconds } = UNITS.find(({ limitSeconds }) => length < limitSeconds) ?? UNITS[UNITS.length - 1]!;
    return relativeFormat.format(Math.sign(distance) * Math.floor(length / seconds), unit);
  }
}

/**
 * Converts a time that `parseMoment` can read to the value of a form field: the local time in the time zone. Returns
 * other strings unchanged.
 */
export function localFieldTime(text: string, timeZone = 'UTC'): string {
  const milliseconds = parseMoment(text);
  return milliseconds === undefined ? text : createLocalTimes(timeZone).localTime(milliseconds);
}

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z?$/;

/**
 * Parses the value of a date field or an ISO 8601 time as UTC. Returns milliseconds since the epoch, or undefined if
 * the text is invalid or the time is before 1970.
 */
export function parseMoment(text: string): number | undefined {
  if (!ISO_DAY.test(text) && !ISO_TIME.test(text)) return undefined;
  const time = Date.parse(ISO_DAY.test(text) || text.endsWith('Z') ? text : `${text}Z`);
  if (Number.isNaN(time) || time < 0) return undefined;
  // `Date.parse` accepts days that do not exist, such as 30 February, as days of the next month.
  return new Date(time).toISOString().startsWith(text.slice(0, 'YYYY-MM-DD'.length)) ? time : undefined;
}

/** Formats a time in UTC, to the second, such as "2026-01-31 09:30:00 UTC". */
export function formatExactTime(date: Date): string {
  const iso = date.toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

const WEEK = 7 * DAY;
/** The mean length of a year in the Gregorian calendar, in seconds. */
const YEAR = 365.2425 * DAY;
const MONTH = YEAR / 12;

/** The units of relative times. Each unit is used for distances shorter than its `limitSeconds`. */
const UNITS = [
  { unit: 'minute', seconds: MINUTE, limitSeconds: HOUR },
  { unit: 'hour', seconds: HOUR, limitSeconds: DAY },
  { unit: 'day', seconds: DAY, limitSeconds: 2 * WEEK },
  { unit: 'week', seconds: WEEK, limitSeconds: 2 * MONTH },
  { unit: 'month', seconds: MONTH, limitSeconds: 2 * YEAR },
  { unit: 'year', seconds: YEAR, limitSeconds: Infinity },
] as const;

/** The clocks of nodes differ slightly, but a past event must not appear to be in the future. */
const MAX_CLOCK_SKEW_SECONDS = 5;
