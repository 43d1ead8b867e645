/** In which order lanes have their turns: the lower the rank, the sooner. Ranks and times are in ticks. */
export interface LaneRanks {
  /** Of a lane that begins to wait. */
  rankOf(lane: string, now: number): number;
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

/**
 * Long enough to come back after a `Retry-After`, which is 15 s when hashes take as long as before, and 45 s at most
 * where the other classes begin to wait. No longer, because a flood that comes round again sooner keeps its places too.
 */
const RANK_KEPT_MS = 60_000;

/** After so long a lane ranks as one that was never seen. */
const REMEMBERED_MS = Math.max(HEAD_START_MS, RANK_KEPT_MS);

/**
 * As many changes are remembered at least, and twice as many at most: some 15 MB. In the 15 s of a `Retry-After` that
 * is 3333 refusals a second, more than one process answers. With fewer, a flood of ever new addresses has the place of
 * a refused lane forgotten before its caller comes back.
 */
const LANES_PER_GENERATION = 50_000;

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
  // Two generations forget the oldest lanes all at once. Deleting the first key of one large map takes a long search.
  let older: ReadonlyMap<string, LaneRank> = new Map();
  let recent = new Map<string, LaneRank>();
  let recentSince = -Infinity;

  function remember(lane: string, rank: LaneRank, now: number): void {
    if (recent.size >= LANES_PER_GENERATION || now - recentSince >= REMEMBERED_MS) {
      older = recent;
      recent = new Map();
      recentSince = now;
    }
    recent.set(lane, rank);
  }

  return {
    rankOf(lane, now) {
      const { value, keptUntil } = recent.get(lane) ?? older.get(lane) ?? { value: -Infinity, keptUntil: -Infinity };
      return now < keptUntil ? value : Math.max(value, now - HEAD_START_MS);
    },
    served: (lane, now) => remember(lane, { value: now, keptUntil: now }, now),
    refused: (lane, value, now) => remember(lane, { value, keptUntil: now + RANK_KEPT_MS }, now),
  };
}
