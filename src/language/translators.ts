import { CATALOGS } from './catalog.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { createTranslator, DEFAULT_TEXTS, type Translator } from './translator.ts';

/** One translator for each language. */
export type Translators = Readonly<Record<Language, Translator>>;

export function createTranslators(settings = DEFAULT_TEXTS): Translators {
  const entries = LANGUAGES.map(
    (language) => [language, createTranslator(language, CATALOGS[language], settings)] as const,
  );
  return Object.fromEntries(entries) as Translators;
}
