import { z } from 'zod';
import type { EventToAppend, Position } from '../event-store/event-log.ts';
import type {
  ClientId,
  CredentialHash,
  EpochSeconds,
  GrantId,
  GroupId,
  KeyId,
  PasskeyId,
  ProviderId,
  RecoveryCodesId,
  TotpId,
  UserId,
} from './values.ts';
import type { RecordedDetail } from './authorization-details.ts';
import { CONFIRMATION_METHODS, type Confirmation } from './confirmation.ts';
import {
  CLIENT_AUTHENTICATION_METHODS,
  TLS_SUBJECT_KINDS,
  type AuthenticationSettings,
} from './client-authentication.ts';
import { UPCASTERS } from './upcasters.ts';
import { MAX_CLIENT_DOCUMENT_BYTES } from './lengths.ts';
import { USER_CLAIMS } from './profile.ts';
import { SUBJECT_TYPES, type OpenIdSettings } from './openid-settings.ts';
import type { ExchangePolicySettings } from './exchange-settings.ts';
import type { TrustedIssuerSettings } from './issuer-settings.ts';
import {
  LINKING_RULES,
  PROVIDER_AUTHENTICATION,
  PROVIDER_PRESETS,
  type ProviderSettings,
} from './provider-settings.ts';
import { LOGO_MEDIA_TYPES, MAX_LOGO_BASE64_LENGTH, type LogoImage } from './logo.ts';
import type { Presentation } from './presentation.ts';
import type { PublicKey } from './public-key.ts';
import type { ResourceServerSettings } from './resource-settings.ts';
import { SECURITY_PROFILES, type SecuritySettings } from './security-settings.ts';
import {
  ACCESS_TOKEN_FORMATS,
  APPLICATION_TYPES,
  CLIENT_MODES,
  CLIENT_TYPES,
  DOMAIN_RULES,
  EXCHANGE_MODES,
  ISSUER_USES,
  MANAGEMENT_ACTIONS,
  MAX_EXCHANGE_DEPTH,
  MEMBER_ROLES,
  RECOVERY_CODE_COUNT,
  REGISTERED_GRANTS,
  RESTRICTED_SCOPES,
  SIGNING_ALGORITHMS,
  SUBJECT_MAPPINGS,
} from './values.ts';

const clientId = z
  .string()
  .min(1)
  .transform((text) => text as ClientId);
const grantId = z
  .string()
  .regex(/^[\w-]{22}$/)
  .transform((text) => text as GrantId);
const userId = z
  .string()
  .regex(/^[\w-]{22}$/)
  .transform((text) => text as UserId);
const passkeyId = z
  .string()
  .regex(/^[\w-]{22}$/)
  .transform((text) => text as PasskeyId);
const totpId = z
  .string()
  .regex(/^[\w-]{22}$/)
  .transform((text) => text as TotpId);
const recoveryCodesId = z
  .string()
  .regex(/^[\w-]{22}$/)
  .transform((text) => text as RecoveryCodesId);
const groupId = z
  .string()
  .regex(/^[\w-]{22}$/)
  .transform((text) => text as GroupId);
const providerId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
  .transform((text) => text as ProviderId);
const credentialHash = z
  .string()
  .regex(/^[\w-]{43}$/)
  .transform((text) => text as CredentialHash);
const thumbprint = z.string().regex(/^[\w-]{43}$/);
/**
 * The hash of an issuer and a subject. It is keyed, because a subject may be an e-mail address. For an account at a
 * provider, the hash includes the provider's id.
 */
const subjectHash = z.string().regex(/^[\w-]{43}$/);
const sessionHash = z.string().regex(/^[\w-]{43}$/);
const keyId = z
  .string()
  .regex(/^[\w-]{43}$/)
  .transform((text) => text as KeyId);
const position = z
  .int()
  .nonnegative()
  .transform((number) => number as Position);
const instant = z
  .int()
  .nonnegative()
  .transform((seconds) => seconds as EpochSeconds);
const scope = z.array(z.string().min(1)).readonly();
/** A client that acts for a user, or for itself. */
const party = { clientId, userId: userId.nullable() };
const resourceUri = z.string().min(1);
/** The resource servers to which the request or credential is restricted (RFC 8707); absent if it is unrestricted. */
const resource = z.array(z.string().min(1)).readonly().optional();
/**
 * The login behind an authorization. Absent if the user did not log in, or if an earlier release recorded the event.
 * Method names (`amr`) come from RFC 8176, plus `fed`; `login.ts` defines the classes (`acr`).
 */
const login = z
  .strictObject({
    /** The hash of the session in which the user authorized the client; null if the client sent the user's password. */
    sessionHash: sessionHash.nullable(),
    /** When the user authenticated. */
    authTime: instant,
    amr: z.array(z.string().min(1)).readonly(),
    acr: z.string().min(1),
  })
  .optional();
/**
 * The individually requested claims (OpenID Connect Core §5.5). Requested values are omitted, because they may be
 * personal data.
 */
const requestedClaims = z
  .array(z.strictObject({ name: z.string().min(1), essential: z.literal(true).optional() }))
  .readonly()
  .optional();
/**
 * Personal data, encrypted under the user's own key (AES-256-GCM, base64url); unreadable once that key is destroyed.
 * Comments note where the contents or the key differ.
 */
const sealed = z.string().min(1);

/** Authorization details (RFC 9396): `RecordedDetail` explains the members. Absent if none were requested. */
const requestedDetails = z
  .array(z.strictObject({ type: z.string().min(1), hash: credentialHash }))
  .min(1)
  .readonly()
  .optional();
const grantedDetails = z
  .array(z.strictObject({ type: z.string().min(1), hash: credentialHash, sealed }))
  .min(1)
  .readonly()
  .optional();
const tokenDetails = z
  .array(
    z.strictObject({
      type: z.string().min(1),
      hash: credentialHash,
      sealed: sealed.optional(),
      narrows: credentialHash.optional(),
    }) satisfies z.ZodType<RecordedDetail>,
  )
  .min(1)
  .readonly()
  .optional();
/** The request from the client, which may exceed the grant. Absent if an earlier release recorded the event. */
const requested = z
  .strictObject({
    /** Including the default scope if the request specified none. */
    scope,
    claims: z.strictObject({ userinfo: requestedClaims, idToken: requestedClaims }).optional(),
    acrValues: z.array(z.string().min(1)).readonly().optional(),
    /** The maximum age of the login. */
    maxAgeSeconds: z.int().nonnegative().optional(),
    prompt: z.array(z.string().min(1)).readonly().optional(),
    /** SHA-256 of the signed request object (RFC 9101), as sent; absent if the request was not signed. */
    requestObjectHash: credentialHash.optional(),
    details: requestedDetails,
  })
  .optional();
const userClaims = z.array(z.enum(USER_CLAIMS)).readonly();
/**
 * Claims about the user that were granted individually, in addition to the claims of the scope (OpenID Connect Core
 * §5.5). Absent if none were granted.
 */
const claims = z.strictObject({ idToken: userClaims, userinfo: userClaims }).optional();
/**
 * The part of the consent page that describes the approved request. It contains the names of claims, but never their
 * values. Absent if no page was shown, if the text was too long for a record, and in events from earlier releases.
 */
const shown = z
  .strictObject({
    /** SHA-256 of the page's templates and their messages, which identifies the rest of the text. */
    textVersion: z.string().regex(/^[0-9a-f]{64}$/),
    /** The application's name. */
    application: z.string().min(1),
    /** The description of each granted scope, and the names of its claims. */
    scopes: z
      .array(
        z.strictObject({
          name: z.string().min(1),
          text: z.array(z.string()).readonly(),
          claims: z.array(z.string().min(1)).readonly().optional(),
        }),
      )
      .readonly(),
    /** The names of the individually requested claims. */
    claims: z.array(z.string().min(1)).readonly().optional(),
    /** The sentence for each type of authorization details, without the details' values. */
    details: z
      .array(z.strictObject({ type: z.string().min(1), text: z.string() }))
      .readonly()
      .optional(),
  })
  .optional();
/** The action on a managed grant (FAPI Grant Management); absent if the client did not request one. */
const management = z
  .strictObject({
    action: z.enum(MANAGEMENT_ACTIONS),
    /** The id that the client knows: the id of the first grant. Updates do not change it. */
    grantId,
    /** The grant that ends when the code is redeemed; absent for `create`. */
    updates: grantId.optional(),
  })
  .optional();
/** The key or certificate that the token is bound to; absent for a bearer token. */
const confirmation = (
  z.strictObject({ method: z.enum(CONFIRMATION_METHODS), thumbprint }) satisfies z.ZodType<Confirmation>
).optional();
/** SHA-256 of a generated client secret of 256 random bits. The secret cannot be guessed from it. */
const randomSecretHash = z.strictObject({ algorithm: z.literal('sha256'), hash: credentialHash });
/** A slow hash of a user-chosen secret. Guesses can be tested against it, so new events record it encrypted. */
const chosenSecretHash = z.strictObject({ algorithm: z.literal('argon2id'), phc: z.string().startsWith('$argon2id$') });
/** A hash imported from another server. It is replaced when the secret is first used. */
const importedSecretHash = z.strictObject({
  algorithm: z.literal('pbkdf2-sha256'),
  verifier: z.string().startsWith('pbkdf2_sha256$'),
});
/** A hash encrypted under the client's own key and bound to the client and the event type (AES-256-GCM, base64url). */
const sealedSecretHash = z.strictObject({ algorithm: z.literal('sealed'), sealed });

const rotatedSecret = z.discriminatedUnion('algorithm', [randomSecretHash, chosenSecretHash]);
const rehashedSecret = z.discriminatedUnion('algorithm', [...rotatedSecret.options, sealedSecretHash]);
const registeredSecret = z.discriminatedUnion('algorithm', [...rehashedSecret.options, importedSecretHash]);

/** The hash that verifies a presented client secret. */
export type SecretHash = Exclude<z.infer<typeof registeredSecret>, SealedSecretHash>;
export type SealedSecretHash = z.infer<typeof sealedSecretHash>;
/** The kinds of hashes that new events may contain. The hash of a user-chosen secret is always encrypted. */
export type RecordableSecret = z.infer<typeof randomSecretHash> | SealedSecretHash;
/** The event types that contain encrypted hashes. A hash encrypted for one type cannot be decrypted for the other. */
export type SecretSealPurpose = 'ClientRegistered' | 'ClientSecretRehashed';

const signingAlgorithm = z.enum(SIGNING_ALGORITHMS);
/** `OpenIdSettings` explains the members. */
const openIdSettings = z.strictObject({
  idTokenAlgorithm: signingAlgorithm,
  userinfoAlgorithm: signingAlgorithm.nullable(),
  subjectType: z.enum(SUBJECT_TYPES),
  sectorIdentifierUri: z.string().nullable(),
  postLogoutRedirectUris: z.array(z.string()).readonly(),
  backchannelLogoutUri: z.string().nullable(),
  backchannelLogoutSessionRequired: z.boolean(),
  initiateLoginUri: z.string().nullable(),
  defaultMaxAgeSeconds: z.int().nonnegative().nullable(),
  requireAuthTime: z.boolean(),
}) satisfies z.ZodType<OpenIdSettings>;

const presentation = z.strictObject({
  description: z.string().min(1).nullable(),
  homepageUri: z.string().nullable(),
  policyUri: z.string().nullable(),
  tosUri: z.string().nullable(),
}) satisfies z.ZodType<Presentation>;

const logoImage = z.strictObject({
  mediaType: z.enum(LOGO_MEDIA_TYPES),
  base64: z.base64().min(1).max(MAX_LOGO_BASE64_LENGTH),
}) satisfies z.ZodType<LogoImage>;

const base64url = z.string().regex(/^[\w-]+$/);
const publicKey = z.discriminatedUnion('kty', [
  z.strictObject({ kty: z.literal('RSA'), n: base64url, e: base64url }),
  z.strictObject({ kty: z.literal('EC'), crv: z.literal('P-256'), x: base64url, y: base64url }),
  z.strictObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: base64url }),
]) satisfies z.ZodType<PublicKey>;

/** The public keys of another party. */
const publicKeys = z
  .array(z.strictObject({ keyId, kid: z.string().nullable(), algorithm: signingAlgorithm.nullable(), publicKey }))
  .readonly();
const authenticationSettings = z.strictObject({
  methods: z.array(z.enum(CLIENT_AUTHENTICATION_METHODS)).min(1).readonly(),
  keys: publicKeys,
  keysUri: z.string().nullable(),
  tls: z.strictObject({ kind: z.enum(TLS_SUBJECT_KINDS), value: z.string().min(1) }).nullable(),
}) satisfies z.ZodType<AuthenticationSettings>;

/** `SecuritySettings` explains the members. */
const securitySettings = z.strictObject({
  profile: z.enum(SECURITY_PROFILES).nullable(),
  dpopBoundAccessTokens: z.boolean(),
  tlsBoundAccessTokens: z.boolean(),
  requirePushedAuthorizationRequests: z.boolean(),
  requireSignedRequestObject: z.boolean(),
  requestObjectAlgorithm: signingAlgorithm.nullable(),
  requestUris: z.array(z.string()).readonly(),
  authorizationResponseAlgorithm: signingAlgorithm,
  introspectionAlgorithm: signingAlgorithm,
}) satisfies z.ZodType<SecuritySettings>;

/** `ResourceServerSettings` explains the members. */
const resourceServerSettings = z.strictObject({
  name: z.string().min(1),
  ownerId: userId.nullable(),
  scopes: z.array(z.strictObject({ name: z.string().min(1), description: z.string().min(1) })).readonly(),
  accessTokenFormat: z.enum(ACCESS_TOKEN_FORMATS).nullable(),
  accessTokenAlgorithm: signingAlgorithm.nullable(),
  accessTokenLifetimeSeconds: z.int().positive().nullable(),
  publishesMetadata: z.boolean(),
  detailTypes: z
    .array(z.strictObject({ type: z.string().min(1), schema: z.string().min(2), sentence: z.string().min(1) }))
    .min(1)
    .readonly()
    .optional(),
  introspectionClient: clientId.optional(),
}) satisfies z.ZodType<ResourceServerSettings>;

/** `ExchangePolicySettings` explains the members. */
const exchangePolicySettings = z.strictObject({
  modes: z.array(z.enum(EXCHANGE_MODES)).min(1).readonly(),
  scope: z.array(z.string().min(1)).min(1).readonly().nullable(),
  resources: z.array(resourceUri).min(1).readonly().nullable(),
}) satisfies z.ZodType<ExchangePolicySettings>;
/** The client that exchanges tokens, and the client to which those tokens were issued. */
const exchangePair = { clientId, subjectClientId: clientId };

const requiredClaims = z.array(z.strictObject({ name: z.string().min(1), value: z.string() })).readonly();
/** `TrustedIssuerSettings` explains the members. */
const trustedIssuerSettings = z.strictObject({
  keys: publicKeys,
  keysUri: z.string().nullable(),
  audience: z.array(z.string().min(1)).min(1).readonly().nullable(),
  uses: z.array(z.enum(ISSUER_USES)).min(1).readonly(),
  requiredClaims,
  subject: z.discriminatedUnion('by', [
    z.strictObject({ by: z.literal('user-name'), claim: z.string().min(1) }),
    z.strictObject({ by: z.literal('verified-email') }),
    z.strictObject({
      by: z.literal('table'),
      entries: z.array(z.strictObject({ subjectHash, userId })).readonly(),
    }),
    z.strictObject({ by: z.literal('client') }),
  ]),
  clients: z.array(z.strictObject({ clientId, requiredClaims })).min(1).readonly(),
  scope: z.array(z.string().min(1)).min(1).readonly(),
  resources: z.array(resourceUri).min(1).readonly().nullable(),
  maxTokenLifetimeSeconds: z.int().positive(),
  maxAssertionAgeSeconds: z.int().positive(),
}) satisfies z.ZodType<TrustedIssuerSettings>;
const trustedIssuer = z.string().min(1);

/** A JWT from another issuer that a client presented in a token exchange, and how this server verified the JWT. */
const foreignToken = {
  issuer: trustedIssuer,
  /** The hash of the signing input only, because some signature algorithms are randomized. */
  tokenHash: credentialHash,
  /** The type that the client declared. */
  tokenType: z.enum(['jwt', 'id_token']),
  subjectHash,
  mapping: z.enum(SUBJECT_MAPPINGS),
  /** The key that signed the JWT. */
  keyId,
  algorithm: signingAlgorithm,
  /** The expiry of the JWT itself. */
  expiresAt: instant,
};

const clientSettings = {
  name: z.string().min(1),
  clientType: z.enum(CLIENT_TYPES),
  grantTypes: z.array(z.enum(REGISTERED_GRANTS)).readonly(),
  redirectUris: z.array(z.string()).readonly(),
  allowedOrigins: z.array(z.string()).readonly(),
  /** Whether to skip the consent page, for trusted first-party applications. */
  skipAuthorization: z.boolean(),
  /** The restricted scopes that the operator allows the client to have. */
  restrictedScopes: z.array(z.enum(RESTRICTED_SCOPES)).readonly(),
  /** The format of access tokens: random strings or signed JWTs (RFC 9068). */
  accessTokenFormat: z.enum(ACCESS_TOKEN_FORMATS),
  /** The algorithm that signs JWT access tokens. */
  accessTokenAlgorithm: signingAlgorithm,
  openid: openIdSettings,
  presentation,
  mode: z.enum(CLIENT_MODES),
  /** Whether users need a second factor to authorize the client. */
  secondFactorRequired: z.boolean(),
  authentication: authenticationSettings,
  security: securitySettings,
  /** Absent if the registration did not specify a type, or if an earlier release recorded the event. */
  applicationType: z.enum(APPLICATION_TYPES).optional(),
  /** The types of authorization details that the client may request (RFC 9396 §10); absent if all are allowed. */
  detailTypes: z.array(z.string().min(1)).readonly().optional(),
};

/** The self-registration of a client (RFC 7591); absent if the client did not register itself. */
const selfRegistered = z
  .strictObject({
    registeredAt: instant,
    /** Unverified statements by the client. */
    softwareId: z.string().min(1).optional(),
    softwareVersion: z.string().min(1).optional(),
    /** The trusted issuer of the client's software statement; absent if the client presented none. */
    statementIssuer: z.string().min(1).optional(),
  })
  .optional();
export type SelfRegistered = NonNullable<z.output<typeof selfRegistered>>;

export const ROLES = ['administrator', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

const settingName = z.string().min(1).max(64);

/** The JSON value of a setting. The union limits the nesting to the depth that settings need. */
const settingValue = z.union([
  z.null(),
  z.boolean(),
  z.number(),
  z.string(),
  z.array(z.string()),
  z.record(z.string(), z.union([z.string(), z.array(z.string()), z.record(z.string(), z.string())])),
]);

/** `ProviderSettings` explains the members. */
const providerSettings = z.strictObject({
  preset: z.enum(PROVIDER_PRESETS),
  name: z.string().min(1),
  issuer: z.string().min(1),
  tenants: z.array(z.string().min(1)).readonly(),
  clientId: z.string().min(1),
  authentication: z.enum(PROVIDER_AUTHENTICATION),
  sealedSecret: sealed.nullable(),
  scopes: z.array(z.string().min(1)).readonly(),
  linking: z.enum(LINKING_RULES),
  createsUsers: z.boolean(),
  domains: z.array(z.string().min(1)).readonly(),
  groupsClaim: z.string().min(1).nullable(),
  roles: z.array(z.strictObject({ group: z.string().min(1), role: z.enum(ROLES) })).readonly(),
  groups: z.array(z.strictObject({ group: z.string().min(1), name: z.string().min(1) })).readonly(),
  secondFactorValues: z.array(z.string().min(1)).readonly(),
  required: z.boolean(),
  disabled: z.literal(true).optional(),
}) satisfies z.ZodType<ProviderSettings>;

/** An ID token. The claims about the login come from the grant. */
const idToken = z.strictObject({
  /** The hash of the signing input only, because some signature algorithms are randomized. */
  tokenHash: credentialHash,
  clientId,
  userId,
  /** The key that signed the ID token. */
  kid: keyId,
  algorithm: signingAlgorithm,
  issuedAt: instant,
  expiresAt: instant,
  /** The names of the claims about the user; the ID token contains those that have a value. */
  claims: userClaims,
  /** The revision of the user's stream from which the claims' values come; absent if `claims` is empty. */
  userRevision: z.int().nonnegative().optional(),
});

const authenticationBase = {
  /** When the credentials were verified. */
  authenticatedAt: instant,
  /**
   * The log's head position when the stored credentials were read, before the presented credentials were checked.
   */
  checkedAsOf: position,
};

/** The number of a recovery code in its set, starting at 1. */
const recoveryCodeNumber = z.int().min(1).max(RECOVERY_CODE_COUNT);

/** The credential that the user presented in the second step of a login. */
const secondFactor = z
  .discriminatedUnion('method', [
    /** RFC 6238 §4.2: the number of the time step whose code was presented. */
    z.strictObject({ method: z.literal('totp'), totpId, step: z.int().nonnegative() }),
    z.strictObject({ method: z.literal('passkey'), passkeyId }),
    z.strictObject({ method: z.literal('recovery-code'), codesId: recoveryCodesId, number: recoveryCodeNumber }),
  ])
  .optional();
export type SecondFactor = NonNullable<z.output<typeof secondFactor>>;

/** The linked account with which the user logged in. */
const upstreamLogin = {
  providerId,
  subjectHash,
  /** Present if the provider reports a second factor that the operator accepts. */
  hasSecondFactor: z.literal(true).optional(),
};

/** How a user authenticated. Signing up or using a set-up link creates the account in the same request. */
const authentication = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('password'), ...authenticationBase, secondFactor }),
  z.strictObject({ method: z.literal('passkey'), passkeyId, ...authenticationBase }),
  z.strictObject({ method: z.literal('sign-up'), ...authenticationBase, secondFactor }),
  z.strictObject({ method: z.literal('set-up-link'), ...authenticationBase, secondFactor }),
  z.strictObject({ method: z.literal('upstream'), ...upstreamLogin, ...authenticationBase, secondFactor }),
]);
export type Authentication = z.output<typeof authentication>;

/** The reason why all second factors of an account were removed: the user turned them off or lost them. */
const SECOND_FACTOR_REMOVAL_REASONS = ['turned-off', 'lost'] as const;
export type SecondFactorsRemovalReason = (typeof SECOND_FACTOR_REMOVAL_REASONS)[number];

export type GrantedClaims = NonNullable<z.output<typeof claims>>;
export type Login = NonNullable<z.output<typeof login>>;
export type Requested = NonNullable<z.output<typeof requested>>;
export type Management = NonNullable<z.output<typeof management>>;
export type ShownText = NonNullable<z.output<typeof shown>>;

/** The reason why a grant was revoked. `updated`: the same append redeems the code of the replacement grant. */
const REVOCATION_REASONS = [
  'code-replayed',
  'device-code-replayed',
  'refresh-token-reused',
  'revoked-by-client',
  'revoked-by-resource-owner',
  'revoked-by-operator',
  'updated',
] as const;
export type RevocationReason = (typeof REVOCATION_REASONS)[number];

/**
 * The reason why a single session ended. `logged-out-through-client`: a client sent the user here to log out;
 * `ended-by-user`: the user ended the session from a list; `ended-by-administrator`: an administrator or the operator
 * ended the session; `another-login`: another user logged in with the same browser; `account-unlinked`: the linked
 * account that started the session was unlinked.
 */
const SESSION_END_REASONS = [
  'logged-out',
  'logged-out-through-client',
  'ended-by-user',
  'ended-by-administrator',
  'logged-in-again',
  'another-login',
  'two-step-turned-on',
  'account-unlinked',
] as const;
export type SessionEndReason = (typeof SESSION_END_REASONS)[number];

/** The reason why a logout token was not delivered. `withdrawn`: the client no longer gets logout tokens. */
const LOGOUT_FAILURE_REASONS = [
  'withdrawn',
  'url-refused',
  'address-refused',
  'name-unresolved',
  'connection-failed',
  'timed-out',
  'redirected',
  'error-status',
  'too-large',
  'malformed',
] as const;
export type LogoutFailureReason = (typeof LOGOUT_FAILURE_REASONS)[number];

/** The delivery of a logout token to a client that was authorized in the session. */
const logoutDelivery = {
  clientId,
  userId,
  /** The number of attempts; 0 if delivery was abandoned because other deliveries to the client had failed. */
  attempts: z.int().nonnegative(),
};

/**
 * Every event type and its current schema. `upcasters.ts` converts older versions. Event names use the past tense and
 * the RFCs' nouns. Events contain credentials only as hashes or encrypted. Instants are seconds since the epoch, and
 * most of their names end in `At`; durations end in `Seconds`. Events are validated before they are written.
 */
const schemas = {
  // grant-<id>: one authorization
  ConsentGiven: z.strictObject({
    grantId,
    clientId,
    userId,
    scope,
    /**
     * `asked`: the user consented on the consent page; `remembered`: the user had consented to an earlier grant;
     * `skipped`: the application is trusted; `password`: the password grant implies consent (RFC 6749 §4.3); `device`:
     * the user consented on the page for devices (RFC 8628 §3.3).
     */
    basis: z.enum(['asked', 'remembered', 'skipped', 'password', 'device']),
    claims,
    details: grantedDetails,
    login,
    requested,
    shown,
    /** The hash of the client's metadata document; absent if the client is registered. */
    documentHash: credentialHash.optional(),
    management,
  }),
  AuthorizationCodeIssued: z.strictObject({
    codeHash: credentialHash,
    clientId,
    userId,
    scope,
    redirectUri: z.string(),
    /**
     * Whether the authorization request contained the redirect URI. If so, the token request must repeat it (RFC 6749
     * §4.1.3).
     */
    redirectUriRequired: z.boolean(),
    /** The challenge of the client's proof key (RFC 7636); null if the request contained none. */
    codeChallenge: z.strictObject({ challenge: z.string(), method: z.enum(['S256', 'plain']) }).nullable(),
    resource,
    /** Returned in the ID token (OpenID Connect Core §3.1.2.1); absent if the request contained none. */
    nonce: z.string().min(1).optional(),
    /** The thumbprint of the only key that can redeem the code (RFC 9449 §10). */
    dpopJkt: thumbprint.optional(),
    /** Present if the client pushed the request (RFC 9126). */
    pushed: z.literal(true).optional(),
    expiresAt: instant,
    login,
  }),
  AuthorizationCodeRedeemed: z.strictObject({ codeHash: credentialHash }),
  /** RFC 8628 §3.3: the user approved the request from a device. The device code can now be redeemed. */
  DeviceAuthorized: z.strictObject({
    /** The hash of the device code. The user code is not recorded. */
    codeHash: credentialHash,
    clientId,
    userId,
    scope,
    resource,
    expiresAt: instant,
    login,
  }),
  /** The user denied the request from a device. It can no longer be approved. */
  DeviceDenied: z.strictObject({ grantId, clientId, userId }),
  DeviceCodeRedeemed: z.strictObject({ codeHash: credentialHash }),
  /**
   * RFC 8693: the client exchanged a subject token for a new token, which the same append issues. The grant ends with
   * the grant of the subject token, and with the grant of the actor token.
   */
  TokenExchanged: z.strictObject({
    grantId,
    clientId,
    /** The user who is the subject; null if the subject is the client of the `root`. */
    userId: userId.nullable(),
    /** `delegation`: the request had an actor token. */
    mode: z.enum(EXCHANGE_MODES),
    /** The new token's scope. `resource` and `expiresAt` also describe the new token. */
    scope,
    resource,
    /** The subject token. A JWT from another issuer has no grant here, so the exchange itself is the `root`. */
    parent: z.union([
      z.strictObject({ grantId, clientId, tokenHash: credentialHash, tokenType: z.enum(['access_token', 'id_token']) }),
      z.strictObject(foreignToken),
    ]),
    /** The actor token; absent if the request had no actor token. */
    actor: z
      .union([
        z.strictObject({ ...party, grantId, tokenHash: credentialHash }),
        z.strictObject({ ...party, ...foreignToken }),
      ])
      .optional(),
    /** The actors of this exchange and of earlier exchanges in the chain, newest first. */
    chain: z.array(z.strictObject(party)).readonly(),
    /** The number of exchanges in the chain, including this one. */
    depth: z.int().min(1).max(MAX_EXCHANGE_DEPTH),
    /** The grant at the start of the chain of exchanges. */
    root: z.strictObject({ grantId, clientId }),
    /** The members are empty or absent if the request did not specify them. */
    requested: z.strictObject({ scope, resource, details: requestedDetails }),
    /** The types and hashes of the token's details. Their contents are in `AccessTokenIssued`. */
    details: requestedDetails,
    expiresAt: instant,
    /** The login of the grant at the root. */
    login,
  }),
  /**
   * RFC 7523 §2.1: the client redeemed an assertion from a trusted issuer for a token, which the same append issues.
   * The id of the grant is derived from the assertion, so each assertion can be redeemed only once.
   */
  AssertionRedeemed: z.strictObject({
    grantId,
    clientId,
    /** The user to whom the subject is mapped; null if the client acts on its own behalf. */
    userId: userId.nullable(),
    use: z.enum(['assertion', 'identity-assertion']),
    issuer: trustedIssuer,
    /** The hash of the signing input only, because some signature algorithms are randomized. */
    assertionHash: credentialHash,
    subjectHash,
    mapping: z.enum(SUBJECT_MAPPINGS),
    /** The key that signed the assertion. */
    keyId,
    algorithm: signingAlgorithm,
    scope,
    resource,
    /** The members are empty or absent if the request did not specify them. */
    requested: z.strictObject({ scope, resource }),
    /** The expiry of the assertion itself. */
    assertionExpiresAt: instant,
    /** The expiry of the token. */
    expiresAt: instant,
  }),
  AccessTokenIssued: z.strictObject({
    tokenHash: credentialHash,
    grantId,
    clientId,
    /** Null if the client acts on its own behalf. */
    userId: userId.nullable(),
    scope,
    resource,
    /** The details of the grant or of the subject token, or the requested part of them. */
    details: tokenDetails,
    /** Present if the preceding event is `TokenExchanged`. */
    exchanged: z.literal(true).optional(),
    /** Present if the preceding event is `AssertionRedeemed`. */
    asserted: z.literal(true).optional(),
    /** Present if the client authenticated with the secret that a rotation replaced. */
    previousSecretUsed: z.literal(true).optional(),
    /** The key that signed the token. Absent for an opaque token, and for a JWT from an earlier release. */
    kid: keyId.optional(),
    /** Present if the client authenticated with a certificate of this registered key (RFC 8705 §2.2). */
    clientKeyId: keyId.optional(),
    confirmation,
    expiresAt: instant,
    login,
  }),
  /** OpenID Connect Core §2; issued with the access token in the same append. */
  IdTokenIssued: idToken,
  RefreshTokenIssued: z.strictObject({
    tokenHash: credentialHash,
    /**
     * Present if this token and its successors have a tag (`refresh-tokens.ts`); absent in events from earlier
     * releases.
     */
    tagged: z.literal(true).optional(),
    clientId,
    userId,
    /** The maximum scope for refreshes. `resource` is also a maximum. */
    scope,
    resource,
    /**
     * Present only for a public client, because confidential clients authenticate (RFC 9449 §5). Successors inherit
     * the binding.
     */
    confirmation,
    expiresAt: instant.nullable(),
    login,
  }),
  RefreshTokenRotated: z.strictObject({
    spentHash: credentialHash,
    tokenHash: credentialHash,
    /** The scope of the access token issued with the new refresh token. */
    scope,
    rotatedAt: instant,
    expiresAt: instant.nullable(),
    /**
     * The access token issued with the spent refresh token, and when that access token now expires; absent if its
     * expiry does not change.
     */
    retired: z.strictObject({ tokenHash: credentialHash, endsAt: instant }).optional(),
  }),
  /**
   * The state of the grant, recorded every `REFRESHES_PER_SUMMARY` refreshes to avoid reading all earlier events.
   */
  GrantSummarized: z.strictObject({
    clientId,
    userId,
    /** Null if the grant began without a code. */
    redeemedCodeHash: credentialHash.nullable(),
    /** Present if the redeemed code was a device code. */
    device: z.literal(true).optional(),
    /** The maximum scope for refreshes. */
    scope,
    resource,
    refreshToken: z.strictObject({
      tokenHash: credentialHash,
      expiresAt: instant.nullable(),
      /** The previous refresh token, and when it was rotated; absent if no refresh token has been rotated. */
      spentHash: credentialHash.optional(),
      rotatedAt: instant.optional(),
      /** Whether earlier releases issued refresh tokens without a tag for the grant. */
      hasUntagged: z.boolean(),
      confirmation,
    }),
    accessToken: z.strictObject({
      tokenHash: credentialHash,
      scope,
      resource,
      kid: keyId.optional(),
      details: tokenDetails,
      confirmation,
      expiresAt: instant,
    }),
    claims,
    details: grantedDetails,
    /** The ID token issued with the access token; absent without the `openid` scope. */
    idToken: idToken.optional(),
    login,
  }),
  GrantRevoked: z.strictObject({
    reason: z.enum(REVOCATION_REASONS),
    /** The grant that replaces this grant; absent unless the reason is `updated`. */
    replacedBy: grantId.optional(),
  }),

  // client-<id>
  ClientRegistered: z.strictObject({
    clientId,
    ownerId: userId.nullable(),
    secret: registeredSecret.nullable(),
    ...clientSettings,
    selfRegistered,
  }),
  ClientUpdated: z.strictObject(clientSettings),
  ClientSecretRotated: z.strictObject({
    secret: rotatedSecret,
    /** The expiry of the previous secret; null if it expired immediately. */
    previousUntil: instant.nullable(),
  }),
  /** The hash of the registered secret was replaced by a stronger one. The secret did not change. */
  ClientSecretRehashed: z.strictObject({ secret: rehashedSecret }),
  ClientRemoved: z.strictObject({}),
  /** Until the client is enabled again, it gets no tokens, and its existing tokens are refused but not revoked. */
  ClientDisabled: z.strictObject({}),
  ClientEnabled: z.strictObject({}),
  /** The user was given the role, which replaces any earlier role. The first owner is the registration's `ownerId`. */
  ClientMemberAdded: z.strictObject({
    userId,
    role: z.enum(MEMBER_ROLES),
    /** The invitation that the user accepted, and the owner who created it; null if no invitation was needed. */
    invitation: z.strictObject({ hash: credentialHash, by: userId }).nullable(),
  }),
  ClientMemberRemoved: z.strictObject({ userId, role: z.enum(MEMBER_ROLES) }),
  /** Invalidates all earlier invitations to this role. */
  ClientInvitationsWithdrawn: z.strictObject({ role: z.enum(MEMBER_ROLES) }),
  /** The logo that users see beside the name; null if it was removed. */
  ClientLogoChanged: z.strictObject({ image: logoImage.nullable() }),

  /**
   * A user consented to a client whose id is the URL of its metadata document (Client ID Metadata Document). The
   * settings come from the document and from the operator.
   */
  ClientDocumentAccepted: z.strictObject({
    clientId,
    /** SHA-256 of the document. */
    hash: credentialHash,
    document: z.string().min(2).max(MAX_CLIENT_DOCUMENT_BYTES),
    ...clientSettings,
  }),

  // domains
  /**
   * Clients whose metadata documents are hosted in the domain or its subdomains are allowed or blocked. A subdomain's
   * own entry takes precedence.
   */
  ClientDomainListed: z.strictObject({ domain: z.string().min(1), rule: z.enum(DOMAIN_RULES) }),
  ClientDomainUnlisted: z.strictObject({ domain: z.string().min(1) }),

  // assertion-<keyed hash of client and jti>
  /** A signed assertion authenticated the client (RFC 7523 §2.2). It is not accepted again. */
  ClientAssertionAccepted: z.strictObject({
    clientId,
    /** The thumbprint of the key that signed the assertion (RFC 7638). */
    keyId,
    algorithm: signingAlgorithm,
    /** The expiry of the assertion itself. */
    expiresAt: instant,
  }),

  // user-<keyed hash of the name>
  UserRegistered: z.strictObject({ userId, sealed, roles: z.array(z.enum(ROLES)).readonly() }),
  UserProfileChanged: z.strictObject({ userId, sealed }),
  PasswordChanged: z.strictObject({ userId, sealed }),
  /** The hash of the imported password was replaced by a stronger one. The password did not change. */
  PasswordRehashed: z.strictObject({ userId, sealed }),
  UserDisabled: z.strictObject({ userId }),
  UserEnabled: z.strictObject({ userId }),
  /** The user can read e-mails sent to the encrypted address. Verification ends when the account's address changes. */
  EmailVerified: z.strictObject({ userId, sealed }),
  UserErased: z.strictObject({ userId }),
  AllSessionsEnded: z.strictObject({ userId }),
  UserRolesChanged: z.strictObject({ userId, roles: z.array(z.enum(ROLES)).readonly() }),
  /** WebAuthn. The credential's id, public key and name identify the user, so they are encrypted. */
  PasskeyAdded: z.strictObject({ userId, passkeyId, sealed }),
  PasskeyRemoved: z.strictObject({ userId, passkeyId }),
  /** One-time passwords from an authenticator app (RFC 6238). The shared secret is encrypted. */
  TotpAdded: z.strictObject({ userId, totpId, sealed }),
  TotpRemoved: z.strictObject({ userId, totpId }),
  /** Replaces the earlier recovery codes. The hashes of the new ones are encrypted. */
  RecoveryCodesGenerated: z.strictObject({ userId, codesId: recoveryCodesId, sealed }),
  RecoveryCodeUsed: z.strictObject({ userId, codesId: recoveryCodesId, number: recoveryCodeNumber }),
  /** Removes the authenticator app and recovery codes. If the user lost them, the same append removes the passkeys. */
  SecondFactorsRemoved: z.strictObject({ userId, reason: z.enum(SECOND_FACTOR_REMOVAL_REASONS) }),
  /** The user is a member until removed, until the group is removed, or until the account is erased. */
  GroupMemberAdded: z.strictObject({ userId, groupId }),
  GroupMemberRemoved: z.strictObject({ userId, groupId }),

  // session-<hash of the id>
  SessionStarted: z.strictObject({
    userId,
    expiresAt: instant,
    /** Absent in events from earlier releases. */
    authentication: authentication.optional(),
    /** The browser, such as "Firefox on Linux". Absent if its request did not identify it. */
    sealed: sealed.optional(),
  }),
  /** The session was used for the first time on this day (UTC). Not recorded on the day when the session started. */
  SessionUsed: z.strictObject({ userId, usedAt: instant }),
  SessionEnded: z.strictObject({
    userId,
    /** Absent in events from earlier releases. */
    reason: z.enum(SESSION_END_REASONS).optional(),
    /**
     * The session that continues this one after the same user logged in again. Grants of this session now end with that
     * session.
     */
    continuedBy: sessionHash.optional(),
  }),
  /** The client accepted a logout token for the session (OpenID Connect Back-Channel Logout). */
  LogoutDelivered: z.strictObject(logoutDelivery),
  /** The client did not accept a logout token for the session, and no more attempts will be made. */
  LogoutDeliveryFailed: z.strictObject({
    ...logoutDelivery,
    reason: z.enum(LOGOUT_FAILURE_REASONS),
    /** The HTTP status of the last response; absent if the failure had another reason. */
    status: z.int().optional(),
  }),

  // invitation-<hash>
  /** An invitation to create an account was sent, for the first time or again. */
  InvitationSent: z.strictObject({
    /** The administrator; null if the operator or a client sent the invitation. */
    invitedBy: userId.nullable(),
    /** The address and the invitation's id, encrypted under a key that is destroyed when the invitation ends. */
    sealed,
    roles: z.array(z.enum(ROLES)).readonly(),
    /** The expiry of this link. Earlier links of the invitation keep their expiry. */
    expiresAt: instant,
  }),
  /** The invitation's links no longer work. */
  InvitationWithdrawn: z.strictObject({}),
  /**
   * An invitation to create an account was used. If the stream has no earlier event, an earlier release sent the
   * invitation.
   */
  InvitationAccepted: z.strictObject({ invitedBy: userId.nullable() }),

  // group-<hash of the name>
  GroupCreated: z.strictObject({ groupId, name: z.string().min(1) }),
  /** A title for people, in addition to the name that applications get; null if it was removed. */
  GroupTitleChanged: z.strictObject({ groupId, title: z.string().min(1).nullable() }),
  /** Ends all memberships. A later group of the same name has a different id. */
  GroupRemoved: z.strictObject({ groupId }),

  // resource-<hash of the URI>: a resource server that tokens can be restricted to (RFC 8707)
  ResourceRegistered: z.strictObject({ uri: resourceUri, settings: resourceServerSettings }),
  ResourceUpdated: z.strictObject({ uri: resourceUri, settings: resourceServerSettings }),
  /** Tokens that are restricted to the resource server lose access to it. */
  ResourceRemoved: z.strictObject({ uri: resourceUri }),

  // exchange-<hash of the two clients>: whether a client may exchange another client's tokens (RFC 8693)
  ExchangePolicySet: z.strictObject({ ...exchangePair, settings: exchangePolicySettings }),
  /** Tokens that were exchanged earlier stay valid. */
  ExchangePolicyRemoved: z.strictObject(exchangePair),

  // issuer-<hash of the issuer>: another server whose JWTs are accepted (RFC 7523, RFC 8693)
  TrustedIssuerSet: z.strictObject({ issuer: trustedIssuer, settings: trustedIssuerSettings }),
  /** Ends all grants that began with the issuer's JWTs. */
  TrustedIssuerRemoved: z.strictObject({ issuer: trustedIssuer }),

  // provider-<id>: an OpenID provider through which users log in
  UpstreamProviderSet: z.strictObject({ providerId, settings: providerSettings }),
  /** Users can no longer log in through the provider. Linked accounts are kept in case the provider is added again. */
  UpstreamProviderRemoved: z.strictObject({ providerId }),

  // upstream-<keyed hash of provider, issuer and subject>: the user who logs in with an account at a provider
  UpstreamAccountLinked: z.strictObject({
    userId,
    providerId,
    subjectHash,
    /** The issuer, subject and e-mail address of the account at the provider. */
    sealed,
    /**
     * `asked`: the user requested it; `verified-email`: both accounts had the same verified address; `created`: the
     * login created the account here.
     */
    basis: z.enum(['asked', 'verified-email', 'created']),
  }),
  UpstreamAccountUnlinked: z.strictObject({ userId, providerId, subjectHash }),

  // settings: changes to run-time settings, which overrule the defaults
  SettingChanged: z.strictObject({ name: settingName, value: settingValue }),
  /** The setting was reset to its default. */
  SettingReset: z.strictObject({ name: settingName }),

  // signing-keys: the keys that sign tokens. The private keys are not in the log
  SigningKeyIntroduced: z.strictObject({
    kid: keyId,
    algorithm: signingAlgorithm,
    publicKey,
    /** The key signs from `from` to `until`, unless its successor begins earlier. It is published immediately. */
    from: instant,
    until: instant,
    /** `lost`: the previous private key is missing or damaged. */
    reason: z.enum(['first', 'scheduled', 'requested', 'lost']),
  }),
  /** The key is no longer published. `expired`: all tokens that it signed have expired. */
  SigningKeyRetired: z.strictObject({ kid: keyId, reason: z.enum(['expired', 'requested']) }),

  // clock
  /**
   * The clock was ahead and has been corrected. Ends all credentials issued and sessions started after `issuedAfter`.
   */
  ClockSetBack: z.strictObject({ setBackTo: instant, newestAt: instant, issuedAfter: instant }),
} as const;

type Schemas = typeof schemas;
export type EventType = keyof Schemas;
export const EVENT_TYPES = Object.keys(schemas) as readonly EventType[];
export type EventOf<Type extends EventType> = {
  [T in Type]: { readonly type: T; readonly data: z.output<Schemas[T]> };
}[Type];
export type DomainEvent = EventOf<EventType>;

interface CurrentSchema {
  readonly version: number;
  readonly schema: () => z.ZodType;
}

const CURRENT_SCHEMAS: ReadonlyMap<string, CurrentSchema> = new Map(
  EVENT_TYPES.map((type) => [
    type,
    { version: 1 + (UPCASTERS[type]?.length ?? 0), schema: compileLazily(schemas[type]) },
  ]),
);

/**
 * Compiles the schema on first use, because commands that only read the log validate nothing. A compiled schema
 * validates about twice as fast (`npm run bench -- micro`).
 */
function compileLazily(schema: z.ZodType): () => z.ZodType {
  let compiled: z.ZodType | undefined;
  return () => (compiled ??= z.compile(schema, { strict: true }));
}

/** Thrown if an event violates its schema, or if this release does not recognize its type or version. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
  /**
   * The type and version of an event that a later release may have written, because this release does not recognize
   * them. Undefined if the error has another cause.
   */
  readonly unknownEvent: Pick<EventToAppend, 'type' | 'version'> | undefined;

  constructor(message: string, unknownEvent?: Pick<EventToAppend, 'type' | 'version'>) {
    super(message);
    this.unknownEvent = unknownEvent;
  }
}

type EventPayload = Pick<EventToAppend, 'type' | 'version' | 'data'>;

function currentSchemaOf(type: string, version = 1): CurrentSchema {
  const currentSchema = CURRENT_SCHEMAS.get(type);
  if (currentSchema !== undefined) return currentSchema;
  throw new InvalidEventError(
    `unknown event type ${JSON.stringify(type)}; if a later release wrote the log, run that release`,
    { type, version },
  );
}

/**
 * Validates an event and returns its payload, ready to be appended.
 * @throws InvalidEventError if the data violates the schema. For a new event, that is a bug in the server
 */
export function encodeEvent(event: DomainEvent): EventPayload {
  const { version, schema } = currentSchemaOf(event.type);
  const result = schema().safeParse(event.data);
  if (!result.success) throw new InvalidEventError(`${event.type}: ${z.prettifyError(result.error)}`);
  return { type: event.type, version, data: event.data };
}

/**
 * Converts a record from the log to the current schema. Does not validate, because records are validated before they
 * are written. Returns a record of the current version unchanged.
 * @throws InvalidEventError if this release does not recognize the type or the version
 */
export function decodeEvent(recorded: EventPayload): DomainEvent {
  const { version } = currentSchemaOf(recorded.type, recorded.version);
  return recorded.version === version ? (recorded as DomainEvent) : upcast(recorded, version);
}

/** Returns the event types that this release writes, with their versions. */
export function writtenEventTypes(): readonly Pick<EventToAppend, 'type' | 'version'>[] {
  return [...CURRENT_SCHEMAS].map(([type, { version }]) => ({ type, version }));
}

/** Reports whether this release can decode the event. */
export function isKnownEvent({ type, version }: Pick<EventToAppend, 'type' | 'version'>): boolean {
  const currentSchema = CURRENT_SCHEMAS.get(type);
  return currentSchema !== undefined && version <= currentSchema.version;
}

function upcast({ type, version, data }: EventPayload, current: number): DomainEvent {
  if (version > current) {
    throw new InvalidEventError(
      `${type} version ${version} was written by a later release; this release supports versions up to ${current}; ` +
        'run the later release',
      { type, version },
    );
  }
  if (!Number.isInteger(version) || version < 1) {
    throw new InvalidEventError(
      `no release writes ${type} version ${version}; the record has been changed; ` +
        'restore the newest backup that verifies',
    );
  }
  const steps = UPCASTERS[type as EventType]?.slice(version - 1) ?? [];
  return { type, data: steps.reduce((converted, step) => step(converted), data) } as DomainEvent;
}

/**
 * Decodes a record and validates it, for callers that do not trust the log.
 * @throws InvalidEventError if the record violates the current schema after upcasting, or if this release does not
 *   recognize its type or version
 */
export function decodeUntrustedEvent(recorded: EventPayload): DomainEvent {
  const event = decodeEvent(recorded);
  encodeEvent(event);
  return event;
}
