import { createHash } from 'node:crypto';
import type { TileReader, Tile } from '../../../src/audit/merkle/tile.ts';

// A literal implementation of RFC 6962 §2.1 over leaf hashes. It is slow, and independent of the code under test.

export function sha256(...parts: readonly Uint8Array[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest();
}

export function naiveRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return leaves[0]!;
  const k = split(leaves.length);
  return hashParent(naiveRoot(leaves.slice(0, k)), naiveRoot(leaves.slice(k)));
}

/** Caches the hash of each pair, because property tests often build trees from the same leaves. */
const parents = new WeakMap<Buffer, WeakMap<Buffer, Buffer>>();

function hashParent(left: Buffer, right: Buffer): Buffer {
  const parentsOfLeft = parents.get(left) ?? new WeakMap<Buffer, Buffer>();
  const parent = parentsOfLeft.get(right) ?? sha256(Buffer.of(1), left, right);
  parents.set(left, parentsOfLeft.set(right, parent));
  return parent;
}

/** Returns PATH(m, D[n]). */
export function naivePath(m: number, leaves: readonly Buffer[]): readonly Buffer[] {
  if (leaves.length === 1) return [];
  const k = split(leaves.length);
  return m < k
    ? [...naivePath(m, leaves.slice(0, k)), naiveRoot(leaves.slice(k))]
    : [...naivePath(m - k, leaves.slice(k)), naiveRoot(leaves.slice(0, k))];
}

/** Returns SUBPROOF(m, D[n], b). */
export function naiveSubproof(m: number, leaves: readonly Buffer[], b: boolean): readonly Buffer[] {
  if (m === leaves.length) return b ? [] : [naiveRoot(leaves)];
  const k = split(leaves.length);
  return m <= k
    ? [...naiveSubproof(m, leaves.slice(0, k), b), naiveRoot(leaves.slice(k))]
    : [...naiveSubproof(m - k, leaves.slice(k), false), naiveRoot(leaves.slice(0, k))];
}

/**
 * Returns every tile of the tree, keyed `<level>/<index>`: hash i of level l is MTH(D[i × 256^l : (i + 1) × 256^l]).
 */
export function naiveTiles(leaves: readonly Buffer[]): ReadonlyMap<string, Buffer> {
  const tiles = new Map<string, Buffer>();
  let hashes = leaves;
  for (let level = 0; hashes.length > 0; level += 1) {
    for (let index = 0; index * 256 < hashes.length; index += 1) {
      tiles.set(`${level}/${index}`, Buffer.concat(hashes.slice(index * 256, index * 256 + 256)));
    }
    const children = hashes;
    hashes = Array.from({ length: Math.floor(children.length / 256) }, (_, i) =>
      naiveRoot(children.slice(i * 256, i * 256 + 256)),
    );
  }
  return tiles;
}

/** Returns the leaf hashes of `count` entries that contain only their numbers. */
export function numberedLeaves(count: number): readonly Buffer[] {
  return Array.from({ length: count }, (_, index) => sha256(Buffer.of(0), Buffer.from(`entry ${index}`)));
}

/** Stores tiles like a tile store, so that newer versions replace older ones. */
export function store(tiles: Map<string, Buffer>, changedTiles: readonly Tile[]): void {
  for (const { level, index, hashes } of changedTiles) tiles.set(`${level}/${index}`, Buffer.from(hashes));
}

export function createReader(tiles: ReadonlyMap<string, Buffer>): TileReader {
  const readTile = createSyncReader(tiles);
  return async (level, index, width) => readTile(level, index, width);
}

export function createSyncReader(
  tiles: ReadonlyMap<string, Buffer>,
): (level: number, index: number, width: number) => Buffer {
  return (level, index, width) => {
    const hashes = tiles.get(`${level}/${index}`);
    if (hashes === undefined) throw new Error(`there is no tile ${index} at level ${level}`);
    return hashes.subarray(0, width * 32);
  };
}

function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}
