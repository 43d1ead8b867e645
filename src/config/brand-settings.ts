import { z } from 'zod';
import { MAX_LENGTH } from '../domain/lengths.ts';
import { DEFAULT_BRAND_NAME, LANGUAGES, type Language } from '../language/languages.ts';
import { message } from '../language/message.ts';
import { isUrl } from '../platform/urls.ts';
import { isLogoUrl, logoProblem, MAX_LOGO_URL } from './brand-logo.ts';
import { colorProblem, type HexColor, type Scheme } from './brand-colors.ts';
import { brandTexts, brandTextsProblem, MAX_TEXTS } from './brand-texts.ts';
import { runTime, setting } from './setting.ts';

/** The names of the links in the footer. */
export const BRAND_LINKS = ['support', 'privacy', 'terms'] as const;

export type BrandLinks = Readonly<Partial<Record<(typeof BRAND_LINKS)[number], string>>>;

function isBrandName(name: string): boolean {
  return name.length <= MAX_LENGTH.brandName && name.trim() === name && /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u.test(name);
}

function isMailto(text: string): boolean {
  return /^mailto:[^\s?@]+@[^\s?@]+$/.test(text);
}

function isHttpsUrl(text: string): boolean {
  if (!isUrl(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
}

const link = z.string().max(MAX_LENGTH.brandLink);

function color(scheme: Scheme) {
  return runTime(
    setting({
      schema: z
        .string()
        .regex(/^#[\da-f]{6}$/i)
        .transform((text) => text.toLowerCase() as HexColor)
        .nullable(),
      default: null,
      expects: message('expects.color'),
      problem: (value) => (value === null ? undefined : colorProblem(value, scheme)),
    }),
  );
}

const logo = runTime(
  setting({
    schema: z.string().max(MAX_LOGO_URL).refine(isLogoUrl).nullable(),
    default: null,
    expects: message('expects.logo'),
    problem: (value) => (value === null ? undefined : logoProblem(value)),
  }),
);

/** The brand settings: the languages, and the name, colors, logos, texts and links of pages and e-mails. */
export const brandSettings = {
  languages: setting({
    schema: z
      .array(z.enum(LANGUAGES))
      .min(1)
      .refine((languages) => new Set(languages).size === languages.length)
      .readonly()
      .transform((languages) => languages as readonly [Language, ...Language[]]),
    default: ['en', 'de'],
    expects: `a list of languages (${LANGUAGES.join(', ')}) without duplicates, in JSON: ["en","de"]`,
  }),
  brandName: runTime(
    setting({
      schema: z.string().refine(isBrandName),
      default: DEFAULT_BRAND_NAME,
      expects: message('expects.brand-name', { limit: String(MAX_LENGTH.brandName) }),
    }),
  ),
  brandColor: color('light'),
  brandColorDark: color('dark'),
  brandLogo: logo,
  brandLogoDark: logo,
  brandTexts: runTime(
    setting({
      schema: brandTexts,
      default: {},
      expects: message('expects.brand-texts', {
        languages: LANGUAGES.join(', '),
        limit: String(MAX_TEXTS),
        example: '{"en":{"login.title":"Log in to {brand}"}}',
      }),
      problem: brandTextsProblem,
    }),
  ),
  brandLinks: runTime(
    setting({
      schema: z.strictObject({
        support: link.refine((text) => isMailto(text) || isHttpsUrl(text)).optional(),
        privacy: link.refine(isHttpsUrl).optional(),
        terms: link.refine(isHttpsUrl).optional(),
      }) as z.ZodType<BrandLinks>,
      default: {},
      expects: message('expects.brand-links', {
        names: BRAND_LINKS.join(', '),
        limit: String(MAX_LENGTH.brandLink),
        example: '{"privacy":"https://example.com/privacy"}',
      }),
    }),
  ),
} as const;
