import { CannotRun } from './exit.ts';

/**
 * Decodes UTF-8 strictly: guessing another encoding, or replacement characters, would corrupt names and passwords.
 * @param from the source of the bytes, for the error message
 * @throws CannotRun if the bytes are not UTF-8; the message does not quote them, as they may contain passwords
 */
export function decodeUtf8(bytes: Uint8Array, from: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CannotRun(`${from} is not valid UTF-8; convert it, with iconv for example`);
  }
}
