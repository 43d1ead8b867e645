import { pino } from 'pino';
import { Counter, Histogram, Registry } from 'prom-client';
import { registerHistogram } from '../../../src/platform/metrics/labeled-histogram.ts';
import { createRequestLog, type RequestLine } from '../../../src/platform/metrics/request-lines.ts';
import { createRequestMeter } from '../../../src/platform/metrics/request-meter.ts';
import { systemClock } from '../../../src/platform/ports.ts';
import type { Pair } from './pair.ts';

const LINE: RequestLine = {
  requestId: 'AAAAAAAAAAAAAAAAAAAAAA',
  method: 'POST',
  route: '/o/token/',
  status: 200,
  ms: 1.25,
  clientId: 'a-client-of-some-length',
  grantType: 'client_credentials',
  refusal: undefined,
  rule: undefined,
  traceparent: undefined,
};

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Returns the comparisons for metrics and log lines of requests. */
export function metricPairs(): readonly Pair[] {
  const destination = { write: () => {} };
  const lines = createRequestLog('info', destination, systemClock);
  const logger = pino({ level: 'info', base: null }, destination);
  const optimizedHistogram = registerHistogram(
    { name: 'optimized', help: '-', label: 'route', buckets: BUCKETS },
    new Registry(),
  )('/o/token/');
  const baselineHistogram = new Histogram({
    name: 'baseline',
    help: '-',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers: [],
  });
  const route = baselineHistogram.labels({ route: '/o/token/' });
  const meter = createRequestMeter(new Registry());
  meter.declare('/o/token/');
  const requests = new Counter({
    name: 'requests',
    help: '-',
    labelNames: ['route', 'method', 'status'],
    registers: [],
  });
  return [
    {
      name: 'request line: fixed fields vs. pino',
      file: 'platform/metrics/request-lines.ts',
      optimized: () => lines.info(LINE, 'request'),
      baseline: () => logger.info(LINE, 'request'),
    },
    {
      name: 'histogram: declared labels vs. prom-client',
      file: 'platform/metrics/labeled-histogram.ts',
      optimized: () => optimizedHistogram.observe(0.00125),
      baseline: () => route.observe(0.00125),
    },
    {
      name: 'request counter: deferred vs. prom-client',
      file: 'platform/metrics/request-meter.ts',
      optimized: () => meter.countResponse('/o/token/', 'POST', 200, 1.25),
      baseline: () => {
        route.observe(0.00125);
        requests.inc({ route: '/o/token/', method: 'POST', status: '200' });
      },
    },
  ];
}
