import type { GrantId } from '../../domain/values.ts';

/**
 * Grants that were ended: a look-up of a token that a client got for itself asks here, so no index from grants to rows
 * is needed, which took 9 bytes of each token and a quarter of its insertion. Few are ever ended (each costs some
 * hundred bytes); each is kept until the last generation there was by then has gone, and with it the grant's token.
 * Owners' grants are among them, for nothing would be safe to tell them by at their end.
 */
export interface EndedGrants {
  has(grantId: GrantId): boolean;
  /** @param hour of the generation with which it may go */
  add(hour: number, grantId: GrantId): void;
  /** Lets go of those whose hours lie before `hour`. */
  expire(hour: number): void;
  /** Those there are now, by hour, whenever the answer is asked. */
  freeze(): readonly EndedInHour[];
}

export interface EndedInHour {
  readonly hour: number;
  grantIds(): readonly GrantId[];
}

/** One `Set` throws at 16.7 million and stands still for a second when it grows by then; 64 do neither. */
const SETS = 64;

export function createEndedGrants(): EndedGrants {
  const sets = Array.from({ length: SETS }, () => new Set<GrantId>());
  const byHour = new Map<number, GrantId[]>();

  const setOf = (grantId: GrantId): Set<GrantId> | undefined => sets[grantId.charCodeAt(0) % SETS];

  return {
    has: (grantId) => byHour.size > 0 && setOf(grantId)?.has(grantId) === true,

    add(hour, grantId) {
      setOf(grantId)?.add(grantId);
      const ended = byHour.get(hour);
      if (ended === undefined) byHour.set(hour, [grantId]);
      else ended.push(grantId);
    },

    expire(before) {
      for (const [hour, ended] of byHour) {
        if (hour >= before) continue;
        for (const grantId of ended) setOf(grantId)?.delete(grantId);
        byHour.delete(hour);
      }
    },

    freeze: () =>
      [...byHour].map(([hour, ended]) => {
        const count = ended.length;
        return { hour, grantIds: () => ended.slice(0, count) };
      }),
  };
}
