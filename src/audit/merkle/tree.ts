import {
  emptyRoot,
  HASH_BYTES,
  LEFT_CHILD_OFFSET,
  RIGHT_CHILD_OFFSET,
  nodeHash,
  createNodePreimage,
  writeNodeHash,
} from './hashing.ts';
import { perfectRoot } from './perfect-subtree.ts';
import { leavesPerHash, requireSize, requireWidth, TILE_HEIGHT, TILE_WIDTH } from './tile.ts';
import type { Tile } from './tile.ts';

/** An append-only Merkle tree. Only its right edge is in memory: about two kilobytes and one tile per level. */
export interface MerkleTree {
  readonly size: number;
  /**
   * Appends leaves. Returns each tile that changed, full or partial, exactly once and in its final state.
   * @throws RangeError, without appending anything, if a leaf hash does not have 32 bytes
   */
  append(leafHashes: readonly Uint8Array[]): readonly Tile[];
  /**
   * Appends a full tile whose hashes were computed elsewhere.
   * @throws RangeError, without appending anything, if the tree does not end at a tile boundary or the tile is not full
   */
  appendTile(tile: HashedTile): readonly Tile[];
  /** Computes the root of all leaves. This takes one hash operation fewer than `size` has set bits. */
  root(): Buffer;
}

/** The leaf hashes of a full tile, and their root. */
export interface HashedTile {
  readonly hashes: Uint8Array;
  readonly root: Uint8Array;
}

/** The rightmost tile of a level. */
interface OpenTile {
  index: number;
  width: number;
  /** Filled from left to right and replaced when full, so tiles that were returned earlier never change. */
  hashes: Buffer;
}

/** At index h, the preimage of a node whose left child is the perfect subtree of 2^h leaves that has no sibling yet. */
type Edge = Buffer[];

export function emptyTree(): MerkleTree {
  return createTree(0, [], []);
}

/**
 * Rebuilds the tree of the first `size` leaves from its partial tiles. To verify the tiles, the caller can compare the
 * root with a trusted root.
 * @throws MalformedError if a tile has the wrong number of hashes
 */
export function resumeTree(
  size: number,
  read: (level: number, index: number, width: number) => Uint8Array,
): MerkleTree {
  requireSize(size);
  const openTiles: OpenTile[] = [];
  const edge: Edge = [];
  for (let level = 0; leavesPerHash(level) <= size; level += 1) {
    const width = Math.floor(size / leavesPerHash(level)) % TILE_WIDTH;
    const tile = emptyTile(Math.floor(size / leavesPerHash(level + 1)));
    if (width > 0) tile.hashes.set(requireWidth(read(level, tile.index, width), { level, index: tile.index, width }));
    tile.width = width;
    openTiles.push(tile);
    edge.push(...edgeFromTile(tile));
  }
  return createTree(size, openTiles, edge);
}

function createTree(initialSize: number, openTiles: OpenTile[], edge: Edge): MerkleTree {
  let size = initialSize;

  /** Appends a leaf hash, or the root of a full tile, to the rightmost tile at `level`. */
  function addToTile(level: number, hash: Uint8Array, fullTiles: Tile[]): void {
    const tile = (openTiles[level] ??= emptyTile(0));
    tile.hashes.set(hash, tile.width * HASH_BYTES);
    tile.width += 1;
    if (tile.width < TILE_WIDTH) return;
    fullTiles.push(toTile(level, tile));
    openTiles[level] = emptyTile(tile.index + 1);
  }

  /**
   * Appends a leaf hash, or the root of a full tile. A right child completes its parent, which can in turn complete the
   * grandparent, as a carry propagates in a binary counter.
   */
  function add(level: 0 | 1, hash: Uint8Array, fullTiles: Tile[]): void {
    const leaves = 1 << (level * TILE_HEIGHT);
    let index = size / leaves;
    let preimage = (edge[level * TILE_HEIGHT] ??= createNodePreimage());
    preimage.set(hash, childOffset(index));
    addToTile(level, hash, fullTiles);
    for (let height = level * TILE_HEIGHT + 1; index % 2 === 1; height += 1) {
      index = (index - 1) / 2;
      const parent = (edge[height] ??= createNodePreimage());
      const offset = childOffset(index);
      writeNodeHash(preimage, parent, offset);
      if (height % TILE_HEIGHT === 0)
        addToTile(height / TILE_HEIGHT, parent.subarray(offset, offset + HASH_BYTES), fullTiles);
      preimage = parent;
    }
    size += leaves;
  }

  function grownPartialTiles(previousSize: number): readonly Tile[] {
    return openTiles.flatMap((tile, level) =>
      tile.width > 0 && hasGrown(level, previousSize, size) ? [toTile(level, tile)] : [],
    );
  }

  return {
    get size() {
      return size;
    },

    append(leafHashes) {
      const invalidHash = leafHashes.find(({ length }) => length !== HASH_BYTES);
      if (invalidHash !== undefined)
        throw new RangeError(`a leaf hash must have ${HASH_BYTES} bytes, not ${invalidHash.length}`);
      const previousSize = size;
      const changedTiles: Tile[] = [];
      for (const leaf of leafHashes) add(0, leaf, changedTiles);
      return [...changedTiles, ...grownPartialTiles(previousSize)];
    },

    appendTile({ hashes, root }) {
      if (size % TILE_WIDTH !== 0)
        throw new RangeError(`a full tile can only be appended at a tile boundary, not after ${size} leaves`);
      if (hashes.length !== TILE_WIDTH * HASH_BYTES || root.length !== HASH_BYTES)
        throw new RangeError(
          `a full tile must have ${TILE_WIDTH * HASH_BYTES} bytes and a root of ${HASH_BYTES} bytes, ` +
            `not ${hashes.length} and ${root.length}`,
        );
      const previousSize = size;
      const tile = { index: size / TILE_WIDTH, width: TILE_WIDTH, hashes: Buffer.from(hashes) };
      openTiles[0] = emptyTile(tile.index + 1);
      const changedTiles = [toTile(0, tile)];
      add(1, root, changedTiles);
      return [...changedTiles, ...grownPartialTiles(previousSize)];
    },

    root() {
      let root: Buffer | undefined;
      for (let height = 0, bits = size; bits > 0; height += 1, bits = Math.floor(bits / 2)) {
        if (bits % 2 === 1) root = combineRoots(edge[height]!.subarray(LEFT_CHILD_OFFSET, RIGHT_CHILD_OFFSET), root);
      }
      return root ?? emptyRoot();
    },
  };
}

function emptyTile(index: number): OpenTile {
  return { index, width: 0, hashes: Buffer.alloc(TILE_WIDTH * HASH_BYTES) };
}

function toTile(level: number, { index, width, hashes }: OpenTile): Tile {
  return { level, index, hashes: hashes.subarray(0, width * HASH_BYTES) };
}

function childOffset(index: number): number {
  return index % 2 === 0 ? LEFT_CHILD_OFFSET : RIGHT_CHILD_OFFSET;
}

function hasGrown(level: number, previousSize: number, size: number): boolean {
  return Math.floor(previousSize / leavesPerHash(level)) < Math.floor(size / leavesPerHash(level));
}

/** Combines the root of a subtree with the root of everything to its right. Returns a copy: the edge changes later. */
function combineRoots(left: Uint8Array, right: Buffer | undefined): Buffer {
  return right === undefined ? Buffer.from(left) : nodeHash(left, right);
}

/**
 * Returns the tile's part of the edge. The tile consists of perfect subtrees whose sizes are the powers of two that add
 * up to its width.
 */
function edgeFromTile({ width, hashes }: OpenTile): Edge {
  return Array.from({ length: TILE_HEIGHT }, (_, height) => {
    const preimage = createNodePreimage();
    const count = 2 ** height;
    const start = width - (width % (2 * count));
    if (width % (2 * count) >= count)
      preimage.set(perfectRoot(hashes.subarray(start * HASH_BYTES, (start + count) * HASH_BYTES)), LEFT_CHILD_OFFSET);
    return preimage;
  });
}
