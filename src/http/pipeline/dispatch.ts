import type { Next } from 'koa';
import type { Route } from '../route.ts';
import { METHODS, type RouteTable } from './route-table.ts';
import type { Handler, RequestContext } from './state.ts';

/** The handlers that a route's declaration amounts to. */
export interface RouteHandlers {
  /** Lets scripts of other origins read the response, where the route allows it. */
  readonly cors: Handler | undefined;
  /** All that runs for a request, CORS included. */
  readonly run: Handler;
}

/**
 * Runs the route that takes a request. Other requests go on to the handlers behind, where a router that a program has
 * mounted may answer them, even a method that is missing here. If none does and only the method is wrong, the response
 * is 405 (200 to OPTIONS) and lists the right ones in `Allow`.
 */
export function dispatch(table: RouteTable<Route>, prepare: (route: Route) => RouteHandlers): Handler {
  const handlers = new Map(table.routes.map((route) => [route, prepare(route)]));

  return (ctx, next) => {
    const match = table.find(ctx.method, ctx.path);
    if (match === undefined) return goOn(ctx, next);
    ctx.state.endpoint = match.route;
    ctx.state.pathParameters = match.parameters;
    return handlers.get(match.route)?.run(ctx, next);
  };

  async function goOn(ctx: RequestContext, next: Next): Promise<void> {
    const nearest = table.nearest(ctx.path);
    const cors = nearest === undefined ? undefined : handlers.get(nearest)?.cors;
    await (cors === undefined ? next() : cors(ctx, next));
    if (ctx.status === 404) answerOtherMethod(ctx, table.at(ctx.path));
  }
}

/** What Koa's own routers implement; RFC 9110 §15.6.2 has 501 for the rest. */
const IMPLEMENTED = ['HEAD', 'OPTIONS', 'GET', 'PUT', 'PATCH', 'POST', 'DELETE'];

function answerOtherMethod(ctx: RequestContext, routes: readonly Route[]): void {
  if (routes.length === 0) return;
  const allowed = new Set(routes.flatMap(({ method }) => METHODS[method]));
  if (allowed.has(ctx.method)) return; // its route has passed the request on
  ctx.set('Allow', [...allowed].join(', '));
  if (ctx.method === 'OPTIONS') {
    ctx.status = 200;
    ctx.body = '';
  } else {
    ctx.status = IMPLEMENTED.includes(ctx.method) ? 405 : 501;
  }
}
