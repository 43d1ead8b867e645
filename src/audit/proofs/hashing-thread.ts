import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { HashedTile } from '../merkle/tree.ts';

/** A full tile's records; its hashes as soon as they are there. */
export interface TileToHash {
  readonly records: readonly string[];
  result?: HashedTile;
}

/**
 * Hashes tiles in a thread of its own, in order. Its answers come between two turns of the event loop, and perhaps never:
 * who needs one before hashes for himself.
 */
export interface HashingThread {
  hash(records: readonly string[]): TileToHash;
  /** Whatever it has not done is not done any more. */
  terminate(): Promise<unknown>;
}

/** TypeScript as long as this is: then not every Node can run it, and nothing is answered. */
const WORKER = new URL(`hashing-worker${extname(import.meta.url)}`, import.meta.url);

/** @param worker runs hashing-worker.ts */
export function startHashingThread(worker: Worker = new Worker(WORKER)): HashingThread {
  const asked: TileToHash[] = [];
  worker.unref();
  worker.on('error', () => {}); // it answers no more, which those who ask are prepared for
  worker.on('messageerror', () => {
    asked.length = 0; // answers are told apart by their order alone: after one that was lost, none is any good
    void worker.terminate();
  });
  worker.on('message', (hashed: HashedTile) => {
    const tile = asked.shift();
    if (tile !== undefined) tile.result = hashed;
  });
  return {
    hash(records) {
      const tile: TileToHash = { records };
      asked.push(tile);
      worker.postMessage(records, []);
      return tile;
    },
    terminate: () => worker.terminate(),
  };
}
