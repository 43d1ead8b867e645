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
export type SubtreeHash = (range: LeafRange) => Promise<Buffer>;

/**
 * Returns a function that computes subtree roots of the tree with `size` leaves. It reads each tile at most once, and
 * accepts only ranges that the recursion in the RFC produces, which are incomplete only on the right side.
 */
export function subtreeHashes(size: number, read: TileReader): SubtreeHash {
  const tiles = new Map<string, Promise<Uint8Array>>();

  function readTileOnce(level: number, index: number): Promise<Uint8Array> {
    const key = `${level}/${index}`;
    const tile = tiles.get(key) ?? readTile(read, level, index, widthInTree(level, index, size));
    tiles.set(key, tile);
    return tile;
  }

  async function perfectSubtreeHash(start: number, leaves: number): Promise<Buffer> {
    const level = highestLevel(leaves);
    const firstIndex = start / leavesPerHash(level);
    const hashes = await readTileOnce(level, Math.floor(firstIndex / TILE_WIDTH));
    const offset = (firstIndex % TILE_WIDTH) * HASH_BYTES;
    return perfectRoot(hashes.subarray(offset, offset + (leaves / leavesPerHash(level)) * HASH_BYTES));
  }

  async function subtreeHash({ start, end }: LeafRange): Promise<Buffer> {
    const middle = start + leftHalf(end - start);
    if (middle === end || middle - start === end - middle) return perfectSubtreeHash(start, end - start);
    const [left, right] = await Promise.all([
      perfectSubtreeHash(start, middle - start),
      subtreeHash({ start: middle, end }),
    ]);
    return nodeHash(left, right);
  }

  return subtreeHash;
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

/** Returns the highest level at which a hash covers at most `leaves` leaves, so that the fewest hashes are combined. */
function highestLevel(leaves: number): number {
  let level = 0;
  while (leavesPerHash(level + 1) <= leaves) level += 1;
  return level;
}
