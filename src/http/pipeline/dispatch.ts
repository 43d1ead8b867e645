import type { Router } from '@koa/router';
import type { Next } from 'koa';
import { compose } from './compose.ts';
import type { Handler, RequestContext, RequestState } from './state.ts';

type Layer = Router<RequestState>['stack'][number];

/** A route as its router declares it, and all that runs for a request that it takes. */
interface Route {
  readonly router: Router<RequestState>;
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
  for (const [segment, routes] of bySegment(routers.flatMap(routesOf))) {
    const there = new Set(routes.map(({ router }) => router));
    segments.set(segment, { routes, elsewhere: compose([...there].map(wholly)) });
  }
  return (ctx, next) => {
    const below = segments.get(firstSegment(ctx.path));
    return below === undefined ? next() : put(ctx, below.routes, next, () => below.elsewhere(ctx, next));
  };
}

/** Puts a request to the first of `routes` that takes it, which leaves it to those after that one when it calls `next`. */
function put(ctx: RequestContext, routes: readonly Route[], next: Next, untaken: Next = next): ReturnType<Handler> {
  const { path, method } = ctx;
  const at = routes.findIndex(({ layer }) => layer.match(path) && layer.methods.includes(method));
  const route = routes[at];
  if (route === undefined) return untaken();
  const { layer, run } = route;
  ctx['_matchedRoute'] = layer.path; // what handlers and the request log ask for of all that the router itself would note
  if (layer.paramNames.length > 0)
    ctx['params'] = layer.params(path, layer.captures(path), ctx['params'] as Record<string, string> | undefined);
  return run(ctx, () => put(ctx, routes.slice(at + 1), next));
}

function bySegment(routes: readonly Route[]): ReadonlyMap<string, readonly Route[]> {
  const found = new Map<string, Route[]>();
  for (const route of routes) {
    const segment = segmentOf(route);
    found.set(segment, [...(found.get(segment) ?? []), route]);
  }
  return found;
}

/**
 * Each with the guards before it, which are asked again when it leaves a request to a later route.
 * @throws Error a guard is not for all of its router: which addresses pass it, a route's pattern does not say
 */
function routesOf(router: Router<RequestState>): readonly Route[] {
  const { stack } = router;
  return stack.flatMap((layer, at) => {
    if (isGuard(layer)) return [];
    const guards = stack.slice(0, at).filter(isGuard);
    const partial = guards.find((guard) => guard.opts.ignoreCaptures !== true || !guard.match(String(layer.path)));
    if (partial !== undefined)
      throw new Error(
        `the guard of ${String(partial.path)} is not for all of its router; give what it guards a router of its own`,
      );
    return {
      router,
      layer,
      run: compose([...guards, layer].flatMap((each) => each.stack as unknown as readonly Handler[])),
    };
  });
}

/** What a router is told to use has no methods, and its captures are ignored where it is for every address. */
function isGuard({ methods }: Layer): boolean {
  return methods.length === 0;
}

function wholly(router: Router<RequestState>): Handler {
  const routes = router.routes() as unknown as Handler;
  const allowedMethods = router.allowedMethods() as unknown as Handler;
  return (ctx, next) => routes(ctx, async () => allowedMethods(ctx, async () => next())); // it wants promises
}

/** @throws Error it is not the same for all requests that the route takes */
function segmentOf({ layer: { path } }: Route): string {
  const segment = firstSegment(String(path));
  if (/[:*{(]/.test(segment))
    throw new Error(`the route ${String(path)} has a parameter in its first segment, which it is found by`);
  return segment;
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path : path.slice(0, end);
}
