/** The languages of the catalog, by their tags (BCP 47). English is the source of the other languages. */
export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

/** The name of each language in that language, so that readers recognize it. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** The locales of dates and numbers. English dates have the day before the month. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

/** The name of the server in texts, unless the operator chooses another one. */
export const DEFAULT_BRAND_NAME = 'Grantlog';

export function isLanguage(tag: string): tag is Language {
  return LANGUAGES.some((language) => language === tag);
}

/** Returns the language that matches a tag, such as `de` for `de-CH` (lookup of RFC 4647 §3.4), or undefined. */
export function languageOf(tag: string): Language | undefined {
  const [primary = ''] = tag.toLowerCase().split('-', 1);
  return isLanguage(primary) ? primary : undefined;
}

/** Returns the reader's language if it is offered, otherwise the first language that is offered. */
export function offeredLanguage(preferred: Language | null, offered: readonly [Language, ...Language[]]): Language {
  return offered.find((language) => language === preferred) ?? offered[0];
}
