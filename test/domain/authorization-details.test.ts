import { expect } from 'chai';
import fc from 'fast-check';
import {
  haveSameDetails,
  areDetailsWithin,
  canonicalJson,
  isWithinDetail,
} from '../../src/domain/authorization-details.ts';
import type { AuthorizationDetail, RecordedDetail } from '../../src/domain/authorization-details.ts';
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

const aHash = fc.constantFrom('a', 'b').map(hashOf);
const aRecordedDetail: fc.Arbitrary<RecordedDetail> = fc.record(
  { type: fc.constantFrom('payment', 'gift'), hash: aHash, narrows: aHash },
  { requiredKeys: ['type', 'hash'] },
);

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

  it('narrows only lists in which every element is a string', () => {
    const grantedDetail = { type: 'payment', numbers: [1, 2], mixed: ['a', 1] };
    expect(isWithinDetail(grantedDetail, grantedDetail)).to.equal(true);
    for (const change of [{ numbers: [1] }, { mixed: ['a'] }, { numbers: [] }])
      expect(isWithinDetail({ ...grantedDetail, ...change }, grantedDetail), JSON.stringify(change)).to.equal(false);
  });

  it('does not mistake an inherited property for a member', () => {
    const grantedDetail = JSON.parse('{ "type": "payment", "__proto__": {} }') as AuthorizationDetail;
    expect(isWithinDetail({ type: 'payment', amount: 5 }, grantedDetail)).to.equal(false);
  });

  it('compares the hashes in the log, within one type', () => {
    const grantedDetails = [{ type: 'payment', hash: hashOf('granted') }];
    expect(areDetailsWithin(undefined, undefined)).to.equal(true);
    expect(areDetailsWithin(grantedDetails, grantedDetails)).to.equal(true);
    expect(
      areDetailsWithin([{ type: 'payment', hash: hashOf('less'), narrows: hashOf('granted') }], grantedDetails),
    ).to.equal(true);
    expect(areDetailsWithin(grantedDetails, undefined)).to.equal(false);
    expect(areDetailsWithin([{ type: 'gift', hash: hashOf('granted') }], grantedDetails)).to.equal(false);
    expect(
      areDetailsWithin([{ type: 'payment', hash: hashOf('less'), narrows: hashOf('other') }], grantedDetails),
    ).to.equal(false);
  });

  it('accepts a list of recorded details only if each of them is within a granted one', () => {
    fc.assert(
      fc.property(fc.array(aRecordedDetail), fc.array(aRecordedDetail), (details, grantedDetails) => {
        const isWithinGranted = ({ type, hash, narrows }: RecordedDetail): boolean =>
          grantedDetails.some((granted) => granted.type === type && granted.hash === (narrows ?? hash));
        expect(areDetailsWithin(details, grantedDetails)).to.equal(
          details.filter(isWithinGranted).length === details.length,
        );
      }),
    );
  });
});

describe('two lists of recorded details', () => {
  it('are the same if each contains the hashes of the other, in any order and number', () => {
    fc.assert(
      fc.property(fc.array(aRecordedDetail), fc.array(aRecordedDetail), (left, right) => {
        const areSame =
          left.every(({ hash }) => right.some((other) => other.hash === hash)) &&
          right.every(({ hash }) => left.some((other) => other.hash === hash));
        expect(haveSameDetails(left, right)).to.equal(areSame);
        expect(haveSameDetails(left, [...left, ...left].toReversed())).to.equal(true);
      }),
    );
  });

  it('are the same if one is empty and the other is absent', () => {
    expect(haveSameDetails(undefined, [])).to.equal(true);
    expect(haveSameDetails([{ type: 'payment', hash: hashOf('granted') }], undefined)).to.equal(false);
  });
});
