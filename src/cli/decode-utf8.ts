import { CannotRunError } from './exit.ts';

/**
 * Decodes UTF-8 strictly, because guessing a different encoding or inserting replacement characters would corrupt names
 * and passwords.
 * @param source where the bytes come from, for the error message
 * @throws CannotRunError if the bytes are not UTF-8; the message does not quote the bytes, which may contain passwords
 */
export function decodeUtf8(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CannotRunError(`${source} is not valid UTF-8; convert it, for example with iconv`);
  }
}
