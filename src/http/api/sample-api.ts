import type { Endpoint } from '../endpoint.ts';

/** The properties that all sample API routes share. With `ANY`, a policy runs before `byMethod` refuses a method. */
export const SAMPLE_API = {
  method: 'ANY',
  kind: 'api',
  authentication: 'bearer',
  cors: { origins: 'clients', methods: 'GET, HEAD, POST' },
} as const satisfies Omit<Endpoint, 'path'>;
