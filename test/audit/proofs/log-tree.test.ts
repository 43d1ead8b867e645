import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { startHashingThread, type HashingThread, type TileToHash } from '../../../src/audit/proofs/hashing-thread.ts';
import { createLogTree, type LogTree } from '../../../src/audit/proofs/log-tree.ts';
import { memoryTileStore } from '../../../src/audit/proofs/tile-store.ts';
import type { Position, Revision } from '../../../src/event-store/event-log.ts';
import { leafHash } from '../../../src/audit/merkle/hashing.ts';
import type { TreeHead } from '../../../src/audit/merkle/verification.ts';
import { naiveRoot, naiveTiles } from '../merkle/naive-tree.ts';

/** Records with multi-byte characters and lone surrogates. */
const RECORDS = Array.from(
  { length: 2_100 },
  (_, index) => `{"n":${index},"text":"é€\u{1f600}${index % 7 === 0 ? '\ud800' : ''}"}`,
);
const LEAVES = RECORDS.map(leafHash);

/** Registers the TypeScript loader, which Node 20 does not pass on to threads. */
const WORKER_IN_TYPESCRIPT = `import('tsx/esm/api').then(({ register }) => {
  register();
  return import(${JSON.stringify(new URL('../../../src/audit/proofs/hashing-worker.ts', import.meta.url))});
})`;

/** Steps that append `records`, complete `replies` pending tiles, and possibly request the root. */
const someSteps = fc.array(
  fc.record({
    records: fc.integer({ min: 1, max: 700 }),
    replies: fc.integer({ min: 0, max: 3 }),
    isRequested: fc.boolean(),
  }),
  { maxLength: 8 },
);

describe('the log tree with a hashing thread', () => {
  it('is the same regardless of when the thread replies', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 300 }), someSteps, async (initialSize, steps) => {
        const { thread, reply } = createSlowThread();
        const tiles = memoryTileStore();
        const tree = createLogTree(tiles);
        applyUpTo(tree, initialSize);
        await tree.withHashingThread(
          async () => {
            for (const { records, replies, isRequested } of steps) {
              applyUpTo(tree, sizeOf(tree) + records);
              reply(replies);
              if (isRequested) expectCorrect(tree.head());
            }
          },
          () => thread,
        );
        applyUpTo(tree, sizeOf(tree) + 300);
        expectCorrect(tree.head());
        for (const [name, hashes] of naiveTiles(LEAVES.slice(0, sizeOf(tree)))) {
          const [level = 0, index = 0] = name.split('/').map(Number);
          expect(tree.tile(level, index, hashes.length / 32), name).to.deep.equal(hashes);
          if (hashes.length === 256 * 32) expect(tiles.read(level, index), name).to.deep.equal(hashes);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('runs each check at the size that it was registered for', async () => {
    const checkedHeads: TreeHead[] = [];
    const tree = createLogTree(
      memoryTileStore(),
      new Map([
        [700, (head) => checkedHeads.push(head)],
        [1_024, (head) => checkedHeads.push(head)],
      ]),
    );
    await tree.withHashingThread(
      async () => applyUpTo(tree, 2_000),
      () => createSlowThread().thread,
    );
    expect(checkedHeads.map(({ size }) => size)).to.deep.equal([700, 1_024]);
    checkedHeads.forEach(expectCorrect);
  });

  it('terminates a thread that falls behind', async () => {
    const { thread, pending } = createSlowThread();
    const tree = createLogTree(memoryTileStore());
    const [record = ''] = RECORDS;
    await tree.withHashingThread(
      async () => {
        for (let position = 1; position <= 256 * 140; position += 1) apply(tree, record, position);
      },
      () => thread,
    );
    expect(pending.length).to.equal(129);
    expect(tree.head().size).to.equal(256 * 140);
  });

  it('is computed without a thread if the system cannot start one', async () => {
    const tree = createLogTree(memoryTileStore());
    const failToStart = (): never => {
      throw new Error('ERR_WORKER_INIT_FAILED');
    };
    await tree.withHashingThread(async () => applyUpTo(tree, 1_000), failToStart);
    expectCorrect(tree.head());
  });

  it('terminates its thread, even if the work fails', async () => {
    const { thread, hasEnded } = createSlowThread();
    const failure = await createLogTree(memoryTileStore())
      .withHashingThread(
        () => Promise.reject(new Error('no')),
        () => thread,
      )
      .catch(String);
    expect(failure).to.equal('Error: no');
    expect(hasEnded()).to.equal(true);
  });
});

describe('a hashing thread', () => {
  it('replies with the hashes of each tile, in order', async () => {
    const thread = startHashingThread(new Worker(WORKER_IN_TYPESCRIPT, { eval: true }));
    const tiles = [0, 256, 512].map((begin) => thread.hash(RECORDS.slice(begin, begin + 256)));
    while (tiles.some(({ result }) => result === undefined)) await setImmediate();
    await thread.terminate();
    for (const [index, { result: hashes }] of tiles.entries()) {
      const leaves = LEAVES.slice(256 * index, 256 * (index + 1));
      expect(Buffer.from(hashes?.hashes ?? [])).to.deep.equal(Buffer.concat(leaves));
      expect(Buffer.from(hashes?.root ?? [])).to.deep.equal(naiveRoot(leaves));
    }
  });
});

/** Tree sizes, tracked here because `head` would hash all pending records. */
const sizes = new WeakMap<LogTree, number>();
const sizeOf = (tree: LogTree): number => sizes.get(tree) ?? 0;

function applyUpTo(tree: LogTree, size: number): void {
  for (let position = sizeOf(tree) + 1; position <= Math.min(size, RECORDS.length); position += 1)
    apply(tree, RECORDS[position - 1] ?? '', position);
}

function apply(tree: LogTree, record: string, position: number): void {
  const envelope = {
    type: 'AccessTokenIssued',
    version: 2,
    recordedAt: 0,
    actor: { kind: 'server' },
    requestId: null,
    data: {},
  } as const;
  tree.apply({
    ...envelope,
    stream: 'grant-1',
    revision: position as Revision,
    position: position as Position,
    record,
  });
  sizes.set(tree, position);
}

function expectCorrect({ size, rootHash }: TreeHead): void {
  expect(rootHash).to.deep.equal(naiveRoot(LEAVES.slice(0, size)));
}

/** Creates a thread that replies only when the test calls `reply`. */
function createSlowThread(): {
  thread: HashingThread;
  pending: readonly TileToHash[];
  reply: (tiles: number) => void;
  hasEnded: () => boolean;
} {
  const pending: TileToHash[] = [];
  let isTerminated = false;
  const thread: HashingThread = {
    hash(records) {
      const tile: TileToHash = { records };
      pending.push(tile);
      return tile;
    },
    terminate: async () => {
      isTerminated = true;
    },
  };
  function reply(count: number): void {
    for (const tile of pending.filter(({ result }) => result === undefined).slice(0, count)) {
      const leaves = tile.records.map(leafHash);
      tile.result = { hashes: Buffer.concat(leaves), root: naiveRoot(leaves) };
    }
  }
  return { thread, pending, reply, hasEnded: () => isTerminated };
}
