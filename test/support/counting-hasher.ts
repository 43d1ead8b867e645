import type { PasswordHasher } from '../../src/platform/ports.ts';
import { quickHasher } from './quick-hasher.ts';

/** Counts the slow hashes of logins and registrations, and computes them quickly. */
export function countingHasher() {
  let [hashCount, verifyCount] = [0, 0];
  const hasher: PasswordHasher = {
    hash(password) {
      hashCount += 1;
      return quickHasher.hash(password);
    },
    verify(phc, password) {
      verifyCount += 1;
      return quickHasher.verify(phc, password);
    },
  };
  return { hasher, hashCount: () => hashCount, verifyCount: () => verifyCount };
}
