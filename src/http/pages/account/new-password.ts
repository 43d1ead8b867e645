import type { Entropy } from '../../../platform/ports.ts';

/** 96 bits cannot be guessed, and are short enough to read out over the phone. */
const PASSWORD_BYTES = 12;

/** A password for another user's account, which is shown once to the administrator. */
export function generatePassword(entropy: Entropy): string {
  return entropy.bytes(PASSWORD_BYTES).toString('base64url');
}
