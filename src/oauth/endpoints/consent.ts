import type { UserId } from '../../domain/values.ts';
import type { Grants } from '../../projections/grants.ts';
import type { RefusalOf } from '../refusals/refusal.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { claimsBeyondScope } from '../openid/claims.ts';
import type { ScopeClaims } from '../openid/user-claims.ts';

type ConsentRequest = Pick<
  AuthorizationRequest,
  'client' | 'redirectUri' | 'scope' | 'resource' | 'details' | 'prompt' | 'approvalPrompt' | 'openid' | 'management'
>;

/**
 * Returns why no consent page is needed: a live grant covers the request, or the client is trusted to skip the page.
 * @param now in seconds since the epoch
 * @returns undefined if the user has to be asked
 */
export function implicitConsent(
  request: ConsentRequest,
  userId: UserId,
  now: number,
  liveGrants: Pick<Grants, 'covers'>,
  scopeClaims: ScopeClaims,
): 'remembered' | 'skipped' | undefined {
  if (request.prompt.has('consent')) return undefined;
  // A metadata document that has changed may describe a client that the operator does not trust.
  if (request.client.skipAuthorization && request.client.recordingCommand === undefined) return 'skipped';
  if (request.management?.grantToUpdate !== undefined) return undefined; // an update ends the covering grant
  if (!acceptsEarlierConsent(request) || !isClientIdentified(request)) return undefined;
  return isCovered(request, userId, now, liveGrants, scopeClaims) ? 'remembered' : undefined;
}

/**
 * Returns why a request with `prompt=none` is refused. `interaction-required` means that the user has already consented
 * to everything in the request, but any program could send the request and receive the response.
 */
export function silentRefusal(
  request: ConsentRequest,
  userId: UserId,
  now: number,
  liveGrants: Pick<Grants, 'covers'>,
  scopeClaims: ScopeClaims,
): RefusalOf<'consent-required' | 'interaction-required'> {
  const { client, scope, details, openid, management } = request;
  const claims = openid === null ? [] : claimsBeyondScope(openid.claims, scope, scopeClaims);
  const isNewGrant = management?.grantToUpdate === undefined;
  return isNewGrant && isCovered(request, userId, now, liveGrants, scopeClaims) && acceptsEarlierConsent(request)
    ? { rule: 'interaction-required', clientType: client.clientType }
    : { rule: 'consent-required', missing: [...scope, ...claims, ...details.map(({ type }) => type)] };
}

function isCovered(
  { client, scope, resource, details, openid }: ConsentRequest,
  userId: UserId,
  now: number,
  liveGrants: Pick<Grants, 'covers'>,
  scopeClaims: ScopeClaims,
): boolean {
  if (client.recordingCommand !== undefined) return false; // the user has not seen its current description
  if (details.length > 0) return false; // each detail, such as a payment, needs separate consent
  const claims = openid === null ? [] : claimsBeyondScope(openid.claims, scope, scopeClaims);
  return liveGrants.covers(userId, client.clientId, scope, resource, now, claims);
}

/**
 * Reports whether earlier consent may be sufficient. With the `openid` scope, `prompt=none` asks the server to use
 * earlier consent (OpenID Connect Core §3.1.2.1).
 */
function acceptsEarlierConsent({ approvalPrompt, openid, prompt }: ConsentRequest): boolean {
  return approvalPrompt === 'auto' || (openid !== null && prompt.has('none'));
}

/**
 * Reports whether only this client can use the response. With a loopback address or private-use scheme, any program on
 * the machine could receive the code of a public client and redeem it (RFC 8252 §8.6).
 */
function isClientIdentified({ client, redirectUri }: ConsentRequest): boolean {
  return client.clientType === 'confidential' || redirectUri.startsWith('https:');
}
