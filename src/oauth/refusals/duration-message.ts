import type { MessageKey } from '../../language/catalog.ts';
import { message, type Message } from '../../language/message.ts';
import { roundDuration, type DurationUnit } from './messages.ts';

const UNITS: Readonly<Record<DurationUnit, MessageKey>> = {
  second: 'headline.seconds',
  minute: 'headline.minutes',
  hour: 'headline.hours',
  day: 'headline.days',
};

/** Returns the duration in whole units, such as "5 minutes". */
export function durationMessage(seconds: number): Message {
  const [count, unit] = roundDuration(seconds);
  return message(UNITS[unit], { count });
}
