/**
 * Which of at least three ascending positions is missed least: the one whose neighbours are closest to
 * each other. The last is never: the next start begins there; the beginning of the log needs none.
 */
export function mostRedundant(positions: readonly number[]): number {
  const gaps = positions
    .slice(0, -1)
    .map((position, at) => ({ position, gap: (positions[at + 1] ?? 0) - (positions[at - 1] ?? 0) }));
  return gaps.reduce((least, one) => (one.gap < least.gap ? one : least)).position;
}
