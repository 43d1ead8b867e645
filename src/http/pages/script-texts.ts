import type { MessageKey } from '../../language/catalogue.ts';
import { LOCALES } from '../../language/languages.ts';
import { chainRules } from '../../language/messages/chain-rules.ts';
import { scriptRequests } from '../../language/messages/script-requests.ts';
import { scriptTokens } from '../../language/messages/script-tokens.ts';
import { scriptVerify } from '../../language/messages/script-verify.ts';
import type { Translator } from '../../language/translator.ts';

/** The entries that the scripts of a page need, keyed by the name of the scripts. */
const ENTRIES = {
  'try-it': { ...scriptRequests.en, ...scriptTokens.en },
  verify: { ...scriptVerify.en, ...chainRules.en },
} as const;

export type Scripts = keyof typeof ENTRIES;

/** Returns the texts of a page's scripts as JSON, with the locale of quantities and dates, for `static/texts.js`. */
export function scriptTexts(scripts: Scripts, { t, language }: Pick<Translator, 't' | 'language'>): string {
  const entries = Object.entries(ENTRIES[scripts]) as readonly (readonly [MessageKey, string])[];
  const texts = entries.map(([key, english]) => [key, t(key, placeholdersIn(english))] as const);
  return JSON.stringify({ locale: LOCALES[language], texts: Object.fromEntries(texts) });
}

/** Returns a value for each argument: its placeholder, which the script replaces, because only it knows the value. */
function placeholdersIn(entry: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...entry.matchAll(/\{(\w+)\}/g)].map(([place, name = '']) => [name, place]));
}
