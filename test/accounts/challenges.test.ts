import { expect } from 'chai';
import { CHALLENGE_LIFETIME_SECONDS, createChallenges } from '../../src/accounts/challenges.ts';
import { manualClock } from '../support/manual-clock.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';

describe('a challenge', () => {
  const BINDING = 'a session';

  function issued() {
    const clock = manualClock();
    clock.advance(0.000_25); // like a real clock, it returns fractions of a millisecond
    const challenges = createChallenges(clock.ticks, seededEntropy('challenges'));
    const challenge = Buffer.from(challenges.issue(BINDING)).toString('base64url');
    return { clock, challenges, isGood: () => challenges.isValid(challenge, BINDING), challenge };
  }

  it('is valid for five minutes, however the wall clock is set meanwhile', () => {
    for (const seconds of [-86_400, 0, 366 * 86_400]) {
      const { clock, isGood } = issued();
      clock.set(seconds);
      clock.advance(CHALLENGE_LIFETIME_SECONDS - 1);
      expect(isGood(), `set by ${seconds}`).to.equal(true);
      clock.advance(1);
      expect(isGood(), `set by ${seconds}`).to.equal(false);
    }
  });

  it('is valid only for what it was issued for, and once', () => {
    const { challenges, challenge, isGood } = issued();
    expect(challenges.isValid(challenge, 'another session')).to.equal(false);
    expect(isGood()).to.equal(true);
    expect([challenges.redeem(challenge), challenges.redeem(challenge)]).to.deep.equal([true, false]);
    expect(isGood()).to.equal(false);
  });
});
