import { MAX_LENGTH } from '../../domain/lengths.ts';

/**
 * Whether `text` is the origin of a website as browsers send it (RFC 6454 §6.2).
 *
 * Length and form are checked first, because `URL` takes quadratic time for a long international host name.
 */
export function isOrigin(text: string): boolean {
  if (text.length > MAX_LENGTH.origin || !/^https?:\/\/[\x21-\x7e]+$/.test(text)) return false;
  return URL.canParse(text) && new URL(text).origin === text;
}
