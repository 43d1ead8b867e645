import { hash, type KeyObject } from 'node:crypto';

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
const MESSAGE_BYTES = 256;
const INNER = 0x36;
const OUTER = 0x5c;

/**
 * HMAC-SHA-256 (RFC 2104) of short texts under one key, as base64url: two hashes of bytes that lie ready, 1.5 µs, where `createHmac`
 * takes 2.6, most of it for an object that is used once.
 * @throws RangeError the key is longer than a block, or, when called, the text longer than 85 characters
 */
export function hmacSha256(key: KeyObject): (text: string) => string {
  const inner = padded(key, INNER, MESSAGE_BYTES);
  const outer = padded(key, OUTER, HASH_BYTES);
  return (text) => {
    if (3 * text.length > MESSAGE_BYTES) throw new RangeError(`a text of ${text.length} characters is too long`);
    const end = BLOCK_BYTES + inner.write(text, BLOCK_BYTES);
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), BLOCK_BYTES, 'latin1');
    return hash('sha256', outer, 'base64url');
  };
}

/** A block of the key with `pad` on every byte, and room for what is hashed behind it. */
function padded(key: KeyObject, pad: number, room: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.set(key.export()); // throws where it does not fit
  return Buffer.concat([block.map((byte) => byte ^ pad), Buffer.alloc(room)]);
}
