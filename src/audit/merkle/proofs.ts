import { emptyRoot } from './hashing.ts';
import { createSubtreeHasher, leftHalf } from './subtree-hashes.ts';
import type { LeafRange } from './subtree-hashes.ts';
import { requireSize } from './tile.ts';
import type { TileReader } from './tile.ts';

/** The hashes that a verifier needs to compute a root, in the order in which it uses them. */
export type Proof = readonly Uint8Array[];

/**
 * Returns a proof that the leaf at the zero-based `index` is in the tree of the first `size` leaves (RFC 6962 §2.1.1).
 * @throws RangeError if the tree has no such leaf
 * @throws MalformedError if a tile has the wrong number of hashes
 */
export async function inclusionProof(index: number, size: number, read: TileReader): Promise<Proof> {
  requireSize(size);
  if (!Number.isSafeInteger(index) || index < 0 || index >= size)
    throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`);
  return readHashes(siblingRanges(index, { start: 0, end: size }), size, read);
}

/**
 * Returns a proof that the tree of the first `first` leaves is a prefix of the tree of the first `second` leaves (RFC
 * 6962 §2.1.2). The proof is empty if both trees have the same size or the first is empty.
 * @throws RangeError if the first tree is larger than the second
 * @throws MalformedError if a tile has the wrong number of hashes
 */
export async function consistencyProof(first: number, second: number, read: TileReader): Promise<Proof> {
  requireSize(first);
  requireSize(second);
  if (first > second) throw new RangeError(`a tree of ${first} leaves cannot be a prefix of a tree of ${second}`);
  if (first === 0) return [];
  return readHashes(consistencyRanges(first, { start: 0, end: second }, true), second, read);
}

/**
 * Computes the root of the tree of the first `size` leaves.
 * @throws MalformedError if a tile has the wrong number of hashes
 */
export async function rootAt(size: number, read: TileReader): Promise<Buffer> {
  requireSize(size);
  return size === 0 ? emptyRoot() : createSubtreeHasher(size, read)({ start: 0, end: size });
}

function readHashes(ranges: readonly LeafRange[], size: number, read: TileReader): Promise<Proof> {
  return Promise.all(ranges.map(createSubtreeHasher(size, read)));
}

/** Returns the ranges whose roots form PATH(m, D[n]) in RFC 6962 §2.1.1. */
function siblingRanges(index: number, { start, end }: LeafRange): readonly LeafRange[] {
  if (end - start === 1) return [];
  const [left, right] = splitRange({ start, end });
  return index < left.end ? [...siblingRanges(index, left), right] : [...siblingRanges(index, right), left];
}

/** Returns the ranges whose roots form SUBPROOF(m, D[n], b) in RFC 6962 §2.1.2. */
function consistencyRanges(first: number, range: LeafRange, isRootKnown: boolean): readonly LeafRange[] {
  if (first === range.end) return isRootKnown ? [] : [range];
  const [left, right] = splitRange(range);
  return first <= left.end
    ? [...consistencyRanges(first, left, isRootKnown), right]
    : [...consistencyRanges(first, right, false), left];
}

function splitRange({ start, end }: LeafRange): readonly [LeafRange, LeafRange] {
  const middle = start + leftHalf(end - start);
  return [
    { start, end: middle },
    { start: middle, end },
  ];
}
