import { parsePbkdf2 } from '../domain/password-hashes.ts';
import type { Entropy, PasswordHasher } from '../platform/ports.ts';

/** Verifies slowly hashed secrets, so that a wrong one costs the same whomever it was meant for. */
export interface ConstantWorkVerifier {
  /**
   * Whether `secret` is the one behind `hash`. Where there is no hash it is not, and to say so takes as long as for any
   * other: an argon2 run, and as many iterations of PBKDF2 as the costliest imported hash has. Only a right secret is
   * answered as soon as it is known to be right.
   * @param hasher verifies it in the turns of whoever sent it
   */
  verify(hash: string | undefined, secret: string, hasher: Pick<PasswordHasher, 'verify'>): Promise<boolean>;
}

/**
 * @param hasher computes one hash, at the start
 * @param mostIterations of the PBKDF2 hashes that there are now; 0: none is left, and none is computed
 */
export function createConstantWorkVerifier(parts: {
  readonly hasher: Pick<PasswordHasher, 'hash'>;
  readonly entropy: Entropy;
  readonly mostIterations: () => number;
}): ConstantWorkVerifier {
  const { entropy, mostIterations } = parts;
  /** Verified against when there is nothing to verify against. */
  const nobodysHash = parts.hasher.hash(entropy.bytes(32).toString('hex'));
  nobodysHash.catch(() => {}); // reported by the request that awaits it

  return {
    async verify(hash, secret, hasher) {
      const most = mostIterations();
      const own = parsePbkdf2(hash ?? '')?.iterations ?? 0;
      const isArgon2 = hash?.startsWith('$') === true;
      // Always in this order, so that waiting for a turn tells nothing either.
      const isRight = await hasher.verify(isArgon2 ? hash : await nobodysHash, secret);
      if (isArgon2 && isRight) return true;
      if (own > 0 && (await hasher.verify(hash ?? '', secret))) return true;
      if (most > own) await hasher.verify(`pbkdf2_sha256$${most - own}$nobody$${DUMMY_DIGEST}`, secret);
      return false;
    },
  };
}

/** 32 bytes that nothing hashes to. */
const DUMMY_DIGEST = `${'A'.repeat(43)}=`;
