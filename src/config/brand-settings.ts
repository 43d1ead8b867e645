import { z } from 'zod';
import { MAX_LENGTH } from '../domain/lengths.ts';
import { DEFAULT_BRAND_NAME, LANGUAGES } from '../language/languages.ts';
import { isUrl } from '../platform/urls.ts';
import { isLogoUrl, logoProblem, MAX_LOGO_URL } from './brand-logo.ts';
import { colorProblem, type HexColor, type Scheme } from './brand-colors.ts';
import { brandTexts, brandTextsProblem, MAX_TEXTS } from './brand-texts.ts';
import { languageSettings } from './language-settings.ts';
import { runTime, setting } from './setting.ts';

/** The links of the footer. */
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

function color(scheme: Scheme, description: string) {
  return runTime(
    setting({
      schema: z
        .string()
        .regex(/^#[\da-f]{6}$/i)
        .transform((text) => text.toLowerCase() as HexColor)
        .nullable(),
      default: null,
      expects: 'null, or a colour of six hexadecimal digits, such as #0b6b5b',
      description,
      problem: (value) => (value === null ? undefined : colorProblem(value, scheme)),
    }),
  );
}

function logo(description: string) {
  return runTime(
    setting({
      schema: z.string().max(MAX_LOGO_URL).refine(isLogoUrl).nullable(),
      default: null,
      expects: 'null, or a PNG, JPEG or WebP image as a data URL in base64: grantlog brand logo FILE writes it',
      description,
      problem: (value) => (value === null ? undefined : logoProblem(value)),
    }),
  );
}

/** The settings of the brand: the languages, and what pages and mails show of the company that runs the server. */
export const brandSettings = {
  ...languageSettings,
  brandName: runTime(
    setting({
      schema: z.string().refine(isBrandName),
      default: DEFAULT_BRAND_NAME,
      expects: `a name of at most ${MAX_LENGTH.brandName} visible characters, without spaces at its ends`,
      description: 'The name on the pages, in mails, and for passkeys and authenticator apps.',
    }),
  ),
  brandColor: color(
    'light',
    'The colour of links and buttons on light pages. Other shades follow from it. A colour in which texts are not ' +
      'readable is refused.',
  ),
  brandColorDark: color(
    'dark',
    'The same on dark pages. Without it, it follows from brandColor, lightened as far as needed.',
  ),
  brandLogo: logo('The image beside the name, and in the tab of the browser. Without it, the initial of the name.'),
  brandLogoDark: logo('The same on dark pages. Without it, brandLogo.'),
  brandTexts: runTime(
    setting({
      schema: brandTexts,
      default: {},
      expects:
        `a map from language (${LANGUAGES.join(', ')}) to a map from keys to texts of at most 2,000 characters, ` +
        `together at most ${MAX_TEXTS} as JSON: {"en":{"login.title":"Log in to {brand}"}}`,
      description:
        'Your own texts on pages and in mails. grantlog brand texts lists the keys, and brand check checks a file. A ' +
        'text is an ICU message with the same arguments and tags as the one that it replaces.',
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
      expects:
        `a map from ${BRAND_LINKS.join(', ')} to an https URL of at most ${MAX_LENGTH.brandLink} characters, or from ` +
        'support to a mailto address, in JSON:  {"privacy":"https://example.com/privacy"}',
      description:
        'Links at the end of each page. The server metadata contains those of privacy (op_policy_uri) and terms ' +
        '(op_tos_uri).',
    }),
  ),
} as const;
