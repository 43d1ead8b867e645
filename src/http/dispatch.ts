import type { Router } from '@koa/router';
import type { Next } from 'koa';
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
 * once.
 */
export function dispatch(routers: readonly Router<RequestState>[]): Handler {
  const segments = new Map<string, Below>();
  for (const segment of new Set(routers.flatMap((router) => routesOf(router).map(segmentOf)))) {
    const isThere = (route: Route): boolean => segmentOf(route) === segment;
    const there = routers.filter((router) => routesOf(router).some(isThere));
    segments.set(segment, { routes: there.flatMap(routesOf).filter(isThere), elsewhere: inOrder(there.map(wholly)) });
  }
  return (ctx, next) => {
    const below = segments.get(firstSegment(ctx.path));
    if (below === undefined) return next();
    const at = nextFor(ctx, below.routes, 0);
    return at === -1 ? below.elsewhere(ctx, next) : take(ctx, below.routes, at, next);
  };
}

/** Where among `routes`, not before `from`, is one that takes the request; -1: nowhere. */
function nextFor({ path, method }: RequestContext, routes: readonly Route[], from: number): number {
  for (let at = from; at < routes.length; at += 1) {
    const layer = routes[at]?.layer;
    if (layer?.match(path) === true && layer.methods.includes(method)) return at;
  }
  return -1;
}

/** What the router itself would leave on the context for handlers, and for whoever asks afterwards which route it was. */
function take(ctx: RequestContext, routes: readonly Route[], at: number, next: Next): ReturnType<Handler> {
  const route = routes[at];
  if (route === undefined) return next();
  const { layer, run } = route;
  ctx['_matchedRoute'] = layer.path;
  if (layer.paramNames.length > 0) ctx['params'] = layer.params(ctx.path, layer.captures(ctx.path), ctx['params'] as Record<string, string> | undefined);
  return run(ctx, () => {
    const following = nextFor(ctx, routes, at + 1);
    return following === -1 ? next() : take(ctx, routes, following, next);
  });
}

/** A layer without methods guards those that come after it and lie below its own pattern. */
function routesOf({ stack }: Router<RequestState>): readonly Route[] {
  return stack.flatMap((layer, at) => {
    if (layer.methods.length === 0) return [];
    const guards = stack.slice(0, at).filter((guard) => guard.methods.length === 0 && guard.match(String(layer.path)));
    return { layer, run: inOrder([...guards, layer].flatMap((each) => each.stack as unknown as readonly Handler[])) };
  });
}

function wholly(router: Router<RequestState>): Handler {
  const routes = router.routes() as unknown as Handler;
  const allowedMethods = router.allowedMethods() as unknown as Handler;
  return (ctx, next) => routes(ctx, async () => allowedMethods(ctx, async () => next())); // it wants promises
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
