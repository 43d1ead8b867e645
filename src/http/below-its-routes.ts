import type { Router } from '@koa/router';
import type { Handler, RequestState } from './state.ts';

/**
 * The router as middleware that is asked for addresses below the first segments of its own routes alone. A request passes
 * some twenty routers; being looked up in the tables of all of them cost it as much as its answer did.
 */
export function onlyBelowItsRoutes(router: Router<RequestState>): Handler & { readonly router: Router<RequestState> } {
  const routes = router.routes() as unknown as Handler;
  const allowedMethods = router.allowedMethods() as unknown as Handler;
  const segments = new Set(router.stack.map(({ path }) => firstSegment(String(path))));
  const middleware: Handler = (ctx, next) => {
    if (!segments.has(firstSegment(ctx.path))) return next();
    return routes(ctx, async () => allowedMethods(ctx, next));
  };
  return Object.assign(middleware, { router });
}

/** Of an address, or of a route's pattern: none of ours has a parameter there. */
function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path : path.slice(0, end);
}
