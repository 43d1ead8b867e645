import { expect } from 'chai';
import fc from 'fast-check';
import { formatScope, isScopeToken, isWithin, parseScope } from '../../src/domain/scope.ts';

const ALLOWED = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index)).filter(
  (character) => character !== '"' && character !== '\\',
);
const aName = fc.string({ unit: fc.constantFrom(...ALLOWED), minLength: 1, maxLength: 12 });
const aScope = fc.uniqueArray(aName, { maxLength: 8 });

describe('a scope', () => {
  it('is the same after it was written and read', () => {
    fc.assert(fc.property(aScope, (scope) => expect(parseScope(formatScope(scope))).to.deep.equal(scope) && true));
  });

  it('is read in the order of the request, without duplicates, whatever the spaces between names', () => {
    expect(parseScope('  write  read write read ')).to.deep.equal(['write', 'read']);
  });

  it('is empty if its text is empty', () => {
    for (const text of ['', ' ', '     ']) expect(parseScope(text)).to.deep.equal([]);
    expect(formatScope([])).to.equal('');
  });

  it('allows the characters of RFC 6749 §3.3 in names, and no others', () => {
    for (let code = 0; code <= 0x17f; code += 1) {
      const character = String.fromCharCode(code);
      expect(isScopeToken(character), `U+${code.toString(16)}`).to.equal(ALLOWED.includes(character));
      if (character !== ' ') expect(parseScope(`a${character}b`) !== undefined).to.equal(ALLOWED.includes(character));
    }
    expect(isScopeToken('')).to.equal(false);
  });

  it('is malformed if one of its names is', () => {
    for (const text of ['read "write"', 'read\twrite', 'read\nwrite', 'read wri\\te', 'réad', 'read \u{1F511}'])
      expect(parseScope(text), text).to.equal(undefined);
  });

  it('compares names exactly', () => {
    expect(isWithin(['Read'], ['read'])).to.equal(false);
    expect(isWithin(['read'], ['read:all'])).to.equal(false);
    expect(isWithin(['__proto__'], ['read'])).to.equal(false);
  });

  it('is contained in another scope if that has all its names, in any order', () => {
    fc.assert(
      fc.property(aScope, aScope, (left, right) => {
        expect(isWithin(left, right)).to.equal(new Set([...left, ...right]).size === new Set(right).size);
        expect(isWithin([], left)).to.equal(true);
        expect(isWithin(left, left.toReversed())).to.equal(true);
      }),
    );
  });
});
