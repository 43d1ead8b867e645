import type { Entropy } from '../../platform/ports.ts';

/**
 * The letters of user codes, which a user reads on a device and types in a browser (RFC 8628 §6.1). There are no vowels
 * among them, so that the codes form no words. There are 20⁸ = 2.6 · 10¹⁰ codes of eight letters.
 */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const GROUP = 4;
const USER_CODE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);

/** Bytes of this value or more are discarded, so that all letters are equally likely. */
const FAIR_LIMIT = 256 - (256 % LETTERS.length);

/** Returns a new code without a separator. */
export function mintUserCode(entropy: Entropy): string {
  let code = '';
  while (code.length < LENGTH) {
    for (const byte of entropy.bytes(LENGTH))
      if (byte < FAIR_LIMIT && code.length < LENGTH) code += LETTERS.charAt(byte % LETTERS.length);
  }
  return code;
}

/** Formats the code as users see it: `WDJB-MJHT`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, GROUP)}-${code.slice(GROUP)}`;
}

/** Returns the code that a user entered, in either case and with any separators, or undefined if it is not a code. */
export function parseUserCode(input: string): string | undefined {
  const code = input.toUpperCase().replaceAll(/[^A-Z]/g, '');
  return USER_CODE.test(code) ? code : undefined;
}
