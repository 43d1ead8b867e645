import type { Confirmation } from '../../../domain/confirmation.ts';
import type { DomainEvent, EventOf, EventType, GrantedClaims, Login } from '../../../domain/events.ts';
import type { CredentialHash, EpochSeconds } from '../../../domain/values.ts';
import type { Position, StreamName } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';
import type { Moment } from './clock.ts';

type Scope = readonly string[];
type DataOf<Type extends EventType> = EventOf<Type>['data'];

interface CodeRecord {
  readonly hash: CredentialHash;
  readonly scope: Scope;
  readonly expiresAt: EpochSeconds;
  /** Whether it is a device code. */
  readonly isDeviceCode: boolean;
  readonly isRedeemed: boolean;
  /** The thumbprint of the only key that can redeem it; undefined if any key can. */
  readonly dpopJkt: string | undefined;
}

interface AccessTokenRecord {
  readonly hash: CredentialHash;
  readonly scope: Scope;
  readonly resource: readonly string[];
  /** The id of the key that signed it, or undefined if it is opaque. */
  readonly kid: string | undefined;
  /** The key or certificate that it is bound to, or undefined for a bearer token. */
  readonly confirmation: Confirmation | undefined;
  readonly details: DataOf<'AccessTokenIssued'>['details'];
  readonly expiresAt: EpochSeconds;
}

/** The latest refresh token and the one before it. Older ones are not stored. */
interface RefreshTokenRecord {
  readonly currentHash: CredentialHash;
  /** The full scope that a refresh may request. */
  readonly scope: Scope;
  readonly expiresAt: EpochSeconds | null;
  readonly hasUntagged: boolean;
  readonly confirmation: Confirmation | undefined;
  readonly rotation: { readonly spentHash: CredentialHash; readonly rotatedAt: EpochSeconds } | null;
}

/** The state of a grant according to its stream. Its size does not depend on the number of refreshes. */
export interface GrantRecord {
  readonly clientId: string;
  /** Null if the client acts on its own behalf. */
  readonly userId: string | null;
  /** The authorized scope. */
  readonly scope: Scope;
  /** The grant's resource servers: empty if it is not restricted to any; null before anything was issued. */
  resource: readonly string[] | null;
  /** The login of the consent, or undefined if it is not recorded or if the client acts on its own behalf. */
  readonly login: Login | undefined;
  /** The claims that the consent grants individually, if any. */
  readonly claims: GrantedClaims | undefined;
  /** The authorization details of the consent, if any. */
  readonly details: DataOf<'ConsentGiven'>['details'];
  /** The position of the grant's first event. */
  readonly position: Position;
  code: CodeRecord | null;
  /** The latest access token. Null before the first is issued, and always null if the client acts on its own behalf. */
  accessToken: AccessTokenRecord | null;
  refreshToken: RefreshTokenRecord | null;
  /** The scope that the next access token may have, or null if none is due. */
  dueScope: Scope | null;
  /** Whether the first refresh token is due. */
  isRefreshTokenDue: boolean;
  /** The ID token issued with the latest access token, if any. */
  idToken: DataOf<'IdTokenIssued'> | undefined;
  /** Whether an ID token may follow the latest access token, because the cause of that token has the `openid` scope. */
  isIdTokenDue: boolean;
  isRevoked: boolean;
  /** The latest expiry of its access tokens, or 0 if it has none. */
  latestExpiry: number;
  /** The latest event. */
  newestEvent: Moment;
}

export interface GrantHistory {
  inStream(stream: StreamName): Readonly<GrantRecord> | undefined;
  /** Returns the stream and type of the event that must come next, or undefined if the latest append is complete. */
  expectedNext(): Readonly<{ stream: StreamName; type: EventType }> | undefined;
  apply(auditedEvent: AuditedEvent): void;
}

export function createGrantHistory(): GrantHistory {
  const byStream = new Map<StreamName, GrantRecord>();
  // Equal ids, scopes and logins recur in most grants. Sharing them saves memory.
  const ids = new Map<string, string>();
  const scopes = new Map<string, Scope>();
  const logins = new Map<string, Login>();

  function withSharedValues(grant: GrantRecord): GrantRecord {
    const { clientId, userId, scope, login } = grant;
    return {
      ...grant,
      clientId: deduplicate(ids, clientId, clientId),
      userId: userId === null ? null : deduplicate(ids, userId, userId),
      scope: deduplicate(scopes, scope.join(' '), scope),
      login: login && deduplicate(logins, JSON.stringify(login), login),
    };
  }

  /** The events that must still follow in the current append. */
  let expectedEvents: { readonly stream: StreamName; readonly types: readonly EventType[] } = { stream: '', types: [] };

  return {
    inStream: (stream) => byStream.get(stream),
    expectedNext() {
      const [type] = expectedEvents.types;
      return type === undefined ? undefined : { stream: expectedEvents.stream, type };
    },
    apply(auditedEvent) {
      expectedEvents = {
        stream: auditedEvent.record.stream,
        types: followingTypes(auditedEvent.event) ?? expectedEvents.types.slice(1),
      };
      const existingGrant = byStream.get(auditedEvent.record.stream);
      const grant = existingGrant ?? createGrantRecord(auditedEvent);
      if (grant === undefined) return;
      applyToGrant(auditedEvent.event, grant);
      grant.newestEvent = momentOf(auditedEvent);
      if (existingGrant === undefined) byStream.set(auditedEvent.record.stream, withSharedValues(grant));
    },
  };
}

/** Returns the types of events that must follow in the same append, or undefined if the event does not start one. */
function followingTypes({ type, data }: DomainEvent): readonly EventType[] | undefined {
  if (type === 'ConsentGiven') return AFTER_CONSENT[data.basis] ?? ['AuthorizationCodeIssued'];
  if (isRedemption(type)) return TOKENS;
  const issuesAccessTokenOnly =
    type === 'RefreshTokenRotated' || type === 'TokenExchanged' || type === 'AssertionRedeemed';
  return issuesAccessTokenOnly ? ['AccessTokenIssued'] : undefined;
}

const ALL_RESOURCES: readonly string[] = [];

const TOKENS: readonly EventType[] = ['AccessTokenIssued', 'RefreshTokenIssued'];

const AFTER_CONSENT: Readonly<Partial<Record<DataOf<'ConsentGiven'>['basis'], readonly EventType[]>>> = {
  password: TOKENS,
  device: ['DeviceAuthorized'],
};

/** Reports whether the event redeems a code of a consent: an authorization code or a device code. */
export function isRedemption(type: EventType): type is 'AuthorizationCodeRedeemed' | 'DeviceCodeRedeemed' {
  return type === 'AuthorizationCodeRedeemed' || type === 'DeviceCodeRedeemed';
}

/**
 * Creates the record of a grant from its first event: in a valid log, a consent, an exchange, an assertion or a client
 * credentials token. Returns undefined if the event has no scope or no client.
 */
function createGrantRecord(auditedEvent: AuditedEvent): GrantRecord | undefined {
  const {
    event,
    record: { position },
  } = auditedEvent;
  if (!('scope' in event.data) || !('clientId' in event.data)) return undefined;
  const { clientId, userId, scope } = event.data;
  return {
    clientId,
    userId,
    scope,
    login: 'login' in event.data ? event.data.login : undefined,
    claims: event.type === 'ConsentGiven' ? event.data.claims : undefined,
    details: event.type === 'ConsentGiven' ? event.data.details : undefined,
    resource: null,
    position,
    code: null,
    accessToken: null,
    refreshToken: null,
    dueScope: null,
    isRefreshTokenDue: false,
    idToken: undefined,
    isIdTokenDue: false,
    isRevoked: false,
    latestExpiry: 0,
    newestEvent: momentOf(auditedEvent),
  };
}

function momentOf({ record: { position, recordedAt } }: AuditedEvent): Moment {
  return { position, at: Math.floor(recordedAt / 1000) };
}

function applyToGrant({ type, data }: DomainEvent, grant: GrantRecord): void {
  // A code, exchange, assertion or refresh token has the resources of the grant. So does an access token that comes
  // first.
  const hasGrantResources =
    type === 'AuthorizationCodeIssued' ||
    type === 'DeviceAuthorized' ||
    type === 'TokenExchanged' ||
    type === 'AssertionRedeemed' ||
    type === 'RefreshTokenIssued' ||
    (type === 'AccessTokenIssued' && grant.resource === null);
  if (hasGrantResources) grant.resource = data.resource ?? ALL_RESOURCES;
  if (type === 'ConsentGiven' && data.basis === 'password') expectTokens(grant, data.scope);
  else if (type === 'TokenExchanged' || type === 'AssertionRedeemed') grant.dueScope = data.scope;
  else if (type === 'AuthorizationCodeIssued' || type === 'DeviceAuthorized') grant.code = toCodeRecord(type, data);
  else if (isRedemption(type)) redeem(grant);
  else if (type === 'AccessTokenIssued') {
    grant.isIdTokenDue = scopeOfCause(grant, data).includes('openid');
    grant.dueScope = null;
    grant.latestExpiry = Math.max(grant.latestExpiry, data.expiresAt);
    grant.idToken = undefined;
    grant.accessToken = data.userId === null ? null : toAccessTokenRecord(data);
  } else if (type === 'IdTokenIssued') {
    grant.isIdTokenDue = false;
    grant.idToken = data;
  } else if (type === 'RefreshTokenIssued') {
    grant.refreshToken = firstRefreshToken(data, grant.scope);
    grant.isRefreshTokenDue = false;
  } else if (type === 'RefreshTokenRotated') {
    grant.refreshToken = rotatedRefreshToken(data, grant);
    grant.dueScope = data.scope;
  } else if (type === 'GrantRevoked') grant.isRevoked = true;
}

/**
 * Returns the scope of the code or refresh that caused an access token and its ID token. The scope of the access token
 * may lack `openid`, because its resource servers define their own scopes. A refresh without rotation does not record
 * which scope was requested.
 */
function scopeOfCause(
  { dueScope, refreshToken }: GrantRecord,
  { scope, resource }: DataOf<'AccessTokenIssued'>,
): Scope {
  if (dueScope !== null || resource === undefined) return dueScope ?? scope;
  return refreshToken?.scope ?? scope;
}

function toCodeRecord(
  type: 'AuthorizationCodeIssued' | 'DeviceAuthorized',
  data: DataOf<'AuthorizationCodeIssued' | 'DeviceAuthorized'>,
): CodeRecord {
  const { codeHash: hash, scope, expiresAt } = data;
  const dpopJkt = 'dpopJkt' in data ? data.dpopJkt : undefined;
  return { hash, scope, expiresAt, isDeviceCode: type === 'DeviceAuthorized', isRedeemed: false, dpopJkt };
}

function toAccessTokenRecord({
  tokenHash,
  scope,
  resource = ALL_RESOURCES,
  kid,
  confirmation,
  details,
  expiresAt,
}: DataOf<'AccessTokenIssued'>): AccessTokenRecord {
  return { hash: tokenHash, scope, resource, kid, confirmation, details, expiresAt };
}

/** Returns the record of the first refresh token. Shares the grant's scope if it is equal, as it usually is. */
function firstRefreshToken(data: DataOf<'RefreshTokenIssued'>, grantScope: Scope): RefreshTokenRecord {
  const { tokenHash: currentHash, confirmation, expiresAt } = data;
  const scope = data.scope.join(' ') === grantScope.join(' ') ? grantScope : data.scope;
  return { currentHash, scope, expiresAt, hasUntagged: data.tagged !== true, confirmation, rotation: null };
}

function rotatedRefreshToken(data: DataOf<'RefreshTokenRotated'>, grant: GrantRecord): RefreshTokenRecord {
  const { tokenHash: currentHash, expiresAt, spentHash, rotatedAt } = data;
  const { scope, hasUntagged, confirmation } = grant.refreshToken ?? {
    scope: grant.scope,
    hasUntagged: true,
    confirmation: undefined,
  };
  return { currentHash, scope, expiresAt, hasUntagged, confirmation, rotation: { spentHash, rotatedAt } };
}

function redeem(grant: GrantRecord): void {
  if (grant.code !== null) grant.code = { ...grant.code, isRedeemed: true };
  expectTokens(grant, grant.code?.scope ?? grant.scope);
}

function expectTokens(grant: GrantRecord, scope: Scope): void {
  grant.dueScope = scope;
  grant.isRefreshTokenDue = true;
}

function deduplicate<Value>(cache: Map<string, Value>, key: string, value: Value): Value {
  const cachedValue = cache.get(key);
  if (cachedValue !== undefined) return cachedValue;
  cache.set(key, value);
  return value;
}
