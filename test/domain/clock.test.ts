import { expect } from 'chai';
import fc from 'fast-check';
import { clock, CLOCK_TOLERANCE_SECONDS, isIssueTimeValid, type ConfirmClock } from '../../src/domain/clock.ts';
import { seconds } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';

const NOW = 1_000_000;
const confirm = (newestAt: number): ConfirmClock => ({
  type: 'ConfirmClock',
  now: seconds(NOW),
  newestAt: seconds(newestAt),
});

describe('the issue time', () => {
  it('is valid unless it is later than now by more than the tolerance', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000, max: 1_000 }), (offset) => {
        expect(isIssueTimeValid(NOW + offset, NOW)).to.equal(offset <= CLOCK_TOLERANCE_SECONDS);
      }),
    );
    expect(isIssueTimeValid(NOW + CLOCK_TOLERANCE_SECONDS, NOW)).to.equal(true);
    expect(isIssueTimeValid(NOW + CLOCK_TOLERANCE_SECONDS + 1, NOW)).to.equal(false);
  });
});

describe('the clock', () => {
  it('was not set back if the newest time in the log is within the tolerance', () => {
    for (const newestAt of [0, NOW, NOW + CLOCK_TOLERANCE_SECONDS])
      given(clock).when(confirm(newestAt)).refused('clock-agrees');
  });

  it('was set back if the log is ahead by more, and each event records the difference', () => {
    const newestAt = NOW + CLOCK_TOLERANCE_SECONDS + 1;
    for (const history of [[], [confirm(newestAt)]]) {
      const { decision } = given(clock, ...history)
        .when(confirm(newestAt))
        .accepted('ClockSetBack');
      const issuedAfter = NOW + CLOCK_TOLERANCE_SECONDS;
      expect(decision.events[0]?.data).to.deep.equal({ setBackTo: NOW, newestAt, issuedAfter });
    }
  });
});
