import { json, object, TEXT, UNEXPECTED } from './answers.ts';
import type { Operation } from './operation.ts';

/** See routes/health.ts. */

const COMMON = { method: 'GET', tag: 'Health', open: [] } as const;

export const ALIVE: Operation = {
  ...COMMON, path: '/healthz', id: 'isAlive', summary: 'Is the process alive?',
  answers: { 200: { description: 'It is.', content: json(object({ status: { const: 'alive' } })) }, 500: UNEXPECTED },
};

export const READY: Operation = {
  ...COMMON, path: '/readyz', id: 'isReady', summary: 'Can it answer requests?',
  answers: {
    200: { description: 'It can.', content: json(object({ status: { const: 'ready' } })) },
    503: { description: 'It cannot, for the reason in `detail`.', content: json(object({ status: { const: 'not ready' }, detail: TEXT })) },
    500: UNEXPECTED,
  },
};

export const METRICS: Operation = {
  ...COMMON, path: '/metrics', id: 'readMetrics', summary: 'Measurements for Prometheus', description: 'Meant for those who run the server: a proxy in front keeps it from others.',
  answers: { 200: { description: 'In the text format 0.0.4.', content: { 'text/plain': { schema: TEXT } } }, 500: UNEXPECTED },
};
