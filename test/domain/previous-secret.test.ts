import { expect } from 'chai';
import fc from 'fast-check';
import { CLOCK_TOLERANCE_SECONDS } from '../../src/domain/clock.ts';
import { overlapEndAfterSetBack, validPreviousSecret } from '../../src/domain/previous-secret.ts';
import { seconds } from '../support/domain-values.ts';

const overlap = (rotatedAt: number, until: number) => ({ rotatedAt: seconds(rotatedAt), until: seconds(until) });
const isValid = (rotatedAt: number, until: number, now: number): boolean =>
  validPreviousSecret({ previousSecret: overlap(rotatedAt, until) }, now) !== null;

describe('the previous secret of a client', () => {
  it('is valid until the second in which the overlap ends', () => {
    const previousSecret = overlap(1_000, 2_000);
    expect(validPreviousSecret({ previousSecret }, 1_999)).to.equal(previousSecret);
    expect(validPreviousSecret({ previousSecret }, 2_000)).to.equal(null);
    expect(validPreviousSecret({ previousSecret }, 2_001)).to.equal(null);
  });

  it('is absent if the secret was never rotated', () => {
    expect(validPreviousSecret({ previousSecret: null }, 0)).to.equal(null);
  });

  it('is not valid if the rotation is later than now by more than the tolerance', () => {
    expect(isValid(1_000 + CLOCK_TOLERANCE_SECONDS, 9_000, 1_000)).to.equal(true);
    expect(isValid(1_001 + CLOCK_TOLERANCE_SECONDS, 9_000, 1_000)).to.equal(false);
  });
});

describe('an overlap after the clock was set back', () => {
  const setBack = { setBackTo: seconds(1_000), newestAt: seconds(5_000), issuedAfter: seconds(1_300) };

  it('ends immediately if it began ahead of the clock, and keeps its end otherwise', () => {
    expect(overlapEndAfterSetBack(overlap(1_300, 9_000), setBack)).to.equal(9_000);
    expect(overlapEndAfterSetBack(overlap(1_301, 9_000), setBack)).to.equal(1_000);
  });

  it('never ends later than before', () => {
    const aTime = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(aTime, aTime, (rotatedAt, until) => {
        expect(overlapEndAfterSetBack(overlap(rotatedAt, until), setBack)).to.be.at.most(until);
      }),
    );
    expect(overlapEndAfterSetBack(overlap(1_301, 500), setBack)).to.equal(500);
  });
});
