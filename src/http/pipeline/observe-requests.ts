import type { Confirmation } from '../../domain/confirmation.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { RequestLog } from '../../platform/metrics/request-lines.ts';
import type { TokenBinding } from '../../platform/metrics/request-meter.ts';
import { routeOf } from './route-of.ts';
import type { Handler, RequestContext } from './state.ts';

/**
 * Returns a step that records the metrics of each request, including the time spent in all later steps, and logs one
 * line per request. The line contains the route's pattern, never the URL.
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

function logRequest(
  log: RequestLog,
  { state, method, status }: RequestContext,
  route: string | undefined,
  milliseconds: number,
): void {
  const { requestId, endpoint, client, principal, issuedGrantType, errorCode, rule, metadata } = state;
  const line = {
    requestId,
    method,
    route,
    status,
    ms: Math.round(milliseconds * 1000) / 1000,
    clientId: client?.clientId ?? callerClientId(principal),
    grantType: issuedGrantType,
    refusal: errorCode,
    rule,
    traceparent: metadata.traceparent,
  };
  if (endpoint?.isPolled === true) log.debug(line, 'request');
  else log.info(line, 'request');
}

/** Returns the id of the bearer token's client. `principal` is undefined if no step has identified the caller. */
function callerClientId(principal: RequestContext['state']['principal'] | undefined): string | undefined {
  return principal?.kind === 'bearer' ? principal.clientId : undefined;
}
