import type { HashedKey } from './counters.ts';
import type { LimitName } from './limits.ts';

/** An attempt at a secret. */
export interface Guess {
  /** Whose secret it is about: a user name or a client id, whether or not it exists. */
  readonly subject: string;
  /** Where it comes from: an address, a client that people log in by, a browser. */
  readonly place: string;
  /** The address from which the place speaks, where somebody can have many such places. */
  readonly behindPlace?: string;
  /** Whether a success from this place is proven by what it sent along. */
  readonly isProven?: boolean;
}

/**
 * Limits attempts at a secret that can be guessed. A place that the subject itself has succeeded from has a budget
 * of its own, so that no stranger's failures elsewhere lock the owner out; all other places share the subject's.
 * A success gives nothing back of earlier failures: an account of one's own would buy guesses at others.
 */
export interface GuessLimiter {
  /** @throws TooManyAttempts the limits leave no attempt; the secret must not be checked */
  attempt(guess: Guess): Attempt;
}

/** One attempt. It has one outcome: a later one does nothing. */
export interface Attempt {
  /**
   * Counts the attempt, at the latest moment before the secret is checked, so that as many attempts are checked side
   * by side as would be one after the other. A second call does nothing.
   * @throws TooManyAttempts the attempts that began meanwhile have left none
   */
  begin(): void;
  /** If it began, it stays counted. Also for a check that was broken off: its caller may know enough. */
  fail(): void;
  /** It is given back, and from now on the place is known to the subject. */
  succeed(): void;
  /** It is given back: what was sent turned out to be meant for another subject. */
  cancel(): void;
}

/** What guesses are counted on. */
export interface GuessCounters {
  readonly hash: (key: string) => HashedKey;
  /** @throws TooManyAttempts one of these keys has used up its limit, counting what was begun and not ended */
  readonly admit: (spent: readonly LimitUse[]) => void;
  readonly begin: (spent: readonly LimitUse[]) => void;
  readonly end: (spent: readonly LimitUse[]) => void;
  readonly count: (spent: readonly LimitUse[]) => void;
  readonly isKnown: (pair: HashedKey) => boolean;
  readonly remember: (pair: HashedKey) => void;
}

export type LimitUse = readonly [limit: LimitName, key: HashedKey];

export interface GuessLimits {
  readonly pair: LimitName;
  readonly subject: LimitName;
  readonly place: LimitName;
  readonly behindPlace?: LimitName;
}

export function createGuessLimiter(limits: GuessLimits, counting: GuessCounters): GuessLimiter {
  const { hash, isKnown } = counting;

  function spendingOf({ subject, place, behindPlace, isProven = false }: Guess, pair: HashedKey): readonly LimitUse[] {
    const own: LimitUse = [limits.pair, pair];
    if (isProven || isKnown(pair)) return [own];
    const spent: readonly LimitUse[] = [own, [limits.subject, hash(subject)], [limits.place, hash(place)]];
    const isCountedBehind = limits.behindPlace !== undefined && behindPlace !== undefined;
    return isCountedBehind ? [...spent, [limits.behindPlace, hash(behindPlace)]] : spent;
  }

  return {
    attempt(guess) {
      const pair = hash(`${guess.place}\0${guess.subject}`); // no place has a NUL in it, so no two pairs read the same
      const spent = spendingOf(guess, pair);
      counting.admit(spent);
      let isBegun = false;

      /** @returns whether it was being counted until now */
      function end(): boolean {
        const wasBegun = isBegun;
        if (wasBegun) counting.end(spent);
        isBegun = false;
        return wasBegun;
      }

      return {
        begin() {
          if (isBegun) return;
          counting.admit(spent);
          counting.begin(spent);
          isBegun = true;
        },
        fail() {
          if (end()) counting.count(spent);
        },
        succeed() {
          end();
          counting.remember(pair);
        },
        cancel: () => void end(),
      };
    },
  };
}
