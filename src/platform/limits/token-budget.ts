import type { Limit } from './limits.ts';

/** Limits how many tokens are issued within a window. */
export interface TokenBudget {
  /**
   * Counts a token for `spender` before `issue` runs, so that concurrent requests cannot exceed the limit. Refunds the
   * token if `issue` throws or records no event: refusals and repeated responses are free.
   * @throws TooManyAttemptsError if the budget for the window is exhausted; `issue` is not called
   */
  spend<Issued extends CommandOutcome>(spender: string, issue: () => Promise<Issued>): Promise<Issued>;
  /** Counts tokens that another node has issued in a window that ends `milliseconds` from now. */
  addIssued(spender: string, times: number, milliseconds: number): void;
}

/** The part of a command's outcome that matters to the budget. */
interface CommandOutcome {
  readonly events: readonly unknown[];
}

/**
 * Creates a budget whose windows begin at the same time for all spenders, so an entry needs no time of its own. The
 * spenders are registered clients and users, which bounds the size of the table without hashing. Counting is therefore
 * cheap enough for every token request.
 * @param refuse creates the error for a window that ends at `endsAt`
 * @param onIssued called with the end of the window for each token that this node issues
 */
export function createTokenBudget(
  limit: Limit,
  ticks: () => number,
  refuse: (endsAt: number, now: number) => Error,
  onIssued: (spender: string, endsAt: number) => void,
): TokenBudget {
  const { windowSeconds } = limit;
  let counts = new Map<string, number>();
  let endsAt = -Infinity;

  function ensureWindow(now: number, milliseconds = windowSeconds * 1000): void {
    if (now < endsAt) return;
    counts = new Map();
    endsAt = now + milliseconds;
  }

  /** Counts a token. Returns the table that contains it, because a new window may have begun before it is refunded. */
  function take(spender: string): Map<string, number> {
    const now = ticks();
    ensureWindow(now);
    const count = counts.get(spender) ?? 0;
    if (count >= limit.max) throw refuse(endsAt, now);
    return counts.set(spender, count + 1);
  }

  return {
    async spend(spender, issue) {
      const table = take(spender);
      let isIssued = false;
      try {
        const outcome = await issue();
        isIssued = outcome.events.length > 0;
        return outcome;
      } finally {
        if (isIssued) onIssued(spender, endsAt);
        else refund(table, spender);
      }
    },

    addIssued(spender, times, milliseconds) {
      ensureWindow(ticks(), Math.min(milliseconds, windowSeconds * 1000));
      counts.set(spender, (counts.get(spender) ?? 0) + times);
    },
  };
}

function refund(counts: Map<string, number>, spender: string): void {
  const remaining = (counts.get(spender) ?? 0) - 1;
  if (remaining > 0) counts.set(spender, remaining);
  else counts.delete(spender);
}
