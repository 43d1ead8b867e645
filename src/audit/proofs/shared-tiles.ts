import type { EventLog, Position } from '../../event-store/event-log.ts';
import type { TileTable } from '../../event-store/postgres/tile-table.ts';
import { leafHash } from '../merkle/hashing.ts';
import { listTiles, TILE_WIDTH } from '../merkle/tile.ts';
import type { TileStore } from './tile-store.ts';

export interface SharedTilesDeps {
  /** The tiles that this node has computed. */
  readonly localTiles: TileStore;
  readonly table: TileTable;
  readonly log: Pick<EventLog, 'readAll'>;
}

/**
 * Creates a store that recovers the tiles that this node has not computed because it started from a snapshot. A tile of
 * leaf hashes is computed from 256 records; the few tiles above are read from the database.
 */
export function sharedTileStore({ localTiles, table, log }: SharedTilesDeps): TileStore {
  async function computeLeafHashes(index: number): Promise<Buffer | undefined> {
    const hashes: Buffer[] = [];
    for await (const events of log.readAll((index * TILE_WIDTH) as Position, TILE_WIDTH)) {
      hashes.push(...events.map(({ record }) => leafHash(record)));
      if (hashes.length >= TILE_WIDTH) return Buffer.concat(hashes.slice(0, TILE_WIDTH));
    }
    return undefined;
  }

  return {
    ...localTiles,
    recover: (level, index) => (level === 0 ? computeLeafHashes(index) : table.read(level, index)),
    async publish(size, find) {
      const lastIndexes = await table.lastIndexes();
      for (const { level, index, width } of tilesAboveLeaves(size)) {
        if (width < TILE_WIDTH || index <= (lastIndexes.get(level) ?? -1)) continue;
        const hashes = await find(level, index, width);
        if (hashes === undefined) throw new Error(`tile ${index} at level ${level} is missing on this node`);
        await table.add(level, index, hashes);
      }
    },
  };
}

function* tilesAboveLeaves(size: number) {
  for (const { level, index, width } of listTiles(Math.floor(size / TILE_WIDTH)))
    yield { level: level + 1, index, width };
}
