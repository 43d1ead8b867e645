import type { RefusedRequest } from '../../src/oauth/refusals/explanations.ts';

/** Returns a refused token request with this request id and these changes. */
export const refusedRequest = (id: string, changes: Partial<RefusedRequest> = {}): RefusedRequest => ({
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
