import { hash } from 'node:crypto';
import { createProofShares, type ProofSender, type FullShare } from './proof-shares.ts';

/**
 * The maximum number of remembered proofs, which take about 80 MB. A million proofs in a minute and a half is 11,000
 * a second. Only proofs with a valid signature, for a valid client or token, are remembered.
 */
const MAX_PROOFS = 1_000_000;
/** All proofs of a period are forgotten together. */
const PERIOD_SECONDS = 10;

export type UseResult = 'first' | 'used-before' | 'too-old' | { readonly full: FullShare };

/** Used proofs that are still recent enough to be replayed. */
export interface UsedProofs {
  /**
   * Marks a proof as used. It is added to the remembered proofs only if the result is `first`.
   * @param issuedAt the `iat` claim of the proof, in seconds since the epoch
   */
  use(
    proof: { readonly thumbprint: string; readonly jti: string; readonly issuedAt: number },
    sender: ProofSender,
    now: number,
  ): UseResult;
  /** Returns the number of remembered proofs. */
  size(): number;
}

/**
 * @param windowSeconds the age up to which proofs are remembered; older proofs may be refused
 * @param salt a random string
 * @param max the maximum number of remembered proofs; others are refused, because no proof may be forgotten early
 */
export function createUsedProofs(windowSeconds: number, salt: string, max = MAX_PROOFS): UsedProofs {
  const periods = new Map<number, Set<string>>();
  const shares = createProofShares(max, salt);
  /** Proofs created before this time have been forgotten. It never decreases, even if the clock is set back. */
  let forgottenBefore = -Infinity;

  function forgetOld(now: number): void {
    const cutoff = periodOf(now - windowSeconds) * PERIOD_SECONDS;
    if (cutoff <= forgottenBefore) return;
    forgottenBefore = cutoff;
    for (const period of periods.keys()) {
      if (period * PERIOD_SECONDS >= cutoff) continue;
      periods.delete(period);
      shares.forget(period);
    }
  }

  return {
    use({ thumbprint, jti, issuedAt }, sender, now) {
      forgetOld(now);
      if (issuedAt < forgottenBefore) return 'too-old';
      const period = periodOf(issuedAt);
      const proofs = periods.get(period) ?? new Set();
      // 132 bits are enough to avoid collisions, and take half the memory of a complete hash.
      const key = hash('sha256', `${thumbprint} ${jti}`, 'base64url').slice(0, 22);
      if (proofs.has(key)) return 'used-before';
      const fullShare = shares.take(sender, period);
      if (fullShare !== undefined) return { full: fullShare };
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
