/** A time as operators read it: ISO 8601, in UTC. `seconds` is since the epoch. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
