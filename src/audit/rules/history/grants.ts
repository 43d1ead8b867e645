import type { DomainEvent, EventOf, EventType } from '../../../domain/events.ts';
import type { CredentialHash, EpochSeconds } from '../../../domain/values.ts';
import type { Position, StreamName } from '../../../event-store/event-log.ts';
import type { Fact } from '../rule.ts';
import type { Moment } from './clock.ts';

type Scope = readonly string[];
type DataOf<Type extends EventType> = EventOf<Type>['data'];

interface CodeNotes {
  readonly hash: CredentialHash;
  readonly scope: Scope;
  readonly expiresAt: EpochSeconds;
  readonly isRedeemed: boolean;
}

interface AccessNotes {
  readonly hash: CredentialHash;
  readonly scope: Scope;
  readonly resource: readonly string[];
  readonly expiresAt: EpochSeconds;
}

/** The newest refresh token, and the one that was exchanged for it; of older ones nothing is kept. */
interface RefreshNotes {
  readonly currentHash: CredentialHash;
  /** All that the grant may be refreshed to. */
  readonly scope: Scope;
  readonly expiresAt: EpochSeconds | null;
  readonly hasUntagged: boolean;
  readonly rotation: { readonly spentHash: CredentialHash; readonly rotatedAt: EpochSeconds } | null;
}

/** What a grant's stream has said. Its size does not depend on how often the grant was refreshed. */
export interface GrantNotes {
  readonly clientId: string;
  /** Null where the client acts for itself. */
  readonly userId: string | null;
  /** All that was consented to. */
  readonly scope: Scope;
  /** The resource servers that it is for: none for all; null while nothing was issued. */
  resource: readonly string[] | null;
  /** Where the grant began. */
  readonly position: Position;
  code: CodeNotes | null;
  /** The newest access token. Null where the client acts for itself: nothing ever follows such a token. */
  access: AccessNotes | null;
  refresh: RefreshNotes | null;
  /** What the access token may hold that something has been exchanged for and that is still to come. */
  due: Scope | null;
  /** The same for the first refresh token. */
  refreshDue: boolean;
  revoked: boolean;
  /** The newest event in which it was given or something was issued. */
  newest: Moment;
}

export interface GrantHistory {
  in(stream: StreamName): Readonly<GrantNotes> | undefined;
  /** What must come next in the log: the rest of what was appended together. */
  next(): Readonly<{ stream: StreamName; type: EventType }> | undefined;
  note(fact: Fact): void;
}

export function createGrantHistory(): GrantHistory {
  const byStream = new Map<StreamName, GrantNotes>();
  /** Who and what grants are about is the same again and again: kept once, a log needs half the memory. */
  const names = new Map<string, string>();
  const scopes = new Map<string, Scope>();

  function withSharedNames(notes: GrantNotes): GrantNotes {
    const { clientId, userId, scope } = notes;
    return {
      ...notes,
      clientId: shared(names, clientId, clientId),
      userId: userId === null ? null : shared(names, userId, userId),
      scope: shared(scopes, scope.join(' '), scope),
    };
  }
  let coming: { readonly stream: StreamName; readonly types: readonly EventType[] } = { stream: '', types: [] };

  return {
    in: (stream) => byStream.get(stream),
    next() {
      const [type] = coming.types;
      return type === undefined ? undefined : { stream: coming.stream, type };
    },
    note(fact) {
      coming = { stream: fact.recorded.stream, types: restOf(fact.event) ?? coming.types.slice(1) };
      const known = byStream.get(fact.recorded.stream);
      const notes = known ?? begin(fact);
      if (notes === undefined) return;
      continueWith(fact.event, notes);
      notes.newest = momentOf(fact);
      if (known === undefined) byStream.set(fact.recorded.stream, withSharedNames(notes));
    },
  };
}

/** What is appended together with an event that begins an append; undefined for one that does not. */
function restOf({ type, data }: DomainEvent): readonly EventType[] | undefined {
  if (type === 'ConsentGiven') return data.basis === 'password' ? TOKENS : ['AuthorizationCodeIssued'];
  if (type === 'AuthorizationCodeRedeemed') return TOKENS;
  return type === 'RefreshTokenRotated' ? ['AccessTokenIssued'] : undefined;
}

const EVERYWHERE: readonly string[] = [];

const TOKENS: readonly EventType[] = ['AccessTokenIssued', 'RefreshTokenIssued'];

/** In a sound log only consent, or a client's token for itself, begins a grant. */
function begin(fact: Fact): GrantNotes | undefined {
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

function momentOf({ recorded: { position, recordedAt } }: Fact): Moment {
  return { position, at: Math.floor(recordedAt / 1000) };
}

function continueWith({ type, data }: DomainEvent, notes: GrantNotes): void {
  // A code says what its grant is for, and so does a refresh token; an access token only where it comes first.
  const says =
    type === 'AuthorizationCodeIssued' ||
    type === 'RefreshTokenIssued' ||
    (type === 'AccessTokenIssued' && notes.resource === null);
  if (says) notes.resource = data.resource ?? EVERYWHERE;
  if (type === 'ConsentGiven' && data.basis === 'password') exchange(notes, data.scope);
  else if (type === 'AuthorizationCodeIssued') notes.code = codeOf(data);
  else if (type === 'AuthorizationCodeRedeemed') redeem(notes);
  else if (type === 'AccessTokenIssued') {
    notes.due = null;
    notes.access = data.userId === null ? null : accessOf(data);
  } else if (type === 'RefreshTokenIssued') {
    notes.refresh = firstRefresh(data, notes.scope);
    notes.refreshDue = false;
  } else if (type === 'RefreshTokenRotated') {
    notes.refresh = rotatedTo(data, notes);
    notes.due = data.scope;
  } else if (type === 'GrantRevoked') notes.revoked = true;
}

function codeOf({ codeHash, scope, expiresAt }: DataOf<'AuthorizationCodeIssued'>): CodeNotes {
  return { hash: codeHash, scope, expiresAt, isRedeemed: false };
}

function accessOf({ tokenHash, scope, resource = EVERYWHERE, expiresAt }: DataOf<'AccessTokenIssued'>): AccessNotes {
  return { hash: tokenHash, scope, resource, expiresAt };
}

/** Its scope is nearly always the grant's, which is kept once. */
function firstRefresh(data: DataOf<'RefreshTokenIssued'>, granted: Scope): RefreshNotes {
  const { tokenHash: currentHash, expiresAt } = data;
  const scope = data.scope.join(' ') === granted.join(' ') ? granted : data.scope;
  return { currentHash, scope, expiresAt, hasUntagged: data.tagged !== true, rotation: null };
}

function rotatedTo(data: DataOf<'RefreshTokenRotated'>, before: GrantNotes): RefreshNotes {
  const { tokenHash: currentHash, expiresAt, spentHash, rotatedAt } = data;
  const { scope, hasUntagged } = before.refresh ?? { scope: before.scope, hasUntagged: true };
  return { currentHash, scope, expiresAt, hasUntagged, rotation: { spentHash, rotatedAt } };
}

function redeem(notes: GrantNotes): void {
  if (notes.code !== null) notes.code = { ...notes.code, isRedeemed: true };
  exchange(notes, notes.code?.scope ?? notes.scope);
}

function exchange(notes: GrantNotes, scope: Scope): void {
  notes.due = scope;
  notes.refreshDue = true;
}

function shared<Value>(kept: Map<string, Value>, key: string, value: Value): Value {
  const first = kept.get(key);
  if (first !== undefined) return first;
  kept.set(key, value);
  return value;
}
