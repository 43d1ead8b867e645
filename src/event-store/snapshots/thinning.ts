/**
 * The least useful of at least three ascending positions: the one whose neighbours are closest together. Never the last
 * one, which the next start uses.
 */
export function mostRedundant(positions: readonly number[]): number {
  const gaps = positions
    .slice(0, -1)
    .map((position, at) => ({ position, gap: (positions[at + 1] ?? 0) - (positions[at - 1] ?? 0) }));
  return gaps.reduce((least, candidate) => (candidate.gap < least.gap ? candidate : least)).position;
}
