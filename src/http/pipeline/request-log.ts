import type { RequestLog } from '../../platform/metrics/request-lines.ts';
import type { RequestContext } from './state.ts';

export function logRequest(
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

/** Returns the client that the bearer token was issued to. Some requests end before their caller is identified. */
function callerClientId(principal: RequestContext['state']['principal'] | undefined): string | undefined {
  return principal?.kind === 'bearer' ? principal.clientId : undefined;
}
