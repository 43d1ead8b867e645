import { createHash, pbkdf2Sync } from 'node:crypto';
import { parsePbkdf2 } from '../../src/domain/password-hashes.ts';
import type { PasswordHasher } from '../../src/platform/ports.ts';

/** A hasher for tests that are not about hashing. Its hashes look like argon2id hashes but cost nothing. */
export const quickHasher: PasswordHasher = {
  hash: async (password) => fakePhc(password),
  verify: async (hash, password) => hash === fakePhc(password) || isPbkdf2Of(password, hash),
};

function fakePhc(password: string): string {
  return `$argon2id$quick$${createHash('sha256').update(password).digest('base64url')}`;
}

/** Hashes a password in Django's PBKDF2 format. */
export function pbkdf2Of(password: string, iterations = 1, salt = 'salt'): string {
  return `pbkdf2_sha256$${iterations}$${salt}$${digestOf(password, salt, iterations)}`;
}

function digestOf(password: string, salt: string | Uint8Array, iterations: number): string {
  return pbkdf2Sync(password, salt, iterations, 32, 'sha256').toString('base64');
}

function isPbkdf2Of(password: string, hash: string): boolean {
  const parsed = parsePbkdf2(hash);
  return parsed !== undefined && digestOf(password, parsed.salt, parsed.iterations) === parsed.hash;
}
