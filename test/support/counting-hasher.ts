import type { PasswordHasher } from '../../src/ports.ts';
import { quickHasher } from './quick-hasher.ts';

/** Counts the slow part of a log-in, and does it quickly. */
export function countingHasher() {
  let verified = 0;
  const hasher: PasswordHasher = {
    hash: quickHasher.hash,
    verify(phc, password) {
      verified += 1;
      return quickHasher.verify(phc, password);
    },
  };
  return { hasher, verified: () => verified };
}
