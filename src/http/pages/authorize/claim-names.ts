import type { UserClaim } from '../../../domain/profile.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { userClaims, type GroupsOf } from '../../../oauth/openid/user-claims.ts';
import type { User } from '../../../projections/users.ts';

/** The name of a claim in the language of users. */
export const CLAIM_NAMES: Readonly<Record<UserClaim, string>> = {
  name: 'name',
  given_name: 'first name',
  family_name: 'last name',
  middle_name: 'middle name',
  nickname: 'nickname',
  preferred_username: 'user name',
  profile: 'profile page',
  picture: 'picture',
  website: 'website',
  gender: 'gender',
  birthdate: 'birthday',
  zoneinfo: 'time zone',
  locale: 'language',
  updated_at: 'last change of your profile',
  email: 'e-mail address',
  email_verified: 'e-mail address (whether it is verified)',
  address: 'postal address',
  phone_number: 'phone number',
  phone_number_verified: 'phone number (whether it is verified)',
  groups: 'groups',
};

/** Claims that say nothing beyond another one. They are not mentioned beside it. */
const IMPLIED_BY: Partial<Readonly<Record<UserClaim, UserClaim>>> = {
  given_name: 'name',
  family_name: 'name',
  middle_name: 'name',
  email_verified: 'email',
  phone_number_verified: 'phone_number',
};

/** The names of the claims that say something of their own. */
export function claimNames(claims: readonly UserClaim[]): readonly string[] {
  return mentioned(claims).map((claim) => CLAIM_NAMES[claim]);
}

/** Such as "See your name and nickname"; empty without claims. */
export function describeClaims(claims: readonly UserClaim[]): string {
  const words = claimNames(claims);
  const [last, others] = [words.at(-1), words.slice(0, -1)];
  if (last === undefined) return '';
  return `See your ${others.length === 0 ? last : `${others.join(', ')} and ${last}`}`;
}

/** The values that an application would get now. */
export interface SharedData {
  readonly values: readonly SharedValue[];
  /** The names of the fields that the user left empty. */
  readonly missing: readonly string[];
}

type SharedValue = { readonly title: string } & ({ readonly lines: readonly string[] } | { readonly at: EpochSeconds });

/** Splits the claims into those that the user has filled in, with their values, and the others. */
export function sharedData(claims: readonly UserClaim[], user: User, groupsOf: GroupsOf): SharedData {
  const all = userClaims(user, groupsOf(user.userId));
  const known = all.groups?.length === 0 ? { ...all, groups: undefined } : all;
  const filledIn = mentioned(claims).filter((claim) => known[claim] !== undefined);
  const missing = mentioned(claims).filter((claim) => known[claim] === undefined);
  return {
    values: filledIn.map((claim) => ({ title: capitalized(CLAIM_NAMES[claim]), ...shownValue(claim) })),
    missing: missing.map((claim) => CLAIM_NAMES[claim]),
  };

  function shownValue(claim: UserClaim) {
    if (claim === 'updated_at') return { at: user.updatedAt };
    if (claim === 'groups') return { lines: known.groups ?? [] };
    if (claim === 'address') return { lines: known.address?.formatted.split('\n') ?? [] };
    const value = known[claim];
    return { lines: [typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)] };
  }
}

function mentioned(claims: readonly UserClaim[]): readonly UserClaim[] {
  return claims.filter((claim) => {
    const other = IMPLIED_BY[claim];
    return other === undefined || !claims.includes(other);
  });
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
