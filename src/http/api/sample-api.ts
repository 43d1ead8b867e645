import type { Endpoint } from '../endpoint.ts';

/** What all routes of the sample API declare. Their policies come before any method is refused: see `byMethod`. */
export const SAMPLE_API = {
  method: 'ANY',
  kind: 'api',
  authentication: 'bearer',
  cors: { origins: 'clients', methods: 'GET, HEAD, POST' },
} as const satisfies Omit<Endpoint, 'path'>;
