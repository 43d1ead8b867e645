import { english } from '../../src/language/english.ts';
import type { Explanation } from '../../src/oauth/refusals/explanations.ts';

/** Returns the texts of an explanation in English. The result is empty without an explanation. */
export function englishMessages(explanation: Pick<Explanation, 'messages'> | undefined): Record<string, string> {
  const texts = Object.entries(explanation?.messages ?? {});
  return Object.fromEntries(texts.map(([name, text]) => [name, english.text(text)]));
}
