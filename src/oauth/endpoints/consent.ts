import type { UserId } from '../../domain/values.ts';
import type { Grants } from '../../projections/grants.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { isLoopback } from '../clients/redirect-uris.ts';

type ConsentRequest = Pick<
  AuthorizationRequest,
  'client' | 'redirectUri' | 'scope' | 'resource' | 'prompt' | 'approvalPrompt'
>;

/**
 * Why nobody needs to be asked: a grant that still stands covers the request, or its client is one of the house.
 * Undefined where the person has to be asked. `now` in seconds since the epoch.
 */
export function implicitConsent(
  request: ConsentRequest,
  userId: UserId,
  now: number,
  liveGrants: Pick<Grants, 'covers'>,
): 'remembered' | 'skipped' | undefined {
  if (request.prompt.has('consent')) return undefined;
  if (request.client.skipAuthorization) return 'skipped';
  if (request.approvalPrompt !== 'auto' || !isIdentified(request)) return undefined;
  return liveGrants.covers(userId, request.client.clientId, request.scope, request.resource, now)
    ? 'remembered'
    : undefined;
}

/** Anybody on the machine could pose as a public client that listens on the loopback (RFC 8252 §8.6). */
function isIdentified({ client, redirectUri }: ConsentRequest): boolean {
  return client.clientType === 'confidential' || (redirectUri.startsWith('https:') && !isLoopback(redirectUri));
}
