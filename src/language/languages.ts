/** The BCP 47 tags of the catalog's languages. The other languages are translated from English. */
export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

/** The name of each language in that language, so that its speakers recognize it. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** The locales used to format dates and numbers. English dates put the day before the month. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

/** The server's name in messages, unless the operator chooses a different one. */
export const DEFAULT_BRAND_NAME = 'Grantlog';

export function isLanguage(tag: string): tag is Language {
  return LANGUAGES.some((language) => language === tag);
}

/**
 * Returns the language that matches a tag (lookup, RFC 4647 §3.4), such as `de` for `de-CH`; undefined if none does.
 */
export function languageOf(tag: string): Language | undefined {
  const [primary = ''] = tag.toLowerCase().split('-', 1);
  return isLanguage(primary) ? primary : undefined;
}

/** Returns the reader's language if it is offered; otherwise, the first offered language. */
export function offeredLanguage(preferred: Language | null, offered: readonly [Language, ...Language[]]): Language {
  return offered.find((language) => language === preferred) ?? offered[0];
}
