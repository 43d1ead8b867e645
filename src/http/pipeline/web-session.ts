import type { AuthenticatedUser } from '../../accounts/authenticated-user.ts';
import type { Login, SessionEndReason } from '../../domain/events.ts';
import type { FirstFactor } from '../../domain/login.ts';
import type { Text } from '../../language/message.ts';
import type { User } from '../../projections/users.ts';

/** A message to show on the next page in this browser. */
export interface Flash {
  readonly text: Text;
  /** `warning` if the request only partly succeeded. */
  readonly tone: 'good' | 'warning';
}

export interface LoggedInUser {
  readonly user: User;
  /** Seconds since the epoch. */
  readonly authenticatedAt: number;
  /**
   * The start of the session, in seconds since the epoch. Later than the authentication if the user had authenticated
   * earlier, at a provider or for a session that this session continues.
   */
  readonly startedAt: number;
  /** Identifies the session among the user's sessions. */
  readonly sessionHash: string;
  /** How the user authenticated; undefined if an earlier release started the session. */
  readonly login: Login | undefined;
  /** The first step of that login; undefined if it was a login with only a passkey, or if the step is not recorded. */
  readonly firstFactor?: FirstFactor | undefined;
}

/** A user who has completed the first step of a login, and must complete a second one before a session begins. */
export type PendingUser = FirstFactor & {
  readonly user: User;
  /** The time of the first step, in seconds since the epoch. */
  readonly at: number;
};

/**
 * `account-changed` if a change to the account has ended all of the user's sessions since the authentication, or if the
 * login through the provider is no longer allowed. A session was started only if the outcome is `logged-in`.
 */
export type LoginOutcome = 'logged-in' | 'account-changed' | 'second-step';

export type LogoutReason = Extract<SessionEndReason, 'logged-out' | 'logged-out-through-client'>;

/** The browser session of a request, in which a user may be logged in. */
export interface WebSession {
  /** Returns the CSRF token that every form must contain. Generates a token first if the session has none. */
  csrfToken(): string;
  /** Reports whether `token` is this session's CSRF token. Returns false if no token has been generated. */
  isCsrfToken(token: string): boolean;
  /** Returns the logged-in user; undefined if nobody is logged in or the account is disabled. */
  loggedInUser(): LoggedInUser | undefined;
  /**
   * Starts a new session with a new cookie and a new CSRF token, which prevents session fixation. If the user must
   * complete a second step first, the browser gets a ticket instead, which `pendingUser` reads.
   * @throws AuthenticationUsed if the authentication can start only one session and has already started it
   */
  logIn(authenticatedUser: AuthenticatedUser): Promise<LoginOutcome>;
  /**
   * Returns the user named in the ticket. Returns undefined if the browser has no valid ticket, if the account is
   * disabled, or if a change to the account has ended all of the user's sessions since the first step.
   */
  pendingUser(): PendingUser | undefined;
  /**
   * Ends the session.
   * @param reason recorded with the end of the session; by default, `logged-out`
   */
  logOut(reason?: LogoutReason): Promise<void>;
  /** Stores a message for the next page in this browser, which is usually the target of a redirect. */
  flash(text: Text, tone?: Flash['tone']): void;
  /** Removes and returns the stored message. Returns null if no message is stored. */
  takeFlash(): Flash | null;
}
