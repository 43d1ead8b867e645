import type { GrantId } from '../../domain/values.ts';

/**
 * Grants that ended before their tokens expired. Token lookups for clients that act on their own behalf check this set,
 * so the table needs no index from grants to rows, which would take 9 bytes per token. Few grants end early, and each
 * takes about a hundred bytes. A grant is stored until every generation that existed when the grant ended has expired;
 * all of its tokens have expired by then, too. Users' grants are included, because the event does not say whose grant
 * it was.
 */
export interface EndedGrants {
  has(grantId: GrantId): boolean;
  /** @param hour the hour of the last generation that can contain tokens of the grant */
  add(hour: number, grantId: GrantId): void;
  /** Removes the grants whose last generation is earlier than `hour`. */
  expire(hour: number): void;
  /** Returns the current grants by hour. Later changes do not affect the result. */
  freeze(): readonly EndedGrantsInHour[];
}

export interface EndedGrantsInHour {
  readonly hour: number;
  grantIds(): readonly GrantId[];
}

/** A single `Set` throws an error at 16.7 million entries, and growing one that large takes a second. */
const SET_COUNT = 64;

export function createEndedGrants(): EndedGrants {
  const sets = Array.from({ length: SET_COUNT }, () => new Set<GrantId>());
  const byHour = new Map<number, GrantId[]>();

  const setFor = (grantId: GrantId): Set<GrantId> | undefined => sets[grantId.charCodeAt(0) % SET_COUNT];

  return {
    has: (grantId) => byHour.size > 0 && setFor(grantId)?.has(grantId) === true,

    add(hour, grantId) {
      setFor(grantId)?.add(grantId);
      const grantIds = byHour.get(hour);
      if (grantIds === undefined) byHour.set(hour, [grantId]);
      else grantIds.push(grantId);
    },

    expire(hourLimit) {
      for (const [hour, grantIds] of byHour) {
        if (hour >= hourLimit) continue;
        for (const grantId of grantIds) setFor(grantId)?.delete(grantId);
        byHour.delete(hour);
      }
    },

    freeze: () =>
      [...byHour].map(([hour, grantIds]) => {
        const count = grantIds.length;
        return { hour, grantIds: () => grantIds.slice(0, count) };
      }),
  };
}
