import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { HashedTile } from '../merkle/tree.ts';

/** The records of a full tile, and their hashes once the thread has computed them. */
export interface TileToHash {
  readonly records: readonly string[];
  result?: HashedTile;
}

/**
 * Hashes tiles on a worker thread, in order. A result arrives in a later turn of the event loop, or never. A caller
 * that cannot wait computes the hashes itself.
 */
export interface HashingThread {
  hash(records: readonly string[]): TileToHash;
  /** Stops the thread. Pending tiles get no result. */
  terminate(): Promise<unknown>;
}

/**
 * The worker's file has the same extension as this file. Some Node versions cannot run the TypeScript worker; no
 * results arrive then.
 */
const WORKER = new URL(`hashing-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * Starts the thread, which does not keep the process alive.
 * @param worker a worker that runs hashing-worker.ts
 */
export function startHashingThread(worker: Worker = new Worker(WORKER)): HashingThread {
  const pending: TileToHash[] = [];
  worker.unref();
  worker.on('error', () => {}); // callers then compute the hashes themselves
  worker.on('messageerror', () => {
    pending.length = 0; // results are matched by order, so a lost result invalidates all later ones
    void worker.terminate();
  });
  worker.on('message', (result: HashedTile) => {
    const tile = pending.shift();
    if (tile !== undefined) tile.result = result;
  });
  return {
    hash(records) {
      const tile: TileToHash = { records };
      pending.push(tile);
      worker.postMessage(records, []);
      return tile;
    },
    terminate: () => worker.terminate(),
  };
}
