import type { EpochSeconds } from './values.ts';

/** Counts for each of the last `size` periods: hours or days, numbered since the epoch. */
interface RecentCounts {
  /** The period of the last element of `counts`. */
  newest: number;
  /** Consecutive periods; fewer than `size` if the first count is more recent. */
  readonly counts: number[];
}

function emptyCounts(): RecentCounts {
  return { newest: 0, counts: [] };
}

/** Adds one to the count for `period`, and drops periods that are `size` or more behind the last one. */
function increment(recent: RecentCounts, period: number, size: number): void {
  const { counts } = recent;
  if (period - recent.newest >= size) return begin(recent, period);
  for (; recent.newest < period; recent.newest += 1) counts.push(0);
  const periodsBehind = recent.newest - period; // positive after the clock was set back
  if (periodsBehind >= size) return;
  while (counts.length <= periodsBehind) counts.unshift(0);
  while (counts.length > size) counts.shift();
  const index = counts.length - 1 - periodsBehind;
  counts[index] = (counts[index] ?? 0) + 1;
}

function begin(recent: RecentCounts, period: number): void {
  recent.newest = period;
  recent.counts.splice(0, recent.counts.length, 1);
}

/** Returns the count for `period`. */
function readCount({ newest, counts }: RecentCounts, period: number): number {
  return counts[counts.length - 1 - (newest - period)] ?? 0;
}

export const HOURS = 24;
export const DAYS = 30;
export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;

/** Counts for the last `HOURS` hours and `DAYS` days (UTC). */
export interface RecentHistory {
  readonly hours: RecentCounts;
  readonly days: RecentCounts;
}

/** The count for one hour or day. */
export interface PeriodCount {
  /** The start of the hour or day. */
  readonly from: EpochSeconds;
  readonly count: number;
}

/** Oldest first; the last hour and the last day are the current ones. */
export interface PeriodCounts {
  readonly hours: readonly PeriodCount[];
  readonly days: readonly PeriodCount[];
}

/** Returns an empty history. */
export function emptyHistory(): RecentHistory {
  return { hours: emptyCounts(), days: emptyCounts() };
}

/** Counts one event that occurred at `at`, in seconds since the epoch. */
export function countAt({ hours, days }: RecentHistory, at: number): void {
  increment(hours, Math.floor(at / HOUR_SECONDS), HOURS);
  increment(days, Math.floor(at / DAY_SECONDS), DAYS);
}

/** Returns an independent copy. */
export function copyHistory({ hours, days }: RecentHistory): RecentHistory {
  return { hours: copyCounts(hours), days: copyCounts(days) };
}

/** Returns the counts for the last `HOURS` hours and `DAYS` days, up to the hour and the day that contain `now`. */
export function periodsUpTo(now: EpochSeconds, { hours, days }: RecentHistory): PeriodCounts {
  return { hours: periods(now, hours, HOURS, HOUR_SECONDS), days: periods(now, days, DAYS, DAY_SECONDS) };
}

function periods(now: EpochSeconds, recent: RecentCounts, size: number, seconds: number): readonly PeriodCount[] {
  const last = Math.floor(now / seconds);
  return Array.from({ length: size }, (_, index) => {
    const period = last - size + 1 + index;
    return { from: (period * seconds) as EpochSeconds, count: readCount(recent, period) };
  });
}

function copyCounts({ newest, counts }: RecentCounts): RecentCounts {
  return { newest, counts: [...counts] };
}
