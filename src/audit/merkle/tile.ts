import { HASH_BYTES } from './hashing.ts';
import { Malformed } from './malformed.ts';

/**
 * The tree in tiles, as C2SP tlog-tiles stores it: tile `index` of level `level` has the roots of up to
 * 256 consecutive perfect subtrees of 256^level leaves each. At level 0 these are the leaf hashes.
 */
export const TILE_HEIGHT = 8;
export const TILE_WIDTH = 2 ** TILE_HEIGHT;

/** The hashes of a tile, one after the other. */
export interface TileRow {
  readonly level: number;
  readonly index: number;
  /** 32 bytes for each hash: 8,192 when the tile is full. Never written to again. */
  readonly hashes: Buffer;
}

/** Whether nothing will be added to it any more. */
export function isFullTile({ hashes }: TileRow): boolean {
  return hashes.length === TILE_WIDTH * HASH_BYTES;
}

/** Resolves to the first `width` hashes of a tile. */
export type TileReader = (level: number, index: number, width: number) => Promise<Uint8Array>;

/** How many leaves one hash of the level stands for. */
export function leavesPerHash(level: number): number {
  return TILE_WIDTH ** level;
}

/** How many hashes the tile has in a tree of `size` leaves. */
export function widthInTree(level: number, index: number, size: number): number {
  return Math.min(TILE_WIDTH, Math.floor(size / leavesPerHash(level)) - index * TILE_WIDTH);
}

/** A tile by its place in a tree, and how many hashes it has there. */
export interface TileCoordinates {
  readonly level: number;
  readonly index: number;
  readonly width: number;
}

/** Every tile of a tree of `size` leaves, level by level. */
export function* listTiles(size: number): Generator<TileCoordinates, void, void> {
  for (let level = 0; leavesPerHash(level) <= size; level += 1) {
    for (let index = 0; index * leavesPerHash(level + 1) + leavesPerHash(level) <= size; index += 1) {
      yield { level, index, width: widthInTree(level, index, size) };
    }
  }
}

/** Every entry bundle of a log of `size` entries: there is one for each tile of leaf hashes. */
export function* listEntryBundles(size: number): Generator<Omit<TileCoordinates, 'level'>, void, void> {
  for (let index = 0; index * TILE_WIDTH < size; index += 1) yield { index, width: widthInTree(0, index, size) };
}

/** The tiles that a tree of `size` leaves ends with. */
export function partialTiles(size: number): readonly TileCoordinates[] {
  const partial = [];
  for (let level = 0; leavesPerHash(level) <= size; level += 1) {
    const index = Math.floor(size / leavesPerHash(level + 1));
    const width = widthInTree(level, index, size);
    if (width > 0) partial.push({ level, index, width });
  }
  return partial;
}

/** @throws Malformed the reader gave more or fewer bytes than asked for */
export async function readTile(read: TileReader, level: number, index: number, width: number): Promise<Uint8Array> {
  return requireWidth(await read(level, index, width), { level, index, width });
}

/** The same hashes. @throws Malformed they are not as many as a tile of that width has */
export function requireWidth(hashes: Uint8Array, { level, index, width }: TileCoordinates): Uint8Array {
  if (hashes.length !== width * HASH_BYTES) {
    throw new Malformed(
      `tile ${index} of level ${level} has ${hashes.length} bytes; ${width} hashes are ${width * HASH_BYTES}`,
    );
  }
  return hashes;
}

/** @throws RangeError `size` cannot be a number of leaves */
export function requireSize(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`a tree cannot have ${size} leaves`);
}
