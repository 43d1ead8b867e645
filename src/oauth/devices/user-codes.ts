import type { Entropy } from '../../platform/ports.ts';

/**
 * The letters of user codes, which a user reads on a device and types into a browser (RFC 8628 §6.1). Vowels are left
 * out so that codes do not spell words. There are 20⁸ = 2.6 · 10¹⁰ codes of eight letters.
 */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LENGTH = 8;
const GROUP_LENGTH = 4;
const USER_CODE = new RegExp(`^[${LETTERS}]{${CODE_LENGTH}}$`);

/** Bytes with this value or a higher one are discarded so that all letters are equally likely. */
const FAIR_LIMIT = 256 - (256 % LETTERS.length);

/** Returns a new code without a separator. */
export function mintUserCode(entropy: Entropy): string {
  let code = '';
  while (code.length < CODE_LENGTH) {
    for (const byte of entropy.bytes(CODE_LENGTH))
      if (byte < FAIR_LIMIT && code.length < CODE_LENGTH) code += LETTERS.charAt(byte % LETTERS.length);
  }
  return code;
}

/** Returns the code as users see it, such as `WDJB-MJHT`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, GROUP_LENGTH)}-${code.slice(GROUP_LENGTH)}`;
}

/**
 * Returns the code that a user entered, in upper or lower case and with any separators, or undefined if it is
 * malformed.
 */
export function parseUserCode(input: string): string | undefined {
  const code = input.toUpperCase().replaceAll(/[^A-Z]/g, '');
  return USER_CODE.test(code) ? code : undefined;
}
