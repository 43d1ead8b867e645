import type { GrantedClaims, Requested } from '../../domain/events.ts';
import { isUserClaim, type UserClaim } from '../../domain/profile.ts';
import type { Scope } from '../../domain/scope.ts';
import type { User } from '../../projections/users.ts';
import type { RequestedClaim, RequestedClaims } from './claims-parameter.ts';
import { claimsOfScope, userClaims, type GroupsOf, type ScopeClaims } from './user-claims.ts';

/**
 * Requesting these claims adds nothing to an ID token: it always contains `sub`, and the other claims if the login is
 * recorded.
 */
const LOGIN_CLAIMS = ['sub', 'auth_time', 'acr', 'amr'];

/** Reports whether the claim can be requested individually (OpenID Connect Core §5.5). */
export function isRequestableClaim(name: string): boolean {
  return LOGIN_CLAIMS.includes(name) || isUserClaim(name);
}

/**
 * Returns the individually requested claims to grant, or undefined instead of an empty list. Excludes the claims of
 * scopes that the user deselected. If the request lists values, the claim is granted only if the user's claim currently
 * has one of them, because the listed values are not recorded.
 */
export function grantedClaims(
  requested: RequestedClaims,
  scope: { readonly requested: Scope; readonly granted: Scope },
  scopeClaims: ScopeClaims,
  ...user: Parameters<typeof userClaims>
): GrantedClaims | undefined {
  const consentedNames = claimsOfScope(scope.granted, scopeClaims);
  const withheldNames = claimsOfScope(scope.requested, scopeClaims).filter((name) => !consentedNames.includes(name));
  const values = userClaims(...user);
  const grantedNames = (claims: RequestedClaims['idToken']): readonly UserClaim[] =>
    claims.flatMap(({ name, values: acceptedValues }) =>
      isUserClaim(name) &&
      !withheldNames.includes(name) &&
      (acceptedValues === null || acceptedValues.includes(values[name]))
        ? [name]
        : [],
    );
  const [idToken, userinfo] = [grantedNames(requested.idToken), grantedNames(requested.userinfo)];
  return idToken.length + userinfo.length === 0 ? undefined : { idToken, userinfo };
}

/** Returns the claims that were requested in addition to the claims of the scope. They need separate consent. */
export function claimsBeyondScope(
  { idToken, userinfo }: RequestedClaims,
  scope: Scope,
  scopeClaims: ScopeClaims,
): readonly UserClaim[] {
  const coveredNames = claimsOfScope(scope, scopeClaims);
  const names = [...idToken, ...userinfo].map(({ name }) => name).filter(isUserClaim);
  return [...new Set(names)].filter((name) => !coveredNames.includes(name));
}

/** Returns the requested claims to record, without values, or undefined instead of an empty list. */
export function toRecordedClaims({ idToken, userinfo }: RequestedClaims): Requested['claims'] {
  return idToken.length + userinfo.length === 0
    ? undefined
    : { idToken: idToken.map(withoutValues), userinfo: userinfo.map(withoutValues) };
}

function withoutValues({ name, isEssential }: RequestedClaim) {
  return isEssential ? { name, essential: true as const } : { name };
}

/** Returns the user's claims with these names. Claims that are not filled in are left out. */
export function selectClaims(
  user: User,
  names: readonly UserClaim[],
  groupsOf: GroupsOf,
): Readonly<Record<string, unknown>> {
  const claims = userClaims(user, groupsOf(user.userId));
  return Object.fromEntries(names.flatMap((name) => (name in claims ? [[name, claims[name]] as const] : [])));
}
