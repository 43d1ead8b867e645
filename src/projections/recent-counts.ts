/** Counts for each of the newest `size` periods: hours or days, numbered since the epoch. */
export interface RecentCounts {
  /** The period of the last element of `counts`. */
  newest: number;
  /** Consecutive periods; fewer than `size` until something was counted that long ago. */
  readonly counts: number[];
}

export function emptyCounts(): RecentCounts {
  return { newest: 0, counts: [] };
}

/** Adds one at `period`, and drops periods that are `size` or more behind the newest one. */
export function increment(recent: RecentCounts, period: number, size: number): void {
  const { counts } = recent;
  if (counts.length === 0 || period - recent.newest >= size) return begin(recent, period);
  for (; recent.newest < period; recent.newest += 1) counts.push(0);
  const behind = recent.newest - period; // positive after the clock was set back
  if (behind >= size) return;
  while (counts.length <= behind) counts.unshift(0);
  if (counts.length > size) counts.splice(0, counts.length - size);
  const at = counts.length - 1 - behind;
  counts[at] = (counts[at] ?? 0) + 1;
}

function begin(recent: RecentCounts, period: number): void {
  recent.newest = period;
  recent.counts.splice(0, recent.counts.length, 1);
}

/** The count at `period`. */
export function readCount({ newest, counts }: RecentCounts, period: number): number {
  return counts[counts.length - 1 - (newest - period)] ?? 0;
}
