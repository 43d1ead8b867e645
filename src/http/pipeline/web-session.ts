import type { AuthenticatedUser } from '../../accounts/authenticated-user.ts';
import type { User } from '../../projections/users.ts';

/** A sentence for the next page that this browser is shown. */
export interface Flash {
  readonly text: string;
  /** A warning where less was done than was asked for. */
  readonly tone: 'good' | 'warning';
}

export interface LoggedInUser {
  readonly user: User;
  /** Seconds since the epoch. */
  readonly authenticatedAt: number;
  /** Identifies this session among the user's. */
  readonly sessionHash: string;
}

/** The browser's side of a request to a page. */
export interface WebSession {
  /** Goes into every form; made, with its cookie, when first asked for. */
  csrfToken(): string;
  /** Whether `presented` is this session's token; never before one was made. */
  isCsrfToken(presented: string): boolean;
  /** The logged-in user, unless the account was disabled. */
  loggedInUser(): LoggedInUser | undefined;
  /**
   * Begins a new session, under a new cookie and a new CSRF token: a fixated one is worth nothing.
   * @returns false, and leaves everything as it was, when the account has changed too much since it was authenticated
   */
  logIn(authenticated: AuthenticatedUser): Promise<boolean>;
  logOut(): Promise<void>;
  /** Keeps a sentence for the next page that this browser is shown, behind the redirect that follows a form. */
  flash(text: string, tone?: Flash['tone']): void;
  /** That sentence, once; null when there is none. */
  takeFlash(): Flash | null;
}
