import { sessionStream } from '../domain/streams.ts';
import type { SessionEndReason } from '../domain/events.ts';
import type { SessionCommand, SessionEvent, SessionState } from '../domain/session.ts';
import type { EpochSeconds, UserId } from '../domain/values.ts';
import type { CommandContext, CommandHandler, RequestMetadata } from '../event-store/command-handler.ts';
import type { OpenSession, Sessions } from '../projections/sessions.ts';
import type { AuthenticatedUser } from './authenticated-user.ts';
import type { Vault } from './personal-data.ts';
import { AuthenticationUsed } from './authentication-used.ts';

/** Sessions of the pages; their start and end are events. The session id is secret, only its hash is stored. */
export interface LoginSessions {
  /**
   * @param browser such as "Firefox on Linux"; undefined if it is not known
   * @returns the id of the new session; undefined if the account has changed, since its credentials were read, in a way
   *   that ends all sessions
   * @throws AuthenticationUsed
   */
  start(
    authenticated: AuthenticatedUser,
    now: EpochSeconds,
    metadata: RequestMetadata,
    browser: string | undefined,
  ): Promise<string | undefined>;
  find(sessionId: string, now: EpochSeconds): KnownSession | undefined;
  end(sessionId: string, userId: UserId, reason: SessionEndReason, metadata: RequestMetadata): Promise<void>;
  /** Ends a session after the same user has logged in again: its grants now end with the session `by`. */
  continue(sessionId: string, by: string, userId: UserId, metadata: RequestMetadata): Promise<void>;
  /** Newest first. */
  ofUser(userId: UserId, now: EpochSeconds): readonly KnownSession[];
  /** The browser of a session; undefined if it is not recorded or can no longer be decrypted. */
  browserOf(session: OpenSession): string | undefined;
  /** @returns whether the session was open and belonged to the user */
  endByHash(sessionHash: string, userId: UserId, now: EpochSeconds, metadata: RequestMetadata): Promise<boolean>;
}

/** The hash identifies the session to its user. Only the id can open it. */
export interface KnownSession extends OpenSession {
  readonly sessionHash: string;
}

export function createLoginSessions(parts: {
  readonly commands: CommandHandler<SessionCommand, SessionState, SessionEvent, 'session-exists'>;
  readonly sessions: Sessions;
  readonly vault: Pick<Vault, 'trySeal' | 'tryUnseal'>;
  readonly mintSessionId: () => string;
  readonly hashSessionId: (sessionId: string) => string;
  readonly settings: { readonly sessionLifetimeSeconds: number };
}): LoginSessions {
  const { commands, sessions, vault, mintSessionId, hashSessionId, settings } = parts;

  return {
    async start({ user: { userId }, check, sessionId: onlyId }, now, metadata, browser) {
      const sessionId = onlyId ?? mintSessionId();
      const sessionHash = hashSessionId(sessionId);
      const authentication = { ...check, authenticatedAt: now };
      const expiresAt = (now + settings.sessionLifetimeSeconds) as EpochSeconds;
      const isNew = onlyId === undefined;
      const sealed = browser === undefined ? undefined : vault.trySeal(userId, { browser });
      const command = { type: 'StartSession', userId, authentication, sealed, now, expiresAt, isNew } as const;
      const { refusal } = await commands.execute(sessionStream(sessionHash), command, contextOf(userId, metadata));
      if (refusal !== undefined) throw new AuthenticationUsed();
      return sessions.find(sessionHash, now) === undefined ? undefined : sessionId;
    },

    find(sessionId, now) {
      const sessionHash = hashSessionId(sessionId);
      const open = sessions.find(sessionHash, now);
      return open === undefined ? undefined : { ...open, sessionHash };
    },

    async end(sessionId, userId, reason, metadata) {
      const stream = sessionStream(hashSessionId(sessionId));
      await commands.execute(stream, { type: 'EndSession', reason }, contextOf(userId, metadata));
    },

    async continue(sessionId, by, userId, metadata) {
      const command = { type: 'EndSession', reason: 'logged-in-again', continuedBy: hashSessionId(by) } as const;
      await commands.execute(sessionStream(hashSessionId(sessionId)), command, contextOf(userId, metadata));
    },

    ofUser: (userId, now) => sessions.listByUser(userId, now),

    browserOf: ({ userId, sealed }) => (sealed === undefined ? undefined : vault.tryUnseal(userId, sealed)?.browser),

    async endByHash(sessionHash, userId, now, metadata) {
      if (sessions.find(sessionHash, now)?.userId !== userId) return false;
      const command = { type: 'EndSession', reason: 'ended-by-user' } as const;
      await commands.execute(sessionStream(sessionHash), command, contextOf(userId, metadata));
      return true;
    },
  };
}

function contextOf(id: UserId, metadata: RequestMetadata): CommandContext {
  return { actor: { kind: 'user', id }, ...metadata };
}
