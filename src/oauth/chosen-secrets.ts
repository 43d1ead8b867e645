import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Entropy, PasswordHasher } from '../ports.ts';
import type { ChosenSecretVerifier } from './client-authentication.ts';

const REMEMBERED = 1_000;

/**
 * Verifies secrets that clients brought along, which may be weak and so are hashed slowly: once. What
 * was found right is remembered under a key of this process, so that memory holds nothing to try
 * guesses on quickly, and the token endpoint stays as fast as for any other client. Only who sends the
 * right secret is answered quickly: whatever is wrong, and whatever is nobody's, takes one slow hash.
 */
export function createChosenSecrets(hasher: PasswordHasher, entropy: Entropy): ChosenSecretVerifier {
  const key = entropy.bytes(32);
  const right = new LRUCache<string, true>({ max: REMEMBERED });
  /** Verified against when there is nothing to verify against. */
  const nobodysHash = hasher.hash(entropy.bytes(32).toString('hex'));
  nobodysHash.catch(() => {}); // reported by the request that awaits it

  return {
    async verify(phcOfClient, secret) {
      const phc = phcOfClient ?? (await nobodysHash);
      const known = createHmac('sha256', key).update(phc).update('\0').update(secret).digest('base64');
      if (right.has(known)) return true;
      const isRight = await hasher.verify(phc, secret);
      if (isRight) right.set(known, true);
      return isRight;
    },
  };
}
