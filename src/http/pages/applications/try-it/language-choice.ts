import { queryOf } from '../../../pipeline/query.ts';
import type { RequestContext } from '../../../pipeline/state.ts';
import { LANGUAGES, languageOf, type Language } from './languages.ts';

/** Half a year. */
const LIFETIME_MS = 15_552_000_000;

/**
 * Returns the language of the example requests: the one in the query, which this browser remembers, or else the
 * remembered one. An unknown language is ignored.
 */
export function chosenLanguage(ctx: RequestContext): Language {
  const requested = languageOf(queryOf(ctx).text('language'));
  if (requested !== undefined) remember(ctx, requested);
  return requested ?? languageOf(ctx.cookies.get(cookieName(ctx), { signed: false })) ?? LANGUAGES[0];
}

/** The cookie is only a preference, so it needs no signature. */
function remember(ctx: RequestContext, { id }: Language): void {
  ctx.cookies.set(cookieName(ctx), id, {
    signed: false,
    httpOnly: true,
    sameSite: 'strict',
    path: '/',
    maxAge: LIFETIME_MS,
    overwrite: true,
  });
}

/** The cookie `language` has the language of the pages. */
function cookieName({ cookies }: RequestContext): string {
  return cookies.secure ? '__Host-grantlog-example-language' : 'grantlog-example-language';
}
