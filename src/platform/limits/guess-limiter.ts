import type { HashedKey } from './counters.ts';
import type { LimitName } from './limits.ts';

/** An attempt to authenticate with a secret. */
export interface Guess {
  /** The user name or client id whose secret is being guessed. It need not exist. */
  readonly subject: string;
  /** The origin of the attempt: an address, a client that uses the password grant, or a browser. */
  readonly source: string;
  /** The address behind the source, if one attacker can have many sources. */
  readonly sourceAddress?: string;
  /** Whether the request proves that the subject has logged in from this source before. */
  readonly isProven?: boolean;
}

/**
 * Limits attempts to guess secrets. A source from which the subject has authenticated before has its own budget, so
 * that attacks from other sources do not lock the subject out. All other sources share the subject's budget. A success
 * does not erase earlier failures, because otherwise attackers could reset the count with their own accounts.
 */
export interface GuessLimiter {
  /**
   * Returns an attempt. Call its `begin` before verifying the secret.
   * @throws TooManyAttemptsError if a limit is exhausted; the secret must not be verified
   */
  attempt(guess: Guess): Attempt;
}

/** An attempt to authenticate. Only its first outcome changes the count. */
export interface Attempt {
  /**
   * Counts the attempt. Call it right before verifying the secret, so that concurrent attempts cannot exceed the limit.
   * A second call does nothing.
   * @throws TooManyAttemptsError if concurrent attempts have exhausted a limit
   */
  begin(): void;
  /**
   * Leaves the attempt in the count if it has begun. Also call it for aborted verifications, because they may help an
   * attacker.
   */
  fail(): void;
  /** Removes the attempt from the count, and adds the source to the subject's known sources. */
  succeed(): void;
  /** Removes the attempt from the count, because it was meant for a different subject. */
  cancel(): void;
}

/** The counters behind a limiter. */
export interface GuessCounters {
  readonly hash: (key: string) => HashedKey;
  /** @throws TooManyAttemptsError if one of these limits is exhausted, including attempts in progress */
  readonly admit: (uses: readonly LimitUse[]) => void;
  readonly begin: (uses: readonly LimitUse[]) => void;
  readonly end: (uses: readonly LimitUse[]) => void;
  readonly count: (uses: readonly LimitUse[]) => void;
  readonly isKnown: (pair: HashedKey) => boolean;
  readonly remember: (pair: HashedKey) => void;
}

export type LimitUse = readonly [limit: LimitName, key: HashedKey];

/**
 * The limits on a guess: one for the source and subject together, one for each of them, and optionally one for the
 * address behind the source.
 */
export interface GuessLimits {
  readonly pair: LimitName;
  readonly subject: LimitName;
  readonly source: LimitName;
  readonly sourceAddress?: LimitName;
}

export function createGuessLimiter(limits: GuessLimits, counters: GuessCounters): GuessLimiter {
  const { hash, isKnown } = counters;

  function limitUses(
    { subject, source, sourceAddress, isProven = false }: Guess,
    pair: HashedKey,
  ): readonly LimitUse[] {
    const pairUse: LimitUse = [limits.pair, pair];
    if (isProven || isKnown(pair)) return [pairUse];
    const uses: readonly LimitUse[] = [pairUse, [limits.subject, hash(subject)], [limits.source, hash(source)]];
    const hasAddressLimit = limits.sourceAddress !== undefined && sourceAddress !== undefined;
    return hasAddressLimit ? [...uses, [limits.sourceAddress, hash(sourceAddress)]] : uses;
  }

  return {
    attempt(guess) {
      const pair = hash(`${guess.source}\0${guess.subject}`); // unambiguous, because a source contains no NUL
      const uses = limitUses(guess, pair);
      counters.admit(uses);
      let hasBegun = false;

      /** Ends the attempt. Reports whether it was in progress. */
      function end(): boolean {
        const hadBegun = hasBegun;
        if (hadBegun) counters.end(uses);
        hasBegun = false;
        return hadBegun;
      }

      return {
        begin() {
          if (hasBegun) return;
          counters.admit(uses);
          counters.begin(uses);
          hasBegun = true;
        },
        fail() {
          if (end()) counters.count(uses);
        },
        succeed() {
          end();
          counters.remember(pair);
        },
        cancel: () => void end(),
      };
    },
  };
}
