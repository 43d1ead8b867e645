import {
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
  type Tracer,
} from '@opentelemetry/api';
import { expect } from 'chai';
import { createApp } from '../../../src/http/app.ts';
import { traceRequests } from '../../../src/http/pipeline/trace-requests.ts';
import { runningService, type RunningService } from '../../support/running-service.ts';
import { unchecked } from '../../support/unchecked.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE_ID}-b7ad6b7169203331-01`;

interface RecordedSpan {
  name: string;
  readonly kind: SpanKind | undefined;
  readonly parent: SpanContext | undefined;
  attributes: Attributes;
  status: SpanStatus | undefined;
}

/** Creates a tracer with as much of an SDK as spans need. It appends each span to `endedSpans` when the span ends. */
function createRecordingTracer(endedSpans: RecordedSpan[]): Tracer {
  function startSpan(name: string, options: SpanOptions = {}, parentContext: Context = ROOT_CONTEXT): Span {
    const spanRecord: RecordedSpan = {
      name,
      kind: options.kind,
      parent: trace.getSpanContext(parentContext),
      attributes: {},
      status: undefined,
    };
    const span: Span = {
      spanContext: () => ({ traceId: TRACE_ID, spanId: '00f067aa0ba902b7', traceFlags: TraceFlags.SAMPLED }),
      setAttribute: (key, value) => span.setAttributes({ [key]: value }),
      setAttributes(attributes) {
        for (const [key, value] of Object.entries(attributes))
          if (value !== undefined) spanRecord.attributes[key] = value;
        return span;
      },
      setStatus(status) {
        spanRecord.status = status;
        return span;
      },
      updateName(newName) {
        spanRecord.name = newName;
        return span;
      },
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      isRecording: () => true,
      recordException: () => {},
      end: () => void endedSpans.push(spanRecord),
    };
    return span;
  }
  const startActiveSpan = (
    name: string,
    options: SpanOptions,
    parentContext: Context,
    callback: (span: Span) => unknown,
  ) => callback(startSpan(name, options, parentContext));
  return { startSpan, startActiveSpan: startActiveSpan as Tracer['startActiveSpan'] };
}

describe('Requests in OpenTelemetry traces', () => {
  let running: RunningService | undefined;
  let endedSpans: RecordedSpan[];

  /** Loads an SDK, which must happen before the server starts. */
  function loadSdk(): void {
    endedSpans = [];
    const tracer = createRecordingTracer(endedSpans);
    trace.setGlobalTracerProvider({ getTracer: () => tracer });
    propagation.setGlobalPropagator({
      inject: () => {},
      fields: () => ['traceparent'],
      extract(parentContext, carrier: { readonly traceparent?: string }) {
        const [, traceId = '', spanId = ''] = carrier.traceparent?.split('-') ?? [];
        return traceId === ''
          ? parentContext
          : trace.setSpanContext(parentContext, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });
      },
    });
  }

  afterEach(async () => {
    trace.disable();
    propagation.disable();
    await running?.close();
    running = undefined;
  });

  it("are spans of the caller's trace with the same data as in the request log", async () => {
    loadSdk();
    running = await runningService();
    const client = await running.addClient();
    const { headers } = await running.post(
      '/o/token/',
      { grant_type: 'client_credentials' },
      { authorization: client.basic, traceparent: TRACEPARENT },
    );
    await running.post('/o/token/', { grant_type: 'client_credentials', client_id: client.id, client_secret: 'wrong' });
    await running.get('/no/such/page?secret=1');
    const [successSpan, refusalSpan, notFoundSpan, ...otherSpans] = endedSpans;
    expect(otherSpans).to.deep.equal([]);
    expect(successSpan).to.deep.include({ name: 'POST /o/token', kind: SpanKind.SERVER, status: undefined });
    expect(successSpan?.parent).to.include({ traceId: TRACE_ID, spanId: 'b7ad6b7169203331' });
    expect(successSpan?.attributes).to.deep.equal({
      'http.request.method': 'POST',
      'http.route': '/o/token',
      'http.response.status_code': 200,
      'grantlog.request_id': headers.get('x-request-id'),
      'grantlog.client_id': client.id,
      'grantlog.grant_type': 'client_credentials',
    });
    expect(refusalSpan?.attributes).to.include({
      'http.response.status_code': 401,
      'error.type': 'invalid_client',
      'grantlog.rule': 'client-secret-wrong',
    });
    expect(refusalSpan?.parent).to.equal(undefined);
    expect(notFoundSpan).to.deep.include({ name: 'GET' });
    expect(JSON.stringify(endedSpans)).to.not.contain('secret=1').and.not.contain(client.secret);
  });

  it('are marked as errors after a server failure, and end even if an error is thrown', async () => {
    loadSdk();
    const middleware = traceRequests() ?? expect.fail('no SDK was found');
    const failingContext = unchecked({ method: 'GET', path: '/', status: 503, headers: {}, state: {} });
    await middleware(failingContext, async () => {});
    await middleware(failingContext, () => Promise.reject(new Error('thrown'))).catch(() => {});
    expect(endedSpans.map(({ status }) => status)).to.deep.equal([
      { code: SpanStatusCode.ERROR },
      { code: SpanStatusCode.ERROR },
    ]);
  });

  it('need no middleware if no SDK is loaded', async () => {
    expect(traceRequests()).to.equal(undefined);
    running = await runningService();
    const service = running.service();
    const countLayers = (): number => createApp(service, { error: () => {} }).middleware.length;
    const untracedCount = countLayers();
    loadSdk();
    expect(countLayers()).to.equal(untracedCount + 1);
  });
});
