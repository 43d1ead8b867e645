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
 * What stands before a secret that can be guessed. A place that the subject itself has succeeded from has a budget
 * of its own, so that no stranger's failures elsewhere lock the owner out; all other places share the subject's.
 * A success gives nothing back: who has an account of their own could buy guesses with it.
 */
export interface Guesses {
  /**
   * To be asked before a secret is checked, and again when the check took time: of guesses made side by side no
   * more are answered than of guesses made one after the other.
   * @throws TooManyAttempts
   */
  admit(guess: Guess): void;
  /** The guess was wrong. */
  failed(guess: Guess): void;
  /** The guess was right: from now on the place is known to the subject. */
  succeeded(guess: Guess): void;
}

/** What guesses are counted on. */
export interface GuessCounting {
  readonly hash: (key: string) => HashedKey;
  /** @throws TooManyAttempts one of these keys has used up its limit */
  readonly admit: (spent: readonly Spending[]) => void;
  readonly count: (spent: readonly Spending[]) => void;
  readonly isKnown: (pair: HashedKey) => boolean;
  readonly remember: (pair: HashedKey) => void;
}

export type Spending = readonly [limit: LimitName, key: HashedKey];

export interface GuessLimits {
  readonly pair: LimitName;
  readonly subject: LimitName;
  readonly place: LimitName;
  readonly behindPlace?: LimitName;
}

export function createGuesses(limits: GuessLimits, { hash, admit, count, isKnown, remember }: GuessCounting): Guesses {
  const seen = new WeakMap<Guess, Counted>();

  function look({ subject, place, behindPlace, isProven = false }: Guess): Counted {
    const pair = hash(`${place}\0${subject}`); // no place has a NUL in it, so no two pairs read the same
    const own: Spending = [limits.pair, pair];
    if (isProven || isKnown(pair)) return { pair, spent: [own] };
    const spent: readonly Spending[] = [own, [limits.subject, hash(subject)], [limits.place, hash(place)]];
    const isCountedBehind = limits.behindPlace !== undefined && behindPlace !== undefined;
    return { pair, spent: isCountedBehind ? [...spent, [limits.behindPlace, hash(behindPlace)]] : spent };
  }

  /** What one and the same guess is counted on is found out once. */
  function counted(guess: Guess): Counted {
    const before = seen.get(guess);
    if (before !== undefined) return before;
    const found = look(guess);
    seen.set(guess, found);
    return found;
  }

  return {
    admit: (guess) => admit(counted(guess).spent),
    failed: (guess) => count(counted(guess).spent),
    succeeded: (guess) => remember(counted(guess).pair),
  };
}

interface Counted {
  readonly pair: HashedKey;
  readonly spent: readonly Spending[];
}
