import { decodeEvent } from '../domain/events.ts';
import { unreachable, type EpochSeconds, type UserId } from '../domain/values.ts';
import type { RecordedEvent } from '../eventsourcing/event-log.ts';
import type { Projection } from '../eventsourcing/projector.ts';
import { createExpiryBuckets } from './expiry-buckets.ts';
import { entriesOf, jsonPieces } from './json-pieces.ts';

export interface OpenSession {
  readonly userId: UserId;
  /** Seconds since the epoch. */
  readonly startedAt: number;
  readonly expiresAt: EpochSeconds;
}

/** Who is logged in to the pages, by the hash of the session's id. */
export interface Sessions extends Projection {
  /** Undefined when it ended, expired, or never was. `now` in seconds since the epoch. */
  find(sessionHash: string, now: number): OpenSession | undefined;
  /** How many are held; expired ones go with the next event. */
  size(): number;
  /** Newest first. */
  ofUser(userId: UserId, now: number): readonly (OpenSession & { readonly sessionHash: string })[];
}

export function createSessions(): Sessions {
  const open = new Map<string, OpenSession>();
  const byUser = new Map<UserId, Set<string>>();
  /** And erased ones. A log-in decided on just before is recorded just after: dead on arrival, also once its user is enabled again. */
  const disabled = new Set<UserId>();
  const expiry = createExpiryBuckets<string>();

  function start(hash: string, session: OpenSession): void {
    if (!disabled.has(session.userId)) add(hash, session);
  }

  function add(hash: string, session: OpenSession): void {
    open.set(hash, session);
    byUser.set(session.userId, (byUser.get(session.userId) ?? new Set()).add(hash));
    expiry.add(hash, session.expiresAt);
  }

  function end(hash: string): void {
    const session = open.get(hash);
    if (session === undefined) return;
    open.delete(hash);
    const others = byUser.get(session.userId);
    others?.delete(hash);
    if (others?.size === 0) byUser.delete(session.userId);
  }

  function endAllOf(userId: UserId): void {
    for (const hash of byUser.get(userId) ?? []) open.delete(hash);
    byUser.delete(userId);
  }

  function find(hash: string, now: number): OpenSession | undefined {
    const session = open.get(hash);
    return session !== undefined && now < session.expiresAt ? session : undefined;
  }

  return {
    name: 'sessions',
    find,
    size: () => open.size,
    ofUser: (userId, now) => [...(byUser.get(userId) ?? [])].toReversed().flatMap((sessionHash) => {
      const session = find(sessionHash, now);
      return session === undefined ? [] : [{ ...session, sessionHash }];
    }),
    *contents() {
      yield* open;
      yield* disabled;
    },
    freeze: () => jsonPieces([...disabled, ...open]),
    restore(piece) {
      for (const entry of entriesOf<UserId | [hash: string, session: OpenSession]>(piece)) {
        if (typeof entry === 'string') disabled.add(entry);
        else add(...entry);
      }
    },

    apply(event) {
      expiry.expire(event.recordedAt / 1000, end);
      const { type, data } = decodeEvent(event);
      switch (type) {
        case 'SessionStarted': return start(sessionOf(event), { ...data, startedAt: Math.floor(event.recordedAt / 1000) });
        case 'SessionEnded': return end(sessionOf(event));
        case 'AllSessionsEnded': case 'PasswordChanged': return endAllOf(data.userId);
        case 'UserDisabled': case 'UserErased': {
          disabled.add(data.userId);
          return endAllOf(data.userId);
        }
        case 'UserEnabled': {
          disabled.delete(data.userId);
          return;
        }
        case 'ConsentGiven': case 'AuthorizationCodeIssued': case 'AuthorizationCodeRedeemed': case 'AccessTokenIssued':
        case 'RefreshTokenIssued': case 'RefreshTokenRotated': case 'GrantSummarized': case 'GrantRevoked':
        case 'ClientRegistered': case 'ClientUpdated': case 'ClientSecretRotated': case 'ClientSecretRehashed': case 'ClientRemoved':
        case 'UserRegistered': case 'UserProfileChanged': case 'PasswordRehashed': case 'GroupCreated':
        case 'UserRolesChanged': case 'PasskeyAdded': case 'PasskeyRemoved':
          return;
        default: return unreachable(type);
      }
    },
  };
}

function sessionOf({ stream }: RecordedEvent): string {
  return stream.slice('session-'.length);
}
