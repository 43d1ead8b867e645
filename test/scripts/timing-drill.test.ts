import { expect } from 'chai';
import { median, rankSum } from '../support/rank-sum.ts';

const range = (count: number, from = 0): readonly number[] => Array.from({ length: count }, (_, index) => index + from);

describe("the timing drill's arithmetic", () => {
  it('finds no shift between equal samples, with or without ties', () => {
    for (const values of [range(50), range(50).map(() => 7)])
      expect(rankSum(values, values)).to.deep.equal({ larger: 0.5, z: 0 });
  });

  it('finds a shift and its direction', () => {
    const shift = rankSum(range(60), range(60, 30));
    expect(shift.larger).to.be.within(0.8, 1);
    expect(shift.z).to.be.above(4);
    expect(rankSum(range(60, 30), range(60)).z).to.be.closeTo(-shift.z, 1e-9);
  });

  it('does not find a shift because of a single outlier', () => {
    expect(Math.abs(rankSum(range(50), [...range(49), 1_000_000]).z)).to.be.below(1);
  });

  it('finds the share of pairs with the larger value on the right, where a tie counts as half', () => {
    expect(rankSum([1, 4, 6], [2, 3, 5, 6]).larger).to.equal((1 + 1 + 2 + 2.5) / 12);
  });

  it('finds a median: the middle value, or the mean of the two middle values', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3])]).to.deep.equal([2, 2.5]);
  });
});
