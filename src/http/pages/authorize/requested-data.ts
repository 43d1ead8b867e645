import type { AuthorizationRequest } from '../../../oauth/endpoints/authorization-request.ts';
import { claimsBeyondScope } from '../../../oauth/openid/claims.ts';
import { claimsOfScope, type GroupsOf, type ScopeClaims } from '../../../oauth/openid/user-claims.ts';
import type { User } from '../../../projections/users.ts';
import { sharedData } from './claim-names.ts';
import { describeDetails, type DetailSentences } from './described-details.ts';
import type { RequestedLocals } from './locals.ts';
import type { DescribeScope } from './scope-descriptions.ts';

/**
 * Returns the consent page's locals for the requested scopes, individually requested claims and authorization details.
 * Without the `openid` scope, the application gets neither an ID token nor userinfo, so no claims are listed.
 */
export function requestedData(
  { scope, resource, details, openid }: Pick<AuthorizationRequest, 'scope' | 'resource' | 'details' | 'openid'>,
  user: User,
  describeScope: DescribeScope,
  scopeClaims: ScopeClaims,
  groupsOf: GroupsOf,
  detailTypes: DetailSentences,
): RequestedLocals {
  const individualClaims = openid === null ? [] : claimsBeyondScope(openid.claims, scope, scopeClaims);
  return {
    scopes: scope.map((name) => {
      const { shares: _, ...description } = describeScope(name, resource);
      const claims = openid === null ? [] : claimsOfScope([name], scopeClaims);
      return { ...description, shared: sharedData(claims, user, groupsOf) };
    }),
    sharedBesides: sharedData(individualClaims, user, groupsOf),
    details: describeDetails(details, detailTypes),
  };
}
