import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalJson } from '../../src/domain/authorization-details.ts';
import { isSameValue } from '../../src/domain/same-value.ts';

/** Few values, so that equal ones are frequent. */
const aValue = fc.letrec((tie) => ({
  leaf: fc.constantFrom<unknown>(null, 0, 1, '', 'a', true),
  list: fc.array(tie('value'), { maxLength: 2 }),
  object: fc.dictionary(fc.constantFrom('0', 'a'), tie('value'), { maxKeys: 2 }),
  value: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('list'), tie('object')),
})).value;

describe('two JSON values', () => {
  it('are the same if their JSON is, whatever the order of members', () => {
    fc.assert(
      fc.property(aValue, aValue, (left, right) => {
        expect(isSameValue(left, right)).to.equal(canonicalJson(left) === canonicalJson(right));
        expect(isSameValue(left, JSON.parse(JSON.stringify(left)))).to.equal(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('differ if one is a list and the other an object, even with the same members', () => {
    expect(isSameValue([], {})).to.equal(false);
    expect(isSameValue({ 0: 'a' }, ['a'])).to.equal(false);
  });

  it('are the same if a member is undefined in one and absent in the other', () => {
    expect(isSameValue({ a: 1, b: undefined }, { a: 1 })).to.equal(true);
    expect(isSameValue({ a: 1 }, { a: 1, b: undefined })).to.equal(true);
  });
});
