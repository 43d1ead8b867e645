import type { Limit } from './limits.ts';

/** How many tokens may be issued within a window. */
export interface TokenBudget {
  /**
   * Counts a token for `spender` from before `issue` runs, so that requests side by side get no more than one after the
   * other. It is given back when `issue` throws or records no event: a refusal or a repeated answer costs nothing.
   * @throws TooManyAttempts the spender has used up its tokens of this window; `issue` was not called
   */
  spend<Issued extends Recorded>(spender: string, issue: () => Promise<Issued>): Promise<Issued>;
}

/** What came of a command, as far as a budget cares. */
interface Recorded {
  readonly events: readonly unknown[];
}

/**
 * Counts by spender in windows that begin at the same time for all. So nothing is hashed and no entry has a time, and
 * every token request can afford it. The table has the spenders of one window, which are registered clients and users.
 * @param refuse makes the error, from the time at which the window ends
 */
export function createTokenBudget(
  { most, windowSeconds }: Limit,
  ticks: () => number,
  refuse: (endsAt: number, now: number) => Error,
): TokenBudget {
  let counts = new Map<string, number>();
  let endsAt = -Infinity;

  function beginWindow(now: number): void {
    if (now < endsAt) return;
    counts = new Map();
    endsAt = now + windowSeconds * 1000;
  }

  /** @returns the table that the token was counted in: the window may be another one when it is given back */
  function take(spender: string): Map<string, number> {
    const now = ticks();
    beginWindow(now);
    const count = counts.get(spender) ?? 0;
    if (count >= most) throw refuse(endsAt, now);
    return counts.set(spender, count + 1);
  }

  return {
    async spend(spender, issue) {
      const takenFrom = take(spender);
      let isIssued = false;
      try {
        const issued = await issue();
        isIssued = issued.events.length > 0;
        return issued;
      } finally {
        if (!isIssued) giveBack(takenFrom, spender);
      }
    },
  };
}

function giveBack(counts: Map<string, number>, spender: string): void {
  const left = (counts.get(spender) ?? 0) - 1;
  if (left > 0) counts.set(spender, left);
  else counts.delete(spender);
}
