import type { Handler } from '../state.ts';

/** In seconds; two years, as browsers' own lists ask. Of other hosts of the domain nothing is known here. */
const HSTS = 'max-age=63072000';

/** For documents that are the same for anybody, and change with the settings at most. */
export const PUBLIC_DOCUMENT_CACHING = 'public, max-age=300';

/**
 * What every answer carries unless its route says otherwise, so that a new route is strict before anybody thinks of it.
 * @param https whether the public address is: promising it for any other would lock everybody out
 */
export function strictHeaders({ https }: { readonly https: boolean }): Handler {
  const headers: Record<string, string> = {
    ...FOR_EVERYBODY,
    ...OUR_OWN_HEADERS,
    ...(https ? { 'Strict-Transport-Security': HSTS } : {}),
  };
  return (ctx, next) => {
    ctx.set(headers);
    return next();
  };
}

/** Takes back what the routers behind, which are somebody else's, may need to decide for themselves. */
export const leaveToRoutersBehind: Handler = (ctx, next) => {
  for (const name of Object.keys(OUR_OWN_HEADERS)) ctx.remove(name);
  return next();
};

const FOR_EVERYBODY = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'same-origin' };

/** An answer of ours that comes after the routers behind were asked carries them, too. */
export const OUR_OWN_HEADERS = {
  'Cache-Control': 'no-store',
  // For what is no page, and should a browser be made to take it for one.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
};
