import { parsePbkdf2 } from '../domain/password-hashes.ts';
import type { Entropy, PasswordHasher } from '../platform/ports.ts';

/**
 * Verifies secrets that are hashed with a slow algorithm. A wrong secret takes the same work whether or not the account
 * exists, unless the account has an imported argon2 hash, whose parameters may differ from those of this server.
 */
export interface ConstantWorkVerifier {
  /**
   * Reports whether `hash` is the hash of `secret`. Without a hash, returns false after the same work as for any wrong
   * secret: one argon2 run plus as many PBKDF2 iterations as the costliest imported hash has. Returns early only for
   * the correct secret.
   * @param hasher the hasher for the caller's queue
   */
  verify(hash: string | undefined, secret: string, hasher: Pick<PasswordHasher, 'verify'>): Promise<boolean>;
}

/**
 * @param hasher the hasher that computes the dummy hash as soon as the verifier is created
 * @param maxIterations returns the highest iteration count of the current PBKDF2 hashes; 0 if no such hash exists
 */
export function createConstantWorkVerifier(deps: {
  readonly hasher: Pick<PasswordHasher, 'hash'>;
  readonly entropy: Entropy;
  readonly maxIterations: () => number;
}): ConstantWorkVerifier {
  const { entropy, maxIterations } = deps;
  /** Verified in place of an argon2 hash if the account has none. */
  const dummyHash = deps.hasher.hash(entropy.bytes(32).toString('hex'));
  dummyHash.catch(() => {}); // the request that awaits it reports the error

  return {
    async verify(hash, secret, hasher) {
      const maxIterationCount = maxIterations();
      const iterations = parsePbkdf2(hash ?? '')?.iterations ?? 0;
      const isArgon2 = hash?.startsWith('$') === true;
      // The order is fixed, so that the time spent in the queue does not reveal anything either.
      const isCorrect = await hasher.verify(isArgon2 ? hash : await dummyHash, secret);
      if (isArgon2 && isCorrect) return true;
      if (iterations > 0 && (await hasher.verify(hash ?? '', secret))) return true;
      if (maxIterationCount > iterations)
        await hasher.verify(`pbkdf2_sha256$${maxIterationCount - iterations}$nobody$${DUMMY_DIGEST}`, secret);
      return false;
    },
  };
}

/** 32 zero bytes. No secret is known to have this hash. */
const DUMMY_DIGEST = `${'A'.repeat(43)}=`;
