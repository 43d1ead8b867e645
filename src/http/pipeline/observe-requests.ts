import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { RequestLog } from '../../platform/metrics/request-lines.ts';
import { logRequest } from './request-log.ts';
import { routeOf, STATIC } from './route-of.ts';
import type { Handler } from './state.ts';

/**
 * Measures each request from outside of all that answers it, and has a line written about it. The route is named by the
 * pattern that a router took it with, never by the address.
 */
export function observeRequests(
  { ticks, requests }: Pick<Metrics, 'ticks' | 'requests'>,
  log: RequestLog | undefined,
): Handler {
  requests.declare(STATIC);
  return async (ctx, next) => {
    const began = ticks();
    await next();
    const { grantType, errorCode: refusal } = ctx.state;
    const route = routeOf(ctx);
    const milliseconds = ticks() - began;
    if (grantType !== undefined) requests.tokenIssued(grantType);
    if (refusal !== undefined) requests.refused(refusal);
    requests.answered(route, ctx.method, ctx.status, milliseconds);
    if (log !== undefined) logRequest(log, ctx, route, milliseconds);
  };
}
