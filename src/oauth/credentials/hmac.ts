import { hash, type KeyObject } from 'node:crypto';

/** The block size and the output size of SHA-256, in bytes. */
const BLOCK_BYTES = 64;
const HASH_BYTES = 32;

const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

/**
 * Returns a function that computes the HMAC-SHA-256 (RFC 2104) of ASCII text, in base64url.
 *
 * The function combines two one-shot hashes. It takes two thirds of the time of `createHmac`, which creates an object
 * with a destructor for each call (`npm run bench -- micro`). A refresh computes five HMACs.
 * @param key at most 64 bytes
 * @throws RangeError if the key is longer
 */
export function hmacSha256(key: KeyObject): (text: string) => string {
  const secret = key.export();
  if (secret.length > BLOCK_BYTES)
    throw new RangeError(`an HMAC key must have at most ${BLOCK_BYTES} bytes, not ${secret.length}`);
  const innerBlock = padKey(secret, INNER_PAD);
  const outer = Buffer.concat([padKey(secret, OUTER_PAD), Buffer.alloc(HASH_BYTES)]);
  return (text) => {
    const inner = Buffer.allocUnsafe(BLOCK_BYTES + text.length);
    innerBlock.copy(inner);
    inner.write(text, BLOCK_BYTES, 'latin1');
    outer.write(hash('sha256', inner, 'binary'), BLOCK_BYTES, 'latin1'); // one character per byte, without a Buffer
    inner.fill(0, 0, BLOCK_BYTES); // erases the padded key, because Node reuses the memory of pooled buffers
    return hash('sha256', outer, 'base64url');
  };
}

function padKey(key: Buffer, pad: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES, pad);
  for (const [index, byte] of key.entries()) block[index] = byte ^ pad;
  return block;
}
