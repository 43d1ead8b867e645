import type { RefusalOf, RefusalRule } from './refusal.ts';

/** A refusal for a reader. */
export interface Messages {
  /** The rule that was broken. */
  readonly rule: string;
  readonly expected: string;
  readonly seen: string;
  /** What to do about it. */
  readonly advice: string;
}

/** A way to say each of these rules; a new rule without words stops the build. */
export type MessagesFor<Rule extends RefusalRule> = { readonly [Each in Rule]: (refusal: RefusalOf<Each>) => Messages };

export function formatList(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

/** A span of time, in the largest unit that is exact enough to act on. */
export function formatDuration(seconds: number): string {
  const [amount, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7_200
        ? [Math.round(seconds / 60), 'minute']
        : seconds < 172_800
          ? [Math.round(seconds / 3_600), 'hour']
          : [Math.round(seconds / 86_400), 'day'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}
