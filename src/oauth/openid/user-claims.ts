import { ADDRESS_FIELDS, CLAIMS_OF_SCOPE, type UserClaim } from '../../domain/profile.ts';
import type { Scope } from '../../domain/scope.ts';
import type { User } from '../../projections/users.ts';

/** The operator's scopes that map to claims: the setting `scopeClaims`. */
export type ScopeClaims = Readonly<Record<string, readonly UserClaim[]>>;

/** The claims that `scope` gives access to, without duplicates. */
export function claimsOfScope(scope: Scope, scopeClaims: ScopeClaims): readonly UserClaim[] {
  const all: ScopeClaims = { ...scopeClaims, ...CLAIMS_OF_SCOPE };
  return [...new Set(scope.flatMap((name) => (Object.hasOwn(all, name) ? (all[name] ?? []) : [])))];
}

type ClaimSource = Pick<
  User,
  'username' | 'email' | 'firstName' | 'lastName' | 'profile' | 'updatedAt' | 'emailVerified'
>;

/**
 * The claims about a user (OpenID Connect Core §5.1). Claims that are not filled in are left out. Phone numbers are
 * never verified, because this server sends no text messages.
 */
export function userClaims(user: ClaimSource): UserClaims {
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
        : string;
};

type Address = { readonly formatted: string } & Readonly<Record<string, string>>;

/** `formatted` has each part on a line of its own, because the order within a line differs between countries. */
function addressClaim(profile: User['profile']): Address | undefined {
  const parts = ADDRESS_FIELDS.flatMap((field) => {
    const value = profile[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  if (parts.length === 0) return undefined;
  return { formatted: parts.map(([, value]) => value).join('\n'), ...Object.fromEntries(parts) };
}
