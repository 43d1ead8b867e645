import type { DomainEvent, EventOf, EventType } from '../../../domain/events.ts';
import type { CredentialHash, EpochSeconds } from '../../../domain/values.ts';
import type { Position, StreamName } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../rule.ts';
import type { Moment } from './clock.ts';

type Scope = readonly string[];
type DataOf<Type extends EventType> = EventOf<Type>['data'];

interface CodeRecord {
  readonly hash: CredentialHash;
  readonly scope: Scope;
  readonly expiresAt: EpochSeconds;
  readonly isRedeemed: boolean;
}

interface AccessTokenRecord {
  readonly hash: CredentialHash;
  readonly scope: Scope;
  readonly resource: readonly string[];
  readonly expiresAt: EpochSeconds;
}

/** The newest refresh token, and the one that was exchanged for it; of older ones nothing is kept. */
interface RefreshTokenRecord {
  readonly currentHash: CredentialHash;
  /** All that the grant may be refreshed to. */
  readonly scope: Scope;
  readonly expiresAt: EpochSeconds | null;
  readonly hasUntagged: boolean;
  readonly rotation: { readonly spentHash: CredentialHash; readonly rotatedAt: EpochSeconds } | null;
}

/** What a grant's stream has said. Its size does not depend on how often the grant was refreshed. */
export interface GrantRecord {
  readonly clientId: string;
  /** Null where the client acts for itself. */
  readonly userId: string | null;
  /** All that was consented to. */
  readonly scope: Scope;
  /** The resource servers that it is for: none for all; null while nothing was issued. */
  resource: readonly string[] | null;
  /** Where the grant began. */
  readonly position: Position;
  code: CodeRecord | null;
  /** The newest access token. Null where the client acts for itself: nothing ever follows such a token. */
  access: AccessTokenRecord | null;
  refresh: RefreshTokenRecord | null;
  /** What the access token may hold that something has been exchanged for and that is still to come. */
  due: Scope | null;
  /** The same for the first refresh token. */
  refreshDue: boolean;
  revoked: boolean;
  /** The newest event in which it was given or something was issued. */
  newest: Moment;
}

export interface GrantHistory {
  inStream(stream: StreamName): Readonly<GrantRecord> | undefined;
  /** What must come next in the log: the rest of what was appended together. */
  expectedNext(): Readonly<{ stream: StreamName; type: EventType }> | undefined;
  apply(fact: AuditedEvent): void;
}

export function createGrantHistory(): GrantHistory {
  const byStream = new Map<StreamName, GrantRecord>();
  /** Who and what grants are about is the same again and again: kept once, a log needs half the memory. */
  const names = new Map<string, string>();
  const scopes = new Map<string, Scope>();

  function withSharedNames(notes: GrantRecord): GrantRecord {
    const { clientId, userId, scope } = notes;
    return {
      ...notes,
      clientId: deduplicate(names, clientId, clientId),
      userId: userId === null ? null : deduplicate(names, userId, userId),
      scope: deduplicate(scopes, scope.join(' '), scope),
    };
  }
  let coming: { readonly stream: StreamName; readonly types: readonly EventType[] } = { stream: '', types: [] };

  return {
    inStream: (stream) => byStream.get(stream),
    expectedNext() {
      const [type] = coming.types;
      return type === undefined ? undefined : { stream: coming.stream, type };
    },
    apply(fact) {
      coming = { stream: fact.recorded.stream, types: followingTypes(fact.event) ?? coming.types.slice(1) };
      const known = byStream.get(fact.recorded.stream);
      const notes = known ?? createGrantRecord(fact);
      if (notes === undefined) return;
      applyToGrant(fact.event, notes);
      notes.newest = momentOf(fact);
      if (known === undefined) byStream.set(fact.recorded.stream, withSharedNames(notes));
    },
  };
}

/** What is appended together with an event that begins an append; undefined for one that does not. */
function followingTypes({ type, data }: DomainEvent): readonly EventType[] | undefined {
  if (type === 'ConsentGiven') return data.basis === 'password' ? TOKENS : ['AuthorizationCodeIssued'];
  if (type === 'AuthorizationCodeRedeemed') return TOKENS;
  return type === 'RefreshTokenRotated' ? ['AccessTokenIssued'] : undefined;
}

const ALL_RESOURCES: readonly string[] = [];

const TOKENS: readonly EventType[] = ['AccessTokenIssued', 'RefreshTokenIssued'];

/** In a sound log only consent, or a client's token for itself, begins a grant. */
function createGrantRecord(fact: AuditedEvent): GrantRecord | undefined {
  const {
    event,
    recorded: { position },
  } = fact;
  if (!('scope' in event.data) || !('clientId' in event.data)) return undefined;
  const { clientId, userId, scope } = event.data;
  const nothing = {
    code: null,
    access: null,
    refresh: null,
    due: null,
    refreshDue: false,
    revoked: false,
    newest: momentOf(fact),
  };
  return { clientId, userId, scope, resource: null, position, ...nothing };
}

function momentOf({ recorded: { position, recordedAt } }: AuditedEvent): Moment {
  return { position, at: Math.floor(recordedAt / 1000) };
}

function applyToGrant({ type, data }: DomainEvent, notes: GrantRecord): void {
  // A code says what its grant is for, and so does a refresh token; an access token only where it comes first.
  const says =
    type === 'AuthorizationCodeIssued' ||
    type === 'RefreshTokenIssued' ||
    (type === 'AccessTokenIssued' && notes.resource === null);
  if (says) notes.resource = data.resource ?? ALL_RESOURCES;
  if (type === 'ConsentGiven' && data.basis === 'password') exchange(notes, data.scope);
  else if (type === 'AuthorizationCodeIssued') notes.code = toCodeRecord(data);
  else if (type === 'AuthorizationCodeRedeemed') redeem(notes);
  else if (type === 'AccessTokenIssued') {
    notes.due = null;
    notes.access = data.userId === null ? null : toAccessTokenRecord(data);
  } else if (type === 'RefreshTokenIssued') {
    notes.refresh = firstRefreshToken(data, notes.scope);
    notes.refreshDue = false;
  } else if (type === 'RefreshTokenRotated') {
    notes.refresh = rotatedRefreshToken(data, notes);
    notes.due = data.scope;
  } else if (type === 'GrantRevoked') notes.revoked = true;
}

function toCodeRecord({ codeHash, scope, expiresAt }: DataOf<'AuthorizationCodeIssued'>): CodeRecord {
  return { hash: codeHash, scope, expiresAt, isRedeemed: false };
}

function toAccessTokenRecord({
  tokenHash,
  scope,
  resource = ALL_RESOURCES,
  expiresAt,
}: DataOf<'AccessTokenIssued'>): AccessTokenRecord {
  return { hash: tokenHash, scope, resource, expiresAt };
}

/** Its scope is nearly always the grant's, which is kept once. */
function firstRefreshToken(data: DataOf<'RefreshTokenIssued'>, granted: Scope): RefreshTokenRecord {
  const { tokenHash: currentHash, expiresAt } = data;
  const scope = data.scope.join(' ') === granted.join(' ') ? granted : data.scope;
  return { currentHash, scope, expiresAt, hasUntagged: data.tagged !== true, rotation: null };
}

function rotatedRefreshToken(data: DataOf<'RefreshTokenRotated'>, before: GrantRecord): RefreshTokenRecord {
  const { tokenHash: currentHash, expiresAt, spentHash, rotatedAt } = data;
  const { scope, hasUntagged } = before.refresh ?? { scope: before.scope, hasUntagged: true };
  return { currentHash, scope, expiresAt, hasUntagged, rotation: { spentHash, rotatedAt } };
}

function redeem(notes: GrantRecord): void {
  if (notes.code !== null) notes.code = { ...notes.code, isRedeemed: true };
  exchange(notes, notes.code?.scope ?? notes.scope);
}

function exchange(notes: GrantRecord, scope: Scope): void {
  notes.due = scope;
  notes.refreshDue = true;
}

function deduplicate<Value>(kept: Map<string, Value>, key: string, value: Value): Value {
  const first = kept.get(key);
  if (first !== undefined) return first;
  kept.set(key, value);
  return value;
}
