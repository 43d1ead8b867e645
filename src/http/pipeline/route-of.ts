import type { RequestContext } from './state.ts';

/** What all files under /static/ are counted as. */
export const STATIC = '/static/';

/** The pattern of the route that took the request, never its address; undefined when none did. */
export function routeOf(ctx: RequestContext): string | undefined {
  const matched: unknown = ctx['_matchedRoute'];
  if (typeof matched === 'string') return matched;
  return ctx.status < 400 && ctx.path.startsWith(STATIC) ? STATIC : undefined;
}
