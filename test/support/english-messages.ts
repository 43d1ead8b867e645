import { english } from '../../src/language/english.ts';
import type { Explanation } from '../../src/oauth/refusals/explanations.ts';

/** The texts of an explanation in English; empty without one. */
export function englishMessages(explanation: Pick<Explanation, 'messages'> | undefined): Record<string, string> {
  const texts = Object.entries(explanation?.messages ?? {});
  return Object.fromEntries(texts.map(([name, text]) => [name, english.text(text)]));
}
