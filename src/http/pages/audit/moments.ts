import { exactTime, type Moment } from '../times.ts';

/** @param milliseconds since the epoch */
export function toMoment(milliseconds: number): Moment {
  const date = new Date(milliseconds);
  return { iso: date.toISOString(), text: exactTime(date) };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z?$/;

/**
 * Parses the value of a date field or an ISO 8601 time as UTC, to milliseconds since the epoch. Returns undefined if it
 * is invalid.
 */
export function parseMoment(text: string): number | undefined {
  if (!DAY.test(text) && !TIME.test(text)) return undefined;
  const time = Date.parse(DAY.test(text) || text.endsWith('Z') ? text : `${text}Z`);
  return Number.isNaN(time) || time < 0 ? undefined : time;
}
