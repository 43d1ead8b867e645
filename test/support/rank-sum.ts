/** A comparison of two samples of any distribution. */
export interface RankSum {
  /**
   * The share of the pairs in which the value of the right sample is larger than that of the left one. Equal values
   * count one half.
   */
  readonly larger: number;
  /**
   * The distance of this share from one half, in standard deviations: Mann and Whitney's U, normalized. For samples
   * from the same distribution, it is between -4 and 4 in all but about one of 16,000 comparisons.
   */
  readonly z: number;
}

/** Compares two samples with the test of Mann and Whitney. */
export function rankSum(left: readonly number[], right: readonly number[]): RankSum {
  const all = [
    ...left.map((value) => ({ value, isRight: false })),
    ...right.map((value) => ({ value, isRight: true })),
  ].toSorted((a, b) => a.value - b.value);
  const pairs = left.length * right.length;
  let ranks = 0;
  for (let start = 0, end: number; start < all.length; start = end) {
    for (end = start + 1; all[end]?.value === all[start]?.value && end < all.length;) end += 1;
    const middle = (start + 1 + end) / 2; // equal values share the mean of their ranks
    ranks += middle * all.slice(start, end).filter(({ isRight }) => isRight).length;
  }
  const u = ranks - (right.length * (right.length + 1)) / 2;
  const deviation = Math.sqrt((pairs * (all.length + 1)) / 12);
  return { larger: u / pairs, z: (u - pairs / 2) / deviation };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2;
}
