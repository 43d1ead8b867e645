import type { Translator } from '../../src/language/translator.ts';
import { createTranslators } from '../../src/language/translators.ts';

/** English, with marks around each text of the catalogue. */
export function markedTranslator(): Translator {
  const { en } = createTranslators();
  return {
    ...en,
    t: (key, values) => `⟦${en.t(key, values)}⟧`,
    text: (text) => (typeof text === 'string' ? text : `⟦${en.text(text)}⟧`),
    html: (...entry) => `⟦${en.html(...entry)}⟧`,
  };
}

/** The words outside of all marks. */
export function unmarkedTexts(text: string): readonly string[] {
  return withoutMarked(text).match(/\p{L}[^\n]*/gu) ?? [];
}

/** Removes the marked texts, also those inside others. */
function withoutMarked(text: string): string {
  const outside = text.replaceAll(/⟦[^⟦⟧]*⟧/g, '');
  return outside === text ? text : withoutMarked(outside);
}
