import { LRUCache } from 'lru-cache';
import { isOnLaterDay, type SessionCommand, type SessionEvent, type SessionState } from '../domain/session.ts';
import { observedAccount, sessionStream } from '../domain/streams.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { CommandHandler, RequestMetadata } from '../event-store/command-handler.ts';
import type { OpenSession } from '../projections/sessions.ts';
import type { User } from '../projections/users.ts';

/** The latest use of a session that this process knows of. */
export interface LastUse {
  readonly at: EpochSeconds;
  /** False if it comes from the log, which records only the first use of each day: later uses may be unknown. */
  readonly isExact: boolean;
}

type IdentifiedSession = OpenSession & { readonly sessionHash: string };

export interface SessionUseRecorder {
  /** Notes a use in memory and, if it is the first one on its day, soon afterwards records it. Never throws. */
  note(session: IdentifiedSession, user: User, now: EpochSeconds, metadata: RequestMetadata): void;
  last(session: IdentifiedSession): LastUse;
}

/**
 * The exact time of the last use is remembered for this many sessions, the most recently used. For older ones, only the
 * log is known.
 */
const MAX_SESSIONS = 50_000;

/**
 * Remembers when sessions were last used. A restart forgets all but the first use of each day, and a node learns of
 * another node's uses only once a day, because an exact time is not worth an event for each request.
 */
export function createSessionUseRecorder(
  commands: Pick<CommandHandler<SessionCommand, SessionState, SessionEvent, 'session-exists'>, 'execute'>,
): SessionUseRecorder {
  // `max` would allocate the memory of all entries in advance.
  const lastUses = new LRUCache<string, EpochSeconds>({ maxSize: MAX_SESSIONS, sizeCalculation: () => 1 });
  const recordings = new Set<string>();

  async function record(sessionHash: string, user: User, now: EpochSeconds, metadata: RequestMetadata): Promise<void> {
    recordings.add(sessionHash);
    const actor = { kind: 'user', id: user.userId } as const;
    // If the account has changed since it was read, the session may have ended.
    const context = { actor, ...metadata, basedOn: [observedAccount(user)] };
    try {
      await commands.execute(sessionStream(sessionHash), { type: 'UseSession', now }, context);
    } catch {
      // The next request tries again. A failing log is reported elsewhere.
    } finally {
      recordings.delete(sessionHash);
    }
  }

  return {
    note(session, user, now, metadata) {
      const { sessionHash, lastUsedAt = session.authentication?.authenticatedAt } = session;
      lastUses.set(sessionHash, now);
      if (isOnLaterDay(now, lastUsedAt) && !recordings.has(sessionHash)) void record(sessionHash, user, now, metadata);
    },

    last(session) {
      const { sessionHash, startedAt, lastUsedAt = startedAt as EpochSeconds } = session;
      const lastUse = lastUses.get(sessionHash);
      return lastUse === undefined || lastUse < lastUsedAt
        ? { at: lastUsedAt, isExact: false }
        : { at: lastUse, isExact: true };
    },
  };
}
