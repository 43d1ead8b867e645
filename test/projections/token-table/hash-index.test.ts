import { expect } from 'chai';
import fc from 'fast-check';
import { createHashIndex } from '../../../src/projections/token-table/hash-index.ts';

/** Some words are frequent so that rows share a word or a table, or continue past the end of a table. */
const aWord = fc.oneof(
  fc.constantFrom(0, 1, 0xffff, 0x10000, 0xfffff, 0xffffffff),
  fc.integer({ min: 0, max: 0xffffffff }),
);

describe('the hash index', () => {
  it('finds exactly the live rows that were added, for any reserved capacity', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(aWord, fc.boolean(), fc.constantFrom('add' as const, 'addLater' as const)), {
          maxLength: 300,
        }),
        fc.nat({ max: 100_000 }),
        (rows, capacity) => {
          const index = createHashIndex((reference) => rows[reference - 1]?.[1] === true);
          index.reserve(capacity);
          const find = (word: number, row: number): number | undefined =>
            index.find(word, row, (reference, key) => reference === key);
          rows.forEach(([word, isLive, method], position) => {
            index[method](word, position + 1);
            if (position % 7 === 0 && isLive) expect(find(word, position + 1)).to.equal(position + 1);
          });
          rows.forEach(([word, isLive], position) => {
            if (isLive) expect(find(word, position + 1)).to.equal(position + 1);
            expect(find(word ^ 0x8000_0000, position + 1)).to.equal(undefined);
          });
        },
      ),
    );
  });

  it('finds a moved row only under its new number, and every other row as before', () => {
    const aMethod = fc.constantFrom('add' as const, 'addLater' as const);
    fc.assert(
      fc.property(fc.array(fc.tuple(aWord, fc.boolean(), aMethod), { maxLength: 300 }), (rows) => {
        const index = createHashIndex(() => true);
        const find = (word: number, row: number): number | undefined =>
          index.find(word, row, (reference, key) => reference === key);
        rows.forEach(([word, , add], position) => index[add](word, position + 1));
        rows.forEach(([word, isMoved], position) => {
          if (isMoved) index.move(word, position + 1, position + 1 + rows.length);
        });
        rows.forEach(([word, isMoved], position) => {
          expect(find(word, position + 1)).to.equal(isMoved ? undefined : position + 1);
          expect(find(word, position + 1 + rows.length)).to.equal(isMoved ? position + 1 + rows.length : undefined);
        });
      }),
    );
  });

  it('never moves a row that was not added', () => {
    const index = createHashIndex(() => true);
    index.move(7, 1, 2);
    index.add(7, 1);
    index.move(7, 3, 4);
    index.move(8, 1, 5);
    expect(index.find(7, null, () => true)).to.equal(1);
  });

  it('accepts the highest row number', () => {
    const index = createHashIndex(() => true);
    index.add(7, 0xffff_ffff);
    expect(index.find(7, null, () => true)).to.equal(0xffff_ffff);
  });

  const COUNT = 100_000; // more rows than a few tables can initially hold
  for (const [distribution, shift] of [
    ['spread over all tables', 0],
    ['in a few tables', 8],
  ] as const) {
    for (const capacity of [0, COUNT / 2, COUNT]) {
      it(`finds all of many rows that were added lazily, ${distribution}, with capacity for ${capacity}`, () => {
        const index = createHashIndex(() => true);
        const computeWord = (row: number): number => Math.imul(row, 0x9e37_79b1) >>> shift;
        index.reserve(capacity);
        for (let row = 1; row <= COUNT; row += 1) index.addLater(computeWord(row), row);
        let foundRows = 0;
        for (let row = 1; row <= COUNT; row += 1)
          if (index.find(computeWord(row), row, (reference, key) => reference === key) === row) foundRows += 1;
        expect(foundRows).to.equal(COUNT);
      });
    }
  }

  it('drops dead rows when new rows are added, so its size is bounded', () => {
    const LIVE_ROWS = 10;
    let newest = 0;
    const index = createHashIndex((reference) => reference > newest - LIVE_ROWS);
    while (newest < 10_000) index.add(0, ++newest);
    let comparisons = 0;
    index.find(0, null, () => {
      comparisons += 1;
      return false;
    });
    expect(comparisons).to.be.within(LIVE_ROWS, 3 * LIVE_ROWS);
  });
});
