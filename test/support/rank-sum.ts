/** A comparison of two samples of any distribution. */
export interface RankSum {
  /** The probability that a value of the right sample is larger than one of the left; one half if neither is larger. */
  readonly larger: number;
  /**
   * The distance of this probability from one half, in standard deviations: Mann and Whitney's U, normalized. For
   * samples of one distribution it lies within 4 in all but one of 16,000 comparisons.
   */
  readonly z: number;
}

export function rankSum(left: readonly number[], right: readonly number[]): RankSum {
  const all = [
    ...left.map((value) => ({ value, isRight: false })),
    ...right.map((value) => ({ value, isRight: true })),
  ].toSorted((a, b) => a.value - b.value);
  const pairs = left.length * right.length;
  let ranks = 0;
  for (let start = 0, end: number; start < all.length; start = end) {
    for (end = start + 1; all[end]?.value === all[start]?.value && end < all.length;) end += 1;
    const middle = (start + 1 + end) / 2; // equal values share the middle of their ranks
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
