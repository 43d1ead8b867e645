import { timingSafeEqual, type KeyObject } from 'node:crypto';
import type { CheckpointRow, CheckpointTable } from '../../event-store/postgres/checkpoint-table.ts';
import type { TreeHead } from '../merkle/verification.ts';
import { checkpointMac, type FileCheckpoints, type IssuedCheckpoints } from './issued-checkpoints.ts';
import { LogTampered } from './log-witness.ts';

/** The checkpoints that the nodes of a log share. */
export interface SharedCheckpoints extends IssuedCheckpoints {
  /** Copies the new entries from the table and passes them to `onIssued`. Concurrent calls share one query. */
  refresh(): Promise<void>;
}

export interface SharedCheckpointsDeps {
  readonly table: CheckpointTable;
  /** This node's copy. It can be read without the database, and shows whether the database has lost checkpoints. */
  readonly copy: FileCheckpoints;
  /** The key that authenticates the entries. All nodes have the same key. */
  readonly key: KeyObject;
  /** The number of events that this node knew at startup. */
  readonly knownSize: number;
  /** The competition for leadership: see `Leadership`. */
  readonly leadership: { isLeader(): boolean; start(): void };
}

const HEADS_PER_PAGE = 10_000;

/**
 * Copies the checkpoints that this node lacks, up to the size `knownSize`. Larger ones are copied later, by `add` or
 * `refresh`.
 * @throws LogTampered if an entry was not stored by a node of this log
 */
export async function openSharedCheckpoints(deps: SharedCheckpointsDeps): Promise<SharedCheckpoints> {
  const { table, copy, key, knownSize, leadership } = deps;
  let notify: ((head: TreeHead) => void) | undefined;
  /** The last task in the queue. Tasks are queued because writes to `copy` must not overlap. */
  let lastTask: Promise<unknown> = Promise.resolve();
  let nextRefresh: Promise<void> | undefined;

  function enqueue(task: () => Promise<void>): Promise<void> {
    const result = lastTask.then(task);
    lastTask = result.catch(() => {});
    return result;
  }

  async function copyNew(maxSize = Infinity): Promise<void> {
    for (;;) {
      const rows = await table.readAfter(copy.newest()?.size ?? 0, HEADS_PER_PAGE);
      const heads = rows.filter(({ size }) => size <= maxSize).map((row) => authenticate(row, key));
      await copy.addAll(heads);
      for (const head of heads) notify?.(head);
      if (heads.length < HEADS_PER_PAGE) return;
    }
  }

  /** Calls during a query share the next query. */
  function refresh(): Promise<void> {
    nextRefresh ??= enqueue(() => {
      nextRefresh = undefined;
      return copyNew();
    });
    return nextRefresh;
  }

  await copyNew(knownSize);
  return {
    newest: copy.newest,
    count: copy.count,
    entries: copy.entries,
    add: (head) =>
      enqueue(async () => {
        const { size, rootHash } = head;
        await table.issue({ size, root: Buffer.from(rootHash), mac: checkpointMac(head, key) });
        await copyNew();
      }),
    refresh,
    shared: {
      isLeader: leadership.isLeader,
      refresh,
      start(onIssued) {
        notify = onIssued;
        leadership.start();
      },
    },
  };
}

function authenticate({ size, root, mac }: CheckpointRow, key: KeyObject): TreeHead {
  const head = { size, rootHash: root };
  const expectedMac = Buffer.from(checkpointMac(head, key));
  const storedMac = Buffer.from(mac);
  if (storedMac.length === expectedMac.length && timingSafeEqual(storedMac, expectedMac)) return head;
  throw new LogTampered(
    `the checkpoint of ${size} records in the database was not stored by a node of this log: it was changed, or ` +
      'the nodes have different keys',
  );
}
