import type { RequestContext } from './state.ts';

/** Returns the pattern (never the URL) of the route that handled the request, or undefined if no route did. */
export function routeOf(ctx: RequestContext): string | undefined {
  const { endpoint } = ctx.state;
  if (endpoint !== undefined) return endpoint.path;
  const mountedPath: unknown = ctx['routerPath']; // set by @koa/router if a mounted router handled the request
  return typeof mountedPath === 'string' ? mountedPath : undefined;
}
