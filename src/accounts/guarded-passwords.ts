import type { Guess, GuessLimiter } from '../platform/limits/guess-limiter.ts';
import type { LimitName } from '../platform/limits/limits.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import { foldedUserName, normalizeUserName } from '../domain/user-name.ts';
import type { UserId } from '../domain/values.ts';
import type { Once } from '../event-store/once.ts';
import {
  callerFromAddress,
  callerFromClient,
  callerFromUser,
  type HashCaller,
} from '../platform/hashing/hash-caller.ts';
import { hashOncePerRequest } from '../platform/hashing/hash-once-per-request.ts';
import type { PasswordHashing } from '../platform/hashing/password-hashing.ts';
import type { User } from '../projections/users.ts';
import type { Accounts } from './accounts.ts';
import { findByLogin, trimLogin, type LoginNames } from './login-name.ts';
import type { AuthenticatedUser } from './authenticated-user.ts';

/** A browser that the user has logged in with before, according to its signed cookie. */
export interface TrustedBrowser {
  readonly userId: UserId;
  readonly browserId: string;
}

/** The sender of a password, and the request that contained it. */
export interface PasswordSender {
  /** The IP address of the sender, or the /64 prefix of an IPv6 address. It is a key for rate limits. */
  readonly address: string;
  readonly browser: TrustedBrowser | undefined;
  /**
   * Remembers results for the request. If the request is processed again, the password is hashed again only if the
   * account's hash has changed.
   */
  readonly once: Once;
}

/**
 * `Accounts.verify` for callers who may be guessing. After too many guesses, further checks throw
 * `TooManyAttemptsError` before hashing anything, whether or not the account exists. A check also throws
 * `TooManyAttemptsError` for the correct password if the user has logged in too often, and `HashingOverloadedError` if
 * it cannot finish in time.
 */
export interface GuardedPasswords {
  /** Reports whether passwords are turned off because a provider is required. */
  areOff(): boolean;
  /**
   * Checks a password from the login page. Like `verify`, returns undefined without any check while passwords are off.
   */
  logIn(username: string, password: string, sender: PasswordSender): Promise<AuthenticatedUser | undefined>;
  /**
   * Checks the logged-in user's password again. Returns undefined if it is wrong. Attempts count like those on the
   * login page.
   */
  reauthenticate(user: User, password: string, sender: PasswordSender): Promise<AuthenticatedUser | undefined>;
  /** Checks a password that a client sends (RFC 6749 §4.3). Returns undefined if the name or the password is wrong. */
  verify(
    username: string,
    password: string,
    client: PasswordClient,
    sender: Omit<PasswordSender, 'browser'>,
  ): Promise<AuthenticatedUser | undefined>;
}

interface PasswordClient {
  readonly clientId: string;
  readonly clientType: 'confidential' | 'public';
}

/** How to check a presented password. */
interface PasswordCheck {
  readonly guesses: GuessLimiter;
  readonly guess: Guess;
  readonly caller: HashCaller;
  /** Limits how often even the correct password may be presented. */
  readonly successLimit: LimitName;
}

export function createGuardedPasswords(deps: {
  readonly accounts: Pick<Accounts, 'verify'>;
  readonly users: LoginNames;
  readonly hashing: PasswordHashing;
  readonly limits: Pick<RateLimits, 'passwords' | 'passwordsByClient' | 'spend'>;
  readonly areOff: () => boolean;
  /**
   * Brings this node up to date. Used only by `verify`, because page requests already do this beforehand. Undefined if
   * no other process appends to the log.
   */
  readonly catchUp?: (() => Promise<void>) | undefined;
}): GuardedPasswords {
  const { accounts, users, hashing, limits, areOff, catchUp } = deps;

  async function check(
    password: string,
    { guesses, guess, caller, successLimit }: PasswordCheck,
    once: Once,
  ): Promise<AuthenticatedUser | undefined> {
    const attempt = guesses.attempt(guess);
    try {
      const hasher = hashOncePerRequest(hashing.hasherFor(caller, attempt.begin), once);
      const authenticatedUser = await accounts.verify(guess.subject, password, hasher);
      attempt.begin(); // even if the password was too long to be hashed
      if (authenticatedUser === undefined) return undefined;
      attempt.succeed();
      limits.spend(successLimit, authenticatedUser.user.userId, once);
      return authenticatedUser;
    } finally {
      attempt.fail(); // no effect after `succeed()`
    }
  }

  /**
   * Returns how to check a password from a page. Guesses count against the same account whether the user entered the
   * user name, in upper or lower case, or the verified e-mail address.
   */
  function pageCheck(login: string, { address, browser }: PasswordSender): PasswordCheck {
    const common = { guesses: limits.passwords, successLimit: 'log-in-by-account' } as const;
    const account = findByLogin(users, login);
    const subject = account?.username ?? foldedUserName(trimLogin(login));
    if (browser === undefined || account?.userId !== browser.userId) {
      return { ...common, guess: { subject, source: address }, caller: callerFromAddress(address, subject) };
    }
    const guess = { subject, source: `browser ${browser.browserId}`, isProven: true };
    return { ...common, guess, caller: callerFromUser(browser.userId) };
  }

  return {
    areOff,

    logIn: async (username, password, sender) =>
      areOff() ? undefined : check(password, pageCheck(username, sender), sender.once),

    async reauthenticate({ userId, username }, password, sender) {
      const passwordCheck = { ...pageCheck(username, sender), caller: callerFromUser(userId) };
      const authenticatedUser = await check(password, passwordCheck, sender.once);
      return authenticatedUser?.user.userId === userId ? authenticatedUser : undefined;
    },

    async verify(username, password, { clientId, clientType }, { address, once }) {
      if (catchUp !== undefined) await catchUp(); // before a failure is counted
      if (areOff()) return undefined;
      const subject = normalizeUserName(username);
      const successLimit = 'password-grant-by-account';
      // A public client does not authenticate, so only the address distinguishes its callers.
      return check(
        password,
        clientType === 'public'
          ? {
              guesses: limits.passwords,
              guess: { subject, source: address },
              caller: callerFromAddress(address, subject),
              successLimit,
            }
          : {
              guesses: limits.passwordsByClient,
              guess: { subject, source: `client ${clientId}`, sourceAddress: address },
              caller: callerFromClient(clientId, subject),
              successLimit,
            },
        once,
      );
    },
  };
}
