import { parentPort } from 'node:worker_threads';
import { HASH_BYTES, leafHash } from '../merkle/hashing.ts';
import { perfectRoot } from '../merkle/perfect-subtree.ts';
import type { HashedTile } from '../merkle/tree.ts';

/**
 * Runs on the worker thread. Each message contains the records of a full tile; the reply contains their leaf hashes, in
 * order, and the root of the tile.
 */
parentPort?.on('message', (records: readonly string[]) => {
  // Buffers from Node's pool cannot be transferred to another thread.
  const hashes = Buffer.allocUnsafeSlow(records.length * HASH_BYTES);
  for (const [index, record] of records.entries()) hashes.set(leafHash(record), index * HASH_BYTES);
  parentPort?.postMessage({ hashes, root: Uint8Array.from(perfectRoot(hashes)) } satisfies HashedTile, [hashes.buffer]);
});
