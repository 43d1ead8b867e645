/** Admits a limited number of actions per second. */
export interface PerSecondBudget {
  /**
   * Counts an action, and reports whether the budget for this second allows it.
   * @param second a whole number that never decreases between calls
   */
  admits(second: number): boolean;
}

export function createPerSecondBudget(perSecond: number): PerSecondBudget {
  let [lastSecond, remaining] = [-Infinity, 0];
  return {
    admits(second) {
      if (second !== lastSecond) [lastSecond, remaining] = [second, perSecond];
      remaining -= 1;
      return remaining >= 0;
    },
  };
}
