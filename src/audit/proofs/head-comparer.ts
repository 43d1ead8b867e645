import type { TreeHead } from '../merkle/verification.ts';
import type { LogTree } from './log-tree.ts';

/** This node has computed a root that differs from the one that the nodes have signed. Only this node is affected. */
export class NodeDiverged extends Error {
  override readonly name = 'NodeDiverged';
  constructor(size: number) {
    super(
      `the first ${size} records that this node has read do not have the root that the nodes have signed: this node ` +
        'has different events. Remove its data directory, except for any keys in it, and start the node again; the ' +
        'node then reads the log from the database. If that also fails, run grantlog log verify on every node',
    );
  }
}

/** Compares this node's tree with the checkpoints that any node has issued. */
export interface HeadComparer {
  /**
   * Compares the head with the tree as soon as the tree has reached the size of the head. Heads must be passed in
   * ascending order of size.
   */
  expect(issuedHead: TreeHead): void;
  /**
   * Resolves when the last expected head has been compared.
   * @throws NodeDiverged if that head differs from the tree
   * @throws Error if the comparison failed
   */
  settled(): Promise<void>;
  /** Resolves with the first difference. */
  readonly diverged: Promise<NodeDiverged>;
}

export interface HeadComparerDeps {
  readonly tree: Pick<LogTree, 'head' | 'headAt'>;
  /** Checks by size. The tree runs each check when it reaches that size. */
  readonly headChecks: Map<number, (head: TreeHead) => void>;
  /** Called with each head that matches the tree. A smaller head can follow a larger one. */
  readonly onMatch: (head: TreeHead) => void;
  /** Receives a line for the operator. */
  readonly notice: (line: string) => void;
}

export function createHeadComparer({ tree, headChecks, onMatch, notice }: HeadComparerDeps): HeadComparer {
  let lastComparison: Promise<void> = Promise.resolve();
  let report: (cause: NodeDiverged) => void;
  const diverged = new Promise<NodeDiverged>((resolve) => (report = resolve));
  void diverged.then(({ message }) => notice(message));

  /**
   * Passes the head to `onMatch` if the roots are equal.
   * @throws NodeDiverged if the roots differ. The log fails at the event if a check in `headChecks` throws this error.
   */
  function compare(ownHead: TreeHead, issuedHead: TreeHead): void {
    if (Buffer.compare(ownHead.rootHash, issuedHead.rootHash) === 0) return onMatch(issuedHead);
    const cause = new NodeDiverged(issuedHead.size);
    report(cause);
    throw cause;
  }

  function compareWhenReached(issuedHead: TreeHead): Promise<void> {
    return new Promise((resolve, reject) => {
      headChecks.set(issuedHead.size, (ownHead) => {
        headChecks.delete(issuedHead.size);
        try {
          compare(ownHead, issuedHead);
          resolve();
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
          throw error;
        }
      });
    });
  }

  async function compareEarlier(issuedHead: TreeHead, previous: Promise<void>): Promise<void> {
    const ownHead = await tree.headAt(issuedHead.size);
    await previous.catch(() => {}); // already reported
    compare(ownHead, issuedHead);
  }

  return {
    expect(issuedHead) {
      const isAhead = issuedHead.size > tree.head().size;
      lastComparison = isAhead ? compareWhenReached(issuedHead) : compareEarlier(issuedHead, lastComparison);
      lastComparison.catch((error: unknown) => {
        if (error instanceof NodeDiverged) return; // already reported
        notice(`checkpoint ${issuedHead.size} could not be compared with the log: ${String(error)}`);
      });
    },
    settled: () => lastComparison,
    diverged,
  };
}
