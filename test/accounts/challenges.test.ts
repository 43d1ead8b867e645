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

  function createNode(key: number, seed: string): Challenges {
    return createChallenges(createSecretKey(Buffer.alloc(32, key)), clock.now, seededEntropy(seed));
  }

  const issueFrom = (challenges: Challenges): string => Buffer.from(challenges.issue(BINDING)).toString('base64url');

  it('is valid for five minutes on every node with the same key', () => {
    const [a, b, nodeWithOtherKey] = [createNode(1, 'a'), createNode(1, 'b'), createNode(2, 'a')];
    const challenge = issueFrom(a);
    clock.advance(CHALLENGE_LIFETIME_SECONDS - 1);
    expect([a, b, nodeWithOtherKey].map((challenges) => challenges.isValid(challenge, BINDING))).to.deep.equal([
      true,
      true,
      false,
    ]);
    clock.advance(1);
    expect([a, b].map((challenges) => challenges.isValid(challenge, BINDING))).to.deep.equal([false, false]);
  });

  it('is refused if its issue time is far in the future, because a clock was wrong', () => {
    const challenges = createNode(1, 'a');
    clock.shift(86_400);
    const challenge = issueFrom(challenges);
    clock.shift(-86_400);
    expect(challenges.isValid(challenge, BINDING)).to.equal(false);
    clock.shift(86_400 - CLOCK_TOLERANCE_SECONDS);
    expect(challenges.isValid(challenge, BINDING), 'the clocks of nodes may differ slightly').to.equal(true);
  });

  it('is valid only if unchanged, and only for the session that it was issued for', () => {
    const challenges = createNode(1, 'a');
    const challenge = issueFrom(challenges);
    expect(challenges.isValid(challenge, 'a different session')).to.equal(false);
    const [firstCharacter = ''] = challenge;
    for (const tampered of [
      '',
      challenge.slice(1),
      `${challenge}A`,
      `${firstCharacter === 'A' ? 'B' : 'A'}${challenge.slice(1)}`,
    ])
      expect(challenges.isValid(tampered, BINDING), tampered).to.equal(false);
  });

  it('determines the id of the new credential, which only nodes with the key can compute', () => {
    const [a, b, nodeWithOtherKey] = [createNode(1, 'a'), createNode(1, 'b'), createNode(2, 'a')];
    const [challenge, otherChallenge] = [issueFrom(a), issueFrom(a)];
    expect(a.idFrom(challenge)).to.match(/^[\w-]{22}$/);
    expect(b.idFrom(challenge)).to.equal(a.idFrom(challenge));
    expect(new Set([a.idFrom(challenge), a.idFrom(otherChallenge), nodeWithOtherKey.idFrom(challenge)]).size).to.equal(
      3,
    );
  });
});
