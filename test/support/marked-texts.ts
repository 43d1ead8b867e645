import { LANGUAGES, type Language } from '../../src/language/languages.ts';
import type { Translator } from '../../src/language/translator.ts';
import { createTranslators, type Translators } from '../../src/language/translators.ts';

/** Returns the translator of a language, with marks around each text of the catalog. */
export function markedTranslator(language: Language = 'en'): Translator {
  const translator = createTranslators()[language];
  return {
    ...translator,
    t: (key, values) => `⟦${translator.t(key, values)}⟧`,
    text: (text) => (typeof text === 'string' ? text : `⟦${translator.text(text)}⟧`),
    html: (...entry) => `⟦${translator.html(...entry)}⟧`,
  };
}

/** Returns the translators of all languages, with marks around each text of the catalog. */
export function markedTranslators(): Translators {
  return Object.fromEntries(LANGUAGES.map((language) => [language, markedTranslator(language)])) as Translators;
}

/** Finds the text outside all marks. */
export function unmarkedTexts(text: string): readonly string[] {
  return withoutMarked(text).match(/\p{L}[^\n]*/gu) ?? [];
}

/** Removes the marked texts, including those inside others. */
function withoutMarked(text: string): string {
  const remainder = text.replaceAll(/⟦[^⟦⟧]*⟧/g, '');
  return remainder === text ? text : withoutMarked(remainder);
}
