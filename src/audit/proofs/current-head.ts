import { logName } from './log-name.ts';
import type { LogTree } from './log-tree.ts';

/** The head of the log, with the fields of a checkpoint (C2SP tlog-checkpoint). */
export interface CurrentHead {
  /** The name of the log. */
  readonly origin: string;
  readonly size: number;
  /** The root hash, in base64. */
  readonly root: string;
}

/**
 * Returns a function that reads the tree head after all applied events. The function computes the root, which takes a
 * few dozen hashes, only when the size has changed.
 */
export function createHeadReader(tree: Pick<LogTree, 'size' | 'head'>, issuer: () => string): () => CurrentHead {
  let cachedHead = { size: -1, root: '' };
  return () => {
    if (cachedHead.size !== tree.size()) {
      const { size, rootHash } = tree.head();
      cachedHead = { size, root: Buffer.from(rootHash).toString('base64') };
    }
    return { origin: logName(issuer()), ...cachedHead };
  };
}
