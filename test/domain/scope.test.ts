import { expect } from 'chai';
import fc from 'fast-check';
import { formatScope, isScopeToken, isWithin, parseScope } from '../../src/domain/scope.ts';

const ALLOWED = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index)).filter(
  (character) => character !== '"' && character !== '\\',
);
const aName = fc.string({ unit: fc.constantFrom(...ALLOWED), minLength: 1, maxLength: 12 });
const aScope = fc.uniqueArray(aName, { maxLength: 8 });

describe('a scope', () => {
  it('survives being written and read', () => {
    fc.assert(fc.property(aScope, (scope) => expect(parseScope(formatScope(scope))).to.deep.equal(scope) && true));
  });

  it('is read in the order of the request, each name once, however many spaces stand between', () => {
    expect(parseScope('  write  read write read ')).to.deep.equal(['write', 'read']);
  });

  it('is empty where its text is', () => {
    for (const text of ['', ' ', '     ']) expect(parseScope(text)).to.deep.equal([]);
    expect(formatScope([])).to.equal('');
  });

  it('has names of the characters of RFC 6749 §3.3 and no others', () => {
    for (let code = 0; code <= 0x17f; code += 1) {
      const character = String.fromCharCode(code);
      expect(isScopeToken(character), `U+${code.toString(16)}`).to.equal(ALLOWED.includes(character));
      if (character !== ' ') expect(parseScope(`a${character}b`) !== undefined).to.equal(ALLOWED.includes(character));
    }
    expect(isScopeToken('')).to.equal(false);
  });

  it('is malformed as a whole when one name is', () => {
    for (const text of ['read "write"', 'read\twrite', 'read\nwrite', 'read wri\\te', 'réad', 'read \u{1F511}'])
      expect(parseScope(text), text).to.equal(undefined);
  });

  it('tells names apart by every character', () => {
    expect(isWithin(['Read'], ['read'])).to.equal(false);
    expect(isWithin(['read'], ['read:all'])).to.equal(false);
    expect(isWithin(['__proto__'], ['read'])).to.equal(false);
  });

  it('is within another exactly when the other has all its names, in any order', () => {
    fc.assert(
      fc.property(aScope, aScope, (left, right) => {
        expect(isWithin(left, right)).to.equal(new Set([...left, ...right]).size === new Set(right).size);
        expect(isWithin([], left)).to.equal(true);
        expect(isWithin(left, left.toReversed())).to.equal(true);
      }),
    );
  });
});
