/**
 * Formats a time for operators: ISO 8601, in UTC.
 * @param seconds since the epoch
 */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
