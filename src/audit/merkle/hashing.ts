import { hash } from 'node:crypto';

/** The hashes of a Merkle tree as RFC 6962 §2.1 defines them: SHA-256, with leaves and nodes told apart by a first byte. */
export const HASH_BYTES = 32;

/** What a node is the hash of: the prefix, its left child, its right child. */
export const NODE_LEFT = 1;
export const NODE_RIGHT = NODE_LEFT + HASH_BYTES;
const NODE_BYTES = NODE_RIGHT + HASH_BYTES;

const LEAF_PREFIX = 0x00;
const NODE_PREFIX = 0x01;

/** The root of the tree without leaves: the hash of nothing. */
export function emptyRoot(): Buffer {
  return toBuffer(digest(''));
}

/** The hash of one entry; of a text, the entry is its UTF-8. */
export function leafHash(entry: string | Uint8Array): Buffer {
  // A NUL before the text is the byte 0 before its UTF-8, without a buffer to put them together in.
  return toBuffer(digest(typeof entry === 'string' ? `\0${entry}` : Buffer.concat([Buffer.of(LEAF_PREFIX), entry])));
}

/** The hash of the node above `left` and `right`, 32 bytes each. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  sharedPreimage.set(left, NODE_LEFT);
  sharedPreimage.set(right, NODE_RIGHT);
  return toBuffer(digest(sharedPreimage));
}

/** Bytes to write both children's hashes into, again and again. */
export function nodePreimage(): Buffer {
  const preimage = Buffer.alloc(NODE_BYTES);
  preimage[0] = NODE_PREFIX;
  return preimage;
}

/** The hash of a preimage, written to `target` at `offset`. */
export function writeNodeHash(preimage: Uint8Array, target: Buffer, offset: number): void {
  target.write(digest(preimage), offset, 'latin1');
}

const sharedPreimage = nodePreimage();

/** A character for each byte: asking for a Buffer instead takes longer than the hash itself. */
function digest(data: string | Uint8Array): string {
  return hash('sha256', data, 'binary');
}

function toBuffer(characters: string): Buffer {
  return Buffer.from(characters, 'latin1');
}
