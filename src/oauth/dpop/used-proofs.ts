import { hash } from 'node:crypto';
import { createProofShares, type ProofUser, type TakenShare } from './proof-shares.ts';

/**
 * A million proofs in one and a half minutes are 11,000 a second. They take about 80 MB. Only a proof with a valid
 * signature, for a client or token that is valid, gets here.
 */
const MAX_PROOFS = 1_000_000;
/** Proofs are forgotten together with the others of their period. */
const PERIOD_SECONDS = 10;

export type FirstUse = 'first' | 'used-before' | 'too-old' | { readonly taken: TakenShare };

/** The proofs that were used and could still be used again. */
export interface UsedProofs {
  /**
   * Uses a proof. It is remembered exactly if the result is `first`.
   * @param madeAt the proof's own time in seconds since the epoch; proofs of the same content have the same one
   */
  use(
    proof: { readonly thumbprint: string; readonly jti: string; readonly madeAt: number },
    user: ProofUser,
    now: number,
  ): FirstUse;
  /** The number of remembered proofs. */
  size(): number;
}

/**
 * @param windowSeconds the age from which proofs are refused
 * @param salt random
 * @param max the number from which on all proofs are refused, because a forgotten one could be used again
 */
export function createUsedProofs(windowSeconds: number, salt: string, max = MAX_PROOFS): UsedProofs {
  const periods = new Map<number, Set<string>>();
  const shares = createProofShares(max, salt);
  /** Proofs made before are forgotten. It never goes back, even if the clock does. */
  let forgottenBefore = -Infinity;

  function forgetOld(now: number): void {
    const before = periodOf(now - windowSeconds) * PERIOD_SECONDS;
    if (before <= forgottenBefore) return;
    forgottenBefore = before;
    for (const period of periods.keys()) {
      if (period * PERIOD_SECONDS >= before) continue;
      periods.delete(period);
      shares.forget(period);
    }
  }

  return {
    use({ thumbprint, jti, madeAt }, user, now) {
      forgetOld(now);
      if (madeAt < forgottenBefore) return 'too-old';
      const period = periodOf(madeAt);
      const proofs = periods.get(period) ?? new Set();
      // 132 bits are enough against collisions, and half as long.
      const key = hash('sha256', `${thumbprint} ${jti}`, 'base64url').slice(0, 22);
      if (proofs.has(key)) return 'used-before';
      const taken = shares.take(user, period);
      if (taken !== undefined) return { taken };
      proofs.add(key);
      periods.set(period, proofs);
      return 'first';
    },
    size: shares.size,
  };
}

function periodOf(seconds: number): number {
  return Math.floor(seconds / PERIOD_SECONDS);
}
