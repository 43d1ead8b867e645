import { hash } from 'node:crypto';

/**
 * The length of a hash in a Merkle tree (RFC 6962 §2.1): SHA-256 of a prefix byte, which distinguishes leaves from
 * nodes, and the data.
 */
export const HASH_BYTES = 32;

/** The offsets of the children's hashes in the preimage of a node's hash, which starts with a prefix byte. */
export const LEFT_CHILD_OFFSET = 1;
export const RIGHT_CHILD_OFFSET = LEFT_CHILD_OFFSET + HASH_BYTES;
const NODE_BYTES = RIGHT_CHILD_OFFSET + HASH_BYTES;

const LEAF_PREFIX = 0x00;
const NODE_PREFIX = 0x01;

/** Returns the root of the empty tree: the hash of the empty string. */
export function emptyRoot(): Buffer {
  return toBuffer(digest(''));
}

/** Returns the hash of one entry. Text is hashed as UTF-8. */
export function leafHash(entry: string | Uint8Array): Buffer {
  // A NUL character is encoded as the prefix byte 0x00, which avoids concatenating buffers.
  return toBuffer(digest(typeof entry === 'string' ? `\0${entry}` : Buffer.concat([Buffer.of(LEAF_PREFIX), entry])));
}

/** Computes the hash of a node from the 32-byte hashes of its children. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  sharedPreimage.set(left, LEFT_CHILD_OFFSET);
  sharedPreimage.set(right, RIGHT_CHILD_OFFSET);
  return toBuffer(digest(sharedPreimage));
}

/** Creates a reusable preimage for a node's hash: the prefix byte, and space for the hashes of two children. */
export function createNodePreimage(): Buffer {
  const preimage = Buffer.alloc(NODE_BYTES);
  preimage[0] = NODE_PREFIX;
  return preimage;
}

/** Writes the hash of a preimage to `target` at `offset`. */
export function writeNodeHash(preimage: Uint8Array, target: Buffer, offset: number): void {
  target.write(digest(preimage), offset, 'latin1');
}

const sharedPreimage = createNodePreimage();

/** Returns the SHA-256 hash as a string with one character per byte, which avoids allocating a Buffer for it. */
function digest(data: string | Uint8Array): string {
  return hash('sha256', data, 'binary');
}

function toBuffer(characters: string): Buffer {
  return Buffer.from(characters, 'latin1');
}
