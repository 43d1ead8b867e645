import { emptyRoot, HASH_BYTES, nodeHash } from './hashing.ts';
import type { Proof } from './proofs.ts';

/** The state of a tree, computed or claimed: its number of leaves and its root. */
export interface TreeHead {
  readonly size: number;
  readonly rootHash: Uint8Array;
}

/** Reports whether `proof` shows that `leaf` is the hash of the leaf at `index` (RFC 9162 §2.1.3.2). */
export function verifyInclusion(leaf: Uint8Array, index: number, tree: TreeHead, proof: Proof): boolean {
  if (!isWholeNumber(tree.size) || !isWholeNumber(index) || index >= tree.size) return false;
  if (![leaf, tree.rootHash, ...proof].every(isHash)) return false;
  let node = index;
  let last = tree.size - 1;
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    const isRight = isOdd(node) || node === last;
    hash = isRight ? nodeHash(sibling, hash) : nodeHash(hash, sibling);
    if (isRight) [node, last] = climbToRightChild(node, last);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && areEqual(hash, tree.rootHash);
}

/**
 * Reports whether `proof` shows that the first tree is a prefix of the second, that is, that leaves were only appended
 * (RFC 9162 §2.1.4.2).
 */
export function verifyConsistency(first: TreeHead, second: TreeHead, proof: Proof): boolean {
  if (!isWholeNumber(first.size) || !isWholeNumber(second.size) || first.size > second.size) return false;
  if (![first.rootHash, second.rootHash, ...proof].every(isHash)) return false;
  if (first.size === second.size) return proof.length === 0 && areEqual(first.rootHash, second.rootHash);
  if (first.size === 0) return proof.length === 0 && areEqual(first.rootHash, emptyRoot());
  return provesBothRoots(first, second, proof);
}

function provesBothRoots(first: TreeHead, second: TreeHead, proof: Proof): boolean {
  let [node, last] = climbToLeftChild(first.size - 1, second.size - 1);
  // If the first tree is a perfect subtree of the second, the proof omits the root of the first, which is known.
  const path = node === 0 ? [first.rootHash, ...proof] : proof;
  const [start, ...rest] = path;
  if (start === undefined) return false;
  let firstHash = start;
  let secondHash = start;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      firstHash = nodeHash(sibling, firstHash);
      secondHash = nodeHash(sibling, secondHash);
      [node, last] = climbToRightChild(node, last);
    } else {
      secondHash = nodeHash(secondHash, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && areEqual(firstHash, first.rootHash) && areEqual(secondHash, second.rootHash);
}

/** Climbs past the levels at which `node` has no sibling because it is the last node. `node` must not be 0. */
function climbToRightChild(node: number, last: number): [number, number] {
  return isOdd(node) ? [node, last] : climbToRightChild(half(node), half(last));
}

function climbToLeftChild(node: number, last: number): [number, number] {
  return isOdd(node) ? climbToLeftChild(half(node), half(last)) : [node, last];
}

/** Returns half the value, rounded down. A bit shift would fail for values of 2^31 or more. */
function half(value: number): number {
  return Math.floor(value / 2);
}

function isOdd(value: number): boolean {
  return value % 2 === 1;
}

function isWholeNumber(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isHash(bytes: Uint8Array): boolean {
  return bytes.length === HASH_BYTES;
}

function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
