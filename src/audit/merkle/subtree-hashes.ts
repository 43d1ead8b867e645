import { HASH_BYTES, nodeHash } from './hashing.ts';
import { perfectRoot } from './perfect-subtree.ts';
import { leavesPerHash, readTile, TILE_WIDTH, widthInTree } from './tile.ts';
import type { TileReader } from './tile.ts';

/** The leaves from `start` up to, but not including, `end`. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** Computes the root of a range: MTH(D[start:end]) in RFC 6962 §2.1. */
export type SubtreeHasher = (range: LeafRange) => Promise<Buffer>;

/**
 * Creates a function that computes the roots of subtrees of the tree with `size` leaves. The function reads each tile
 * at most once. The ranges must result from the recursion in RFC 6962, in which every left half is a perfect subtree.
 */
export function createSubtreeHasher(size: number, read: TileReader): SubtreeHasher {
  const tiles = new Map<string, Promise<Uint8Array>>();

  function readTileOnce(level: number, index: number): Promise<Uint8Array> {
    const key = `${level}/${index}`;
    const tile = tiles.get(key) ?? readTile(read, level, index, widthInTree(level, index, size));
    tiles.set(key, tile);
    return tile;
  }

  async function hashPerfectSubtree(start: number, leaves: number): Promise<Buffer> {
    const level = highestLevel(leaves);
    const firstIndex = start / leavesPerHash(level);
    const hashes = await readTileOnce(level, Math.floor(firstIndex / TILE_WIDTH));
    const offset = (firstIndex % TILE_WIDTH) * HASH_BYTES;
    return perfectRoot(hashes.subarray(offset, offset + (leaves / leavesPerHash(level)) * HASH_BYTES));
  }

  async function hashSubtree({ start, end }: LeafRange): Promise<Buffer> {
    const middle = start + leftHalf(end - start);
    if (middle === end || middle - start === end - middle) return hashPerfectSubtree(start, end - start);
    const [left, right] = await Promise.all([
      hashPerfectSubtree(start, middle - start),
      hashSubtree({ start: middle, end }),
    ]);
    return nodeHash(left, right);
  }

  return hashSubtree;
}

/**
 * Returns the number of leaves in the left half of a subtree (RFC 6962 §2.1): the largest power of two smaller than
 * `leaves`, or 1 for a single leaf.
 */
export function leftHalf(leaves: number): number {
  let half = 1;
  while (2 * half < leaves) half *= 2;
  return half;
}

/** Returns the highest level whose hashes cover at most `leaves` leaves each, to combine as few hashes as possible. */
function highestLevel(leaves: number): number {
  let level = 0;
  while (leavesPerHash(level + 1) <= leaves) level += 1;
  return level;
}
