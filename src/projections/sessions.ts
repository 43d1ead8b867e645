import { isIssueTimeValid } from '../domain/clock.ts';
import type { Authentication, EventOf } from '../domain/events.ts';
import { usedPasskey } from '../domain/login.ts';
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
  /** Absent if an earlier release started the session. */
  readonly authentication?: Authentication | undefined;
  /** The browser, encrypted; absent if it is not recorded. */
  readonly sealed?: string | undefined;
  /**
   * The latest use that the log records: the first use on its day. Absent if there was none after the day on which the
   * session began.
   */
  readonly lastUsedAt?: EpochSeconds | undefined;
}

type Entry =
  | { readonly disabled: UserId }
  | { readonly userId: UserId; readonly endedAt: Position }
  | { readonly removedPasskey: PasskeyId }
  | { readonly userId: UserId; readonly codesEndedAt: Position }
  | { readonly hash: string; readonly session: OpenSession };

/** The open sessions in browsers, by the hash of the session's id. */
export interface Sessions extends Projection {
  /**
   * Returns undefined if the session ended, expired, never existed, or was started while the clock was ahead. `now` is
   * in seconds since the epoch.
   */
  find(sessionHash: string, now: number): OpenSession | undefined;
  /**
   * Returns the session unless it has ended. It is found for some minutes after its expiry, for events that were
   * decided before it.
   */
  findStarted(sessionHash: string): OpenSession | undefined;
  /** Yields all sessions that are open at `now`. */
  all(now: number): Iterable<OpenSession>;
  /** Reports whether all sessions of the user ended, or the account was disabled, after this position. */
  haveEndedSince(userId: UserId, position: Position): boolean;
  /** Returns the position at which all sessions of the user last ended. */
  lastEndOf(userId: UserId): Position | undefined;
  /** Returns the user's sessions, newest first. */
  listByUser(userId: UserId, now: number): readonly (OpenSession & { readonly sessionHash: string })[];
}

/** An action in the last second of a session is recorded a little later, when the session must still be found. */
export const EXPIRY_MARGIN_SECONDS = 300;

export function createSessions(): Sessions {
  const open = new Map<string, OpenSession>();
  const byUser = new Map<UserId, Set<string>>();
  /** Includes erased users. A session that starts for them is never valid, not even once they are enabled again. */
  const disabled = new Set<UserId>();
  /** The position at which all sessions of a user last ended. */
  const endedAt = new Map<UserId, Position>();
  const removedPasskeys = new Set<PasskeyId>();
  /** The position at which the user's authenticator app was last removed. */
  const codesEndedAt = new Map<UserId, Position>();
  const expiry = createExpiryBuckets<string>();

  function start(hash: string, session: OpenSession): void {
    if (!disabled.has(session.userId) && !isOutdated(session)) add(hash, session);
  }

  /**
   * Reports whether the user's sessions ended between the verification of the credentials and the start of the session.
   * The session then never opens, because the verified credentials may be the ones that were changed.
   */
  function isOutdated({ userId, authentication }: OpenSession): boolean {
    if (authentication === undefined) return false;
    const passkey = usedPasskey(authentication);
    if (passkey !== null && removedPasskeys.has(passkey)) return true;
    const { checkedAsOf } = authentication;
    const isCode = 'secondFactor' in authentication && authentication.secondFactor?.method === 'totp';
    return isAfter(endedAt.get(userId), checkedAsOf) || (isCode && isAfter(codesEndedAt.get(userId), checkedAsOf));
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
    const hashes = byUser.get(session.userId);
    hashes?.delete(hash);
    if (hashes?.size === 0) byUser.delete(session.userId);
  }

  function recordUse({ usedAt: lastUsedAt }: EventOf<'SessionUsed'>['data'], event: RecordedEvent): void {
    const hash = sessionHashOf(event);
    const session = open.get(hash);
    if (session !== undefined) open.set(hash, { ...session, lastUsedAt });
  }

  function endAllOf(userId: UserId, position: Position): void {
    for (const hash of byUser.get(userId) ?? []) open.delete(hash);
    byUser.delete(userId);
    endedAt.set(userId, position);
  }

  function removePasskey({ userId, passkeyId }: EventOf<'PasskeyRemoved'>['data']): void {
    removedPasskeys.add(passkeyId);
    for (const hash of byUser.get(userId) ?? []) {
      const authentication = open.get(hash)?.authentication;
      if (authentication !== undefined && usedPasskey(authentication) === passkeyId) end(hash);
    }
  }

  function endStartedAfter(time: number): void {
    for (const [hash, { startedAt }] of open) if (startedAt > time) end(hash);
  }

  function find(hash: string, now: number): OpenSession | undefined {
    const session = open.get(hash);
    return session !== undefined && isOpenAt(session, now) ? session : undefined;
  }

  function disable({ userId }: { readonly userId: UserId }, { position }: RecordedEvent): void {
    disabled.add(userId);
    endAllOf(userId, position);
  }

  const handle = handleEvents<'sessions'>({
    SessionStarted: (data, event) =>
      start(sessionHashOf(event), { ...data, startedAt: Math.floor(event.recordedAt / 1000) }),
    SessionUsed: recordUse,
    SessionEnded: (_data, event) => end(sessionHashOf(event)),
    AllSessionsEnded: ({ userId }, { position }) => endAllOf(userId, position),
    PasswordChanged: ({ userId }, { position }) => endAllOf(userId, position),
    PasskeyRemoved: removePasskey,
    TotpRemoved: ({ userId }, { position }) => void codesEndedAt.set(userId, position),
    SecondFactorsRemoved: ({ userId }, { position }) => void codesEndedAt.set(userId, position),
    UserDisabled: disable,
    UserErased: disable,
    UserEnabled: ({ userId }) => void disabled.delete(userId),
    ClockSetBack: ({ issuedAfter }) => endStartedAfter(issuedAfter),
  });

  return {
    name: 'sessions',
    find,
    findStarted: (hash) => open.get(hash),
    haveEndedSince: (userId, position) => isAfter(endedAt.get(userId), position),
    lastEndOf: (userId) => endedAt.get(userId),
    *all(now) {
      for (const session of open.values()) if (isOpenAt(session, now)) yield session;
    },
    listByUser: (userId, now) =>
      [...(byUser.get(userId) ?? [])].toReversed().flatMap((sessionHash) => {
        const session = find(sessionHash, now);
        return session === undefined ? [] : [{ ...session, sessionHash }];
      }),
    *contents() {
      yield* open;
      yield* disabled;
      yield* endedAt;
      yield* removedPasskeys;
      yield* codesEndedAt;
    },
    freeze: () =>
      jsonPieces([
        ...[...disabled].map((userId): Entry => ({ disabled: userId })),
        ...[...endedAt].map(([userId, position]): Entry => ({ userId, endedAt: position })),
        ...[...removedPasskeys].map((passkeyId): Entry => ({ removedPasskey: passkeyId })),
        ...[...codesEndedAt].map(([userId, position]): Entry => ({ userId, codesEndedAt: position })),
        ...[...open].map(([hash, session]): Entry => ({ hash, session })),
      ]),
    restore(piece) {
      for (const entry of parseEntries<Entry>(piece)) {
        if ('disabled' in entry) disabled.add(entry.disabled);
        else if ('endedAt' in entry) endedAt.set(entry.userId, entry.endedAt);
        else if ('removedPasskey' in entry) removedPasskeys.add(entry.removedPasskey);
        else if ('codesEndedAt' in entry) codesEndedAt.set(entry.userId, entry.codesEndedAt);
        else add(entry.hash, entry.session);
      }
    },

    apply(event) {
      expiry.expire(event.recordedAt / 1000 - EXPIRY_MARGIN_SECONDS, end);
      handle(event);
    },
  };
}

/** Returns the hash in the name of a session's stream. */
export function sessionHashOf({ stream }: RecordedEvent): string {
  return stream.slice('session-'.length);
}

function isAfter(event: Position | undefined, position: Position): boolean {
  return event !== undefined && position < event;
}

function isOpenAt({ startedAt, expiresAt }: OpenSession, now: number): boolean {
  return now < expiresAt && isIssueTimeValid(startedAt, now);
}

/**
 * Returns the passkey with which the session was started, alone or after the password, or null if another method
 * started it.
 */
export function startingPasskey({ authentication }: Pick<OpenSession, 'authentication'>): PasskeyId | null {
  return authentication === undefined ? null : usedPasskey(authentication);
}
