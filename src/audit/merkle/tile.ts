import { HASH_BYTES } from './hashing.ts';
import { MalformedError } from './malformed.ts';

// The tree is divided into tiles (C2SP tlog-tiles): tile `index` at level `level` contains the roots of up to 256
// consecutive perfect subtrees of 256^level leaves each. The tiles at level 0 contain the leaf hashes.

/** The number of tree levels that each level of tiles spans. */
export const TILE_HEIGHT = 8;

/** The number of hashes in a full tile. */
export const TILE_WIDTH = 2 ** TILE_HEIGHT;

/** A full or partial tile. */
export interface Tile {
  readonly level: number;
  readonly index: number;
  /** The hashes in order, 32 bytes each: 8,192 bytes in a full tile. Never modified. */
  readonly hashes: Buffer;
}

/** Reports whether the tile can no longer grow. */
export function isFullTile({ hashes }: Tile): boolean {
  return hashes.length === TILE_WIDTH * HASH_BYTES;
}

/** Reads the first `width` hashes of a tile. */
export type TileReader = (level: number, index: number, width: number) => Promise<Uint8Array>;

/** Returns the number of leaves below each hash in a tile at `level`. */
export function leavesPerHash(level: number): number {
  return TILE_WIDTH ** level;
}

/**
 * Returns the number of hashes in a tile of a tree with `size` leaves. The number is zero or negative if the tree does
 * not contain the tile.
 */
export function widthInTree(level: number, index: number, size: number): number {
  return Math.min(TILE_WIDTH, Math.floor(size / leavesPerHash(level)) - index * TILE_WIDTH);
}

/** A tile's level and index, and its number of hashes. */
export interface TileCoordinates {
  readonly level: number;
  readonly index: number;
  readonly width: number;
}

/** Yields the coordinates of every tile in a tree with `size` leaves, level by level. */
export function* listTiles(size: number): Generator<TileCoordinates, void, void> {
  for (let level = 0; leavesPerHash(level) <= size; level += 1) {
    for (let index = 0; index * leavesPerHash(level + 1) + leavesPerHash(level) <= size; index += 1) {
      yield { level, index, width: widthInTree(level, index, size) };
    }
  }
}

/** Yields the index and width of every entry bundle in a log with `size` entries: one for each tile of leaf hashes. */
export function* listEntryBundles(size: number): Generator<Omit<TileCoordinates, 'level'>, void, void> {
  for (let index = 0; index * TILE_WIDTH < size; index += 1) yield { index, width: widthInTree(0, index, size) };
}

/** Returns the coordinates of the partial tiles in a tree with `size` leaves. */
export function partialTiles(size: number): readonly TileCoordinates[] {
  const tiles = [];
  for (let level = 0; leavesPerHash(level) <= size; level += 1) {
    const index = Math.floor(size / leavesPerHash(level + 1));
    const width = widthInTree(level, index, size);
    if (width > 0) tiles.push({ level, index, width });
  }
  return tiles;
}

/**
 * Reads the first `width` hashes of a tile.
 * @throws MalformedError if `read` returns a different number of hashes
 */
export async function readTile(read: TileReader, level: number, index: number, width: number): Promise<Uint8Array> {
  return requireWidth(await read(level, index, width), { level, index, width });
}

/**
 * Checks the number of hashes and returns them unchanged.
 * @throws MalformedError if `hashes` does not contain exactly `width` hashes
 */
export function requireWidth(hashes: Uint8Array, { level, index, width }: TileCoordinates): Uint8Array {
  if (hashes.length !== width * HASH_BYTES) {
    throw new MalformedError(
      `tile ${index} at level ${level} has ${hashes.length} bytes instead of ${width * HASH_BYTES} (${width} hashes)`,
    );
  }
  return hashes;
}

/**
 * Checks the size of a tree.
 * @throws RangeError if `size` is not a valid number of leaves
 */
export function requireSize(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`a tree cannot have ${size} leaves`);
}
