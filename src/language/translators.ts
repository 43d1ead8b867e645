import { CATALOGUES } from './catalogue.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { createTranslator, type Translator } from './translator.ts';

/** One translator for each language. */
export type Translators = Readonly<Record<Language, Translator>>;

export function createTranslators(): Translators {
  const entries = LANGUAGES.map((language) => [language, createTranslator(language, CATALOGUES[language])] as const);
  return Object.fromEntries(entries) as Translators;
}
