import { parentPort } from 'node:worker_threads';
import { leafHash } from '../transparency/hashing.ts';
import { perfectRoot } from '../transparency/perfect-subtree.ts';
import type { HashedTile } from '../transparency/tree.ts';

/** What runs in the thread: answers each tile's records with its hashes, in order. */
parentPort?.on('message', (records: readonly string[]) => {
  const hashes = Buffer.concat(records.map(leafHash));
  parentPort?.postMessage({ hashes, root: perfectRoot(hashes) } satisfies HashedTile, [hashes.buffer]);
});
