import type { Moment } from './message.ts';

const UTC = 'UTC';

/** Formats times in the language of a locale. */
export function createMoments(locale: string): (moment: Moment) => string {
  const formats = new Map<string, Formats>();

  function formatsIn(timeZone: string): Formats {
    const known = formats.get(timeZone);
    if (known !== undefined) return known;
    const name = timeZoneOf(timeZone) ?? UTC;
    const created = formats.get(name) ?? formatsOf(locale, name);
    formats.set(name, created); // not by each spelling, because readers choose them
    return created;
  }

  return ({ at, timeZone = UTC }) => {
    const { dates, zones } = formatsIn(timeZone);
    const date = new Date(at * 1000);
    const zone = zones.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return `${dates.format(date)} ${zone}`;
  };
}

/** The usual name of a zone of the IANA database; undefined for any other text. */
function timeZoneOf(text: string): string | undefined {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(text)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

interface Formats {
  readonly dates: Intl.DateTimeFormat;
  readonly zones: Intl.DateTimeFormat;
}

function formatsOf(locale: string, timeZone: string): Formats {
  return {
    dates: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }),
    zones: new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }),
  };
}
