import type { MessageKey } from '../../language/catalog.ts';
import { LOCALES } from '../../language/languages.ts';
import { chainRules } from '../../language/messages/chain-rules.ts';
import { scriptRequests } from '../../language/messages/script-requests.ts';
import { scriptTokens } from '../../language/messages/script-tokens.ts';
import { scriptVerify } from '../../language/messages/script-verify.ts';
import type { Translator } from '../../language/translator.ts';

/** The catalog entries that each group of scripts needs. */
const CATALOG_ENTRIES = {
  'try-it': { ...scriptRequests.en, ...scriptTokens.en },
  verify: { ...scriptVerify.en, ...chainRules.en },
} as const;

export type ScriptGroup = keyof typeof CATALOG_ENTRIES;

/**
 * Returns the JSON that `static/texts.js` reads: the messages for a group of scripts, and the locale for quantities and
 * dates.
 */
export function scriptTexts(group: ScriptGroup, { t, language }: Pick<Translator, 't' | 'language'>): string {
  const entries = Object.entries(CATALOG_ENTRIES[group]) as readonly (readonly [MessageKey, string])[];
  const texts = entries.map(([key, english]) => [key, t(key, findPlaceholders(english))] as const);
  return JSON.stringify({ locale: LOCALES[language], texts: Object.fromEntries(texts) });
}

/**
 * Returns the placeholders, keyed by argument name. Passed as the values of the arguments, they remain in the text, and
 * the script replaces them later.
 */
function findPlaceholders(entry: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...entry.matchAll(/\{(\w+)\}/g)].map(([placeholder, name = '']) => [name, placeholder]));
}
