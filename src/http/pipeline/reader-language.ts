import type { Config } from '../../config/config.ts';
import { isLanguage, languageOf, LANGUAGES, offeredLanguage, type Language } from '../../language/languages.ts';
import type { RequestContext } from './state.ts';

type ReaderContext = Pick<RequestContext, 'cookies' | 'acceptsLanguages'> & {
  readonly state: Pick<RequestContext['state'], 'requestedLanguage'>;
};

const ONE_YEAR_MS = 31_536_000_000;
/** Longer than most users take to log in and consent. */
const ONE_HOUR_MS = 3_600_000;

/**
 * Returns the language that the reader prefers: the language chosen earlier in this browser; failing that, the language
 * that the application requested for the user; failing that, the best match for `Accept-Language` (RFC 9110 §12.5.4).
 * Returns null if the reader prefers none of the catalog's languages.
 */
export function readerLanguage(ctx: ReaderContext): Language | null {
  const chosenLanguage = ctx.cookies.get(cookieName(ctx, 'language')) ?? '';
  if (isLanguage(chosenLanguage)) return chosenLanguage;
  const requestedLanguage = ctx.state.requestedLanguage ?? ctx.cookies.get(cookieName(ctx, 'requested-language')) ?? '';
  if (isLanguage(requestedLanguage)) return requestedLanguage;
  if (ctx.acceptsLanguages().every((range) => range === '*')) return null; // also if the header is absent
  const acceptedLanguage = ctx.acceptsLanguages([...LANGUAGES]);
  return typeof acceptedLanguage === 'string' && isLanguage(acceptedLanguage) ? acceptedLanguage : null;
}

/** Returns the language in which to show pages to the reader. */
export function pageLanguage(ctx: ReaderContext, { languages }: Pick<Config, 'languages'>): Language {
  return offeredLanguage(readerLanguage(ctx), languages);
}

/** Remembers the reader's choice in this browser. The cookie is not signed: a forged one can only select a language. */
export function rememberChosenLanguage(ctx: Pick<RequestContext, 'cookies'>, language: Language): void {
  setCookie(ctx, 'language', language, ONE_YEAR_MS);
}

/**
 * Remembers the first language of `ui_locales` that the server offers (OpenID Connect Core §3.1.2.1), for this page and
 * for pages shown within the next hour. If the server offers none of these languages, forgets the language from an
 * earlier request.
 * @param uiLocales language tags in order of preference, separated by spaces
 */
export function rememberRequestedLanguage(
  ctx: RequestContext,
  uiLocales: string | undefined,
  offeredLanguages: readonly Language[],
): void {
  const languages = (uiLocales ?? '').split(' ', MAX_TAGS).map(languageOf);
  const language = languages.find((candidate) => candidate !== undefined && offeredLanguages.includes(candidate));
  const hasCookie = ctx.cookies.get(cookieName(ctx, 'requested-language')) !== undefined;
  ctx.state.requestedLanguage = language ?? '';
  if (language !== undefined || hasCookie) setCookie(ctx, 'requested-language', language ?? null, ONE_HOUR_MS);
}

const MAX_TAGS = 20;

type LanguageCookie = 'language' | 'requested-language';

function setCookie(
  ctx: Pick<RequestContext, 'cookies'>,
  name: LanguageCookie,
  language: Language | null,
  maxAge: number,
): void {
  ctx.cookies.set(cookieName(ctx, name), language, {
    signed: false,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    ...(language !== null && { maxAge }),
    overwrite: true,
  });
}

function cookieName({ cookies }: Pick<RequestContext, 'cookies'>, name: LanguageCookie): string {
  return cookies.secure ? `__Host-grantlog-${name}` : `grantlog-${name}`;
}
