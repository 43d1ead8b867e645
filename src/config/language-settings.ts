import { z } from 'zod';
import { LANGUAGES, type Language } from '../language/languages.ts';
import { setting } from './setting.ts';

/** The settings for the languages of pages and e-mails. */
export const languageSettings = {
  languages: setting({
    schema: z
      .array(z.enum(LANGUAGES))
      .min(1)
      .refine((languages) => new Set(languages).size === languages.length)
      .readonly()
      .transform((languages) => languages as readonly [Language, ...Language[]]),
    default: ['en', 'de'],
    expects: `a list of ${LANGUAGES.join(', ')} without duplicates, in JSON: ["en","de"]`,
  }),
} as const;
