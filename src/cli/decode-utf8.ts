import { CannotRun } from './exit.ts';

/**
 * The text that `bytes` are. Guessing another encoding, or putting marks in place of what is none, would register names
 * and passwords that nobody typed.
 * @param from where they were read, for the error
 * @throws CannotRun they are not UTF-8; nothing of them is quoted, for there may be passwords in it
 */
export function decodeUtf8(bytes: Uint8Array, from: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CannotRun(`${from} is not text in UTF-8: write it again in that encoding, or convert it with iconv`);
  }
}
