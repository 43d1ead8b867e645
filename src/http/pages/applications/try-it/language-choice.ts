import { queryOf } from '../../../pipeline/query.ts';
import type { RequestContext } from '../../../pipeline/state.ts';
import { LANGUAGES, findLanguage, type ExampleLanguage } from './languages.ts';

/** 180 days. */
const LIFETIME_MS = 15_552_000_000;

/**
 * Returns the language of the example requests. A language in the query takes precedence over the cookie, and is then
 * stored in the cookie. An unknown language is ignored.
 */
export function chosenLanguage(ctx: RequestContext): ExampleLanguage {
  const requestedLanguage = findLanguage(queryOf(ctx).text('language'));
  if (requestedLanguage !== undefined) rememberLanguage(ctx, requestedLanguage);
  return requestedLanguage ?? findLanguage(ctx.cookies.get(cookieName(ctx), { signed: false })) ?? LANGUAGES[0];
}

/** Stores the language in a cookie. The cookie needs no signature, because the language is only a preference. */
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

/** Returns the name of the cookie, which must differ from the name of the cookie for the language of the pages. */
function cookieName({ cookies }: RequestContext): string {
  return cookies.secure ? '__Host-grantlog-example-language' : 'grantlog-example-language';
}
