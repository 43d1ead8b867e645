import { logName } from './log-name.ts';
import type { LogTree } from './log-tree.ts';

/** The head of the log, with the fields of a checkpoint (C2SP tlog-checkpoint). */
export interface CurrentHead {
  /** The name of the log. */
  readonly origin: string;
  readonly size: number;
  /** In base64. */
  readonly root: string;
}

/**
 * Returns a function that reads the tree head after all applied events. It computes the root once for each size,
 * which takes a few dozen hashes.
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
