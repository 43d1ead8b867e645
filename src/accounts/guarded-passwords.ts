import type { Guess, Guesses } from '../abuse/guesses.ts';
import type { LimitName } from '../abuse/limits.ts';
import type { RateLimits } from '../abuse/rate-limits.ts';
import { normalUserName } from '../domain/user-name.ts';
import type { UserId } from '../domain/values.ts';
import { callerAt, callerBy, knownUser, type HashCaller } from '../hashing/caller.ts';
import type { PasswordHashing } from '../hashing/password-hashing.ts';
import type { User, Users } from '../projections/users.ts';
import type { Accounts } from './accounts.ts';
import type { AuthenticatedUser } from './authenticated-user.ts';

/** A browser that somebody logged in with before, as its signed cookie says. */
export interface TrustedBrowser {
  readonly userId: UserId;
  readonly browserId: string;
}

/**
 * `Accounts.verify` for callers who may be guessing. All of them throw `TooManyAttempts` before any hash, and alike
 * for accounts that exist and that do not; and after a right password, for an account that has logged in too often.
 * They throw `HashingOverloaded` when the password cannot be checked in time.
 */
export interface GuardedPasswords {
  /** On the log-in page. */
  logIn(
    username: string, password: string, address: string, browser: TrustedBrowser | undefined,
  ): Promise<AuthenticatedUser | undefined>;
  /** The user who is logged in, if it is their password; guesses count as those on the log-in page do. */
  authenticateAgain(
    user: User, password: string, address: string, browser: TrustedBrowser | undefined,
  ): Promise<AuthenticatedUser | undefined>;
  /** By way of a client (RFC 6749 §4.3). */
  verify(
    username: string, password: string, client: PasswordClient, address: string,
  ): Promise<AuthenticatedUser | undefined>;
}

interface PasswordClient {
  readonly clientId: string;
  readonly clientType: 'confidential' | 'public';
}

/** How a password is checked that somebody presents. */
interface Check {
  readonly guesses: Guesses;
  readonly guess: Guess;
  readonly caller: HashCaller;
  /** How often the right password may be presented. */
  readonly successes: LimitName;
}

export function createGuardedPasswords(parts: {
  readonly accounts: Pick<Accounts, 'verify'>;
  readonly users: Pick<Users, 'named'>;
  readonly hashing: PasswordHashing;
  readonly limits: Pick<RateLimits, 'passwords' | 'passwordsByClient' | 'spend'>;
}): GuardedPasswords {
  const { accounts, users, hashing, limits } = parts;

  async function check(
    password: string, { guesses, guess, caller, successes }: Check,
  ): Promise<AuthenticatedUser | undefined> {
    const attempt = guesses.attempt(guess);
    try {
      const authenticated = await accounts.verify(guess.subject, password, hashing.for(caller, attempt.begin));
      attempt.begin(); // even if nothing was hashed, because the password was too long to be one
      if (authenticated === undefined) return undefined;
      attempt.right();
      limits.spend(successes, authenticated.user.userId);
      return authenticated;
    } finally {
      attempt.wrong(); // unless it was right
    }
  }

  function onPages(subject: string, address: string, browser: TrustedBrowser | undefined): Check {
    const common = { guesses: limits.passwords, successes: 'log-in-by-account' } as const;
    if (browser === undefined || users.named(subject)?.userId !== browser.userId) {
      return { ...common, guess: { subject, place: address }, caller: callerAt(address, subject) };
    }
    const guess = { subject, place: `browser ${browser.browserId}`, isProven: true };
    return { ...common, guess, caller: knownUser(browser.userId) };
  }

  return {
    logIn: async (username, password, address, browser) =>
      check(password, onPages(normalUserName(username), address, browser)),

    async authenticateAgain({ userId, username }, password, address, browser) {
      const found = await check(password, { ...onPages(username, address, browser), caller: knownUser(userId) });
      return found?.user.userId === userId ? found : undefined;
    },

    async verify(username, password, { clientId, clientType }, address) {
      const subject = normalUserName(username);
      const successes = 'password-grant-by-account';
      // Anybody can say that they are a public client: only where they are is theirs.
      return check(password, clientType === 'public' ? {
        guesses: limits.passwords, guess: { subject, place: address }, caller: callerAt(address, subject), successes,
      } : {
        guesses: limits.passwordsByClient, guess: { subject, place: `client ${clientId}`, behindPlace: address },
        caller: callerBy(clientId, subject), successes,
      });
    },
  };
}
