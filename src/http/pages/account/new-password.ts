import type { Entropy } from '../../../platform/ports.ts';

/** 96 bits: nobody guesses it, and it can still be read out. */
const PASSWORD_BYTES = 12;

/** For somebody else's account: shown once, to whoever gives it to them. */
export function generatePassword(entropy: Entropy): string {
  return entropy.bytes(PASSWORD_BYTES).toString('base64url');
}
