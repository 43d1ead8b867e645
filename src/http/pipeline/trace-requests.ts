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
 * Makes each request a span of the trace that its caller is in, by OpenTelemetry's API and its names for HTTP. What is
 * in it is what the request log has: never an address, a header or a body. An SDK serves only those whose API is no
 * newer than its own, so ours stays at what SDKs have asked for since 2024.
 * @returns undefined where no SDK was loaded before the server: then there is nothing to pay for either
 */
export function traceRequests(): Handler | undefined {
  const tracer = trace.getTracer('grantlog');
  // A span that is never ended is never exported; only an SDK gives it a place in a trace.
  if (!isSpanContextValid(tracer.startSpan('grantlog', { root: true }).spanContext())) return undefined;

  return (ctx, next) => {
    const isWithinOther = trace.getActiveSpan() !== undefined; // an instrumentation of node:http has read the headers
    const parent = isWithinOther ? context.active() : propagation.extract(context.active(), ctx.headers);
    return tracer.startActiveSpan(
      ctx.method,
      { kind: isWithinOther ? SpanKind.INTERNAL : SpanKind.SERVER },
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
