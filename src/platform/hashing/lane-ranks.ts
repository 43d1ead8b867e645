/** The order in which lanes are served: the lowest rank first. Ranks and times are in ticks. */
export interface LaneRanks {
  /** Returns the rank of a lane that is starting to wait. */
  rankOf(lane: string, now: number): number;
  /** Call this when a lane has been served and is now empty. */
  onServed(lane: string, now: number): void;
  /** Call this when the last waiter in a lane is refused. The lane keeps `rank` for a while in case of a retry. */
  onRefused(lane: string, rank: number, now: number): void;
}

/**
 * The maximum advantage of a lane that was not served recently. Addresses that were served within the last minute do
 * not delay one that has never been served, and a flood of new addresses delays lanes that were served before by at
 * most this long.
 */
const HEAD_START_MS = 60_000;

/**
 * Long enough for a retry after the `Retry-After` time, which is usually 15 s, and at most 45 s if the other classes
 * start to wait. A longer time would help floods, because a flood whose callers retry in time keeps its ranks as well.
 */
const RANK_RETENTION_MS = 60_000;

/** After this time, a lane ranks like one that has never waited. */
const FORGET_AFTER_MS = Math.max(HEAD_START_MS, RANK_RETENTION_MS);

/**
 * At least this many lanes are remembered, and at most twice as many, which takes about 15 MB. During a `Retry-After`
 * of 15 s, 50,000 lanes cover 3,333 refusals a second, more than one process can handle. With fewer lanes, a flood of
 * new addresses could make the server forget the rank of a refused lane before its caller retries.
 */
const LANES_PER_GENERATION = 50_000;

interface LaneRank {
  readonly value: number;
  /** The time until which the rank is used unchanged. */
  readonly keptUntil: number;
}

/**
 * Ranks lanes by the time at which they were last served, or `HEAD_START_MS` ago if that is later. For lanes that wait
 * continuously, this is round-robin.
 */
export function createLaneRanks(): LaneRanks {
  // Dropping a whole generation is fast, whereas deleting the oldest keys of one large map one by one is slow.
  let olderRanks: ReadonlyMap<string, LaneRank> = new Map();
  let recentRanks = new Map<string, LaneRank>();
  let recentSince = -Infinity;

  function remember(lane: string, rank: LaneRank, now: number): void {
    if (recentRanks.size >= LANES_PER_GENERATION || now - recentSince >= FORGET_AFTER_MS) {
      olderRanks = recentRanks;
      recentRanks = new Map();
      recentSince = now;
    }
    recentRanks.set(lane, rank);
  }

  return {
    rankOf(lane, now) {
      const { value, keptUntil } = recentRanks.get(lane) ??
        olderRanks.get(lane) ?? { value: -Infinity, keptUntil: -Infinity };
      return now < keptUntil ? value : Math.max(value, now - HEAD_START_MS);
    },
    onServed: (lane, now) => remember(lane, { value: now, keptUntil: now }, now),
    onRefused: (lane, value, now) => remember(lane, { value, keptUntil: now + RANK_RETENTION_MS }, now),
  };
}
