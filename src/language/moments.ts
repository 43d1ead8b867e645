import type { Moment } from './message.ts';

/** Formats times in one language and in any time zone. */
export interface Moments {
  /** Formats a time to the minute, such as "31 January 2026 at 09:30 UTC". */
  moment(moment: Moment): string;
  /** Formats a time to the second, the same in every language, such as "2026-01-31 10:30:00 UTC+01:00". */
  exact(moment: Moment): string;
  /** Formats the time of day, such as "09:30". */
  clock(moment: Moment): string;
  /** Returns the zone's offset from UTC, the same in every language, such as "UTC+01:00". */
  offset(moment: Moment): string;
  /** Returns the name of the zone, such as "CET". */
  zone(moment: Moment): string;
}

const UTC = 'UTC';

export function createMoments(locale: string): Moments {
  const formats = new Map<string, Formats>();

  function formatsIn(timeZone: string): Formats {
    const cached = formats.get(timeZone);
    if (cached !== undefined) return cached;
    const name = resolveTimeZone(timeZone) ?? UTC;
    const created = formats.get(name) ?? createFormats(locale, name);
    formats.set(name, created); // keyed by the canonical name, because readers can choose any spelling
    return created;
  }

  return {
    moment({ at, timeZone = UTC }) {
      const { dates, zones } = formatsIn(timeZone);
      return `${dates.format(at * 1000)} ${zoneName(zones, at)}`;
    },
    zone: ({ at, timeZone = UTC }) => zoneName(formatsIn(timeZone).zones, at),
    offset: ({ at, timeZone = UTC }) => formatOffset(formatsIn(timeZone), at),
    exact({ at, timeZone = UTC }) {
      const zoneFormats = formatsIn(timeZone);
      return `${zoneFormats.digits.format(at * 1000)} ${formatOffset(zoneFormats, at)}`;
    },
    clock: ({ at, timeZone = UTC }) => formatsIn(timeZone).clocks.format(at * 1000),
  };
}

const ZONES: ReadonlySet<string> = new Set([UTC, ...Intl.supportedValuesOf('timeZone')]);

/** Returns the canonical name of an IANA time zone, or undefined for any other string. */
export function resolveTimeZone(text: string): string | undefined {
  if (ZONES.has(text)) return text;
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(text)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

type Formats = Readonly<Record<'dates' | 'zones' | 'digits' | 'offsets' | 'clocks', Intl.DateTimeFormat>>;

function createFormats(locale: string, timeZone: string): Formats {
  return {
    dates: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }),
    zones: new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }),
    digits: new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }),
    offsets: new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }),
    clocks: new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }),
  };
}

function formatOffset({ offsets }: Formats, at: number): string {
  return zoneName(offsets, at).replace('+00:00', '').replace('GMT', UTC).replace('-', '−');
}

function zoneName(format: Intl.DateTimeFormat, at: number): string {
  return format.formatToParts(at * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
