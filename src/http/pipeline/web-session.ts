import type { AuthenticatedUser } from '../../accounts/authenticated-user.ts';
import type { Login, SessionEndReason } from '../../domain/events.ts';
import type { FirstFactor } from '../../domain/login.ts';
import type { Text } from '../../language/message.ts';
import type { User } from '../../projections/users.ts';

/** A message to show on the next page in this browser. */
export interface Flash {
  readonly text: Text;
  /** `warning` if the request succeeded only in part. */
  readonly tone: 'good' | 'warning';
}

export interface LoggedInUser {
  readonly user: User;
  /** Seconds since the epoch. */
  readonly authenticatedAt: number;
  /** When the session began, in seconds since the epoch: later than the authentication if a second step followed. */
  readonly startedAt: number;
  /** Identifies the session among the user's sessions. */
  readonly sessionHash: string;
  /** How the user authenticated; undefined if an earlier release started the session. */
  readonly login: Login | undefined;
  /** The first step of that login; undefined if the login had only one step, or if that step is not recorded. */
  readonly firstFactor?: FirstFactor | undefined;
}

/** A user who has completed the first step of a login, and must complete a second one before a session begins. */
export type PendingUser = FirstFactor & {
  readonly user: User;
  /** The time of the first step, in seconds since the epoch. */
  readonly at: number;
};

/**
 * `account-changed` if a change to the account has ended all of the user's sessions since the authentication. A session
 * was started only if the outcome is `logged-in`.
 */
export type LoginOutcome = 'logged-in' | 'account-changed' | 'second-step';

export type LogoutReason = Extract<SessionEndReason, 'logged-out' | 'logged-out-through-client'>;

/** The web session of a request, and its user. */
export interface WebSession {
  /** Returns the token that every form must contain. The first call generates it and sets its cookie. */
  csrfToken(): string;
  /** Reports whether `token` is this session's token. False if none was generated. */
  isCsrfToken(token: string): boolean;
  /** Returns the logged-in user; undefined if nobody is logged in or the account is disabled. */
  loggedInUser(): LoggedInUser | undefined;
  /**
   * Starts a new session with a new cookie and a new CSRF token, which prevents session fixation. If the user must
   * complete a second step first, the browser gets a ticket instead, which `pendingUser` reads.
   * @throws AuthenticationUsed if the authentication may start only one session, and has started it
   */
  logIn(authenticatedUser: AuthenticatedUser): Promise<LoginOutcome>;
  /**
   * Returns the user named in the ticket; undefined if there is no valid ticket, if the account is disabled, or if a
   * change to the account has ended all of the user's sessions since.
   */
  pendingUser(): PendingUser | undefined;
  /**
   * Ends the session.
   *
   * @param reason recorded with the end of the session; by default, `logged-out`
   */
  logOut(reason?: LogoutReason): Promise<void>;
  /** Stores a message for the next page in this browser, which is usually the target of a redirect. */
  flash(text: Text, tone?: Flash['tone']): void;
  /** Removes and returns the stored message, if any. */
  takeFlash(): Flash | null;
}
