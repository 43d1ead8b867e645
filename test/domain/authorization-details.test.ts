import { expect } from 'chai';
import fc from 'fast-check';
import { areWithin, canonicalJson, isWithinDetail } from '../../src/domain/authorization-details.ts';
import type { AuthorizationDetail } from '../../src/domain/authorization-details.ts';
import { hashOf } from '../support/domain-values.ts';

const stringList = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
const member = fc.oneof(stringList, fc.jsonValue({ maxDepth: 2 }));
const detail: fc.Arbitrary<AuthorizationDetail> = fc
  .dictionary(fc.constantFrom('actions', 'locations', 'amount', 'creditor'), member)
  .map((members) => ({ ...members, type: 'payment' }));

/** The granted detail with a non-empty part of each non-empty list of strings. */
const anyNarrowing = (grantedDetail: AuthorizationDetail): fc.Arbitrary<AuthorizationDetail> =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(grantedDetail).map(([name, value]) => {
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
      fc.property(detail, (grantedDetail) => {
        const reversedDetail = Object.fromEntries(
          Object.entries(grantedDetail).toReversed(),
        ) as unknown as AuthorizationDetail;
        expect(isWithinDetail(reversedDetail, grantedDetail)).to.equal(true);
        expect(canonicalJson(reversedDetail)).to.equal(canonicalJson(grantedDetail));
        expect(JSON.parse(canonicalJson(grantedDetail))).to.deep.equal(JSON.parse(JSON.stringify(grantedDetail)));
      }),
    );
  });

  it('accepts parts of lists of strings, and is transitive', () => {
    const chain = detail.chain((grantedDetail) =>
      anyNarrowing(grantedDetail).chain((narrower) =>
        anyNarrowing(narrower).map((narrowest) => [grantedDetail, narrower, narrowest] as const),
      ),
    );
    fc.assert(
      fc.property(chain, ([grantedDetail, narrower, narrowest]) => {
        expect(isWithinDetail(narrower, grantedDetail)).to.equal(true);
        expect(isWithinDetail(narrowest, grantedDetail)).to.equal(true);
      }),
    );
  });

  it('accepts a different detail only if each different member is a list of granted elements', () => {
    fc.assert(
      fc.property(detail, detail, (requestedDetail, grantedDetail) => {
        if (!isWithinDetail(requestedDetail, grantedDetail)) return;
        for (const [name, value] of Object.entries(requestedDetail)) {
          const grantedValue = grantedDetail[name];
          if (canonicalJson(value) === canonicalJson(grantedValue)) continue;
          expect(value).to.be.an('array').and.not.to.have.length(0);
          for (const element of value as unknown[]) expect(grantedValue).to.include(element);
        }
        expect(Object.keys(requestedDetail)).to.have.members(Object.keys(grantedDetail));
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses an additional or a missing member, a different type and an empty list', () => {
    const grantedDetail = { type: 'payment', actions: ['a', 'b'], amount: { value: 5 } };
    for (const requestedDetail of [
      { ...grantedDetail, more: true },
      { type: 'payment', actions: ['a'] },
      { ...grantedDetail, type: 'gift' },
      { ...grantedDetail, actions: [] },
      { ...grantedDetail, actions: ['a', 'c'] },
      { ...grantedDetail, actions: 'a' },
      { ...grantedDetail, amount: { value: 4 } },
      { ...grantedDetail, amount: { value: 5, more: 1 } },
    ])
      expect(isWithinDetail(requestedDetail, grantedDetail), JSON.stringify(requestedDetail)).to.equal(false);
  });

  it('compares the hashes in the log, within one type', () => {
    const grantedDetails = [{ type: 'payment', hash: hashOf('granted') }];
    expect(areWithin(undefined, undefined)).to.equal(true);
    expect(areWithin(grantedDetails, grantedDetails)).to.equal(true);
    expect(areWithin([{ type: 'payment', hash: hashOf('less'), narrows: hashOf('granted') }], grantedDetails)).to.equal(
      true,
    );
    expect(areWithin(grantedDetails, undefined)).to.equal(false);
    expect(areWithin([{ type: 'gift', hash: hashOf('granted') }], grantedDetails)).to.equal(false);
    expect(areWithin([{ type: 'payment', hash: hashOf('less'), narrows: hashOf('other') }], grantedDetails)).to.equal(
      false,
    );
  });
});
