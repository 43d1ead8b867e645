import { truncate } from '../../config/input-limits.ts';

/**
 * Charsets that are accepted and read as UTF-8. Percent-encoded text is ASCII, which is the same in all these charsets.
 * The encoded bytes must be UTF-8.
 */
const CHARSETS_READ_AS_UTF8 = ['utf-8', 'utf8', 'us-ascii', 'iso-8859-1'];

/** Reports whether a body with this `Content-Type` can be read as UTF-8. */
export function hasReadableCharset(contentType: string): boolean {
  const [, charset] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType) ?? [];
  return charset === undefined || CHARSETS_READ_AS_UTF8.includes(charset.toLowerCase());
}

/** A name and its value from an `application/x-www-form-urlencoded` body. */
export interface Pair {
  /** Null if the name is longer than any known name. */
  readonly name: string | null;
  /** The encoded value. */
  readonly value: string;
}

/** Several times the length of the longest parameter or field name. */
const MAX_NAME_LENGTH = 512;

/** A UTF-16 code unit takes up to nine characters when encoded: three UTF-8 bytes, each percent-encoded. */
const MAX_ENCODED_LENGTH_PER_CODE_UNIT = 9;

/**
 * Returns the pairs of `encoded` in order, or undefined if there are more than `limit`, including empty ones.
 * @throws URIError if a name has malformed percent-encoding or is not UTF-8
 */
export function splitPairs(encoded: string, limit: number): readonly Pair[] | undefined {
  const parts = encoded.split('&', limit + 1);
  if (parts.length > limit) return undefined;
  const pairs: Pair[] = [];
  for (const part of parts) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decodeWithin(equals === -1 ? part : part.slice(0, equals), MAX_NAME_LENGTH) ?? null;
    pairs.push({ name, value: equals === -1 ? '' : part.slice(equals + 1) });
  }
  return pairs;
}

/**
 * Returns the decoded text, or undefined if it has more than `limit` characters.
 * @throws URIError if the percent-encoding is malformed, or the bytes are not UTF-8
 */
export function decodeWithin(encoded: string, limit: number): string | undefined {
  if (encoded.length > limit * MAX_ENCODED_LENGTH_PER_CODE_UNIT) return undefined;
  const text = decode(encoded);
  return text.length > limit ? undefined : text;
}

/**
 * Returns the decoded text, truncated to `limit + 1` characters. Text that is much longer is truncated without being
 * decoded.
 * @throws URIError if the percent-encoding is malformed, or the bytes are not UTF-8
 */
export function decodeTruncated(encoded: string, limit: number): string {
  const text = encoded.length > limit * MAX_ENCODED_LENGTH_PER_CODE_UNIT ? encoded : decode(encoded);
  return truncate(text, limit);
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? decodeURIComponent(spaced) : spaced;
}
