/** Admits a limited number in each second. */
export interface SecondBudget {
  /** @param second a whole number that never decreases */
  admits(second: number): boolean;
}

export function createSecondBudget(perSecond: number): SecondBudget {
  let [at, left] = [-Infinity, 0];
  return {
    admits(second) {
      if (second !== at) [at, left] = [second, perSecond];
      left -= 1;
      return left >= 0;
    },
  };
}
