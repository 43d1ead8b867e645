import type { RequestContext } from './state.ts';

/** Takes a line for each request. */
export interface RequestLog {
  info(fields: RequestLine, message: string): void;
  debug(fields: RequestLine, message: string): void;
}

/**
 * What is said of a request: these fields and no others. No address, query, header or body, for any of them may hold a
 * credential; what was asked for is named by its route.
 */
export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the route that took it; undefined when none did. */
  readonly route: string | undefined;
  readonly status: number;
  /** From the head of the request to its answer being ready, in milliseconds. */
  readonly ms: number;
  /** The client that authenticated, or whose token it was. */
  readonly clientId: string | undefined;
  readonly grantType: string | undefined;
  /** The error code of a refusal in the protocol's words. */
  readonly refusal: string | undefined;
  /** The rule that refused. */
  readonly rule: string | undefined;
  readonly traceparent: string | undefined;
}

/** Asked again and again by machines of the operator's own, or fetched along with a page. */
const NOISE: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics', '/static/']);

export function logRequest(log: RequestLog, { state, method, status }: RequestContext, route: string | undefined, milliseconds: number): void {
  const { requestId, clientId, principal, grantType, refusal, rule, mark } = state;
  const line = {
    requestId, method, route, status, ms: Math.round(milliseconds * 1000) / 1000, clientId: clientId ?? clientOf(principal), grantType, refusal, rule, traceparent: mark.traceparent,
  };
  if (route !== undefined && NOISE.has(route)) log.debug(line, 'request');
  else log.info(line, 'request');
}

/** Some requests are answered before anybody asks who it is. */
function clientOf(principal: RequestContext['state']['principal'] | undefined): string | undefined {
  return principal?.kind === 'bearer' ? principal.clientId : undefined;
}
