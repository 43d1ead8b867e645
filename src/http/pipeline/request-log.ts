import type { RequestLog } from '../../platform/metrics/request-lines.ts';
import type { RequestContext } from './state.ts';

/** Asked again and again by machines of the operator's own, or fetched along with a page. */
const NOISE: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics', '/static/']);

export function logRequest(
  log: RequestLog,
  { state, method, status }: RequestContext,
  route: string | undefined,
  milliseconds: number,
): void {
  const { requestId, clientId, principal, grantType, errorCode: refusal, rule, metadata: mark } = state;
  const line = {
    requestId,
    method,
    route,
    status,
    ms: Math.round(milliseconds * 1000) / 1000,
    clientId: clientId ?? clientOf(principal),
    grantType,
    refusal,
    rule,
    traceparent: mark.traceparent,
  };
  if (route !== undefined && NOISE.has(route)) log.debug(line, 'request');
  else log.info(line, 'request');
}

/** Some requests are answered before anybody asks who it is. */
function clientOf(principal: RequestContext['state']['principal'] | undefined): string | undefined {
  return principal?.kind === 'bearer' ? principal.clientId : undefined;
}
