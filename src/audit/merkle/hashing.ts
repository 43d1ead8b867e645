import { hash } from 'node:crypto';

/**
 * The length of a hash in a Merkle tree (RFC 6962 §2.1). The hash of a leaf or a node is the SHA-256 hash of a prefix
 * byte, which distinguishes leaves from nodes, followed by the data.
 */
export const HASH_BYTES = 32;

/** The offsets of the two child hashes in the preimage of a node's hash. The prefix byte precedes both. */
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
  // The NUL character is the prefix byte 0x00 in UTF-8, so hashing text requires no concatenation of buffers.
  return toBuffer(digest(typeof entry === 'string' ? `\0${entry}` : Buffer.concat([Buffer.of(LEAF_PREFIX), entry])));
}

/** Computes the hash of a node from the 32-byte hashes of its children. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  sharedPreimage.set(left, LEFT_CHILD_OFFSET);
  sharedPreimage.set(right, RIGHT_CHILD_OFFSET);
  return toBuffer(digest(sharedPreimage));
}

/** Creates a reusable preimage for a node's hash: the prefix byte and space for two child hashes. */
export function createNodePreimage(): Buffer {
  const preimage = Buffer.alloc(NODE_BYTES);
  preimage[0] = NODE_PREFIX;
  return preimage;
}

/** Writes the hash of `preimage` to `target` at `offset`. */
export function writeNodeHash(preimage: Uint8Array, target: Buffer, offset: number): void {
  target.write(digest(preimage), offset, 'latin1');
}

const sharedPreimage = createNodePreimage();

/** Returns the SHA-256 hash as a string with one character per byte, to avoid allocating a Buffer. */
function digest(data: string | Uint8Array): string {
  return hash('sha256', data, 'binary');
}

function toBuffer(characters: string): Buffer {
  return Buffer.from(characters, 'latin1');
}
