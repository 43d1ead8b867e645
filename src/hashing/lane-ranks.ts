/** In which order lanes have their turns: the lower the rank, the sooner. Ranks and times are in ticks. */
export interface LaneRanks {
  /** Of a lane that begins to wait. */
  of(lane: string, now: number): number;
  /** The lane was served and does not wait any more. */
  served(lane: string, now: number): void;
  /** Its last waiter was refused. The lane keeps `rank` for a while, for a caller who comes back. */
  refused(lane: string, rank: number, now: number): void;
}

/**
 * How far a lane that has not been served for a while goes ahead of those that were served just now. A flood from a
 * thousand addresses, each of which was served within the last minute, does not hold up one that comes for the first
 * time; and a flood of ever new addresses holds up those that were served before by no more than this.
 */
const HEAD_START_MS = 60_000;

/** Long enough to come back after a `Retry-After`, which is 15 s when hashes take as long as before. */
const PLACE_KEPT_MS = 120_000;

/** Some 1 MB. A lane that is forgotten counts as one that was never served. */
const MOST_LANES = 10_000;

interface LaneRank {
  readonly value: number;
  /** Until then it holds as it is; afterwards the lane has its head start. */
  readonly keptUntil: number;
}

/**
 * A lane ranks by when it was served last, but no earlier than its head start before it began to wait. Between lanes
 * that wait all the time that is a round robin.
 */
export function createLaneRanks(): LaneRanks {
  /** The lane that was changed last is the last one. */
  const ranks = new Map<string, LaneRank>();

  function remember(lane: string, rank: LaneRank): void {
    ranks.delete(lane);
    ranks.set(lane, rank);
    const [oldest] = ranks.keys();
    if (ranks.size > MOST_LANES && oldest !== undefined) ranks.delete(oldest);
  }

  return {
    of(lane, now) {
      const { value, keptUntil } = ranks.get(lane) ?? { value: -Infinity, keptUntil: -Infinity };
      return now < keptUntil ? value : Math.max(value, now - HEAD_START_MS);
    },
    served: (lane, now) => remember(lane, { value: now, keptUntil: now }),
    refused: (lane, value, now) => remember(lane, { value, keptUntil: now + PLACE_KEPT_MS }),
  };
}
