import { parentPort } from 'node:worker_threads';
import { HASH_BYTES, leafHash } from '../merkle/hashing.ts';
import { perfectRoot } from '../merkle/perfect-subtree.ts';
import type { HashedTile } from '../merkle/tree.ts';

/** Runs on the worker thread. Replies to each message, the records of a full tile, with their hashes in order. */
parentPort?.on('message', (records: readonly string[]) => {
  // Buffers from Node's pool cannot be transferred to another thread.
  const hashes = Buffer.allocUnsafeSlow(records.length * HASH_BYTES);
  for (const [at, record] of records.entries()) hashes.set(leafHash(record), at * HASH_BYTES);
  parentPort?.postMessage({ hashes, root: Uint8Array.from(perfectRoot(hashes)) } satisfies HashedTile, [hashes.buffer]);
});
