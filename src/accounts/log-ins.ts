import { sessionStream } from '../domain/streams.ts';
import type { SessionCommand, SessionEvent, SessionState } from '../domain/session.ts';
import type { EpochSeconds, UserId } from '../domain/values.ts';
import type { CommandContext, CommandHandler } from '../eventsourcing/command-handler.ts';
import type { OpenSession, Sessions } from '../projections/sessions.ts';

/** Log-ins to the pages: each is an event, and so is its end. The session's id is a secret; its hash is stored. */
export interface LogIns {
  /** The new session's id. */
  start(userId: UserId, now: EpochSeconds, requestId: string): Promise<string>;
  find(sessionId: string, now: EpochSeconds): OpenSession | undefined;
  end(sessionId: string, userId: UserId, requestId: string): Promise<void>;
}

export function createLogIns(parts: {
  readonly commands: CommandHandler<SessionCommand, SessionState, SessionEvent, 'session-exists'>;
  readonly sessions: Sessions;
  readonly mintSessionId: () => string;
  readonly hashSessionId: (sessionId: string) => string;
  readonly settings: { readonly sessionLifetimeSeconds: number };
}): LogIns {
  const { commands, sessions, mintSessionId, hashSessionId, settings } = parts;

  return {
    async start(userId, now, requestId) {
      const sessionId = mintSessionId();
      const expiresAt = (now + settings.sessionLifetimeSeconds) as EpochSeconds;
      await commands.execute(sessionStream(hashSessionId(sessionId)), { type: 'StartSession', userId, expiresAt }, contextOf(userId, requestId));
      return sessionId;
    },

    find: (sessionId, now) => sessions.find(hashSessionId(sessionId), now),

    async end(sessionId, userId, requestId) {
      await commands.execute(sessionStream(hashSessionId(sessionId)), { type: 'EndSession' }, contextOf(userId, requestId));
    },
  };
}

function contextOf(id: UserId, requestId: string): CommandContext {
  return { actor: { kind: 'user', id }, requestId };
}
