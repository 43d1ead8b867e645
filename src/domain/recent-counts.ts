import type { EpochSeconds } from './values.ts';

/** The counts for recent periods: hours or days, numbered since the epoch. */
interface RecentCounts {
  /** The period of the last element of `counts`. */
  newest: number;
  /** The counts for consecutive periods, oldest first. */
  readonly counts: number[];
}

function emptyCounts(): RecentCounts {
  return { newest: 0, counts: [] };
}

/** Adds one to the count for `period`. Ignores and drops periods that are at least `size` behind the newest one. */
function increment(recent: RecentCounts, period: number, size: number): void {
  const { counts } = recent;
  if (period - recent.newest >= size) return startOver(recent, period);
  for (; recent.newest < period; recent.newest += 1) counts.push(0);
  const periodsBehind = recent.newest - period; // positive after the clock was set back
  if (periodsBehind >= size) return;
  while (counts.length <= periodsBehind) counts.unshift(0);
  while (counts.length > size) counts.shift();
  const index = counts.length - 1 - periodsBehind;
  counts[index] = (counts[index] ?? 0) + 1;
}

function startOver(recent: RecentCounts, period: number): void {
  recent.newest = period;
  recent.counts.splice(0, recent.counts.length, 1);
}

function readCount({ newest, counts }: RecentCounts, period: number): number {
  return counts[counts.length - 1 - (newest - period)] ?? 0;
}

export const HOURS = 24;
export const DAYS = 30;
export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;

/** The counts for the last `HOURS` hours and `DAYS` days (UTC). */
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

/** The counts, oldest first. The last hour and the last day are the current ones. */
export interface PeriodCounts {
  readonly hours: readonly PeriodCount[];
  readonly days: readonly PeriodCount[];
}

export function emptyHistory(): RecentHistory {
  return { hours: emptyCounts(), days: emptyCounts() };
}

/** Counts one occurrence at `at`, in seconds since the epoch. */
export function countOccurrence({ hours, days }: RecentHistory, at: number): void {
  increment(hours, Math.floor(at / HOUR_SECONDS), HOURS);
  increment(days, Math.floor(at / DAY_SECONDS), DAYS);
}

/** Returns a deep copy of a history. */
export function copyHistory({ hours, days }: RecentHistory): RecentHistory {
  return { hours: copyCounts(hours), days: copyCounts(days) };
}

/** Returns the counts for the last `HOURS` hours and `DAYS` days, up to the hour and the day that contain `now`. */
export function periodsUpTo(now: EpochSeconds, { hours, days }: RecentHistory): PeriodCounts {
  return { hours: readCounts(now, hours, HOURS, HOUR_SECONDS), days: readCounts(now, days, DAYS, DAY_SECONDS) };
}

function readCounts(now: EpochSeconds, recent: RecentCounts, size: number, seconds: number): readonly PeriodCount[] {
  const last = Math.floor(now / seconds);
  return Array.from({ length: size }, (_, index) => {
    const period = last - size + 1 + index;
    return { from: (period * seconds) as EpochSeconds, count: readCount(recent, period) };
  });
}

function copyCounts({ newest, counts }: RecentCounts): RecentCounts {
  return { newest, counts: [...counts] };
}
