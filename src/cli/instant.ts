import { InvalidArgumentError } from 'commander';

/** For an option that is a time; milliseconds since the epoch. Without a zone it is local time, as ISO 8601 has it. */
export function parseTime(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}(?:T.*)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('It must be an ISO 8601 time, such as 2026-11-21T09:00:00Z.');
  return time;
}
