import { isIssueTimeValid } from '../domain/clock.ts';
import type { Authentication, EventOf } from '../domain/events.ts';
import { authenticationPasskey } from '../domain/login.ts';
import { recordedSecond } from '../domain/recorded-second.ts';
import type { EpochSeconds, PasskeyId, UserId } from '../domain/values.ts';
import type { Position, RecordedEvent } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { createExpiryBuckets } from './expiry-buckets.ts';
import { parseEntries, jsonPieces } from './json-pieces.ts';

export interface OpenSession {
  readonly userId: UserId;
  /** Seconds since the epoch. */
  readonly startedAt: number;
  readonly expiresAt: EpochSeconds;
  /** Absent if the session was started by an earlier release. */
  readonly authentication?: Authentication | undefined;
  /** The browser, encrypted; absent if it is not recorded. */
  readonly sealed?: string | undefined;
  /**
   * The time of the latest recorded use. The log records only the first use on each day after the day on which the
   * session began. Absent if no use is recorded.
   */
  readonly lastUsedAt?: EpochSeconds | undefined;
}

type Entry =
  | { readonly disabled: UserId }
  | { readonly userId: UserId; readonly endedAt: Position }
  | { readonly removedPasskey: PasskeyId }
  | { readonly userId: UserId; readonly codesEndedAt: Position }
  | { readonly hash: string; readonly session: OpenSession };

/** The open sessions, by the hash of the session's id. */
export interface Sessions extends Projection {
  /**
   * Returns the session, or undefined if it has ended or expired, never existed, or was started while the clock was
   * ahead. `now` is in seconds since the epoch.
   */
  find(sessionHash: string, now: number): OpenSession | undefined;
  /**
   * Returns the session unless it has ended. For a few minutes after its expiry, the session is still returned, for
   * events that were decided before it expired.
   */
  findStarted(sessionHash: string): OpenSession | undefined;
  /** Yields all sessions that are open at `now`. */
  all(now: number): Iterable<OpenSession>;
  /** Reports whether all sessions of the user ended, or the account was disabled, after this position. */
  haveEndedSince(userId: UserId, position: Position): boolean;
  /** Returns the position at which all sessions of the user last ended. */
  lastEndPosition(userId: UserId): Position | undefined;
  /** Returns the user's sessions, newest first. */
  listByUser(userId: UserId, now: number): readonly (OpenSession & { readonly sessionHash: string })[];
}

/** An action in the last second of a session is recorded a little later, and the session must still be found then. */
export const EXPIRY_MARGIN_SECONDS = 300;

export function createSessions(): Sessions {
  const openSessions = new Map<string, OpenSession>();
  const byUser = new Map<UserId, Set<string>>();
  /** Includes erased users. A session that starts for a disabled user is never valid, not even after re-enabling. */
  const disabledUsers = new Set<UserId>();
  /** The position at which all sessions of a user last ended. */
  const endPositions = new Map<UserId, Position>();
  const removedPasskeys = new Set<PasskeyId>();
  /** The position at which a user's authenticator app was last removed. */
  const appRemovalPositions = new Map<UserId, Position>();
  const expiry = createExpiryBuckets<string>();

  function start(hash: string, session: OpenSession): void {
    if (!disabledUsers.has(session.userId) && !isOutdated(session)) add(hash, session);
  }

  /**
   * Reports whether the user's sessions ended, or the passkey or authenticator app used was removed, between the
   * verification of the credentials and the start of the session. Such a session never opens, because the verified
   * credentials may be the ones that were changed.
   */
  function isOutdated({ userId, authentication }: OpenSession): boolean {
    if (authentication === undefined) return false;
    const passkey = authenticationPasskey(authentication);
    if (passkey !== null && removedPasskeys.has(passkey)) return true;
    const { checkedAsOf } = authentication;
    const usedCode = 'secondFactor' in authentication && authentication.secondFactor?.method === 'totp';
    return (
      isAfter(endPositions.get(userId), checkedAsOf) ||
      (usedCode && isAfter(appRemovalPositions.get(userId), checkedAsOf))
    );
  }

  function add(hash: string, session: OpenSession): void {
    openSessions.set(hash, session);
    byUser.set(session.userId, (byUser.get(session.userId) ?? new Set()).add(hash));
    expiry.add(hash, session.expiresAt);
  }

  function end(hash: string): void {
    const session = openSessions.get(hash);
    if (session === undefined) return;
    openSessions.delete(hash);
    const hashes = byUser.get(session.userId);
    hashes?.delete(hash);
    if (hashes?.size === 0) byUser.delete(session.userId);
  }

  function recordUse({ usedAt: lastUsedAt }: EventOf<'SessionUsed'>['data'], event: RecordedEvent): void {
    const hash = sessionHashOf(event);
    const session = openSessions.get(hash);
    if (session !== undefined) openSessions.set(hash, { ...session, lastUsedAt });
  }

  function endSessionsOfUser(userId: UserId, position: Position): void {
    for (const hash of byUser.get(userId) ?? []) openSessions.delete(hash);
    byUser.delete(userId);
    endPositions.set(userId, position);
  }

  function removePasskey({ userId, passkeyId }: EventOf<'PasskeyRemoved'>['data']): void {
    removedPasskeys.add(passkeyId);
    for (const hash of byUser.get(userId) ?? []) {
      const authentication = openSessions.get(hash)?.authentication;
      if (authentication !== undefined && authenticationPasskey(authentication) === passkeyId) end(hash);
    }
  }

  function endSessionsStartedAfter(time: number): void {
    for (const [hash, { startedAt }] of openSessions) if (startedAt > time) end(hash);
  }

  function find(hash: string, now: number): OpenSession | undefined {
    const session = openSessions.get(hash);
    return session !== undefined && isOpenAt(session, now) ? session : undefined;
  }

  function disable({ userId }: { readonly userId: UserId }, { position }: RecordedEvent): void {
    disabledUsers.add(userId);
    endSessionsOfUser(userId, position);
  }

  const handlers = handleEvents<'sessions'>({
    SessionStarted: (data, event) => start(sessionHashOf(event), { ...data, startedAt: recordedSecond(event) }),
    SessionUsed: recordUse,
    SessionEnded: (_data, event) => end(sessionHashOf(event)),
    AllSessionsEnded: ({ userId }, { position }) => endSessionsOfUser(userId, position),
    PasswordChanged: ({ userId }, { position }) => endSessionsOfUser(userId, position),
    PasskeyRemoved: removePasskey,
    TotpRemoved: ({ userId }, { position }) => void appRemovalPositions.set(userId, position),
    SecondFactorsRemoved: ({ userId }, { position }) => void appRemovalPositions.set(userId, position),
    UserDisabled: disable,
    UserErased: disable,
    UserEnabled: ({ userId }) => void disabledUsers.delete(userId),
    ClockSetBack: ({ issuedAfter }) => endSessionsStartedAfter(issuedAfter),
  });

  return {
    name: 'sessions',
    find,
    findStarted: (hash) => openSessions.get(hash),
    haveEndedSince: (userId, position) => isAfter(endPositions.get(userId), position),
    lastEndPosition: (userId) => endPositions.get(userId),
    *all(now) {
      for (const session of openSessions.values()) if (isOpenAt(session, now)) yield session;
    },
    listByUser: (userId, now) =>
      [...(byUser.get(userId) ?? [])].toReversed().flatMap((sessionHash) => {
        const session = find(sessionHash, now);
        return session === undefined ? [] : [{ ...session, sessionHash }];
      }),
    *contents() {
      yield* openSessions;
      yield* disabledUsers;
      yield* endPositions;
      yield* removedPasskeys;
      yield* appRemovalPositions;
    },
    freeze: () =>
      jsonPieces([
        ...[...disabledUsers].map((userId): Entry => ({ disabled: userId })),
        ...[...endPositions].map(([userId, position]): Entry => ({ userId, endedAt: position })),
        ...[...removedPasskeys].map((passkeyId): Entry => ({ removedPasskey: passkeyId })),
        ...[...appRemovalPositions].map(([userId, position]): Entry => ({ userId, codesEndedAt: position })),
        ...[...openSessions].map(([hash, session]): Entry => ({ hash, session })),
      ]),
    restore(piece) {
      for (const entry of parseEntries<Entry>(piece)) {
        if ('disabled' in entry) disabledUsers.add(entry.disabled);
        else if ('endedAt' in entry) endPositions.set(entry.userId, entry.endedAt);
        else if ('removedPasskey' in entry) removedPasskeys.add(entry.removedPasskey);
        else if ('codesEndedAt' in entry) appRemovalPositions.set(entry.userId, entry.codesEndedAt);
        else add(entry.hash, entry.session);
      }
    },

    apply(event) {
      expiry.expire(event.recordedAt / 1000 - EXPIRY_MARGIN_SECONDS, end);
      handlers.apply(event);
    },
  };
}

/** Returns the hash of the session's id, which is part of the stream name. */
export function sessionHashOf({ stream }: RecordedEvent): string {
  return stream.slice('session-'.length);
}

function isAfter(eventPosition: Position | undefined, position: Position): boolean {
  return eventPosition !== undefined && position < eventPosition;
}

function isOpenAt({ startedAt, expiresAt }: OpenSession, now: number): boolean {
  return now < expiresAt && isIssueTimeValid(startedAt, now);
}

/**
 * Returns the passkey that the session was started with, alone or after the password, or null if it was started without
 * a passkey.
 */
export function sessionPasskey({ authentication }: Pick<OpenSession, 'authentication'>): PasskeyId | null {
  return authentication === undefined ? null : authenticationPasskey(authentication);
}
