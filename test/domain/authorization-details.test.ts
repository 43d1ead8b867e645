import { expect } from 'chai';
import fc from 'fast-check';
import { areWithin, canonicalJson, isWithinDetail } from '../../src/domain/authorization-details.ts';
import type { AuthorizationDetail } from '../../src/domain/authorization-details.ts';
import { hashOf } from '../support/domain-values.ts';

const strings = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
const member = fc.oneof(strings, fc.jsonValue({ maxDepth: 2 }));
const detail: fc.Arbitrary<AuthorizationDetail> = fc
  .dictionary(fc.constantFrom('actions', 'locations', 'amount', 'creditor'), member)
  .map((members) => ({ ...members, type: 'payment' }));

/** The granted detail with a non-empty part of each non-empty list of strings. */
const anyNarrowing = (granted: AuthorizationDetail): fc.Arbitrary<AuthorizationDetail> =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(granted).map(([name, value]) => {
          const isStringList =
            Array.isArray(value) && value.length > 0 && value.every((element) => typeof element === 'string');
          return [name, isStringList ? fc.subarray(value, { minLength: 1 }) : fc.constant(value)];
        }),
      ),
    )
    .map((members) => members as unknown as AuthorizationDetail);

describe('the narrowing of authorization details', () => {
  it('accepts an equal detail with its members in any order', () => {
    fc.assert(
      fc.property(detail, (granted) => {
        const reversedDetail = Object.fromEntries(
          Object.entries(granted).toReversed(),
        ) as unknown as AuthorizationDetail;
        expect(isWithinDetail(reversedDetail, granted)).to.equal(true);
        expect(canonicalJson(reversedDetail)).to.equal(canonicalJson(granted));
        expect(JSON.parse(canonicalJson(granted))).to.deep.equal(JSON.parse(JSON.stringify(granted)));
      }),
    );
  });

  it('accepts parts of lists of strings, and is transitive', () => {
    const chain = detail.chain((granted) =>
      anyNarrowing(granted).chain((narrower) =>
        anyNarrowing(narrower).map((narrowest) => [granted, narrower, narrowest] as const),
      ),
    );
    fc.assert(
      fc.property(chain, ([granted, narrower, narrowest]) => {
        expect(isWithinDetail(narrower, granted)).to.equal(true);
        expect(isWithinDetail(narrowest, granted)).to.equal(true);
      }),
    );
  });

  it('accepts a different detail only if each different member is a list of granted elements', () => {
    fc.assert(
      fc.property(detail, detail, (requested, grantedDetail) => {
        if (!isWithinDetail(requested, grantedDetail)) return;
        for (const [name, value] of Object.entries(requested)) {
          const grantedValue = grantedDetail[name];
          if (canonicalJson(value) === canonicalJson(grantedValue)) continue;
          expect(value).to.be.an('array').and.not.to.have.length(0);
          for (const element of value as unknown[]) expect(grantedValue).to.include(element);
        }
        expect(Object.keys(requested)).to.have.members(Object.keys(grantedDetail));
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses an additional or a missing member, a different type and an empty list', () => {
    const granted = { type: 'payment', actions: ['a', 'b'], amount: { value: 5 } };
    for (const requested of [
      { ...granted, more: true },
      { type: 'payment', actions: ['a'] },
      { ...granted, type: 'gift' },
      { ...granted, actions: [] },
      { ...granted, actions: ['a', 'c'] },
      { ...granted, actions: 'a' },
      { ...granted, amount: { value: 4 } },
      { ...granted, amount: { value: 5, more: 1 } },
    ])
      expect(isWithinDetail(requested, granted), JSON.stringify(requested)).to.equal(false);
  });

  it('compares the hashes in the log, within one type', () => {
    const granted = [{ type: 'payment', hash: hashOf('granted') }];
    expect(areWithin(undefined, undefined)).to.equal(true);
    expect(areWithin(granted, granted)).to.equal(true);
    expect(areWithin([{ type: 'payment', hash: hashOf('less'), narrows: hashOf('granted') }], granted)).to.equal(true);
    expect(areWithin(granted, undefined)).to.equal(false);
    expect(areWithin([{ type: 'gift', hash: hashOf('granted') }], granted)).to.equal(false);
    expect(areWithin([{ type: 'payment', hash: hashOf('less'), narrows: hashOf('other') }], granted)).to.equal(false);
  });
});
