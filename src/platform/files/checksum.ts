import { hash } from 'node:crypto';

const DIGITS = 8;

/**
 * Returns the checksum of a line in a key file: eight hexadecimal digits of SHA-256. It detects only accidental
 * damage, because an attacker who can change the line can also change the checksum.
 */
export function checksum(text: string): string {
  return hash('sha256', text, 'hex').slice(0, DIGITS);
}
