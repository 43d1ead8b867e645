import type { Router } from '@koa/router';
import { inOrder } from './in-order.ts';
import type { Handler, RequestContext, RequestState } from './state.ts';

type Layer = Router<RequestState>['stack'][number];

/** A route as its router declares it, and all that runs for a request that it takes. */
interface Route {
  readonly layer: Layer;
  readonly run: Handler;
}

/** What there is below a first segment. */
interface Below {
  readonly routes: readonly Route[];
  /** The routers themselves, for what none of the routes takes: other methods, and addresses that are none. */
  readonly elsewhere: Handler;
}

/**
 * Routers, in that order, as one handler. A router that is asked looks a request up in all of its routes and then puts
 * together what runs for it, each time anew; a request passes a score of them, and that cost as much as some answers do.
 * So a request is looked for below its first segment, exactly as that is written, and what runs for a route is put together
 * once. A route's handler that calls `next` passes on to what comes behind all these routers.
 */
export function dispatch(routers: readonly Router<RequestState>[]): Handler {
  const segments = new Map<string, Below>();
  for (const segment of new Set(routers.flatMap((router) => routesOf(router).map(segmentOf)))) {
    const isThere = (route: Route): boolean => segmentOf(route) === segment;
    const there = routers.filter((router) => routesOf(router).some(isThere));
    segments.set(segment, { routes: there.flatMap(routesOf).filter(isThere), elsewhere: inOrder(there.map(wholly)) });
  }
  return (ctx, next) => {
    const { path, method } = ctx;
    const below = segments.get(firstSegment(path));
    if (below === undefined) return next();
    for (const route of below.routes) if (route.layer.match(path) && route.layer.methods.includes(method)) return take(route, path, ctx, next);
    return below.elsewhere(ctx, next);
  };
}

function take({ layer, run }: Route, path: string, ctx: RequestContext, next: Parameters<Handler>[1]): unknown {
  ctx['_matchedRoute'] = layer.path; // where the router would have left it
  if (layer.paramNames.length > 0) ctx['params'] = layer.params(path, layer.captures(path));
  return run(ctx, next);
}

/** A layer without methods guards those that come after it. */
function routesOf({ stack }: Router<RequestState>): readonly Route[] {
  const guards: Handler[] = [];
  const routes: Route[] = [];
  for (const layer of stack) {
    const handlers = layer.stack as unknown as readonly Handler[];
    if (layer.methods.length === 0) guards.push(...handlers);
    else routes.push({ layer, run: inOrder([...guards, ...handlers]) });
  }
  return routes;
}

function wholly(router: Router<RequestState>): Handler {
  const routes = router.routes() as unknown as Handler;
  const allowedMethods = router.allowedMethods() as unknown as Handler;
  return (ctx, next) => routes(ctx, async () => allowedMethods(ctx, next));
}

/** @throws Error it is not the same for all requests that the route takes */
function segmentOf({ layer: { path } }: Route): string {
  const segment = firstSegment(String(path));
  if (/[:*{(]/.test(segment)) throw new Error(`the route ${String(path)} has a parameter in its first segment, which it is found by`);
  return segment;
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path : path.slice(0, end);
}
