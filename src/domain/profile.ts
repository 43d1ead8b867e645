/** The members of the `address` claim that users fill in (OpenID Connect Core §5.1.1). */
export const ADDRESS_FIELDS = ['street_address', 'locality', 'region', 'postal_code', 'country'] as const;

/** The fields of a profile: claims of OpenID Connect Core §5.1. Other claims come from the account itself. */
export const PROFILE_FIELDS = [
  'middle_name',
  'nickname',
  'gender',
  'birthdate',
  'profile',
  'website',
  'picture',
  'phone_number',
  'zoneinfo',
  'locale',
  ...ADDRESS_FIELDS,
] as const;
export type ProfileField = (typeof PROFILE_FIELDS)[number];

/** The claims about a user that the operator can set. */
export const CHANGEABLE_CLAIMS = ['given_name', 'family_name', 'email', ...PROFILE_FIELDS] as const;
export type ChangeableClaim = (typeof CHANGEABLE_CLAIMS)[number];

/** The values of the fields that the user has filled in, in normal form. No value is empty. */
export type ProfileValues = { readonly [Field in ProfileField]?: string };

/** The claims about a user that each scope gives access to (OpenID Connect Core §5.4); `groups` is not standard. */
export const SCOPE_CLAIMS = {
  profile: [
    'name',
    'given_name',
    'family_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
  groups: ['groups'],
} as const;

/** Every claim about a user that an application can get. */
export const USER_CLAIMS = [
  ...SCOPE_CLAIMS.profile,
  ...SCOPE_CLAIMS.email,
  ...SCOPE_CLAIMS.address,
  ...SCOPE_CLAIMS.phone,
  ...SCOPE_CLAIMS.groups,
] as const;
/** The name of a claim about a user. */
export type UserClaim = (typeof USER_CLAIMS)[number];

/** Reports whether `name` is the name of a claim about a user. */
export function isUserClaim(name: string): name is UserClaim {
  return (USER_CLAIMS as readonly string[]).includes(name);
}
