/** The middle one, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper;
}

/** The smallest of `sorted` (ascending) that a share of at least `share` of them does not exceed; NaN of none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The median over rounds of `values` divided by what `base` was in the same round: what slows a whole round down cancels out. */
export function medianRatio(values: readonly number[], base: readonly number[]): number {
  return median(values.flatMap((value, round) => (base[round] === undefined ? [] : [value / base[round]])));
}

/** `items` in the order of round `round`: each is first, and last, as often as the others. */
export function rotate<Item>(items: readonly Item[], round: number): readonly Item[] {
  const first = items.length === 0 ? 0 : round % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}
