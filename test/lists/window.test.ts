import { expect } from 'chai';
import fc from 'fast-check';
import { sortedWindow } from '../../src/lists/window.ts';

describe('a sorted window', () => {
  const compare = (first: number, second: number): number => first - second;

  it('has the same items as a complete sort', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ max: 40, min: 0 })), fc.nat(60), fc.nat(60), (items, from, length) => {
        const window = sortedWindow([...items], from, from + length, compare);
        expect(window).to.deep.equal(items.toSorted(compare).slice(from, from + length));
      }),
      { numRuns: 1_000 },
    );
  });

  it('neither loses nor duplicates items', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.nat(60), (items, from) => {
        const rearranged = [...items];
        sortedWindow(rearranged, from, from + 5, compare);
        expect(rearranged.toSorted(compare)).to.deep.equal(items.toSorted(compare));
      }),
    );
  });

  for (const [name, items] of [
    ['ascending', Array.from({ length: 50_000 }, (_, index) => index)],
    ['descending', Array.from({ length: 50_000 }, (_, index) => -index)],
    ['equal', Array.from({ length: 50_000 }, () => 7)],
    ['organ pipes', Array.from({ length: 50_000 }, (_, index) => Math.min(index, 50_000 - index))],
  ] as const)
    it(`compares each item only a few times: ${name}`, () => {
      let comparisonCount = 0;
      const countingCompare = (first: number, second: number): number => ((comparisonCount += 1), first - second);
      const window = sortedWindow([...items], 25_000, 25_050, countingCompare);
      expect(window).to.deep.equal(items.toSorted(compare).slice(25_000, 25_050));
      expect(comparisonCount).to.be.below(20 * items.length);
    });

  it('avoids quadratic time even if an adversary makes every pivot bad', () => {
    const length = 20_000;
    let comparisonCount = 0;
    // McIlroy: the adversary decides the values during the comparisons, so that each pivot is bad.
    const [values, gas] = [Array.from({ length }, () => length), length];
    let [solid, candidate] = [0, 0];
    const hostileCompare = (first: number, second: number): number => {
      comparisonCount += 1;
      if (values[first] === gas && values[second] === gas) values[first === candidate ? first : second] = solid++;
      if (values[first] === gas) candidate = first;
      else if (values[second] === gas) candidate = second;
      return (values[first] ?? 0) - (values[second] ?? 0);
    };
    sortedWindow(
      Array.from({ length }, (_, index) => index),
      length - 50,
      length,
      hostileCompare,
    );
    expect(comparisonCount).to.be.below(200 * length);
  });
});
