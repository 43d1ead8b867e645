/** Admits a limited number of actions per second. */
export interface SecondBudget {
  /** @param second a whole number that never decreases */
  admits(second: number): boolean;
}

export function createSecondBudget(perSecond: number): SecondBudget {
  let [lastSecond, remaining] = [-Infinity, 0];
  return {
    admits(second) {
      if (second !== lastSecond) [lastSecond, remaining] = [second, perSecond];
      remaining -= 1;
      return remaining >= 0;
    },
  };
}
