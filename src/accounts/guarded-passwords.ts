import type { Guess, Guesses } from '../abuse/guesses.ts';
import { normalUserName } from '../domain/user-name.ts';
import type { UserId } from '../domain/values.ts';
import type { User, Users } from '../projections/users.ts';
import type { Accounts } from './accounts.ts';

/** A browser that somebody logged in with before, as its signed cookie says. */
export interface TrustedBrowser {
  readonly userId: UserId;
  readonly browserId: string;
}

/** `Accounts.verify` for callers who may be guessing. */
export interface GuardedPasswords {
  /** On the pages. @throws TooManyAttempts before any hash, and alike for accounts that exist and that do not */
  logIn(username: string, password: string, address: string, browser: TrustedBrowser | undefined): Promise<User | undefined>;
  /** By way of a client (RFC 6749 §4.3). @throws TooManyAttempts likewise */
  verify(username: string, password: string, client: PasswordClient, address: string): Promise<User | undefined>;
}

interface PasswordClient {
  readonly clientId: string;
  readonly clientType: 'confidential' | 'public';
}

export function createGuardedPasswords(parts: {
  readonly accounts: Pick<Accounts, 'verify'>;
  readonly users: Pick<Users, 'named'>;
  readonly limits: { readonly passwords: Guesses; readonly passwordsByClient: Guesses };
}): GuardedPasswords {
  const { accounts, users, limits } = parts;

  async function attempt(guesses: Guesses, guess: Guess, password: string): Promise<User | undefined> {
    guesses.admit(guess);
    const user = await accounts.verify(guess.subject, password);
    guesses.admit(guess);
    if (user === undefined) guesses.failed(guess);
    else guesses.succeeded(guess);
    return user;
  }

  return {
    async logIn(username, password, address, browser) {
      const subject = normalUserName(username);
      const isProven = browser !== undefined && users.named(subject)?.userId === browser.userId;
      return attempt(limits.passwords, isProven ? { subject, place: `browser ${browser.browserId}`, isProven } : { subject, place: address }, password);
    },

    async verify(username, password, client, address) {
      const subject = normalUserName(username);
      // Anybody can say that they are a public client: only where they are is theirs.
      return client.clientType === 'public'
        ? attempt(limits.passwords, { subject, place: address }, password)
        : attempt(limits.passwordsByClient, { subject, place: `client ${client.clientId}`, behindPlace: address }, password);
    },
  };
}
