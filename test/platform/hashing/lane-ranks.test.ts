import { expect } from 'chai';
import { createLaneRanks, type LaneRanks } from '../../../src/platform/hashing/lane-ranks.ts';

const MINUTE = 60_000;
const NOW = 10 * MINUTE;

describe('lane ranks', () => {
  /** Refuses one job in each of `count` other lanes. */
  function refuseOthers(ranks: LaneRanks, count: number): void {
    for (let nth = 0; nth < count; nth += 1) ranks.onRefused(`other ${nth}`, NOW, NOW);
  }

  it('put a lane that was never served a minute ahead of a lane that was just served', () => {
    const ranks = createLaneRanks();
    ranks.onServed('served', NOW);
    expect([ranks.rankOf('served', NOW), ranks.rankOf('fresh', NOW)]).to.deep.equal([NOW, NOW - MINUTE]);
    expect(ranks.rankOf('served', NOW + 3 * MINUTE)).to.equal(ranks.rankOf('fresh', NOW + 3 * MINUTE));
  });

  it('keep the rank of a refused lane for a minute', () => {
    const ranks = createLaneRanks();
    const rank = ranks.rankOf('patient', NOW);
    ranks.onRefused('patient', rank, NOW);
    expect(ranks.rankOf('patient', NOW + MINUTE - 1)).to.equal(rank);
    expect(ranks.rankOf('patient', NOW + MINUTE)).to.equal(ranks.rankOf('fresh', NOW + MINUTE));
  });

  it('keep the rank of a refused lane while fifty thousand other lanes are refused', () => {
    const ranks = createLaneRanks();
    ranks.onRefused('patient', 1, NOW);
    refuseOthers(ranks, 50_000);
    expect(ranks.rankOf('patient', NOW)).to.equal(1);
  });

  it('keep the rank of a lane that is refused repeatedly, even long after the first refusal', () => {
    const ranks = createLaneRanks();
    for (let refusals = 0; refusals < 10; refusals += 1) ranks.onRefused('patient', 1, NOW + refusals * (MINUTE - 1));
    expect(ranks.rankOf('patient', NOW + 10 * (MINUTE - 1))).to.equal(1);
  });

  it('are limited in number, and the oldest are dropped', () => {
    const ranks = createLaneRanks();
    ranks.onRefused('patient', 1, NOW);
    refuseOthers(ranks, 100_000);
    expect(ranks.rankOf('patient', NOW)).to.equal(NOW - MINUTE);
  });
});
