import { ERROR, json, object, STRING, UNEXPECTED } from './shared-responses.ts';
import type { ApiResponse, Operation } from './operation.ts';

// See http/api/health.ts.

const FORWARDED_RESPONSE: ApiResponse = { description: 'A proxy forwarded the request.', content: json(ERROR) };

const COMMON = { method: 'GET', tag: 'Health', publicSecurity: [] } as const;

export const CHECK_ALIVE: Operation = {
  ...COMMON,
  path: '/healthz',
  id: 'isAlive',
  summary: 'Check whether the process is alive',
  responses: {
    200: { description: 'The process is alive.', content: json(object({ status: { const: 'alive' } })) },
    500: UNEXPECTED,
  },
};

export const CHECK_READY: Operation = {
  ...COMMON,
  path: '/readyz',
  id: 'isReady',
  summary: 'Check whether the server can handle requests',
  responses: {
    200: { description: 'The server is ready.', content: json(object({ status: { const: 'ready' } })) },
    503: {
      description: 'The server is not ready. `detail` contains the reason.',
      content: json(object({ status: { const: 'not ready' }, detail: STRING })),
    },
    500: UNEXPECTED,
  },
};

export const READ_METRICS: Operation = {
  ...COMMON,
  path: '/metrics',
  id: 'readMetrics',
  summary: 'Read the metrics for Prometheus',
  description: 'For operators. Requests that a proxy forwarded are refused.',
  responses: {
    200: {
      description: 'The metrics, in the text format, version 0.0.4.',
      content: { 'text/plain': { schema: STRING } },
    },
    404: FORWARDED_RESPONSE,
    500: UNEXPECTED,
  },
};
