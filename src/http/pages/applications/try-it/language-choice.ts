import { queryOf } from '../../../pipeline/query.ts';
import type { RequestContext } from '../../../pipeline/state.ts';
import { LANGUAGES, languageOf, type ExampleLanguage } from './languages.ts';

/** 180 days. */
const LIFETIME_MS = 15_552_000_000;

/**
 * Returns the programming language of the example requests: the one in the query, which is then stored in a cookie, or
 * else the one in the cookie, or else the default. An unknown language is ignored.
 */
export function chosenLanguage(ctx: RequestContext): ExampleLanguage {
  const requestedLanguage = languageOf(queryOf(ctx).text('language'));
  if (requestedLanguage !== undefined) rememberLanguage(ctx, requestedLanguage);
  return requestedLanguage ?? languageOf(ctx.cookies.get(cookieName(ctx), { signed: false })) ?? LANGUAGES[0];
}

/** Stores the language in a cookie. It is only a preference, so the cookie needs no signature. */
function rememberLanguage(ctx: RequestContext, { id }: ExampleLanguage): void {
  ctx.cookies.set(cookieName(ctx), id, {
    signed: false,
    httpOnly: true,
    sameSite: 'strict',
    path: '/',
    maxAge: LIFETIME_MS,
    overwrite: true,
  });
}

/** Returns the name of the cookie. It is not `language`, the cookie for the language of the pages. */
function cookieName({ cookies }: RequestContext): string {
  return cookies.secure ? '__Host-grantlog-example-language' : 'grantlog-example-language';
}
