import { expect } from 'chai';
import fc from 'fast-check';
import { median, medianRatio, quantile, rotate } from '../../scripts/bench/statistics.ts';

const arbitraryValues = fc.array(fc.double({ min: 0.001, max: 1_000_000, noNaN: true }), {
  minLength: 1,
  maxLength: 20,
});

describe("the benchmark's arithmetic", () => {
  it('finds a median with at most half of the values below it and at most half above, even in a reversed list', () => {
    fc.assert(
      fc.property(arbitraryValues, (values) => {
        const middle = median(values);
        const [belowCount, aboveCount] = [
          values.filter((value) => value < middle).length,
          values.filter((value) => value > middle).length,
        ];
        expect(Math.max(belowCount, aboveCount)).to.be.at.most(values.length / 2);
        expect(median(values.toReversed())).to.equal(middle);
      }),
    );
  });

  it('finds a quantile: the smallest value with at least the requested share of values up to it', () => {
    fc.assert(
      fc.property(arbitraryValues, fc.double({ min: 0.01, max: 1, noNaN: true }), (values, share) => {
        const sortedValues = values.toSorted((a, b) => a - b);
        const result = quantile(sortedValues, share);
        const rank = share * sortedValues.length;
        expect(sortedValues).to.include(result);
        expect(sortedValues.filter((value) => value <= result).length).to.be.at.least(rank);
        expect(sortedValues.filter((value) => value < result).length).to.be.below(rank);
      }),
    );
  });

  it('returns NaN as the median and every quantile of an empty list', () => {
    expect([median([]), quantile([], 0.99), medianRatio([], [])]).to.deep.equal([NaN, NaN, NaN]);
  });

  it('computes a ratio that slow rounds do not change', () => {
    const arbitrarySlowdown = fc.constantFrom(1, 0.5, 0.25); // powers of two, so that products are exact
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1_000 }), arbitrarySlowdown), {
          minLength: 1,
        }),
        (rounds) => {
          const normalRatio = medianRatio(
            rounds.map(([value]) => value),
            rounds.map(([, base]) => base),
          );
          const disturbedRatio = medianRatio(
            rounds.map(([value, , slowdown]) => value * slowdown),
            rounds.map(([, base, slowdown]) => base * slowdown),
          );
          expect(disturbedRatio).to.equal(normalRatio);
        },
      ),
    );
  });

  it('puts each contender first and last equally often', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 6 }), (contenders) => {
        const rounds = contenders.map((_, round) => rotate(contenders, round));
        for (const round of rounds) expect(round).to.have.members([...contenders]);
        expect(rounds.map(([first]) => first)).to.have.members([...contenders]);
        expect(rounds.map((round) => round.at(-1))).to.have.members([...contenders]);
      }),
    );
  });
});
