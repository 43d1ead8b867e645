import { expect } from 'chai';
import * as fc from 'fast-check';
import { isFullTile, listEntryBundles, listTiles, partialTiles, requireSize } from '../../../src/audit/merkle/tile.ts';
import { naiveTiles, numberedLeaves } from './naive-tree.ts';

const LEAVES = numberedLeaves(65_536);

const aSize = fc.oneof(fc.integer({ min: 0, max: 1_600 }), fc.constantFrom(0, 1, 255, 256, 257, 511, 512, 513));

interface NamedTile {
  readonly name: string;
  readonly width: number;
}

/** Returns the tiles of a tree, according to the definition. */
function definedTiles(size: number): readonly NamedTile[] {
  return [...naiveTiles(LEAVES.slice(0, size))].map(([name, { length }]) => ({ name, width: length / 32 }));
}

function nameTiles(
  tiles: Iterable<{ readonly level: number; readonly index: number; readonly width: number }>,
): readonly NamedTile[] {
  return [...tiles].map(({ level, index, width }) => ({ name: `${level}/${index}`, width }));
}

function expectListsMatchDefinition(size: number): void {
  const tiles = definedTiles(size);
  expect(nameTiles(listTiles(size))).to.have.deep.members(tiles);
  expect(nameTiles(partialTiles(size))).to.have.deep.members(tiles.filter(({ width }) => width < 256));
  const bundles = [...listEntryBundles(size)].map((bundle) => ({ level: 0, ...bundle }));
  expect(nameTiles(bundles)).to.have.deep.members(tiles.filter(({ name }) => name.startsWith('0/')));
}

describe('the tile lists of a tree', () => {
  it('contain each tile of the definition once', () => {
    fc.assert(fc.property(aSize, expectListsMatchDefinition), { numRuns: 50 });
  });

  it('contain each tile of the definition when the tree reaches level 2', () => {
    for (const size of [65_535, 65_536]) expectListsMatchDefinition(size);
  });
});

describe('a tile', () => {
  it('is full if it has 256 hashes', () => {
    const isFull = (hashes: number): boolean => isFullTile({ level: 0, index: 0, hashes: Buffer.alloc(32 * hashes) });
    expect([0, 1, 255, 256].map(isFull)).to.deep.equal([false, false, false, true]);
  });
});

describe('the size of a tree', () => {
  it('is an integer from 0 to 2^53 - 1', () => {
    for (const size of [0, 1, Number.MAX_SAFE_INTEGER]) expect(() => requireSize(size)).not.to.throw();
    for (const size of [-1, 0.5, NaN, Infinity, 2 ** 53])
      expect(() => requireSize(size)).to.throw(RangeError, `a tree cannot have ${size} leaves`);
  });
});
