import type { UserId } from '../../domain/values.ts';
import type { Grants } from '../../projections/grants.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { isLoopback } from '../clients/redirect-uris.ts';

type ConsentRequest = Pick<
  AuthorizationRequest,
  'client' | 'redirectUri' | 'scope' | 'resource' | 'prompt' | 'approvalPrompt'
>;

/**
 * Why no consent form is needed: an active grant covers the request, or the client is trusted to skip it.
 * @param now in seconds since the epoch
 * @returns undefined if the user has to be asked
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

/** Any program on the machine could pose as a public client on a loopback address (RFC 8252 §8.6). */
function isIdentified({ client, redirectUri }: ConsentRequest): boolean {
  return client.clientType === 'confidential' || (redirectUri.startsWith('https:') && !isLoopback(redirectUri));
}
