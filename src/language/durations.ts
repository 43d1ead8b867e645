import { message, type Text } from './message.ts';

const DURATIONS = [
  ['quantity.days', 86_400],
  ['quantity.hours', 3_600],
  ['quantity.minutes', 60],
  ['quantity.seconds', 1],
] as const;

/** Formats the duration to the second, such as "1 day 2 hours". */
export function durationText(seconds: number): Text {
  let remaining = seconds;
  const parts = DURATIONS.flatMap(([key, length]) => {
    const count = Math.floor(remaining / length);
    remaining -= count * length;
    return count === 0 ? [] : [message(key, { count })];
  });
  const [first = message('quantity.seconds', { count: 0 }), ...others] = parts;
  return others.reduce<Text>((one, other) => message('quantity.joined', { first: one, others: other }), first);
}

/** Formats the duration in its largest unit, rounded down, such as "3 hours". */
export function roughDurationText(seconds: number): Text {
  const [key, length] = DURATIONS.find(([, unitLength]) => seconds >= unitLength) ?? ['quantity.seconds', 1];
  return message(key, { count: Math.max(0, Math.floor(seconds / length)) });
}
