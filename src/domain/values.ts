declare const brand: unique symbol;
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/** RFC 6749 §2.2: not a secret, never reused. */
export type ClientId = Branded<string, 'ClientId'>;
/** One authorization: its code, its tokens, its refreshes, its end. 22 base64url characters. */
export type GrantId = Branded<string, 'GrantId'>;
/** An account for as long as it exists; a name can be given anew, an id never. 22 base64url characters. */
export type UserId = Branded<string, 'UserId'>;
/** A user's authenticator, by a name of ours. 22 base64url characters. */
export type PasskeyId = Branded<string, 'PasskeyId'>;
export type GroupId = Branded<string, 'GroupId'>;
/** SHA-256 of a credential of 256 random bits, in base64url: all that is ever stored of it. */
export type CredentialHash = Branded<string, 'CredentialHash'>;
/** Seconds since the epoch. */
export type EpochSeconds = Branded<number, 'EpochSeconds'>;

export const CLIENT_TYPES = ['confidential', 'public'] as const;
/** RFC 6749 §2.1. */
export type ClientType = (typeof CLIENT_TYPES)[number];

export const REGISTERED_GRANTS = ['authorization-code', 'client-credentials', 'password'] as const;
/** The grants a client can be registered for, in the words of the registration form. */
export type RegisteredGrant = (typeof REGISTERED_GRANTS)[number];

export const ACCESS_TOKEN_FORMATS = ['opaque', 'jwt'] as const;
/** What a client's access tokens look like to those who get them. */
export type AccessTokenFormat = (typeof ACCESS_TOKEN_FORMATS)[number];

export const RESTRICTED_SCOPES = ['audit', 'introspection'] as const;
/** Scopes that reach beyond one resource owner's data: only clients that the operator allowed them can hold them. */
export type RestrictedScope = (typeof RESTRICTED_SCOPES)[number];

/** Proves to the compiler that every case was handled; a new one stops the build at the call. */
export function unreachable(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}
