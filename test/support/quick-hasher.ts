import { createHash } from 'node:crypto';
import type { PasswordHasher } from '../../src/ports.ts';

/** Shaped like argon2id's and as good as none: for tests that are not about hashing. */
export const quickHasher: PasswordHasher = {
  hash: async (password) => phcOf(password),
  verify: async (phc, password) => phc === phcOf(password),
};

function phcOf(password: string): string {
  return `$argon2id$quick$${createHash('sha256').update(password).digest('base64url')}`;
}
