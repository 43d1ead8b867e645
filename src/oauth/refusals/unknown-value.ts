import { knownKeywords } from './sanitize.ts';

/** Returns the refusal of a value that is not one of the allowed values. */
export function unknownValueRefusal(parameter: string, value: string, allowed: readonly string[]) {
  return { rule: 'parameter-value', parameter, allowed, seen: knownKeywords(value), length: value.length } as const;
}
