import { expect } from 'chai';
import { createSecretKey } from 'node:crypto';
import { CHALLENGE_LIFETIME_SECONDS, createChallenges, type Challenges } from '../../src/accounts/challenges.ts';
import { CLOCK_TOLERANCE_SECONDS } from '../../src/domain/clock.ts';
import { manualClock, type ManualClock } from '../support/manual-clock.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';

const BINDING = 'a session';

describe('a challenge', () => {
  let clock: ManualClock;

  beforeEach(() => {
    clock = manualClock();
  });

  function node(key: number, seed: string): Challenges {
    return createChallenges(createSecretKey(Buffer.alloc(32, key)), clock.now, seededEntropy(seed));
  }

  const issueWith = (challenges: Challenges): string => Buffer.from(challenges.issue(BINDING)).toString('base64url');

  it('is valid for five minutes on every node with the same key', () => {
    const [a, b, stranger] = [node(1, 'a'), node(1, 'b'), node(2, 'a')];
    const challenge = issueWith(a);
    clock.advance(CHALLENGE_LIFETIME_SECONDS - 1);
    expect([a, b, stranger].map((each) => each.isValid(challenge, BINDING))).to.deep.equal([true, true, false]);
    clock.advance(1);
    expect([a, b].map((each) => each.isValid(challenge, BINDING))).to.deep.equal([false, false]);
  });

  it('is refused if its issue time is far in the future, because a clock was wrong', () => {
    const challenges = node(1, 'a');
    clock.shift(86_400);
    const challenge = issueWith(challenges);
    clock.shift(-86_400);
    expect(challenges.isValid(challenge, BINDING)).to.equal(false);
    clock.shift(86_400 - CLOCK_TOLERANCE_SECONDS);
    expect(challenges.isValid(challenge, BINDING), 'clocks of several nodes differ a little').to.equal(true);
  });

  it('is valid only if it is unchanged, and only for the session that it was issued for', () => {
    const challenges = node(1, 'a');
    const challenge = issueWith(challenges);
    expect(challenges.isValid(challenge, 'another session')).to.equal(false);
    const [first = ''] = challenge;
    for (const changed of [
      '',
      challenge.slice(1),
      `${challenge}A`,
      `${first === 'A' ? 'B' : 'A'}${challenge.slice(1)}`,
    ])
      expect(challenges.isValid(changed, BINDING), changed).to.equal(false);
  });

  it('determines the id of the new credential, which only nodes with the key can compute', () => {
    const [a, b, stranger] = [node(1, 'a'), node(1, 'b'), node(2, 'a')];
    const [challenge, another] = [issueWith(a), issueWith(a)];
    expect(a.idFrom(challenge)).to.match(/^[\w-]{22}$/);
    expect(b.idFrom(challenge)).to.equal(a.idFrom(challenge));
    expect(new Set([a.idFrom(challenge), a.idFrom(another), stranger.idFrom(challenge)]).size).to.equal(3);
  });
});
