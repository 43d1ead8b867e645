import { expect } from 'chai';
import * as fc from 'fast-check';
import { leafHash } from '../../../src/audit/merkle/hashing.ts';
import { MalformedError } from '../../../src/audit/merkle/malformed.ts';
import { emptyTree, resumeTree } from '../../../src/audit/merkle/tree.ts';
import type { MerkleTree } from '../../../src/audit/merkle/tree.ts';
import { naiveRoot, naiveTiles, numberedLeaves, store, createSyncReader } from './naive-tree.ts';
import { ENTRIES, ROOTS, UINT16_ROOTS } from './reference-vectors.ts';

const LEAVES = numberedLeaves(66_500);

/** Sizes at tile and subtree boundaries occur as often as all other sizes. */
const aSize = fc.oneof(
  fc.integer({ min: 0, max: 1600 }),
  fc.constantFrom(0, 1, 2, 255, 256, 257, 511, 512, 513, 1023, 1024),
);
const someBatches = fc.array(fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constantFrom(1, 255, 256, 257, 600)), {
  maxLength: 8,
});

describe('a growing Merkle tree', () => {
  it('has the same roots as other implementations of RFC 6962', () => {
    const tree = emptyTree();
    expect(tree.root()).to.deep.equal(ROOTS[0]);
    for (const [index, entry] of ENTRIES.entries()) {
      tree.append([leafHash(entry)]);
      expect(tree.root()).to.deep.equal(ROOTS[index + 1]);
    }
  });

  it('has the roots of larger reference trees', () => {
    const tree = emptyTree();
    for (const [size, root] of UINT16_ROOTS) {
      tree.append(
        Array.from({ length: size - tree.size }, (_, i) =>
          leafHash(Buffer.of((tree.size + i) & 0xff, (tree.size + i) >> 8)),
        ),
      );
      expect(tree.root().toString('base64')).to.equal(root);
    }
  });

  it('matches the definition at every size', () => {
    fc.assert(
      fc.property(aSize, (size) => {
        expect(buildTree(size).root()).to.deep.equal(naiveRoot(LEAVES.slice(0, size)));
      }),
    );
  });

  it('returns the tiles that the definition requires, for any batches', () => {
    fc.assert(
      fc.property(someBatches, (batches) => {
        const tree = emptyTree();
        const tiles = new Map<string, Buffer>();
        for (const count of batches) store(tiles, tree.append(LEAVES.slice(tree.size, tree.size + count)));
        expect(toHex(tiles)).to.deep.equal(toHex(naiveTiles(LEAVES.slice(0, tree.size))));
        expect(tree.root()).to.deep.equal(naiveRoot(LEAVES.slice(0, tree.size)));
      }),
    );
  });

  it('returns each tile once, and only if it changed', () => {
    fc.assert(
      fc.property(aSize, fc.integer({ min: 0, max: 600 }), (size, count) => {
        const tree = buildTree(size);
        const tiles = tree.append(LEAVES.slice(size, size + count));
        const previousTiles = naiveTiles(LEAVES.slice(0, size));
        const changedTiles = [...naiveTiles(LEAVES.slice(0, size + count))].filter(
          ([name, hashes]) => previousTiles.get(name)?.length !== hashes.length,
        );
        expect(tiles.map(({ level, index }) => `${level}/${index}`).toSorted()).to.deep.equal(
          changedTiles.map(([name]) => name).toSorted(),
        );
      }),
    );
  });

  it('never modifies a tile that it has returned', () => {
    const tree = buildTree(200);
    const tiles = tree.append(LEAVES.slice(200, 210));
    const copies = tiles.map(({ hashes }) => Buffer.from(hashes));
    tree.append(LEAVES.slice(210, 900));
    expect(tiles.map(({ hashes }) => hashes)).to.deep.equal(copies);
  });

  it('never modifies a root that it has returned', () => {
    const tree = buildTree(8);
    const root = tree.root();
    tree.append(LEAVES.slice(8, 50));
    expect(root).to.deep.equal(naiveRoot(LEAVES.slice(0, 8)));
  });

  it('grows the same way after being resumed at any size', () => {
    fc.assert(
      fc.property(aSize, fc.integer({ min: 0, max: 600 }), (size, count) => {
        const continuousTree = buildTree(size);
        const resumedTree = resumeTree(size, createSyncReader(naiveTiles(LEAVES.slice(0, size))));
        expect(resumedTree.size).to.equal(size);
        expect(resumedTree.root()).to.deep.equal(continuousTree.root());
        const moreLeaves = LEAVES.slice(size, size + count);
        expect(resumedTree.append(moreLeaves)).to.deep.equal(continuousTree.append(moreLeaves));
        expect(resumedTree.root()).to.deep.equal(continuousTree.root());
      }),
    );
  });

  it('grows and resumes when the tree reaches level 2', () => {
    const tree = buildTree(65_530);
    const tiles = new Map(naiveTiles(LEAVES.slice(0, 65_530)));
    for (const size of [65_535, 65_536, 65_537, 65_800, 66_500]) {
      store(tiles, tree.append(LEAVES.slice(tree.size, size)));
      const resumedTree = resumeTree(size, createSyncReader(tiles));
      expect(resumedTree.root()).to.deep.equal(naiveRoot(LEAVES.slice(0, size)));
      expect(tree.root()).to.deep.equal(resumedTree.root());
    }
    expect(toHex(tiles)).to.deep.equal(toHex(naiveTiles(LEAVES)));
  });

  it('resumes from the rightmost tile of each level, and reads no other tile', () => {
    const tilesRead: string[] = [];
    const readStored = createSyncReader(naiveTiles(LEAVES.slice(0, 66_000)));
    resumeTree(66_000, (level, index, width) => {
      tilesRead.push(`${level}/${index}.p/${width}`);
      return readStored(level, index, width);
    });
    expect(tilesRead).to.deep.equal(['0/257.p/208', '1/1.p/1', '2/0.p/1']);
  });

  it('does not resume from a short tile', () => {
    const readShort = createSyncReader(naiveTiles(LEAVES.slice(0, 299)));
    expect(() => resumeTree(300, readShort)).to.throw(
      MalformedError,
      'tile 1 at level 0 has 1376 bytes instead of 1408 (44 hashes)',
    );
  });

  it('accepts a full tile instead of 256 leaves', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 300 }), (tiles, count) => {
        const [begin, end] = [256 * tiles, 256 * (tiles + 1)];
        const [leafByLeaf, atOnce] = [buildTree(begin), buildTree(begin)];
        const leaves = LEAVES.slice(begin, end);
        expect(atOnce.appendTile({ hashes: Buffer.concat(leaves), root: naiveRoot(leaves) })).to.deep.equal(
          leafByLeaf.append(leaves),
        );
        expect(atOnce.size).to.equal(end);
        expect(atOnce.root()).to.deep.equal(leafByLeaf.root());
        const moreLeaves = LEAVES.slice(end, end + count);
        expect(atOnce.append(moreLeaves)).to.deep.equal(leafByLeaf.append(moreLeaves));
        expect(atOnce.root()).to.deep.equal(leafByLeaf.root());
      }),
    );
  });

  it('grows tile by tile when the tree reaches level 2', () => {
    const tree = emptyTree();
    const tiles = new Map<string, Buffer>();
    for (let end = 256; end <= LEAVES.length; end += 256) {
      const leaves = LEAVES.slice(end - 256, end);
      store(tiles, tree.appendTile({ hashes: Buffer.concat(leaves), root: naiveRoot(leaves) }));
    }
    expect(toHex(tiles)).to.deep.equal(toHex(naiveTiles(LEAVES.slice(0, tree.size))));
    expect(tree.root()).to.deep.equal(naiveRoot(LEAVES.slice(0, tree.size)));
  });

  it('refuses a partial tile, and a tile that does not follow a full tile', () => {
    const [hashes, root] = [Buffer.concat(LEAVES.slice(0, 256)), naiveRoot(LEAVES.slice(0, 256))];
    expect(() => buildTree(3).appendTile({ hashes, root })).to.throw(RangeError, 'after 3 leaves');
    for (const invalidTile of [
      { hashes: hashes.subarray(32), root },
      { hashes, root: root.subarray(1) },
    ]) {
      const tree = buildTree(256);
      expect(() => tree.appendTile(invalidTile)).to.throw(RangeError, 'full tile');
      expect(tree.size).to.equal(256);
      expect(tree.root()).to.deep.equal(root);
    }
  });

  it('refuses a batch with an invalid hash', () => {
    const tree = buildTree(3);
    const root = tree.root();
    expect(() => tree.append([LEAVES[3]!, Buffer.alloc(31)])).to.throw(RangeError);
    expect(tree.size).to.equal(3);
    expect(tree.root()).to.deep.equal(root);
  });
});

function buildTree(size: number): MerkleTree {
  const tree = emptyTree();
  tree.append(LEAVES.slice(0, size));
  return tree;
}

/** Returns the tiles in hexadecimal, because Chai compares long strings much faster than maps of buffers. */
function toHex(tiles: ReadonlyMap<string, Buffer>): Readonly<Record<string, string>> {
  return Object.fromEntries([...tiles].map(([name, hashes]) => [name, hashes.toString('hex')]));
}
