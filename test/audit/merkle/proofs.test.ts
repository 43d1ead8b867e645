import { expect } from 'chai';
import * as fc from 'fast-check';
import { leafHash, nodeHash } from '../../../src/audit/merkle/hashing.ts';
import { MalformedError } from '../../../src/audit/merkle/malformed.ts';
import { consistencyProof, inclusionProof, rootAt } from '../../../src/audit/merkle/proofs.ts';
import type { Proof } from '../../../src/audit/merkle/proofs.ts';
import { partialTiles, type TileReader } from '../../../src/audit/merkle/tile.ts';
import { verifyConsistency, verifyInclusion } from '../../../src/audit/merkle/verification.ts';
import type { TreeHead } from '../../../src/audit/merkle/verification.ts';
import { naivePath, naiveRoot, naiveSubproof, naiveTiles, numberedLeaves, createReader } from './naive-tree.ts';
import { CONSISTENCY, ENTRIES, INCLUSION, ROOTS } from './reference-vectors.ts';

const LEAVES = numberedLeaves(1600);
const READ = createReader(naiveTiles(LEAVES));
const readTruncated: TileReader = async (level, index, width) => (await READ(level, index, width)).subarray(32);

const aSize = fc.oneof(
  fc.integer({ min: 1, max: 1600 }),
  fc.integer({ min: 1, max: 20 }),
  fc.constantFrom(255, 256, 257, 511, 512, 513),
);
/** The size of a tree and the index of a leaf in it. */
const aLeaf = aSize.chain((size) => fc.record({ size: fc.constant(size), index: fc.nat(size - 1) }));
/** The sizes of a tree and of an earlier tree. */
const twoSizes = aSize.chain((second) =>
  fc.record({ second: fc.constant(second), first: fc.integer({ min: 1, max: second }) }),
);

describe('an inclusion proof', () => {
  it('matches the definition', async () => {
    await fc.assert(
      fc.asyncProperty(aLeaf, async ({ index, size }) => {
        expect(await inclusionProof(index, size, READ)).to.deep.equal(naivePath(index, LEAVES.slice(0, size)));
      }),
    );
  });

  it('verifies for any leaf of any tree', async () => {
    await fc.assert(
      fc.asyncProperty(aLeaf, async ({ index, size }) => {
        expect(verifyInclusion(LEAVES[index]!, index, head(size), await inclusionProof(index, size, READ))).to.equal(
          true,
        );
      }),
    );
  });

  it('matches other implementations of RFC 6962', async () => {
    const leaves = ENTRIES.map(leafHash);
    for (const { index, size, proof } of INCLUSION) {
      expect(await inclusionProof(index, size, createReader(naiveTiles(leaves)))).to.deep.equal(proof);
      expect(verifyInclusion(leaves[index]!, index, { size, rootHash: ROOTS[size]! }, proof)).to.equal(true);
    }
  });

  it('is invalid if any bit of the proof, the leaf or the root is flipped', async () => {
    await fc.assert(
      fc.asyncProperty(aLeaf, fc.nat(), fc.nat(7), async ({ index, size }, random, bit) => {
        const proof = await inclusionProof(index, size, READ);
        const [leaf, rootHash, ...path] = withFlippedBit([LEAVES[index]!, head(size).rootHash, ...proof], random, bit);
        expect(verifyInclusion(leaf!, index, { size, rootHash: rootHash! }, path)).to.equal(false);
      }),
    );
  });

  it('is invalid for a wrong index or a taller tree, and with a missing, extra, short or misplaced hash', async () => {
    await fc.assert(
      fc.asyncProperty(aLeaf, fc.nat(1600), fc.nat(), async ({ index, size }, other, random) => {
        const proof = await inclusionProof(index, size, READ);
        const leaf = LEAVES[index]!;
        expect(verifyInclusion(leaf, index, { ...head(size), size: 4 * size }, proof)).to.equal(false);
        expect(verifyInclusion(leaf, index, head(size), proof)).to.equal(true);
        if (other !== index) expect(verifyInclusion(leaf, other, head(size), proof)).to.equal(false);
        for (const invalidProof of invalidProofs(proof, random))
          expect(verifyInclusion(leaf, index, head(size), invalidProof)).to.equal(false);
      }),
    );
  });

  it('is never valid for invalid sizes, indexes or hashes', () => {
    const oneLeafHead = { size: 1, rootHash: LEAVES[0]! };
    expect(verifyInclusion(LEAVES[0]!, 0, oneLeafHead, [])).to.equal(true);
    for (const index of [-1, 1, 0.5, NaN]) expect(verifyInclusion(LEAVES[0]!, index, oneLeafHead, [])).to.equal(false);
    for (const size of [-1, 0, 1.5, NaN, Infinity])
      expect(verifyInclusion(LEAVES[0]!, 0, { ...oneLeafHead, size }, [])).to.equal(false);
    expect(verifyInclusion(Buffer.alloc(0), 0, { size: 1, rootHash: Buffer.alloc(0) }, [])).to.equal(false);
  });

  it('is invalid if it is longer than the path, even if the extra hash leads to the claimed root', async () => {
    await fc.assert(
      fc.asyncProperty(aLeaf, async ({ index, size }) => {
        const proof = [...(await inclusionProof(index, size, READ)), LEAVES[0]!];
        const { rootHash } = head(size);
        for (const forgedRoot of [nodeHash(LEAVES[0]!, rootHash), nodeHash(rootHash, LEAVES[0]!)])
          expect(verifyInclusion(LEAVES[index]!, index, { size, rootHash: forgedRoot }, proof)).to.equal(false);
      }),
    );
  });

  it('exists only for leaves in the tree', async () => {
    for (const [index, size] of [
      [0, 0],
      [1, 1],
      [-1, 5],
      [0.5, 5],
      [0, -1],
    ] as const) {
      expect(await captureRejection(inclusionProof(index, size, READ))).to.be.instanceOf(RangeError);
    }
  });
});

describe('a consistency proof', () => {
  it('matches the definition', async () => {
    await fc.assert(
      fc.asyncProperty(twoSizes, async ({ first, second }) => {
        expect(await consistencyProof(first, second, READ)).to.deep.equal(
          naiveSubproof(first, LEAVES.slice(0, second), true),
        );
      }),
    );
  });

  it('verifies between any two tree sizes', async () => {
    await fc.assert(
      fc.asyncProperty(twoSizes, async ({ first, second }) => {
        expect(verifyConsistency(head(first), head(second), await consistencyProof(first, second, READ))).to.equal(
          true,
        );
      }),
    );
  });

  it('matches other implementations of RFC 6962', async () => {
    const readReferenceTile = createReader(naiveTiles(ENTRIES.map(leafHash)));
    for (const { first, second, proof } of CONSISTENCY) {
      expect(await consistencyProof(first, second, readReferenceTile)).to.deep.equal(proof);
      expect(
        verifyConsistency({ size: first, rootHash: ROOTS[first]! }, { size: second, rootHash: ROOTS[second]! }, proof),
      ).to.equal(true);
    }
  });

  it('is invalid if any bit of the proof or of a root is flipped', async () => {
    await fc.assert(
      fc.asyncProperty(twoSizes, fc.nat(), fc.nat(7), async ({ first, second }, random, bit) => {
        const proof = await consistencyProof(first, second, READ);
        const [firstRoot, secondRoot, ...path] = withFlippedBit(
          [head(first).rootHash, head(second).rootHash, ...proof],
          random,
          bit,
        );
        expect(
          verifyConsistency({ size: first, rootHash: firstRoot! }, { size: second, rootHash: secondRoot! }, path),
        ).to.equal(false);
      }),
    );
  });

  it('is invalid for a taller tree', async () => {
    await fc.assert(
      fc.asyncProperty(twoSizes, async ({ first, second }) => {
        const proof = await consistencyProof(first, second, READ);
        expect(verifyConsistency(head(first), { ...head(second), size: 4 * second }, proof)).to.equal(false);
      }),
    );
  });

  it('is invalid with a missing, extra, short or misplaced hash', async () => {
    await fc.assert(
      fc.asyncProperty(twoSizes, fc.nat(), async ({ first, second }, random) => {
        const proof = await consistencyProof(first, second, READ);
        expect(verifyConsistency(head(first), head(second), proof)).to.equal(true);
        for (const invalidProof of invalidProofs(proof, random))
          expect(verifyConsistency(head(first), head(second), invalidProof)).to.equal(false);
      }),
    );
  });

  it('is invalid if it is longer than the path, even if the extra hash leads to both claimed roots', async () => {
    await fc.assert(
      fc.asyncProperty(twoSizes, async ({ first, second }) => {
        fc.pre(first < second);
        const proof = [...(await consistencyProof(first, second, READ)), LEAVES[0]!];
        const [firstHead, secondHead] = [head(first), head(second)];
        const forgedHead = { size: second, rootHash: nodeHash(LEAVES[0]!, secondHead.rootHash) };
        for (const rootHash of [firstHead.rootHash, nodeHash(LEAVES[0]!, firstHead.rootHash)])
          expect(verifyConsistency({ size: first, rootHash }, forgedHead, proof)).to.equal(false);
      }),
    );
  });

  it('is invalid if an entry in the earlier tree has been rewritten', async () => {
    await fc.assert(
      fc.asyncProperty(twoSizes, fc.nat(), async ({ first, second }, rewrittenIndex) => {
        const forgedLeaves = LEAVES.with(rewrittenIndex % first, leafHash('another story')).slice(0, second);
        const proof = await consistencyProof(first, second, createReader(naiveTiles(forgedLeaves)));
        expect(verifyConsistency(head(first), { size: second, rootHash: naiveRoot(forgedLeaves) }, proof)).to.equal(
          false,
        );
      }),
    );
  });

  it('is empty between trees of the same size, and from the empty tree', async () => {
    const emptyHead = { size: 0, rootHash: ROOTS[0]! };
    expect(await consistencyProof(0, 9, READ)).to.deep.equal([]);
    expect(verifyConsistency(emptyHead, head(9), [])).to.equal(true);
    expect(verifyConsistency(emptyHead, emptyHead, [])).to.equal(true);
    expect(verifyConsistency(emptyHead, head(9), [LEAVES[0]!])).to.equal(false);
    expect(verifyConsistency({ ...emptyHead, rootHash: LEAVES[0]! }, head(9), [])).to.equal(false);
    expect(verifyConsistency(head(9), { ...head(9), rootHash: LEAVES[0]! }, [])).to.equal(false);
  });

  it('is never valid for invalid sizes, even if the trees are equal', () => {
    for (const size of [-1, 0.5, NaN, Infinity, 2 ** 53]) {
      const invalidProof = { size, rootHash: LEAVES[0]! };
      expect(verifyConsistency(invalidProof, invalidProof, []), `${size}`).to.equal(false);
    }
  });

  it('is never valid if one of the sizes is invalid, even with hashes that lead to both roots', () => {
    const [leaf, parent] = [LEAVES[0]!, nodeHash(LEAVES[0]!, LEAVES[0]!)];
    const [half, one] = [0.5, 1].map((size) => ({ size, rootHash: leaf }));
    expect(verifyConsistency(half!, one!, [leaf])).to.equal(false);
    const isConsistent = (size: number): boolean =>
      verifyConsistency({ size, rootHash: leaf }, { size: 2 * size, rootHash: parent }, [leaf]);
    expect([2 ** 51, 2 ** 52].map(isConsistent)).to.deep.equal([true, false]);
  });

  it('does not exist from a larger to a smaller tree', async () => {
    expect(await captureRejection(consistencyProof(6, 5, READ))).to.be.instanceOf(RangeError);
    expect(verifyConsistency(head(6), head(5), [])).to.equal(false);
    expect(verifyConsistency({ ...head(1), size: 2 }, head(1), [])).to.equal(false);
  });
});

describe('computing roots and proofs from tiles', () => {
  it('yields the root at every earlier size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1600), async (size) => {
        expect(await rootAt(size, READ)).to.deep.equal(naiveRoot(LEAVES.slice(0, size)));
      }),
    );
  });

  it('reads each tile at most once per proof, with its width in the tree', async () => {
    await fc.assert(
      fc.asyncProperty(twoSizes, async ({ first, second }) => {
        const tiles = naiveTiles(LEAVES.slice(0, second));
        const tilesRead: string[] = [];
        await consistencyProof(first, second, (level, index, width) => {
          tilesRead.push(`${level}/${index}`);
          expect(width * 32).to.equal(tiles.get(`${level}/${index}`)?.length);
          return READ(level, index, width);
        });
        expect(new Set(tilesRead).size).to.equal(tilesRead.length);
      }),
    );
  });

  it('reads only the partial tiles for a root', async () => {
    const sizes = fc.oneof(fc.integer({ min: 1, max: 2 ** 50 }), fc.constantFrom(256, 512, 2 ** 16, 2 ** 16 + 256));
    await fc.assert(
      fc.asyncProperty(sizes, async (size) => {
        const tilesRead: unknown[] = [];
        await rootAt(size, (level, index, width) => {
          tilesRead.push({ level, index, width });
          return readEqualLeaves(level, index, width);
        });
        expect(tilesRead).to.have.deep.members([...partialTiles(size)]);
      }),
      { numRuns: 30 },
    );
  });

  it('refuses a tile that is too short', async () => {
    expect(await captureRejection(inclusionProof(3, 700, readTruncated))).to.be.instanceOf(MalformedError);
    expect(await captureRejection(rootAt(700, readTruncated))).to.be.instanceOf(MalformedError);
  });

  it('yields valid proofs for trees with up to 2^50 leaves', async () => {
    const aHugeSize = fc.integer({ min: 2 ** 30, max: 2 ** 50 });
    await fc.assert(
      fc.asyncProperty(aHugeSize, aHugeSize, async (sizeA, sizeB) => {
        const [first, second] = [Math.min(sizeA, sizeB), Math.max(sizeA, sizeB)];
        const heads = await Promise.all(
          [first, second].map(async (size) => ({ size, rootHash: await rootAt(size, readEqualLeaves) })),
        );
        const inclusion = await inclusionProof(first - 1, second, readEqualLeaves);
        expect(verifyInclusion(LEAVES[0]!, first - 1, heads[1]!, inclusion)).to.equal(true);
        expect(
          verifyConsistency(heads[0]!, heads[1]!, await consistencyProof(first, second, readEqualLeaves)),
        ).to.equal(true);
      }),
      { numRuns: 20 },
    );
  });
});

/** For each level, the root of 256^level equal leaves, so that a tree of any size fits in memory. */
const equalLeafRoots = Array.from({ length: 8 }, (_, level) =>
  Array.from({ length: 8 * level }).reduce<Buffer>((hash) => nodeHash(hash, hash), LEAVES[0]!),
);
const readEqualLeaves: TileReader = async (level, _index, width) =>
  Buffer.concat(Array.from({ length: width }, () => equalLeafRoots[level]!));

function head(size: number): TreeHead {
  return { size, rootHash: naiveRoot(LEAVES.slice(0, size)) };
}

function withFlippedBit(hashes: readonly Uint8Array[], random: number, bit: number): readonly Buffer[] {
  const bytes = Buffer.concat(hashes);
  const offset = random % bytes.length;
  bytes.writeUInt8(bytes.readUInt8(offset) ^ (1 << bit), offset);
  return hashes.map((_, index) => bytes.subarray(index * 32, index * 32 + 32));
}

function invalidProofs(proof: Proof, random: number): readonly Proof[] {
  const offset = random % (proof.length + 1);
  const longerProofs = [Buffer.alloc(32), Buffer.alloc(0), LEAVES[0]!].map((extra) =>
    proof.toSpliced(offset, 0, extra),
  );
  if (proof.length === 0) return longerProofs;
  const last = proof.length - 1;
  // Shortened hashes come first: after a successful verification, the missing byte may still be in memory.
  const shorterProofs = [
    proof.with(last, proof[last]!.subarray(0, 31)),
    proof.with(last, proof[last]!.subarray(1)),
    proof.toSpliced(random % proof.length, 1),
  ];
  return [...shorterProofs, ...longerProofs, ...(proof.length > 1 ? [proof.toReversed()] : [])];
}

function captureRejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'not refused',
    (error: unknown) => error,
  );
}
