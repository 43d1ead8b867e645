import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { RequestLog } from '../../platform/metrics/request-lines.ts';
import { logRequest } from './request-log.ts';
import { routeOf } from './route-of.ts';
import type { Handler } from './state.ts';

/**
 * Measures each request, including all other handlers, and logs a line about it. The line contains the route's pattern,
 * never the address.
 */
export function observeRequests(
  { ticks, requests }: Pick<Metrics, 'ticks' | 'requests'>,
  log: RequestLog | undefined,
): Handler {
  return async (ctx, next) => {
    const began = ticks();
    await next();
    const { issuedGrantType, hasIdToken, errorCode } = ctx.state;
    const route = routeOf(ctx);
    const milliseconds = ticks() - began;
    if (issuedGrantType !== undefined) requests.tokenIssued(issuedGrantType);
    if (issuedGrantType !== undefined && hasIdToken === true) requests.idTokenIssued(issuedGrantType);
    if (errorCode !== undefined) requests.refused(errorCode);
    requests.answered(route, ctx.method, ctx.status, milliseconds);
    if (log !== undefined) logRequest(log, ctx, route, milliseconds);
  };
}
