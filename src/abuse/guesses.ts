import type { LimitName } from './limits.ts';

/** An attempt at a secret. */
export interface Guess {
  /** Whose secret it is about: a user name or a client id, whether or not it exists. */
  readonly subject: string;
  /** Where it comes from: an address, a client that people log in by, a browser. */
  readonly place: string;
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
  /** @throws TooManyAttempts one of these keys has used up its limit */
  readonly admit: (spent: readonly Spending[]) => void;
  readonly count: (spent: readonly Spending[]) => void;
  readonly isKnown: (pair: string) => boolean;
  readonly remember: (pair: string) => void;
}

export type Spending = readonly [limit: LimitName, key: string];

export interface GuessLimits {
  readonly pair: LimitName;
  readonly subject: LimitName;
  readonly place: LimitName;
}

export function createGuesses(limits: GuessLimits, { admit, count, isKnown, remember }: GuessCounting): Guesses {
  function spendings({ subject, place, isProven = false }: Guess): readonly Spending[] {
    const pair = pairOf(subject, place);
    const own: Spending = [limits.pair, pair];
    return isProven || isKnown(pair) ? [own] : [own, [limits.subject, subject], [limits.place, place]];
  }

  return {
    admit: (guess) => admit(spendings(guess)),
    failed: (guess) => count(spendings(guess)),
    succeeded: ({ subject, place }) => remember(pairOf(subject, place)),
  };
}

/** No place has a NUL in it, so no two pairs read the same. */
function pairOf(subject: string, place: string): string {
  return `${place}\0${subject}`;
}
