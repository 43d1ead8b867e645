import type { PasswordHasher } from '../../src/platform/ports.ts';
import { quickHasher } from './quick-hasher.ts';

/** Counts the slow hashes of logins and registrations, and computes them quickly. */
export function countingHasher() {
  let [hashed, verified] = [0, 0];
  const hasher: PasswordHasher = {
    hash(password) {
      hashed += 1;
      return quickHasher.hash(password);
    },
    verify(phc, password) {
      verified += 1;
      return quickHasher.verify(phc, password);
    },
  };
  return { hasher, hashed: () => hashed, verified: () => verified };
}
