import { HASH_BYTES, LEFT_CHILD_OFFSET, createNodePreimage, writeNodeHash } from './hashing.ts';

const preimage = createNodePreimage();

/** Computes the root of the perfect subtree above the concatenated `hashes`, whose number must be a power of two. */
export function perfectRoot(hashes: Uint8Array): Buffer {
  const row = Buffer.from(hashes);
  for (let bytes = row.length; bytes > HASH_BYTES; bytes /= 2) {
    for (let left = 0; left < bytes; left += 2 * HASH_BYTES) {
      preimage.set(row.subarray(left, left + 2 * HASH_BYTES), LEFT_CHILD_OFFSET);
      writeNodeHash(preimage, row, left / 2);
    }
  }
  return row.subarray(0, HASH_BYTES);
}
