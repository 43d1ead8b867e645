import type { Authentication, DomainEvent, EventOf } from '../../../domain/events.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { Position, StreamName } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';
import { passkeyOf } from './second-factors.ts';

/** The end of a session. `at` is in milliseconds since the epoch. */
export interface SessionEnd {
  readonly position: Position;
  readonly at: number;
}

/** The state of a session according to its stream and to the events of its user. */
export interface SessionRecord {
  readonly userId: string;
  readonly authentication: Authentication | undefined;
  readonly expiresAt: EpochSeconds;
  /**
   * The time of the latest recorded use, or of the login if no use is recorded; undefined if an earlier release started
   * it.
   */
  lastUsedAt: EpochSeconds | undefined;
  /** Whether its own stream ended it. */
  hasEnded: boolean;
  /** The first event, in its own or its user's stream, that ended it; null before that. Expiry is not an event. */
  end: SessionEnd | null;
  /** The stream of the session that continues it, or null if none does. */
  continuedIn: StreamName | null;
}

export interface SessionHistory {
  inStream(stream: StreamName): Readonly<SessionRecord> | undefined;
  /** Returns the session of a login. */
  findByHash(sessionHash: string): Readonly<SessionRecord> | undefined;
  /**
   * Returns the end of a grant that has depended on the session, and on the sessions that continue it, since `since`.
   * Returns null if the grant has not ended.
   */
  endFor(session: Readonly<SessionRecord>, since: Position): SessionEnd | null;
  apply(auditedEvent: AuditedEvent): void;
}

/** Returns the stream of the session. */
export const sessionStreamOf = (sessionHash: string): StreamName => `session-${sessionHash}`;

export function createSessionHistory(): SessionHistory {
  const byStream = new Map<StreamName, SessionRecord>();
  /** The sessions of each user that have not ended. */
  const openSessions = new Map<string, Set<SessionRecord>>();

  function end(session: SessionRecord, { record: { position, recordedAt } }: AuditedEvent): void {
    session.end ??= { position, at: recordedAt };
    openSessions.get(session.userId)?.delete(session);
  }

  function start(stream: StreamName, { userId, authentication, expiresAt }: EventOf<'SessionStarted'>['data']): void {
    const lastUsedAt = authentication?.authenticatedAt;
    const session = {
      userId,
      authentication,
      expiresAt,
      lastUsedAt,
      hasEnded: false,
      end: null,
      continuedIn: null,
    };
    byStream.set(stream, session);
    openSessions.set(userId, (openSessions.get(userId) ?? new Set()).add(session));
  }

  function recordUse(stream: StreamName, usedAt: EpochSeconds): void {
    const session = byStream.get(stream);
    if (session !== undefined) session.lastUsedAt = usedAt;
  }

  function recordEnd(session: SessionRecord, auditedEvent: AuditedEvent, continuedBy: string | undefined): void {
    session.hasEnded = true;
    if (session.end === null && continuedBy !== undefined) session.continuedIn = sessionStreamOf(continuedBy);
    end(session, auditedEvent);
  }

  /** Positions increase from call to call, so the recursion ends even if sessions continue each other in a cycle. */
  function endFor({ end: sessionEnd, continuedIn }: Readonly<SessionRecord>, since: Position): SessionEnd | null {
    const nextSession = continuedIn === null ? undefined : byStream.get(continuedIn);
    return nextSession === undefined || sessionEnd === null || sessionEnd.position <= since
      ? sessionEnd
      : endFor(nextSession, sessionEnd.position);
  }

  return {
    inStream: (stream) => byStream.get(stream),
    findByHash: (sessionHash) => byStream.get(sessionStreamOf(sessionHash)),
    endFor,
    apply(auditedEvent) {
      const { event, record } = auditedEvent;
      const { type, data } = event;
      if (type === 'SessionStarted') start(record.stream, data);
      if (type === 'SessionUsed') recordUse(record.stream, data.usedAt);
      const session = type === 'SessionEnded' ? byStream.get(record.stream) : undefined;
      if (session !== undefined && type === 'SessionEnded') recordEnd(session, auditedEvent, data.continuedBy);
      const endedSessions = sessionsEndedBy(event);
      if (endedSessions === undefined) return;
      for (const candidate of openSessions.get(endedSessions.userId) ?? [])
        if (endedSessions.includes(candidate)) end(candidate, auditedEvent);
    },
  };
}

/** Returns the sessions of a user that the event ends, or undefined if it ends none. */
function sessionsEndedBy({
  type,
  data,
}: DomainEvent): { readonly userId: string; includes(session: SessionRecord): boolean } | undefined {
  if (type === 'AllSessionsEnded' || type === 'PasswordChanged' || type === 'UserDisabled' || type === 'UserErased')
    return { userId: data.userId, includes: () => true };
  if (type !== 'PasskeyRemoved') return undefined;
  return {
    userId: data.userId,
    includes: ({ authentication }) => passkeyOf(authentication) === data.passkeyId,
  };
}
