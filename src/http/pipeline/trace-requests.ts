import {
  context,
  isSpanContextValid,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
} from '@opentelemetry/api';
import { routeOf } from './route-of.ts';
import type { Handler, RequestContext } from './state.ts';

/**
 * Returns a step that records each request as a span of the caller's trace, with the OpenTelemetry API and its
 * attribute names for HTTP. Like a line of the request log, a span never contains a URL, a header or a body. SDKs do
 * not support API versions newer than themselves, so this server uses a version that SDKs have supported since 2024.
 * @returns undefined if no SDK was loaded before the server. Tracing then costs nothing
 */
export function traceRequests(): Handler | undefined {
  const tracer = trace.getTracer('grantlog');
  // Only an SDK gives a span a valid context. This span is never ended, so it is never exported.
  if (!isSpanContextValid(tracer.startSpan('grantlog', { root: true }).spanContext())) return undefined;

  return (ctx, next) => {
    const hasParentSpan = trace.getActiveSpan() !== undefined; // true if node:http is instrumented
    const parent = hasParentSpan ? context.active() : propagation.extract(context.active(), ctx.headers);
    return tracer.startActiveSpan(
      ctx.method,
      { kind: hasParentSpan ? SpanKind.INTERNAL : SpanKind.SERVER },
      parent,
      async (span) => {
        try {
          await next();
        } finally {
          describe(span, ctx);
          span.end();
        }
      },
    );
  };
}

function describe(span: Span, ctx: RequestContext): void {
  const { requestId, client, issuedGrantType, errorCode, rule } = ctx.state;
  const route = routeOf(ctx);
  if (route !== undefined) span.updateName(`${ctx.method} ${route}`);
  span.setAttributes({
    'http.request.method': ctx.method,
    'http.route': route,
    'http.response.status_code': ctx.status,
    'error.type': errorCode,
    'grantlog.request_id': requestId,
    'grantlog.client_id': client?.clientId,
    'grantlog.grant_type': issuedGrantType,
    'grantlog.rule': rule,
  });
  if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}
