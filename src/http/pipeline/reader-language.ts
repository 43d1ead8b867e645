import type { Config } from '../../config/config.ts';
import { isLanguage, LANGUAGES, offeredLanguage, type Language } from '../../language/languages.ts';
import type { RequestContext } from './state.ts';

const ONE_YEAR_MS = 31_536_000_000;

/**
 * The language that the reader prefers: the one chosen in this browser before, otherwise the best one of
 * `Accept-Language` (RFC 9110 §12.5.4); null if the reader prefers none of the catalogue's languages.
 */
export function readerLanguage(ctx: Pick<RequestContext, 'cookies' | 'acceptsLanguages'>): Language | null {
  const chosen = ctx.cookies.get(cookieName(ctx)) ?? '';
  if (isLanguage(chosen)) return chosen;
  const accepted = ctx.acceptsLanguages([...LANGUAGES]);
  return typeof accepted === 'string' && isLanguage(accepted) ? accepted : null;
}

/** The language of the pages that the reader sees. */
export function pageLanguage(
  ctx: Pick<RequestContext, 'cookies' | 'acceptsLanguages'>,
  { languages }: Pick<Config, 'languages'>,
): Language {
  return offeredLanguage(readerLanguage(ctx), languages);
}

/** Remembers the reader's choice in this browser. The cookie is not signed: any value only chooses a language. */
export function chooseLanguage(ctx: Pick<RequestContext, 'cookies'>, language: Language): void {
  ctx.cookies.set(cookieName(ctx), language, {
    signed: false,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    maxAge: ONE_YEAR_MS,
    overwrite: true,
  });
}

function cookieName({ cookies }: Pick<RequestContext, 'cookies'>): string {
  return cookies.secure ? '__Host-grantlog-language' : 'grantlog-language';
}
