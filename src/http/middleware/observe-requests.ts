import type { Metrics } from '../../monitoring/metrics.ts';
import type { Handler, RequestContext } from '../state.ts';

/**
 * Measures each request from outside of all that answers it. The route is named by the pattern that a router of ours
 * took it with, never by the address.
 */
export function observeRequests({ ticks, requests }: Pick<Metrics, 'ticks' | 'requests'>): Handler {
  requests.declare(STATIC);
  return async (ctx, next) => {
    const began = ticks();
    await next();
    const { grantType, refusal } = ctx.state;
    if (grantType !== undefined) requests.tokenIssued(grantType);
    if (refusal !== undefined) requests.refused(refusal);
    requests.answered(routeOf(ctx), ctx.method, ctx.status, ticks() - began);
  };
}

const STATIC = '/static/';

function routeOf(ctx: RequestContext): string {
  const matched: unknown = ctx['_matchedRoute'];
  if (typeof matched === 'string') return matched;
  return ctx.status < 400 && ctx.path.startsWith(STATIC) ? STATIC : '';
}
