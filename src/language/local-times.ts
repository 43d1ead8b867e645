/** Converts between instants and the local times of a zone. */
export interface LocalTimes {
  /**
   * Returns the local time to the second, in the format of form fields: "2026-01-31T10:30:00".
   * @param milliseconds since the epoch
   */
  localTime(milliseconds: number): string;
  /**
   * Returns the first and last instant when clocks show a local time, in milliseconds since the epoch. They differ if
   * clocks were set back. If clocks skipped the time, the instants are computed with the offsets before and after the
   * change.
   * @param local such as "2026-01-31T10:30" or "2026-01-31T10:30:00.250"
   * @returns undefined if the string is not a local time or is before 1970
   */
  instants(local: string): { readonly first: number; readonly last: number } | undefined;
}

const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/;
/** Only the offsets a day before and a day after a local time can apply to it. */
const DAY_MILLISECONDS = 24 * 3_600_000;

/**
 * Returns the conversions for a time zone.
 * @param timeZone the canonical name of a zone: see `resolveTimeZone`
 */
export function createLocalTimes(timeZone: string): LocalTimes {
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  const localTime = (milliseconds: number): string => format.format(milliseconds).replace(' ', 'T');
  const offset = (milliseconds: number): number =>
    Date.parse(`${localTime(milliseconds)}Z`) - Math.floor(milliseconds / 1000) * 1000;

  return {
    localTime,
    instants(local) {
      const asUtc = LOCAL_TIME.test(local) ? Date.parse(`${local}Z`) : Number.NaN;
      if (Number.isNaN(asUtc) || asUtc < 0) return undefined;
      const candidates = [asUtc - offset(asUtc - DAY_MILLISECONDS), asUtc - offset(asUtc + DAY_MILLISECONDS)];
      const matches = candidates.filter((instant) => instant + offset(instant) === asUtc);
      const instants = matches.length === 0 ? candidates : matches;
      return { first: Math.min(...instants), last: Math.max(...instants) };
    },
  };
}
