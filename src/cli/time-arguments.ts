import { InvalidArgumentError } from 'commander';
import { parseWholeNumber } from './context.ts';

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/**
 * Parses an ISO 8601 time to milliseconds since the epoch. Without a zone, a date with a time of day is local, and a
 * date alone is midnight UTC.
 */
export function parseTime(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}(?:T.*)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('It must be an ISO 8601 time, such as 2026-11-21T09:00:00Z.');
  return time;
}

/** Parses a moment in the log: the position of an event, or an ISO 8601 time. */
export function parsePositionOrTime(text: string): { readonly position: number } | { readonly time: number } {
  return /^\d+$/.test(text) ? { position: parseWholeNumber(text) } : { time: parseTime(text) };
}

/** Parses a duration, in seconds or with a unit, to seconds. */
export function parseDuration(text: string): number {
  const [, amount, unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(text) ?? [];
  if (amount === undefined)
    throw new InvalidArgumentError(
      'It must be a number of seconds, or a number followed by s, m, h or d, such as 36h.',
    );
  return Number(amount) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS];
}
