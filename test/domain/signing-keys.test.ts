import { expect } from 'chai';
import fc from 'fast-check';
import {
  keyInUse,
  nextKeys,
  signingKeyStatus,
  signingKeys,
  type IntroduceSigningKey,
  type RetireSigningKey,
  type SigningPeriod,
} from '../../src/domain/signing-keys.ts';
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '../../src/domain/values.ts';
import { keyId, seconds } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';
import { unchecked } from '../support/unchecked.ts';

const introduce = (label: string, changes: Partial<IntroduceSigningKey> = {}): IntroduceSigningKey => ({
  type: 'IntroduceSigningKey',
  kid: keyId(label),
  algorithm: 'ES256',
  publicKey: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
  from: seconds(100),
  until: seconds(200),
  reason: 'scheduled',
  predecessor: null,
  ...changes,
});
const retire = (label: string, changes: Partial<RetireSigningKey> = {}): RetireSigningKey => ({
  type: 'RetireSigningKey',
  kid: keyId(label),
  reason: 'requested',
  now: seconds(150),
  ...changes,
});
const successor = introduce('b', { predecessor: keyId('a'), from: seconds(200), until: seconds(300) });

describe('a signing key', () => {
  it('is introduced after the newest key of its algorithm', () => {
    given(signingKeys).when(introduce('a')).accepted('SigningKeyIntroduced');
    given(signingKeys, introduce('a')).when(successor).accepted('SigningKeyIntroduced');
    given(signingKeys, introduce('a'))
      .when(introduce('b', { algorithm: 'EdDSA' }))
      .accepted('SigningKeyIntroduced');
  });

  it('is refused if another key has already succeeded the same key, so that only one node rotates', () => {
    given(signingKeys, introduce('a')).when(introduce('b')).refused('key-succeeded');
    given(signingKeys, introduce('a'), successor)
      .when(introduce('c', { predecessor: keyId('a') }))
      .refused('key-succeeded');
  });

  it('that must be the only next key is refused if its algorithm has a next key that was not retired', () => {
    const laterKey = introduce('c', { predecessor: keyId('b'), from: seconds(250), until: seconds(350) });
    const onlyNextKey = { ...laterKey, ifNoNextKeyAt: seconds(150) };
    given(signingKeys, introduce('a'), successor).when(onlyNextKey).refused('next-key-exists');
    given(signingKeys, introduce('a'), successor).when(laterKey).accepted('SigningKeyIntroduced');
    given(signingKeys, introduce('a'), successor)
      .when({ ...onlyNextKey, ifNoNextKeyAt: seconds(200) })
      .accepted('SigningKeyIntroduced');
    given(signingKeys, introduce('a'), successor, retire('b')).when(onlyNextKey).accepted('SigningKeyIntroduced');
    given(signingKeys, introduce('a'), successor)
      .when(introduce('c', { algorithm: 'EdDSA', ifNoNextKeyAt: seconds(150) }))
      .accepted('SigningKeyIntroduced');
  });

  it('has an id that no other key had', () => {
    given(signingKeys, introduce('a'))
      .when(introduce('a', { predecessor: keyId('a') }))
      .refused('key-exists');
    given(signingKeys, introduce('a'))
      .when(introduce('a', { algorithm: 'RS256' }))
      .refused('key-exists');
  });

  it('has a period that ends after its start', () => {
    for (const until of [99, 100])
      given(signingKeys)
        .when(introduce('a', { until: seconds(until) }))
        .refused('period-ends-before-it-begins');
  });

  it('in use is retired only if it has a successor, even one that begins later', () => {
    given(signingKeys, introduce('a')).when(retire('a')).refused('key-in-use');
    given(signingKeys, introduce('a'), introduce('b', { algorithm: 'EdDSA' }))
      .when(retire('a'))
      .refused('key-in-use');
    given(signingKeys, introduce('a'), successor).when(retire('a')).accepted('SigningKeyRetired');
    given(signingKeys, introduce('a'), successor).when(retire('b')).accepted('SigningKeyRetired');
    given(signingKeys, introduce('a'), successor, retire('b')).when(retire('a')).refused('key-in-use');
  });

  it('that no longer signs is retired without a successor', () => {
    given(signingKeys, introduce('a'))
      .when(retire('a', { now: seconds(200) }))
      .accepted('SigningKeyRetired');
  });

  it('is retired whatever happened to other keys', () => {
    const third = introduce('c', { predecessor: keyId('b'), from: seconds(300), until: seconds(400) });
    given(signingKeys, introduce('a'), successor, third, retire('a')).when(retire('b')).accepted('SigningKeyRetired');
  });

  it('is retired once', () => {
    given(signingKeys).when(retire('a')).refused('key-unknown');
    const history = [introduce('a'), successor, retire('a')];
    given(signingKeys, ...history)
      .when(retire('a'))
      .refused('key-retired');
    given(signingKeys, ...history)
      .when(retire('a', { reason: 'expired' }))
      .changesNothing();
  });
});

describe('the signing keys', () => {
  it('are listed with their periods, oldest first, and remain listed after they are retired', () => {
    const history = [introduce('a'), successor, retire('a')];
    const state = history.reduce(
      (keys, command) => signingKeys.decide(command, keys).events.reduce(signingKeys.evolve, keys),
      signingKeys.initial,
    );
    expect(state).to.deep.equal([
      { kid: keyId('a'), algorithm: 'ES256', from: 100, until: 200, retired: 'requested' },
      { kid: keyId('b'), algorithm: 'ES256', from: 200, until: 300, retired: null },
    ]);
  });

  it('change at a decision time only if the decision depends on it', () => {
    expect(signingKeys.decidedAt?.(retire('a'))).to.equal(150);
    expect(signingKeys.decidedAt?.(introduce('a'))).to.equal(undefined);
    expect(signingKeys.decidedAt?.(introduce('a', { ifNoNextKeyAt: seconds(7) }))).to.equal(7);
  });

  it('accept no unknown command or event', () => {
    const unknownMessage = unchecked({ type: 'Other' });
    expect(() => signingKeys.decide(unknownMessage, [])).to.throw('unhandled case');
    expect(() => signingKeys.evolve([], unknownMessage)).to.throw('unhandled case');
  });
});

describe('the key in use', () => {
  const key = fc.record({
    algorithm: fc.constantFrom<SigningAlgorithm>(...SIGNING_ALGORITHMS),
    from: fc.nat({ max: 9 }),
    length: fc.integer({ min: 1, max: 9 }),
    retired: fc.constantFrom(null, null, 'expired' as const, 'requested' as const),
  });
  const keys = fc.array(key, { maxLength: 9 }).map((fields) =>
    fields.map(({ from, length, ...rest }, index): SigningPeriod => ({
      ...rest,
      kid: keyId(`${index}`),
      from: seconds(from),
      until: seconds(from + length),
    })),
  );

  it('has the algorithm, is neither retired nor expired, and is the latest of those whose period has begun', () => {
    fc.assert(
      fc.property(keys, fc.nat({ max: 20 }), (periods, now) => {
        const usablePeriods = periods.filter(
          ({ algorithm, retired, until }) => algorithm === 'ES256' && retired === null && now < until,
        );
        const periodInUse = keyInUse(periods, 'ES256', now);
        expect(usablePeriods.length === 0).to.equal(periodInUse === undefined);
        if (periodInUse === undefined) return;
        expect(usablePeriods).to.include(periodInUse);
        const begunPeriods = usablePeriods.filter(({ from }) => from <= now);
        const starts = (begunPeriods.length === 0 ? usablePeriods : begunPeriods).map(({ from }) => from);
        expect(periodInUse.from).to.equal(begunPeriods.length === 0 ? Math.min(...starts) : Math.max(...starts));
        if (begunPeriods.length > 0)
          expect(periodInUse).to.equal(begunPeriods.findLast(({ from }) => from === periodInUse.from));
      }),
    );
  });

  it('signs, a key that is not retired and begins later is next, and every other one is past', () => {
    fc.assert(
      fc.property(keys, fc.nat({ max: 20 }), (periods, now) => {
        const publishedKeys = periods.filter(({ retired }) => retired === null);
        const signers = SIGNING_ALGORITHMS.map((algorithm) => keyInUse(periods, algorithm, now));
        const statusOf = (period: SigningPeriod) => signingKeyStatus(period, publishedKeys, seconds(now));
        for (const period of periods) {
          const expected = signers.includes(period) ? 'signs' : now < period.from ? 'next' : 'past';
          expect(statusOf(period)).to.equal(period.retired === null ? expected : 'retired');
        }
        const expectedKeys = periods.filter((period) => statusOf(period) === 'next');
        for (const candidates of [publishedKeys, periods])
          expect(nextKeys(candidates, seconds(now))).to.deep.equal(expectedKeys);
      }),
    );
  });

  it('begins at the first second of its period', () => {
    const earlier: SigningPeriod = {
      kid: keyId('a'),
      algorithm: 'ES256',
      from: seconds(0),
      until: seconds(9),
      retired: null,
    };
    const later = { ...earlier, kid: keyId('b'), from: seconds(5) };
    expect([4, 5].map((now) => keyInUse([earlier, later], 'ES256', now))).to.deep.equal([earlier, later]);
  });
});
