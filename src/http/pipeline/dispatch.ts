import type { Next } from 'koa';
import type { Route } from '../route.ts';
import { METHODS, type RouteTable } from './route-table.ts';
import type { Handler, RequestContext } from './state.ts';

/** The handlers that implement a route's declaration. */
export interface RouteHandlers {
  /** Sets the CORS headers and responds to preflights; undefined if the route allows no other origins. */
  readonly cors: Handler | undefined;
  /** Runs all steps of the route, including CORS. */
  readonly run: Handler;
}

/**
 * Returns a handler that runs the route that matches a request. Without a match, the handler calls the next ones,
 * because a router that an embedding application has mounted may handle the request, even if the path matches a route
 * in this table that has a different method. If no handler responds, and routes match the path but not the method, the
 * status is 405 (200 for OPTIONS), with the allowed methods in `Allow`.
 */
export function dispatch(table: RouteTable<Route>, prepare: (route: Route) => RouteHandlers): Handler {
  const handlersByRoute = new Map<Route, RouteHandlers>();

  /** Prepares each route on its first request: preparing all in advance would take a tenth of the startup time. */
  function prepareHandlers(route: Route): RouteHandlers {
    const existing = handlersByRoute.get(route);
    if (existing !== undefined) return existing;
    const handlers = prepare(route);
    handlersByRoute.set(route, handlers);
    return handlers;
  }

  return (ctx, next) => {
    const match = table.find(ctx.method, ctx.path);
    if (match === undefined) return passOn(ctx, next);
    ctx.state.endpoint = match.route;
    ctx.state.pathParameters = match.parameters;
    return prepareHandlers(match.route).run(ctx, next);
  };

  async function passOn(ctx: RequestContext, next: Next): Promise<void> {
    const nearestRoute = table.nearest(ctx.path);
    const cors = nearestRoute === undefined ? undefined : prepareHandlers(nearestRoute).cors;
    await (cors === undefined ? next() : cors(ctx, next));
    if (ctx.status === 404) respondToUnsupportedMethod(ctx, table.routesAt(ctx.path));
  }
}

function respondToUnsupportedMethod(ctx: RequestContext, routes: readonly Route[]): void {
  if (routes.length === 0) return;
  const allowedMethods = new Set(routes.flatMap(({ method }) => METHODS[method]));
  if (allowedMethods.has(ctx.method)) return; // a later handler has changed `ctx.method` or `ctx.path`
  ctx.set('Allow', [...allowedMethods].join(', '));
  if (ctx.method === 'OPTIONS') {
    ctx.status = 200;
    ctx.body = '';
  } else {
    ctx.status = 405;
  }
}
