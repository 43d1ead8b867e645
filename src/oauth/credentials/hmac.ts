import { createHmac, type KeyObject } from 'node:crypto';

/** HMAC-SHA-256 of text in base64url (RFC 2104), for one key. */
export function hmacSha256(key: KeyObject): (text: string) => string {
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
