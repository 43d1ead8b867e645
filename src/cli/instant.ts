import { InvalidArgumentError } from 'commander';

/** Parser for an ISO 8601 time, local time if it has no zone; returns milliseconds since the epoch. */
export function parseTime(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}(?:T.*)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('It must be an ISO 8601 time, such as 2026-11-21T09:00:00Z.');
  return time;
}
