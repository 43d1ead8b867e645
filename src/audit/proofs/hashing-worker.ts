import { parentPort } from 'node:worker_threads';
import { HASH_BYTES, leafHash } from '../merkle/hashing.ts';
import { perfectRoot } from '../merkle/perfect-subtree.ts';
import type { HashedTile } from '../merkle/tree.ts';

/** What runs in the thread: answers each tile's records with its hashes, in order. */
parentPort?.on('message', (records: readonly string[]) => {
  const hashes = Buffer.allocUnsafeSlow(records.length * HASH_BYTES); // of its own: what is a part of Node's pool cannot be transferred
  for (const [at, record] of records.entries()) hashes.set(leafHash(record), at * HASH_BYTES);
  parentPort?.postMessage({ hashes, root: Uint8Array.from(perfectRoot(hashes)) } satisfies HashedTile, [hashes.buffer]);
});
