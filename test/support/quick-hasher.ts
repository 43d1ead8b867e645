import { createHash, pbkdf2Sync } from 'node:crypto';
import { parsePbkdf2 } from '../../src/domain/password-hashes.ts';
import type { PasswordHasher } from '../../src/platform/ports.ts';

/** Shaped like argon2id's and as good as none: for tests that are not about hashing. PBKDF2 takes as long as it is made to. */
export const quickHasher: PasswordHasher = {
  hash: async (password) => phcOf(password),
  verify: async (hash, password) => hash === phcOf(password) || isPbkdf2Of(password, hash),
};

function phcOf(password: string): string {
  return `$argon2id$quick$${createHash('sha256').update(password).digest('base64url')}`;
}

/** Of a password, as Django writes it. */
export function pbkdf2Of(password: string, iterations = 1, salt = 'salt'): string {
  return `pbkdf2_sha256$${iterations}$${salt}$${pbkdf2Sync(password, salt, iterations, 32, 'sha256').toString('base64')}`;
}

function isPbkdf2Of(password: string, hash: string): boolean {
  const brought = parsePbkdf2(hash);
  return brought !== undefined && pbkdf2Of(password, brought.iterations, brought.salt) === hash;
}
