import { LANGUAGES, type Language } from '../../src/language/languages.ts';
import type { Translator } from '../../src/language/translator.ts';
import { createTranslators, type Translators } from '../../src/language/translators.ts';

/** Returns a language's translator, which puts marks around each text from the catalog. */
export function markedTranslator(language: Language = 'en'): Translator {
  const translator = createTranslators()[language];
  return {
    ...translator,
    t: (key, values) => `⟦${translator.t(key, values)}⟧`,
    text: (text) => (typeof text === 'string' ? text : `⟦${translator.text(text)}⟧`),
    html: (...entry) => `⟦${translator.html(...entry)}⟧`,
  };
}

/** Returns the translators of all languages, which put marks around each text from the catalog. */
export function markedTranslators(): Translators {
  return Object.fromEntries(LANGUAGES.map((language) => [language, markedTranslator(language)])) as Translators;
}

/** Returns the pieces of text outside all marks. */
export function unmarkedTexts(text: string): readonly string[] {
  return removeMarked(text).match(/\p{L}[^\n]*/gu) ?? [];
}

/** Returns the text without the marked texts, including nested ones. */
function removeMarked(text: string): string {
  const remainder = text.replaceAll(/⟦[^⟦⟧]*⟧/g, '');
  return remainder === text ? text : removeMarked(remainder);
}
