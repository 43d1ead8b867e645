/** Returns the middle value, or the mean of the two middle ones; NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper;
}

/** Returns the smallest value of `sorted` that at least `share` of the values do not exceed; NaN for an empty list. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Returns the ratios of `values` to `base` in the same round. */
export function ratiosByRound(values: readonly number[], base: readonly number[]): readonly number[] {
  return values.flatMap((value, round) => (base[round] === undefined ? [] : [value / base[round]]));
}

/** Returns the median of the ratios of `values` to `base` in the same round, so that slow rounds cancel out. */
export function medianRatio(values: readonly number[], base: readonly number[]): number {
  return median(ratiosByRound(values, base));
}

/** Rotates `items` by `round`, so that each item is first equally often. */
export function rotate<Item>(items: readonly Item[], round: number): readonly Item[] {
  const first = items.length === 0 ? 0 : round % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}
