import { hash, timingSafeEqual } from 'node:crypto';
import { RECOVERY_CODE_COUNT } from '../domain/values.ts';
import type { Entropy } from '../platform/ports.ts';

/** Crockford's base32. It lacks I, L and O, which resemble digits, and U. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUP_COUNT = 4;
const GROUP_LENGTH = 4;

/** Generates a set of codes of 80 random bits each, such as `k7md-9x2p-0q4t-ae8r`. */
export function newRecoveryCodes(entropy: Entropy): readonly string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const characters = [...entropy.bytes(GROUP_COUNT * GROUP_LENGTH)].map((byte) =>
      ALPHABET.charAt(byte % ALPHABET.length),
    );
    return Array.from({ length: GROUP_COUNT }, (_, group) =>
      characters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
    ).join('-');
  });
}

/** Hashes a code with SHA-256. A slow hash would add nothing: the code has 80 random bits. */
export function hashRecoveryCode(code: string): string {
  return hash('sha256', normalForm(code), 'base64url');
}

/**
 * Returns the number of the code in its set, starting at 1, or undefined if the set does not contain it. Takes the same
 * time in either case.
 */
export function recoveryCodeNumber(code: string, hashes: readonly string[]): number | undefined {
  const presentedHash = Buffer.from(hashRecoveryCode(code));
  let match: number | undefined;
  hashes.forEach((encodedHash, index) => {
    const storedHash = Buffer.from(encodedHash);
    if (storedHash.length === presentedHash.length && timingSafeEqual(storedHash, presentedHash)) match = index + 1;
  });
  return match;
}

/**
 * Returns the code in lower case, without spaces and dashes, and with I, L and O replaced by the digits that they
 * resemble.
 */
function normalForm(code: string): string {
  return code
    .toLowerCase()
    .replaceAll(/[\s\-–—]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');
}
