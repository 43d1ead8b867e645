import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { formatTilePath } from '../merkle/tile-path.ts';
import { TILE_WIDTH, type Tile } from '../merkle/tile.ts';

/**
 * Stores the tree's full tiles. Partial tiles stay in memory: they can be computed from full tiles and at most 255
 * records.
 */
export interface TileStore {
  /** Returns a full tile, or undefined if it is not stored. */
  read(level: number, index: number): Buffer | undefined;
  /**
   * Fetches, from another source, a full tile that this store lacks. Does not verify the tile. Returns undefined if it
   * is not found.
   */
  recover?(level: number, index: number): Promise<Buffer | undefined>;
  /** Lets other nodes recover every tile of the tree with `size` leaves. `find` returns the tiles of that tree. */
  publish?(size: number, find: FindTile): Promise<void>;
  /** Adds a full tile. The tile can be read immediately, but becomes durable later. */
  add(tile: Tile): void;
  /**
   * Resolves when all tiles added so far are durable.
   * @throws Error if a tile cannot be written; the write will be retried
   */
  settled(): Promise<void>;
  /** Returns the number of failed writes since startup. */
  failures(): number;
}

type FindTile = (level: number, index: number, width: number) => Promise<Buffer | undefined>;

/** A store that discards every tile, for a tree whose tiles are not needed. */
export const DISCARDING_TILE_STORE: TileStore = {
  read: () => undefined,
  add: () => {},
  settled: async () => {},
  failures: () => 0,
};

export function memoryTileStore(): TileStore {
  const tiles = new Map<string, Buffer>();
  return {
    read: (level, index) => tiles.get(`${level}/${index}`),
    add: ({ level, index, hashes }) => void tiles.set(`${level}/${index}`, hashes),
    settled: async () => {},
    failures: () => 0,
  };
}

/** Returns the path of a full tile in the data directory. */
export function tileFile(directory: string, level: number, index: number): string {
  return join(directory, formatTilePath({ level, index, width: TILE_WIDTH }));
}

/** The delay before a failed write is retried. A call of `settled` retries the write earlier. */
const RETRY_MILLISECONDS = 5_000;

/**
 * Stores tiles as files in `directory`, at the paths of C2SP tlog-tiles. Tiles are derived from the log, and a replay
 * writes those that a crash lost, so no append waits for a tile to be written.
 * @param notice receives a line when writes begin to fail, and when they succeed again
 */
export function fileTileStore(directory: string, notice: (line: string) => void = () => {}): TileStore {
  /** Tiles by path, in the order in which they became full. They are written in this order. */
  const unwrittenTiles = new Map<string, Buffer>();
  let pendingWrite: Promise<void> | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isFailing = false;

  async function write(path: string, hashes: Buffer): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, hashes, { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
    unwrittenTiles.delete(path);
  }

  async function writeAll(): Promise<void> {
    for (const [path, hashes] of unwrittenTiles) await write(path, hashes);
    if (isFailing) notice('log tiles can be written again');
    isFailing = false;
  }

  function reportFailure(error: unknown): void {
    failures += 1;
    if (!isFailing) notice(`a log tile could not be written (${String(error)}); the server will try again`);
    isFailing = true;
    retryTimer ??= setTimeout(startWriting, RETRY_MILLISECONDS).unref();
  }

  function startWriting(): void {
    clearTimeout(retryTimer);
    retryTimer = undefined;
    pendingWrite ??= writeAll()
      .catch(reportFailure)
      .finally(() => {
        pendingWrite = undefined;
        if (unwrittenTiles.size > 0 && !isFailing) startWriting(); // added during the write
      });
  }

  const tilePath = (level: number, index: number): string => tileFile(directory, level, index);

  return {
    read(level, index) {
      const path = tilePath(level, index);
      const pendingHashes = unwrittenTiles.get(path);
      if (pendingHashes !== undefined) return pendingHashes;
      return existsSync(path) ? readFileSync(path) : undefined;
    },
    add({ level, index, hashes }) {
      const path = tilePath(level, index);
      if (existsSync(path)) return; // stored before this replay; `log verify` compares it with the records
      unwrittenTiles.set(path, hashes);
      if (!isFailing) startWriting();
    },
    async settled() {
      if (unwrittenTiles.size > 0) startWriting();
      await pendingWrite;
      if (!isFailing) return;
      const count = unwrittenTiles.size;
      throw new Error(`${count} log ${count === 1 ? 'tile' : 'tiles'} could not be written`);
    },
    failures: () => failures,
  };
}
