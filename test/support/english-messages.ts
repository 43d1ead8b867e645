import { english } from '../../src/language/english.ts';
import type { Explanation } from '../../src/oauth/refusals/explanations.ts';

/** Returns the messages of an explanation in English, or an empty object without an explanation. */
export function englishMessages(explanation: Pick<Explanation, 'messages'> | undefined): Record<string, string> {
  const messages = Object.entries(explanation?.messages ?? {});
  return Object.fromEntries(messages.map(([name, message]) => [name, english.text(message)]));
}
