import type { RefusedRequest } from '../../src/oauth/refusals/explanations.ts';

/** Builds a refused token request with this request ID and the given changes. */
export const buildRefusedRequest = (id: string, changes: Partial<RefusedRequest> = {}): RefusedRequest => ({
  id,
  at: 1,
  method: 'POST',
  path: '/o/token/',
  error: 'invalid_request',
  clientId: null,
  isProven: false,
  refusal: { rule: 'parameter-missing', parameter: 'code' },
  ...changes,
});
