import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { formatTilePath } from '../transparency/tile-path.ts';
import { TILE_WIDTH, type TileRow } from '../transparency/tile.ts';

/** Keeps the tree's full tiles; partial ones live in memory and follow from at most 255 records. */
export interface TileStore {
  /** The bytes of a full tile; undefined when it is not kept. */
  read(level: number, index: number): Buffer | undefined;
  /** Takes a full tile; it can be read at once and is on disk some time later. */
  keep(row: TileRow): void;
  /** Resolves when all tiles kept so far are on disk, durably. */
  settled(): Promise<void>;
}

/** For a tree of which only the root is asked. */
export const DISCARDED_TILES: TileStore = { read: () => undefined, keep: () => {}, settled: async () => {} };

export function memoryTileStore(): TileStore {
  const tiles = new Map<string, Buffer>();
  return {
    read: (level, index) => tiles.get(`${level}/${index}`),
    keep: ({ level, index, hashes }) => void tiles.set(`${level}/${index}`, hashes),
    settled: async () => {},
  };
}

/**
 * Tiles as files under `directory`, at the paths by which C2SP tlog-tiles serves them. They are
 * derived from the log: one that a crash left unwritten is written by the next replay, so nothing waits for them.
 */
export function fileTileStore(directory: string): TileStore {
  const unwritten = new Map<string, Buffer>();
  let writing = Promise.resolve();

  async function write(path: string, hashes: Buffer): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, hashes, { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
    unwritten.delete(path);
  }

  const pathOf = (level: number, index: number): string => join(directory, formatTilePath({ level, index, width: TILE_WIDTH }));

  return {
    read(level, index) {
      const path = pathOf(level, index);
      const waiting = unwritten.get(path);
      if (waiting !== undefined) return waiting;
      return existsSync(path) ? readFileSync(path) : undefined;
    },
    keep({ level, index, hashes }) {
      const path = pathOf(level, index);
      if (existsSync(path)) return; // replayed: whether it is still the same, `log verify` asks
      unwritten.set(path, hashes);
      writing = writing.then(() => write(path, hashes));
    },
    settled: () => writing,
  };
}
