import type { Endpoint } from '../endpoint.ts';

/** Common to all routes of the sample API. Their policies come before any method is refused: see `byMethod`. */
export const SAMPLE_API = {
  method: 'ANY',
  kind: 'api',
  authentication: 'bearer',
  cors: { origins: 'clients', methods: 'GET, HEAD, POST' },
} as const satisfies Omit<Endpoint, 'path'>;
