import { ADDRESS_FIELDS, SCOPE_CLAIMS, type UserClaim } from '../../domain/profile.ts';
import { GROUPS_SCOPE, type Scope } from '../../domain/scope.ts';
import type { UserId } from '../../domain/values.ts';
import type { User } from '../../projections/users.ts';

/** The claims that the operator has assigned to scopes: the `scopeClaims` setting. */
export type ScopeClaims = Readonly<Record<string, readonly UserClaim[]>>;

/** Returns the claims that `scope` gives access to, without duplicates. */
export function claimsOfScope(scope: Scope, scopeClaims: ScopeClaims): readonly UserClaim[] {
  const claimsIn = (claims: ScopeClaims, name: string): readonly UserClaim[] =>
    Object.hasOwn(claims, name) ? (claims[name] ?? []) : [];
  return [...new Set(scope.flatMap((name) => [...claimsIn(SCOPE_CLAIMS, name), ...claimsIn(scopeClaims, name)]))];
}

/** Returns the names of a user's groups, in alphabetical order. */
export type GroupsOf = (userId: UserId) => readonly string[];

/**
 * Returns the `groups` claim (RFC 9068 §2.2.3.1), or undefined if the scope does not contain `groups`, or if the
 * client acts on its own behalf.
 */
export function groupsClaim(scope: Scope, userId: UserId | null, groupsOf: GroupsOf): readonly string[] | undefined {
  return userId !== null && scope.includes(GROUPS_SCOPE) ? groupsOf(userId) : undefined;
}

type ClaimSource = Pick<
  User,
  'username' | 'email' | 'firstName' | 'lastName' | 'profile' | 'updatedAt' | 'emailVerified'
>;

/**
 * Returns the claims about a user (OpenID Connect Core §5.1). Claims without a value are omitted. Phone numbers are
 * never verified, because this server sends no text messages.
 * @param groups the names of the user's groups; the claim is present even for an empty list
 */
export function userClaims(user: ClaimSource, groups: readonly string[]): UserClaims {
  const { username, email, firstName, lastName, profile, updatedAt, emailVerified } = user;
  const claims: { readonly [Claim in UserClaim]: UserClaims[Claim] | undefined } = {
    name: [firstName, profile.middle_name ?? '', lastName].filter((part) => part !== '').join(' '),
    given_name: firstName,
    family_name: lastName,
    middle_name: profile.middle_name,
    nickname: profile.nickname,
    preferred_username: username,
    profile: profile.profile,
    picture: profile.picture,
    website: profile.website,
    gender: profile.gender,
    birthdate: profile.birthdate,
    zoneinfo: profile.zoneinfo,
    locale: profile.locale,
    updated_at: updatedAt,
    email,
    email_verified: email === '' ? undefined : emailVerified,
    address: addressClaim(profile),
    phone_number: profile.phone_number,
    phone_number_verified: profile.phone_number === undefined ? undefined : false,
    groups,
  };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined && value !== ''));
}

type UserClaims = {
  readonly [Claim in UserClaim]?: Claim extends 'address'
    ? Address
    : Claim extends 'updated_at'
      ? number
      : Claim extends 'email_verified' | 'phone_number_verified'
        ? boolean
        : Claim extends 'groups'
          ? readonly string[]
          : string;
};

type Address = { readonly formatted: string } & Readonly<Record<string, string>>;

/**
 * Returns the `address` claim, or undefined if the profile contains no part of it. Its `formatted` member has each part
 * on a separate line, because the order within a line differs between countries.
 */
function addressClaim(profile: User['profile']): Address | undefined {
  const parts = ADDRESS_FIELDS.flatMap((field) => {
    const value = profile[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  if (parts.length === 0) return undefined;
  return { formatted: parts.map(([, value]) => value).join('\n'), ...Object.fromEntries(parts) };
}
