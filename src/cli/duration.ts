import { InvalidArgumentError } from 'commander';

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** For an option that is a span of time, in seconds or with its unit behind it; seconds. */
export function parseDuration(text: string): number {
  const [, amount, unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(text) ?? [];
  if (amount === undefined)
    throw new InvalidArgumentError('It must be seconds, or a number with s, m, h or d behind it, such as 36h.');
  return Number(amount) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS];
}
