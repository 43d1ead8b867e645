import { expect } from 'chai';
import fc from 'fast-check';
import { createAgreedClock } from '../../src/composition/agreed-clock.ts';
import { manualClock } from '../support/manual-clock.ts';

describe('the clock of a node with a shared log', () => {
  it("shows the time of the storage's clock, in whole milliseconds", () => {
    const clock = manualClock(1_000_000);
    const sharedClock = createAgreedClock(clock, () => -10_000.4);
    expect(sharedClock.now()).to.equal(990_000);
    clock.advance(2);
    expect(sharedClock.now()).to.equal(992_000);
  });

  it('is never set back by new measurements of the offset, and catches up with them', () => {
    const step = fc.record({
      milliseconds: fc.integer({ min: 0, max: 50 }),
      offset: fc.double({ min: -400, max: 400, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1 }), (steps) => {
        const clock = manualClock();
        let offset = 0;
        const sharedClock = createAgreedClock(clock, () => offset);
        let previous = sharedClock.now();
        for (const { milliseconds, offset: measuredOffset } of steps) {
          clock.advance(milliseconds / 1000);
          offset = measuredOffset;
          expect(sharedClock.now()).to.be.at.least(previous);
          previous = sharedClock.now();
        }
        clock.advance(1);
        expect(sharedClock.now()).to.equal(Math.round(clock.now() + offset));
      }),
    );
  });

  it('follows an operator who sets the clock back', () => {
    const clock = manualClock(1_000_000);
    const sharedClock = createAgreedClock(clock, () => 0);
    sharedClock.now();
    clock.shift(-10);
    expect(sharedClock.now()).to.equal(990_000);
  });
});
