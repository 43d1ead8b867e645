import type { UserClaim } from '../../../domain/profile.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { MessageKey } from '../../../language/catalog.ts';
import { message, type Message, type Text } from '../../../language/message.ts';
import { userClaims, type GroupsOf } from '../../../oauth/openid/user-claims.ts';
import type { User } from '../../../projections/users.ts';

/** The names of claims, as shown to users. */
export const CLAIM_NAMES: Readonly<Record<UserClaim, MessageKey>> = {
  name: 'claim.name',
  given_name: 'claim.given-name',
  family_name: 'claim.family-name',
  middle_name: 'claim.middle-name',
  nickname: 'claim.nickname',
  preferred_username: 'claim.preferred-username',
  profile: 'claim.profile',
  picture: 'claim.picture',
  website: 'claim.website',
  gender: 'claim.gender',
  birthdate: 'claim.birthdate',
  zoneinfo: 'claim.zoneinfo',
  locale: 'claim.locale',
  updated_at: 'claim.updated-at',
  email: 'claim.email',
  email_verified: 'claim.email-verified',
  address: 'claim.address',
  phone_number: 'claim.phone-number',
  phone_number_verified: 'claim.phone-number-verified',
  groups: 'claim.groups',
};

/** The claim that implies each of these claims. An implied claim is left out if the implying claim is present. */
const IMPLYING_CLAIMS: Partial<Readonly<Record<UserClaim, UserClaim>>> = {
  given_name: 'name',
  family_name: 'name',
  middle_name: 'name',
  email_verified: 'email',
  phone_number_verified: 'phone_number',
};

/** Returns the names of the claims, without claims that other claims imply. */
export function claimNames(claims: readonly UserClaim[]): readonly Message[] {
  return withoutImplied(claims).map((claim) => message(CLAIM_NAMES[claim]));
}

/** Returns a sentence such as "See your name and nickname", or an empty string if there are no claims. */
export function describeClaims(claims: readonly UserClaim[]): Text {
  const names = claimNames(claims);
  return names.length === 0 ? '' : message('claims.see', { claims: names });
}

/** The data about a user that an application would get now. */
export interface SharedData {
  readonly values: readonly SharedValue[];
  /** The names of the claims without a value, for example because the user left a field empty. */
  readonly missing: readonly Text[];
}

/** The value of a claim. The title is the name of the claim, which the view capitalizes. */
type SharedValue = { readonly title: Text } & ({ readonly lines: readonly Text[] } | { readonly at: EpochSeconds });

/** Returns the values of the claims, and the names of the claims without a value. */
export function sharedData(claims: readonly UserClaim[], user: User, groupsOf: GroupsOf): SharedData {
  const allValues = userClaims(user, groupsOf(user.userId));
  const filledValues = allValues.groups?.length === 0 ? { ...allValues, groups: undefined } : allValues;
  const availableClaims = withoutImplied(claims).filter((claim) => filledValues[claim] !== undefined);
  const missingClaims = withoutImplied(claims).filter((claim) => filledValues[claim] === undefined);
  return {
    values: availableClaims.map((claim) => ({ title: message(CLAIM_NAMES[claim]), ...valueLocals(claim) })),
    missing: claimNames(missingClaims),
  };

  function valueLocals(claim: UserClaim) {
    if (claim === 'updated_at') return { at: user.updatedAt };
    if (claim === 'groups') return { lines: filledValues.groups ?? [] };
    if (claim === 'address') return { lines: filledValues.address?.formatted.split('\n') ?? [] };
    const value = filledValues[claim];
    return { lines: [typeof value === 'boolean' ? message(value ? 'consent.yes' : 'consent.no') : String(value)] };
  }
}

function withoutImplied(claims: readonly UserClaim[]): readonly UserClaim[] {
  return claims.filter((claim) => {
    const impliedBy = IMPLYING_CLAIMS[claim];
    return impliedBy === undefined || !claims.includes(impliedBy);
  });
}
