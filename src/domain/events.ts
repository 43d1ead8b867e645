import { z } from 'zod';
import type { EventToAppend, Position } from '../event-store/event-log.ts';
import type { ClientId, CredentialHash, EpochSeconds, GrantId, GroupId, PasskeyId, UserId } from './values.ts';
import { UPCASTERS } from './upcasters.ts';
import { ACCESS_TOKEN_FORMATS, CLIENT_TYPES, REGISTERED_GRANTS, RESTRICTED_SCOPES } from './values.ts';

/**
 * Every event and its schema of today; what older versions said, upcasters.ts turns into it. An event is a past-tense fact in the RFC's noun; it holds
 * hashes only, instants end in `At` (seconds since the epoch), durations in `Seconds`.
 * Checked before writing and again whenever a log is read.
 */

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
const groupId = z
  .string()
  .regex(/^[\w-]{22}$/)
  .transform((text) => text as GroupId);
const credentialHash = z
  .string()
  .regex(/^[\w-]{43}$/)
  .transform((text) => text as CredentialHash);
const position = z
  .int()
  .nonnegative()
  .transform((number) => number as Position);
const instant = z
  .int()
  .nonnegative()
  .transform((seconds) => seconds as EpochSeconds);
const scope = z.array(z.string().min(1)).readonly();
/** RFC 8707: the resource servers that the request named; left out when it named none. */
const resource = z.array(z.string().min(1)).readonly().optional();
/** Personal data under its user's own key (AES-256-GCM, base64url); unreadable once that key is gone. */
const sealed = z.string().min(1);

/** SHA-256 of a client secret of 256 random bits. Knowing it does not help to guess the secret. */
const randomSecretHash = z.strictObject({ algorithm: z.literal('sha256'), hash: credentialHash });
/** A slow hash of a secret that somebody chose. Guesses can be tested against it: today it is recorded under a seal. */
const chosenSecretHash = z.strictObject({ algorithm: z.literal('argon2id'), phc: z.string().startsWith('$argon2id$') });
/** As another server kept it; the first use replaces it. */
const importedSecretHash = z.strictObject({
  algorithm: z.literal('pbkdf2-sha256'),
  verifier: z.string().startsWith('pbkdf2_sha256$'),
});
/** A hash under its client's own key, for the client and the type of its event alone (AES-256-GCM, base64url). */
const sealedSecretHash = z.strictObject({ algorithm: z.literal('sealed'), sealed });

const rotatedSecret = z.discriminatedUnion('algorithm', [randomSecretHash, chosenSecretHash]);
const rehashedSecret = z.discriminatedUnion('algorithm', [...rotatedSecret.options, sealedSecretHash]);
const registeredSecret = z.discriminatedUnion('algorithm', [...rehashedSecret.options, importedSecretHash]);

/** How a presented client secret is checked. */
export type SecretHash = Exclude<z.infer<typeof registeredSecret>, SealedSecretHash>;
export type SealedSecretHash = z.infer<typeof sealedSecretHash>;
/** Those that new events may contain: the hash of a secret from elsewhere is never recorded without a seal. */
export type RecordableSecret = z.infer<typeof randomSecretHash> | SealedSecretHash;
/** The types of event that contain sealed hashes; a seal made for one does not open in another. */
export type SecretSealPurpose = 'ClientRegistered' | 'ClientSecretRehashed';

const clientSettings = {
  name: z.string().min(1),
  clientType: z.enum(CLIENT_TYPES),
  grantTypes: z.array(z.enum(REGISTERED_GRANTS)).readonly(),
  redirectUris: z.array(z.string()).readonly(),
  allowedOrigins: z.array(z.string()).readonly(),
  /** The owner's consent is taken for granted: for applications of the house. */
  skipAuthorization: z.boolean(),
  /** Those that the operator lets it hold. */
  restrictedScopes: z.array(z.enum(RESTRICTED_SCOPES)).readonly(),
  /** What its access tokens are: 256 random bits, or a signed JWT (RFC 9068). */
  accessTokenFormat: z.enum(ACCESS_TOKEN_FORMATS),
};

export const ROLES = ['administrator', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

const authenticated = {
  /** When the check succeeded. */
  authenticatedAt: instant,
  /** The position up to which the log was known when the credentials were read, before they were checked. */
  checkedAsOf: position,
};

/** How a user proved who they are. The account may also have been made in the same request. */
const authentication = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('password'), ...authenticated }),
  z.strictObject({ method: z.literal('passkey'), passkeyId, ...authenticated }),
  z.strictObject({ method: z.literal('sign-up'), ...authenticated }),
  z.strictObject({ method: z.literal('set-up-link'), ...authenticated }),
]);
export type Authentication = z.output<typeof authentication>;

/** Why a grant ended before its time. */
const REVOCATION_REASONS = [
  'code-replayed',
  'refresh-token-reused',
  'revoked-by-client',
  'revoked-by-resource-owner',
  'revoked-by-operator',
] as const;
export type RevocationReason = (typeof REVOCATION_REASONS)[number];

const schemas = {
  // grant-<id>: one authorization
  ConsentGiven: z.strictObject({
    grantId,
    clientId,
    userId,
    scope,
    /**
     * Asked on the consent page; remembered from an earlier grant; not asked, for a client of the
     * house; or given with the password itself (RFC 6749 §4.3).
     */
    basis: z.enum(['asked', 'remembered', 'skipped', 'password']),
  }),
  AuthorizationCodeIssued: z.strictObject({
    codeHash: credentialHash,
    clientId,
    userId,
    scope,
    redirectUri: z.string(),
    /** Whether the authorization request named it: then the token request must, too (RFC 6749 §4.1.3). */
    redirectUriRequired: z.boolean(),
    /** RFC 7636; null when the request sent none. */
    codeChallenge: z.strictObject({ challenge: z.string(), method: z.enum(['S256', 'plain']) }).nullable(),
    resource,
    expiresAt: instant,
  }),
  AuthorizationCodeRedeemed: z.strictObject({ codeHash: credentialHash }),
  AccessTokenIssued: z.strictObject({
    tokenHash: credentialHash,
    grantId,
    clientId,
    /** The resource owner; null for client credentials. */
    userId: userId.nullable(),
    scope,
    resource,
    /** Left out unless the client authenticated with the secret that a rotation is about to end. */
    previousSecretUsed: z.literal(true).optional(),
    expiresAt: instant,
  }),
  RefreshTokenIssued: z.strictObject({
    tokenHash: credentialHash,
    /** Whether this token and all after it carry a tag (`refresh-tokens.ts`); left out by earlier releases. */
    tagged: z.literal(true).optional(),
    clientId,
    userId,
    /** All that the grant may ever be refreshed to. */
    scope,
    /** As with the scope. */
    resource,
    expiresAt: instant.nullable(),
  }),
  RefreshTokenRotated: z.strictObject({
    spentHash: credentialHash,
    tokenHash: credentialHash,
    /** What the access token issued beside it was narrowed to. */
    scope,
    rotatedAt: instant,
    expiresAt: instant.nullable(),
    /** The access token issued with the spent refresh token, and when it ends; left out where it ends as it said. */
    retired: z.strictObject({ tokenHash: credentialHash, endsAt: instant }).optional(),
  }),
  /** All that follows from the events before it, which then need not be read. Written with every so many rotations. */
  GrantSummarized: z.strictObject({
    clientId,
    userId,
    /** Null where the grant began without a code. */
    redeemedCodeHash: credentialHash.nullable(),
    /** All that the grant may ever be refreshed to. */
    scope,
    resource,
    refreshToken: z.strictObject({
      tokenHash: credentialHash,
      expiresAt: instant.nullable(),
      /** The one before, and when it was exchanged. */
      spentHash: credentialHash,
      rotatedAt: instant,
      /** Whether tokens of earlier releases, without a tag, were issued for the grant. */
      hasUntagged: z.boolean(),
    }),
    accessToken: z.strictObject({ tokenHash: credentialHash, scope, resource, expiresAt: instant }),
  }),
  GrantRevoked: z.strictObject({ reason: z.enum(REVOCATION_REASONS) }),

  // client-<id>
  ClientRegistered: z.strictObject({
    clientId,
    ownerId: userId.nullable(),
    secret: registeredSecret.nullable(),
    ...clientSettings,
  }),
  ClientUpdated: z.strictObject(clientSettings),
  ClientSecretRotated: z.strictObject({
    secret: rotatedSecret,
    /** Until when the secret before this one still authenticates; null: not at all. */
    previousUntil: instant.nullable(),
  }),
  /** The secret that it was registered with is the same, and kept under a better hash. */
  ClientSecretRehashed: z.strictObject({ secret: rehashedSecret }),
  ClientRemoved: z.strictObject({}),

  // user-<keyed hash of the name>
  UserRegistered: z.strictObject({ userId, sealed, roles: z.array(z.enum(ROLES)).readonly() }),
  UserProfileChanged: z.strictObject({ userId, sealed }),
  PasswordChanged: z.strictObject({ userId, sealed }),
  /** The password that came with the account is the same, and kept under a better hash. */
  PasswordRehashed: z.strictObject({ userId, sealed }),
  UserDisabled: z.strictObject({ userId }),
  UserEnabled: z.strictObject({ userId }),
  UserErased: z.strictObject({ userId }),
  AllSessionsEnded: z.strictObject({ userId }),
  UserRolesChanged: z.strictObject({ userId, roles: z.array(z.enum(ROLES)).readonly() }),
  /** WebAuthn; the credential's id, its public key and its owner's name for it are sealed: they tell one person from all others. */
  PasskeyAdded: z.strictObject({ userId, passkeyId, sealed }),
  PasskeyRemoved: z.strictObject({ userId, passkeyId }),

  // session-<id>
  SessionStarted: z.strictObject({
    userId,
    expiresAt: instant,
    /** Left out by earlier releases, which did not record it. */
    authentication: authentication.optional(),
  }),
  SessionEnded: z.strictObject({ userId }),

  // group-<hash of the name>
  GroupCreated: z.strictObject({ groupId, name: z.string().min(1) }),

  // clock
  /** The clock was ahead and is right again. Ends every credential and session issued after `issuedAfter` so far. */
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

/** What is written today, by type. */
const CURRENT_SCHEMAS: ReadonlyMap<string, CurrentSchema> = new Map(
  EVENT_TYPES.map((type) => [
    type,
    { version: 1 + (UPCASTERS[type]?.length ?? 0), schema: compileLazily(schemas[type]) },
  ]),
);

/** Checks in a third of the time: every append waits for it. Done when the type is first written: commands that only read need not wait. */
function compileLazily(schema: z.ZodType): () => z.ZodType {
  let code: z.ZodType | undefined;
  return () => (code ??= z.compile(schema, { strict: true }));
}

/** A record that says something its schema does not allow: nothing was written, or the log was changed. */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';
}

type EventPayload = Pick<EventToAppend, 'type' | 'version' | 'data'>;

function currentSchemaOf(type: string): CurrentSchema {
  const found = CURRENT_SCHEMAS.get(type);
  if (found !== undefined) return found;
  throw new InvalidEvent(
    `no event type is called ${JSON.stringify(type)}; if a later release wrote the log, run that release`,
  );
}

/**
 * The part of a record that says what happened, ready to be appended.
 * @throws InvalidEvent its data breaks its own schema; a defect of this program, not of a request
 */
export function encodeEvent(event: DomainEvent): EventPayload {
  const { version, schema } = currentSchemaOf(event.type);
  const checked = schema().safeParse(event.data);
  if (!checked.success) throw new InvalidEvent(`${event.type}: ${z.prettifyError(checked.error)}`);
  return { type: event.type, version, data: event.data };
}

/**
 * What a record says, in today's schema, without checking it again: the log's own records were
 * checked before they were written. A record of today's version is handed back itself.
 * @throws InvalidEvent a type or a version that this release does not know
 */
export function decodeEvent(recorded: EventPayload): DomainEvent {
  const { version } = currentSchemaOf(recorded.type);
  return recorded.version === version ? (recorded as DomainEvent) : upcast(recorded, version);
}

function upcast({ type, version, data }: EventPayload, current: number): DomainEvent {
  if (version > current) {
    throw new InvalidEvent(
      `${type} version ${version} was written by a later release, this one knows versions up to ${current}: run the later release`,
    );
  }
  if (!Number.isInteger(version) || version < 1) {
    throw new InvalidEvent(
      `${type} version ${version} was written by no release: the record was changed, restore the newest backup that verifies`,
    );
  }
  const steps = UPCASTERS[type as EventType]?.slice(version - 1) ?? [];
  return { type, data: steps.reduce((said, step) => step(said), data) } as DomainEvent;
}

/** @throws InvalidEvent the record, once upcast, breaks its schema: for whoever does not trust the log */
export function decodeUntrustedEvent(recorded: EventPayload): DomainEvent {
  const event = decodeEvent(recorded);
  encodeEvent(event);
  return event;
}
