import type { Limit } from './limits.ts';

/** How many tokens each client may get within a window. */
export interface TokenBudget {
  /** @throws TooManyAttempts the client has used up its tokens of this window */
  admit(clientId: string): void;
  /** Counts a token. Only issued ones count: otherwise anybody could use up the budget of a public client. */
  count(clientId: string): void;
}

/**
 * Counts by client in windows that begin at the same time for all. So nothing is hashed and no entry has a time, and
 * every token request can afford it. The table has the clients of one window, which are registered ones.
 * @param refuse makes the error, from the time at which the window ends
 */
export function createTokenBudget(
  { most, windowSeconds }: Limit, ticks: () => number, refuse: (endsAt: number, now: number) => Error,
): TokenBudget {
  const counts = new Map<string, number>();
  let endsAt = -Infinity;

  function beginWindow(now: number): void {
    if (now < endsAt) return;
    counts.clear();
    endsAt = now + windowSeconds * 1000;
  }

  return {
    admit(clientId) {
      const now = ticks();
      beginWindow(now);
      if ((counts.get(clientId) ?? 0) >= most) throw refuse(endsAt, now);
    },
    count: (clientId) => void counts.set(clientId, (counts.get(clientId) ?? 0) + 1),
  };
}
