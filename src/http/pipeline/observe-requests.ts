import type { Confirmation } from '../../domain/confirmation.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { RequestLog } from '../../platform/metrics/request-lines.ts';
import type { TokenBinding } from '../../platform/metrics/request-meter.ts';
import { logRequest } from './request-log.ts';
import { routeOf } from './route-of.ts';
import type { Handler } from './state.ts';

/**
 * Returns a step that measures each request, including all other handlers, and logs a line about it. The line contains
 * the route's pattern, never the URL.
 */
export function observeRequests(
  { ticks, requests }: Pick<Metrics, 'ticks' | 'requests'>,
  log: RequestLog | undefined,
): Handler {
  return async (ctx, next) => {
    const startedAt = ticks();
    await next();
    const { authenticationMethod, issuedGrantType, confirmation, hasIdToken, errorCode } = ctx.state;
    const route = routeOf(ctx);
    const milliseconds = ticks() - startedAt;
    if (authenticationMethod !== undefined) requests.countAuthentication(authenticationMethod);
    if (issuedGrantType !== undefined) {
      requests.countToken(issuedGrantType, toTokenBinding(confirmation));
      if (hasIdToken === true) requests.countIdToken(issuedGrantType);
    }
    if (errorCode !== undefined) requests.countRefusal(errorCode);
    requests.countResponse(route, ctx.method, ctx.status, milliseconds);
    if (log !== undefined) logRequest(log, ctx, route, milliseconds);
  };
}

function toTokenBinding(confirmation: Confirmation | undefined): TokenBinding {
  if (confirmation === undefined) return 'none';
  return confirmation.method === 'jkt' ? 'dpop' : 'tls';
}
