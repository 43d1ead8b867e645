import { formatExactTime, type Moment } from '../times.ts';

/**
 * Formats an instant to the second, in UTC.
 * @param milliseconds the time since the epoch
 */
export function toMoment(milliseconds: number): Moment {
  const date = new Date(milliseconds);
  return { iso: date.toISOString(), text: formatExactTime(date) };
}
