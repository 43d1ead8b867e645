declare const brand: unique symbol;
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/** The id of a client (RFC 6749 §2.2). It is not secret and is never reused. */
export type ClientId = Branded<string, 'ClientId'>;
/** The id of a grant. 22 base64url characters. */
export type GrantId = Branded<string, 'GrantId'>;
/** The id of a user. It is never reused, unlike a user name. 22 base64url characters. */
export type UserId = Branded<string, 'UserId'>;
/** This server's id for a passkey, not the authenticator's. 22 base64url characters. */
export type PasskeyId = Branded<string, 'PasskeyId'>;
/** The id of an authenticator app enrollment. 22 base64url characters. */
export type TotpId = Branded<string, 'TotpId'>;
/** The id of a set of recovery codes. 22 base64url characters. */
export type RecoveryCodesId = Branded<string, 'RecoveryCodesId'>;
export type GroupId = Branded<string, 'GroupId'>;
/** The id of an OpenID provider that users log in through. The operator chooses it, and it appears in URLs. */
export type ProviderId = Branded<string, 'ProviderId'>;
/** The id of a public key: its thumbprint (RFC 7638). 43 base64url characters. */
export type KeyId = Branded<string, 'KeyId'>;
/** SHA-256 in base64url, usually of a credential with at least 168 random bits. Only the hash is stored. */
export type CredentialHash = Branded<string, 'CredentialHash'>;
/** Seconds since the epoch. */
export type EpochSeconds = Branded<number, 'EpochSeconds'>;

export const CLIENT_TYPES = ['confidential', 'public'] as const;
/** A confidential client can keep a credential secret; a public client cannot (RFC 6749 §2.1). */
export type ClientType = (typeof CLIENT_TYPES)[number];

export const APPLICATION_TYPES = ['web', 'native'] as const;
/** OpenID Connect Registration §2: a native application runs on the user's device. */
export type ApplicationType = (typeof APPLICATION_TYPES)[number];

export const SCOPED_GRANTS = ['authorization-code', 'client-credentials', 'password', 'device-code'] as const;
/** The grant types that have a default scope. */
export type ScopedGrant = (typeof SCOPED_GRANTS)[number];

export const REGISTERED_GRANTS = [...SCOPED_GRANTS, 'token-exchange', 'jwt-bearer'] as const;
/** The grant types that a client can be registered for, by their names on the registration form. */
export type RegisteredGrant = (typeof REGISTERED_GRANTS)[number];

/** The users who may authorize a client: every user (`live`), or only its owners and test users (`test`). */
export const CLIENT_MODES = ['live', 'test'] as const;

export type ClientMode = (typeof CLIENT_MODES)[number];

export const DOMAIN_RULES = ['allowed', 'blocked'] as const;
/** The rule for clients whose metadata documents are hosted in a domain. */
export type DomainRule = (typeof DOMAIN_RULES)[number];

export const EXCHANGE_MODES = ['impersonation', 'delegation'] as const;
/**
 * RFC 8693 §1.1: with impersonation, the exchanged token identifies only its subject; with delegation, it also
 * identifies the actor.
 */
export type ExchangeMode = (typeof EXCHANGE_MODES)[number];

export const ISSUER_USES = ['assertion', 'identity-assertion', 'subject-token', 'actor-token'] as const;
/**
 * The accepted uses of JWTs from a trusted issuer: as a grant (RFC 7523 §2.1), as an identity assertion for a single
 * client, or as the subject token or actor token of an exchange (RFC 8693).
 */
export type IssuerUse = (typeof ISSUER_USES)[number];

export const SUBJECT_MAPPINGS = ['user-name', 'verified-email', 'table', 'client'] as const;
/** How the subject of a JWT from a trusted issuer is mapped to an account. */
export type SubjectMappingKind = (typeof SUBJECT_MAPPINGS)[number];

/** The maximum number of exchanges between the grant at the root of a chain and a token. */
export const MAX_EXCHANGE_DEPTH = 4;

export const MEMBER_ROLES = ['owner', 'test-user'] as const;
/** Owners manage a client. Test users may authorize it while it is in test mode, as may its owners. */
export type MemberRole = (typeof MEMBER_ROLES)[number];

export const ACCESS_TOKEN_FORMATS = ['opaque', 'jwt'] as const;
/** The format of a client's access tokens. */
export type AccessTokenFormat = (typeof ACCESS_TOKEN_FORMATS)[number];

export const MANAGEMENT_ACTIONS = ['create', 'replace', 'merge'] as const;
/** The effect of an authorization on a managed grant: it creates or updates one (FAPI Grant Management §5.2). */
export type ManagementAction = (typeof MANAGEMENT_ACTIONS)[number];

export const SIGNING_ALGORITHMS = ['RS256', 'ES256', 'PS256', 'EdDSA'] as const;
/** The algorithms that this server can sign and verify with (RFC 7518 §3.1, RFC 8037 §3.1). */
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

export const RESTRICTED_SCOPES = [
  'admin',
  'audit',
  'introspection',
  'clients:register',
  'grant_management_query',
  'grant_management_revoke',
] as const;
/** Scopes that reach beyond a single user's data. A client can have them only if the operator allows it. */
export type RestrictedScope = (typeof RESTRICTED_SCOPES)[number];

/** Makes an unhandled case a compile error. */
export function unreachable(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}

/** The number of recovery codes in a set. */
export const RECOVERY_CODE_COUNT = 10;
