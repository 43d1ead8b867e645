import { parentPort } from 'node:worker_threads';
import { HASH_BYTES, leafHash } from '../merkle/hashing.ts';
import { perfectRoot } from '../merkle/perfect-subtree.ts';
import type { HashedTile } from '../merkle/tree.ts';

/** Runs on the worker thread: replies to the records of each tile with their hashes, in order. */
parentPort?.on('message', (records: readonly string[]) => {
  // Not from Node's pool of buffers, whose parts cannot be transferred.
  const hashes = Buffer.allocUnsafeSlow(records.length * HASH_BYTES);
  for (const [at, record] of records.entries()) hashes.set(leafHash(record), at * HASH_BYTES);
  parentPort?.postMessage({ hashes, root: Uint8Array.from(perfectRoot(hashes)) } satisfies HashedTile, [hashes.buffer]);
});
