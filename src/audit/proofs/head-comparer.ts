import type { TreeHead } from '../merkle/verification.ts';
import type { LogTree } from './log-tree.ts';

/** The root that this node has computed differs from the one that the nodes have signed. Only this node is affected. */
export class NodeDiverged extends Error {
  override readonly name = 'NodeDiverged';
  constructor(size: number) {
    super(
      `the first ${size} records that this node has read do not have the root that the nodes have signed: this node ` +
        'has different events. Remove its data directory, except for any keys in it, and start it again; ' +
        'it reads the log from the database. If that also fails, run grantlog log verify on every node',
    );
  }
}

/** Compares this node's tree with the checkpoints that any node has issued. */
export interface HeadComparer {
  /** Compares the head with the tree now, or when the tree has reached its size. Calls must have ascending sizes. */
  expect(issuedHead: TreeHead): void;
  /**
   * Resolves when the last expected head has been compared.
   * @throws NodeDiverged if it differs
   * @throws Error if it could not be compared
   */
  settled(): Promise<void>;
  /** Resolves with the first difference. */
  readonly diverged: Promise<NodeDiverged>;
}

export interface HeadComparerDeps {
  readonly tree: Pick<LogTree, 'head' | 'headAt'>;
  /** The checks that the tree runs when it reaches their sizes. */
  readonly headChecks: Map<number, (head: TreeHead) => void>;
  /** Called with each head that matches the tree, in ascending order of size. */
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
   * @throws NodeDiverged if the roots differ. Thrown by a check in `headChecks`, it makes the log fail at that event.
   */
  function compare(ownHead: TreeHead, issuedHead: TreeHead): void {
    if (Buffer.compare(ownHead.rootHash, issuedHead.rootHash) === 0) return onMatch(issuedHead);
    const cause = new NodeDiverged(issuedHead.size);
    report(cause);
    throw cause;
  }

  function whenReached(issuedHead: TreeHead): Promise<void> {
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
      lastComparison = isAhead ? whenReached(issuedHead) : compareEarlier(issuedHead, lastComparison);
      lastComparison.catch((error: unknown) => {
        if (!(error instanceof NodeDiverged)) notice(`a checkpoint could not be compared: ${String(error)}`);
      });
    },
    settled: () => lastComparison,
    diverged,
  };
}
