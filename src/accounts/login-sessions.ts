import { usedSecondFactor, sessionLogin } from '../domain/login.ts';
import { sessionStream } from '../domain/streams.ts';
import type { SessionEndReason } from '../domain/events.ts';
import type { SessionCommand, SessionEvent, SessionState } from '../domain/session.ts';
import type { EpochSeconds, UserId } from '../domain/values.ts';
import type { CommandContext, CommandHandler, RequestMetadata } from '../event-store/command-handler.ts';
import type { ObservedRevision, Position } from '../event-store/event-log.ts';
import type { OpenSession, Sessions } from '../projections/sessions.ts';
import type { AuthenticatedUser } from './authenticated-user.ts';
import type { Vault } from './personal-data.ts';
import type { User } from '../projections/users.ts';
import { createSessionUseRecorder, type LastUse } from './session-uses.ts';
import { AuthenticationUsed } from './authentication-used.ts';

/**
 * The sessions of browsers. Their starts and ends are recorded as events. The session id is secret; only its hash is
 * stored.
 */
export interface LoginSessions {
  /**
   * Starts a session.
   * @param browser a description such as "Firefox on Linux"; undefined if unknown
   * @returns the id of the new session; undefined if all sessions of the account have ended since its credentials were
   * read, or if the login through the provider is no longer allowed
   * @throws AuthenticationUsed if the authentication can start only one session and has already started it
   */
  start(
    authenticated: AuthenticatedUser,
    now: EpochSeconds,
    metadata: RequestMetadata,
    browser: string | undefined,
  ): Promise<string | undefined>;
  find(sessionId: string, now: EpochSeconds): IdentifiedSession | undefined;
  end(sessionId: string, userId: UserId, reason: SessionEndReason, metadata: RequestMetadata): Promise<void>;
  /** Ends a session after the same user has logged in again. Its grants now end with the session `newId`. */
  continue(sessionId: string, newId: string, userId: UserId, metadata: RequestMetadata): Promise<void>;
  /** Reports whether all sessions of the user ended, or the account was disabled, after this log position. */
  haveEndedSince(userId: UserId, position: Position): boolean;
  /** Returns the position at which all sessions of the user last ended, or undefined if they never did. */
  lastEndPosition(userId: UserId): Position | undefined;
  /** Lists a user's open sessions, newest first. */
  listByUser(userId: UserId, now: EpochSeconds): readonly IdentifiedSession[];
  /**
   * Notes that the user is using the session, and soon afterwards records the first use on each day, unless the account
   * has changed since it was read.
   */
  noteUse(sessionHash: string, user: User, now: EpochSeconds, metadata: RequestMetadata): void;
  lastUse(session: IdentifiedSession): LastUse;
  /** Returns a session's browser, or undefined if it is not recorded or can no longer be decrypted. */
  browserOf(session: OpenSession): string | undefined;
  /** Ends the session. Returns false if it was not open or belongs to a different user. */
  endByHash(sessionHash: string, userId: UserId, now: EpochSeconds, metadata: RequestMetadata): Promise<boolean>;
  /**
   * Ends the user's sessions that began without a second factor, because two-step login was turned on.
   * @param exceptHash the hash of the session in the browser that turned it on
   */
  endWithoutSecondStep(
    userId: UserId,
    exceptHash: string | undefined,
    now: EpochSeconds,
    metadata: RequestMetadata,
  ): Promise<void>;
  /** Ends the sessions that began with an account at a provider, after the account was unlinked. */
  endThroughAccount(userId: UserId, subjectHash: string, now: EpochSeconds, context: CommandContext): Promise<void>;
  /**
   * Like `endByHash`, for an administrator or the operator.
   * @throws DecisionOutdated if the administrator's account has changed since it was read
   */
  endForUser(sessionHash: string, userId: UserId, now: EpochSeconds, context: CommandContext): Promise<boolean>;
}

/** An open session with the hash that identifies it on pages. Only the session id gives access to the session. */
export interface IdentifiedSession extends OpenSession {
  readonly sessionHash: string;
}

export function createLoginSessions(deps: {
  readonly commands: CommandHandler<SessionCommand, SessionState, SessionEvent, 'session-exists'>;
  readonly sessions: Sessions;
  readonly vault: Pick<Vault, 'trySeal' | 'tryUnseal'>;
  readonly mintSessionId: () => string;
  readonly hashSessionId: (sessionId: string) => string;
  /** Returns the streams that a session through a provider depends on, or undefined if the session must not begin. */
  readonly upstreamBasis: (subjectHash: string, userId: UserId) => readonly ObservedRevision[] | undefined;
  readonly settings: { readonly sessionLifetimeSeconds: number };
}): LoginSessions {
  const { commands, sessions, vault, mintSessionId, hashSessionId, upstreamBasis, settings } = deps;
  const sessionUses = createSessionUseRecorder(commands);

  return {
    async start(authenticated, now, metadata, browser) {
      const { user, check, sessionId: onlyId, authenticatedAt = now } = authenticated;
      const { userId } = user;
      const basedOn = check.method === 'upstream' ? upstreamBasis(check.subjectHash, userId) : [];
      if (basedOn === undefined) return undefined;
      const sessionId = onlyId ?? mintSessionId();
      const sessionHash = hashSessionId(sessionId);
      const authentication = { ...check, authenticatedAt };
      const expiresAt = (now + settings.sessionLifetimeSeconds) as EpochSeconds;
      const isNew = onlyId === undefined;
      const sealed = browser === undefined ? undefined : vault.trySeal(userId, { browser });
      const command = { type: 'StartSession', userId, authentication, sealed, now, expiresAt, isNew } as const;
      const context = { ...userContext(userId, metadata), basedOn };
      const { refusal } = await commands.execute(sessionStream(sessionHash), command, context);
      if (refusal !== undefined) throw new AuthenticationUsed();
      return sessions.find(sessionHash, now) === undefined ? undefined : sessionId;
    },

    find(sessionId, now) {
      const sessionHash = hashSessionId(sessionId);
      const session = sessions.find(sessionHash, now);
      return session === undefined ? undefined : { ...session, sessionHash };
    },

    async end(sessionId, userId, reason, metadata) {
      const stream = sessionStream(hashSessionId(sessionId));
      await commands.execute(stream, { type: 'EndSession', reason }, userContext(userId, metadata));
    },

    async continue(sessionId, newId, userId, metadata) {
      const command = { type: 'EndSession', reason: 'logged-in-again', continuedBy: hashSessionId(newId) } as const;
      await commands.execute(sessionStream(hashSessionId(sessionId)), command, userContext(userId, metadata));
    },

    haveEndedSince: sessions.haveEndedSince,

    lastEndPosition: sessions.lastEndPosition,

    listByUser: (userId, now) => sessions.listByUser(userId, now),

    noteUse(sessionHash, user, now, metadata) {
      const session = sessions.find(sessionHash, now);
      if (session !== undefined) sessionUses.note({ ...session, sessionHash }, user, now, metadata);
    },

    lastUse: sessionUses.last,

    browserOf: ({ userId, sealed }) => (sealed === undefined ? undefined : vault.tryUnseal(userId, sealed)?.browser),

    async endByHash(sessionHash, userId, now, metadata) {
      if (sessions.find(sessionHash, now)?.userId !== userId) return false;
      const command = { type: 'EndSession', reason: 'ended-by-user' } as const;
      await commands.execute(sessionStream(sessionHash), command, userContext(userId, metadata));
      return true;
    },

    async endWithoutSecondStep(userId, exceptHash, now, metadata) {
      const command = { type: 'EndSession', reason: 'two-step-turned-on' } as const;
      for (const { sessionHash, authentication } of sessions.listByUser(userId, now)) {
        if (sessionHash === exceptHash || usedSecondFactor(sessionLogin(sessionHash, authentication))) continue;
        await commands.execute(sessionStream(sessionHash), command, userContext(userId, metadata));
      }
    },

    async endThroughAccount(userId, subjectHash, now, context) {
      const command = { type: 'EndSession', reason: 'account-unlinked' } as const;
      for (const { sessionHash, authentication } of sessions.listByUser(userId, now)) {
        if (authentication?.method !== 'upstream' || authentication.subjectHash !== subjectHash) continue;
        await commands.execute(sessionStream(sessionHash), command, context);
      }
    },

    async endForUser(sessionHash, userId, now, context) {
      if (sessions.find(sessionHash, now)?.userId !== userId) return false;
      const command = { type: 'EndSession', reason: 'ended-by-administrator' } as const;
      await commands.execute(sessionStream(sessionHash), command, context);
      return true;
    },
  };
}

function userContext(id: UserId, metadata: RequestMetadata): CommandContext {
  return { actor: { kind: 'user', id }, ...metadata };
}
