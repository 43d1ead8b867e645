import type { RequestContext } from './state.ts';

/** The pattern of the route that took the request, never its address; undefined if none did. */
export function routeOf(ctx: RequestContext): string | undefined {
  const { endpoint } = ctx.state;
  if (endpoint !== undefined) return endpoint.path;
  const mounted: unknown = ctx['routerPath']; // where @koa/router leaves it, if a router behind took the request
  return typeof mounted === 'string' ? mounted : undefined;
}
