import type { Guess, GuessLimiter } from '../platform/limits/guess-limiter.ts';
import type { LimitName } from '../platform/limits/limits.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import { normalUserName } from '../domain/user-name.ts';
import type { UserId } from '../domain/values.ts';
import type { Once } from '../event-store/once.ts';
import { callerFromAddress, callerFromClient, knownUser, type HashCaller } from '../platform/hashing/hash-caller.ts';
import { hashOncePerRequest } from '../platform/hashing/hash-once-per-request.ts';
import type { PasswordHashing } from '../platform/hashing/password-hashing.ts';
import type { User, Users } from '../projections/users.ts';
import type { Accounts } from './accounts.ts';
import type { AuthenticatedUser } from './authenticated-user.ts';

/** A browser that somebody logged in with before, as its signed cookie says. */
export interface TrustedBrowser {
  readonly userId: UserId;
  readonly browserId: string;
}

/** Who sends a password, and with which request. */
export interface PasswordSender {
  readonly address: string;
  readonly browser: TrustedBrowser | undefined;
  /** Of the request: a password is hashed again only for an account whose hash has changed meanwhile. */
  readonly once: Once;
}

/**
 * `Accounts.verify` for callers who may be guessing. All of them throw `TooManyAttempts` before any hash, and alike
 * for accounts that exist and that do not; and after a right password, for an account that has logged in too often.
 * They throw `HashingOverloaded` when the password cannot be checked in time.
 */
export interface GuardedPasswords {
  /** On the log-in page. */
  logIn(username: string, password: string, sender: PasswordSender): Promise<AuthenticatedUser | undefined>;
  /** The user who is logged in, if it is their password; guesses count as those on the log-in page do. */
  reauthenticate(user: User, password: string, sender: PasswordSender): Promise<AuthenticatedUser | undefined>;
  /** By way of a client (RFC 6749 §4.3). */
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

/** How a password is checked that somebody presents. */
interface PasswordCheck {
  readonly guesses: GuessLimiter;
  readonly guess: Guess;
  readonly caller: HashCaller;
  /** How often the right password may be presented. */
  readonly successes: LimitName;
}

export function createGuardedPasswords(parts: {
  readonly accounts: Pick<Accounts, 'verify'>;
  readonly users: Pick<Users, 'findByName'>;
  readonly hashing: PasswordHashing;
  readonly limits: Pick<RateLimits, 'passwords' | 'passwordsByClient' | 'spend'>;
}): GuardedPasswords {
  const { accounts, users, hashing, limits } = parts;

  async function check(
    password: string,
    { guesses, guess, caller, successes }: PasswordCheck,
    once: Once,
  ): Promise<AuthenticatedUser | undefined> {
    const attempt = guesses.attempt(guess);
    try {
      const hasher = hashOncePerRequest(hashing.hasherFor(caller, attempt.begin), once);
      const authenticated = await accounts.verify(guess.subject, password, hasher);
      attempt.begin(); // even if nothing was hashed, because the password was too long to be one
      if (authenticated === undefined) return undefined;
      attempt.succeed();
      limits.spend(successes, authenticated.user.userId, once);
      return authenticated;
    } finally {
      attempt.fail(); // unless it was right
    }
  }

  function onPages(subject: string, { address, browser }: PasswordSender): PasswordCheck {
    const common = { guesses: limits.passwords, successes: 'log-in-by-account' } as const;
    if (browser === undefined || users.findByName(subject)?.userId !== browser.userId) {
      return { ...common, guess: { subject, place: address }, caller: callerFromAddress(address, subject) };
    }
    const guess = { subject, place: `browser ${browser.browserId}`, isProven: true };
    return { ...common, guess, caller: knownUser(browser.userId) };
  }

  return {
    logIn: async (username, password, sender) =>
      check(password, onPages(normalUserName(username), sender), sender.once),

    async reauthenticate({ userId, username }, password, sender) {
      const asked = { ...onPages(username, sender), caller: knownUser(userId) };
      const found = await check(password, asked, sender.once);
      return found?.user.userId === userId ? found : undefined;
    },

    async verify(username, password, { clientId, clientType }, { address, once }) {
      const subject = normalUserName(username);
      const successes = 'password-grant-by-account';
      // Anybody can say that they are a public client: only where they are is theirs.
      return check(
        password,
        clientType === 'public'
          ? {
              guesses: limits.passwords,
              guess: { subject, place: address },
              caller: callerFromAddress(address, subject),
              successes,
            }
          : {
              guesses: limits.passwordsByClient,
              guess: { subject, place: `client ${clientId}`, behindPlace: address },
              caller: callerFromClient(clientId, subject),
              successes,
            },
        once,
      );
    },
  };
}
