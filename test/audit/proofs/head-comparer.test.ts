import { expect } from 'chai';
import { createLogTree } from '../../../src/audit/proofs/log-tree.ts';
import { createHeadComparer, NodeDiverged } from '../../../src/audit/proofs/head-comparer.ts';
import { memoryTileStore } from '../../../src/audit/proofs/tile-store.ts';
import type { TreeHead } from '../../../src/audit/merkle/verification.ts';
import { leafHash } from '../../../src/audit/merkle/hashing.ts';
import type { Position, Revision } from '../../../src/event-store/event-log.ts';
import { naiveRoot } from '../merkle/naive-tree.ts';

const RECORDS = Array.from({ length: 600 }, (_, index) => `record ${index + 1}`);
const createHead = (size: number): TreeHead => ({ size, rootHash: naiveRoot(RECORDS.slice(0, size).map(leafHash)) });
const createWrongHead = (size: number): TreeHead => ({ size, rootHash: Buffer.alloc(32, size) });

describe('the checkpoints of other nodes', () => {
  function createNode() {
    const headChecks = new Map<number, (head: TreeHead) => void>();
    const tree = createLogTree(memoryTileStore(), headChecks);
    const agreedSizes: number[] = [];
    const notices: string[] = [];
    const heads = createHeadComparer({
      tree,
      headChecks,
      onMatch: ({ size }) => agreedSizes.push(size),
      notice: (line) => notices.push(line),
    });
    const grow = (size: number): void => {
      for (let position = tree.head().size + 1; position <= size; position += 1)
        tree.apply({ ...EVENT, position: position as Position, record: RECORDS[position - 1] ?? '' });
    };
    return { ...heads, grow, agreedSizes, notices };
  }

  it('are compared when the tree reaches their size, or immediately if it already has', async () => {
    const { expect: receive, grow, settled, agreedSizes } = createNode();
    grow(300);
    receive(createHead(10));
    receive(createHead(257));
    receive(createHead(300));
    await settled();
    expect(agreedSizes).to.deep.equal([10, 257, 300]);
    receive(createHead(310));
    receive(createHead(520));
    grow(400);
    expect(agreedSizes).to.deep.equal([10, 257, 300, 310]);
    grow(600);
    await settled();
    expect(agreedSizes).to.deep.equal([10, 257, 300, 310, 520]);
  });

  it('stop the node at the event that makes its root differ', async () => {
    const { expect: receive, grow, settled, diverged, agreedSizes, notices } = createNode();
    grow(5);
    receive(createWrongHead(10));
    expect(() => grow(20)).to.throw(NodeDiverged, 'the first 10 records');
    expect(await diverged).to.be.instanceOf(NodeDiverged);
    expect(await settled().catch((error: unknown) => error)).to.be.instanceOf(NodeDiverged);
    expect(agreedSizes).to.deep.equal([]);
    expect(notices).to.have.length(1);
  });

  it('stop the node if its root differed at an earlier size', async () => {
    const { expect: receive, grow, settled, diverged, agreedSizes } = createNode();
    grow(300);
    receive(createWrongHead(257));
    expect(await diverged).to.be.instanceOf(NodeDiverged);
    expect(await settled().catch((error: unknown) => error)).to.be.instanceOf(NodeDiverged);
    expect(agreedSizes).to.deep.equal([]);
  });
});

const EVENT = {
  type: 'NoteAdded',
  version: 1,
  recordedAt: 0,
  actor: { kind: 'server' },
  requestId: null,
  data: {},
  stream: 's',
  revision: 1 as Revision,
} as const;
