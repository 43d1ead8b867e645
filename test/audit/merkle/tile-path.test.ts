import { expect } from 'chai';
import * as fc from 'fast-check';
import { formatTilePath, parseTilePath } from '../../../src/audit/merkle/tile-path.ts';
import type { TilePath } from '../../../src/audit/merkle/tile-path.ts';

const aPath: fc.Arbitrary<TilePath> = fc.record({
  level: fc.oneof(fc.constant('entries' as const), fc.nat(63)),
  index: fc.oneof(fc.nat(3000), fc.maxSafeNat()),
  width: fc.oneof(fc.integer({ min: 1, max: 256 }), fc.constant(256)),
});

describe('a tile path', () => {
  it('has the format of C2SP tlog-tiles', () => {
    expect(formatTilePath({ level: 0, index: 1_234_067, width: 256 })).to.equal('tile/0/x001/x234/067');
    expect(formatTilePath({ level: 1, index: 0, width: 17 })).to.equal('tile/1/000.p/17');
    expect(formatTilePath({ level: 'entries', index: 1000, width: 1 })).to.equal('tile/entries/x001/000.p/1');
    expect(formatTilePath({ level: 63, index: 999, width: 255 })).to.equal('tile/63/999.p/255');
  });

  it('parses to the tile that it was formatted from', () => {
    fc.assert(
      fc.property(aPath, (path) => {
        expect(parseTilePath(formatTilePath(path))).to.deep.equal(path);
      }),
    );
  });

  it('is canonical: a path that parses is formatted identically', () => {
    const aMutatedPath = fc
      .tuple(aPath, fc.nat(), fc.constantFrom('', '0', 'x', '/', '000', 'x000/', '.p/', '-', ' ', '٣'), fc.nat(4))
      .map(([path, random, insertion, deletedCount]) => {
        const text = formatTilePath(path);
        const offset = random % (text.length + 1);
        return text.slice(0, offset) + insertion + text.slice(offset + deletedCount);
      });
    fc.assert(
      fc.property(aMutatedPath, (text) => {
        const parsed = parseTilePath(text);
        if (parsed !== undefined) expect(formatTilePath(parsed)).to.equal(text);
      }),
      { numRuns: 1000 },
    );
  });

  for (const text of [
    '',
    'tile',
    'tile/0',
    'tile/0/',
    'tile/0/0',
    'tile/0/00',
    'tile/0/0000',
    'tile/0/x000/001',
    'tile/0/001/001',
    'tile/0/x001',
    'tile/0/x001/x001',
    'tile/00/000',
    'tile/01/000',
    'tile/64/000',
    'tile/-1/000',
    'tile/0/000.p/0',
    'tile/0/000.p/01',
    'tile/0/000.p/256',
    'tile/0/000.p/257',
    'tile/0/000.p/999',
    'tile/0/000.p/',
    'tile/0/000.p',
    'tile/0/000/',
    '/tile/0/000',
    'tile/0/000\n',
    'tile/Entries/000',
    'tile/0/X001/000',
    'tile/0/x009/x007/x199/x254/x740/992',
    'tile/entries/000.p/256',
  ]) {
    it(`cannot be ${JSON.stringify(text)}`, () => {
      expect(parseTilePath(text)).to.equal(undefined);
    });
  }
});
