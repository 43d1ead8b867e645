import { expect } from 'chai';
import fc from 'fast-check';
import {
  allowedClients,
  formatScope,
  GROUPS_SCOPE,
  isOpenIdScope,
  isRestricted,
  isSameScope,
  isScopeToken,
  isWithin,
  needsLogin,
  parseScope,
  withoutForbidden,
  withoutUnknown,
} from '../../src/domain/scope.ts';
import { RESTRICTED_SCOPES } from '../../src/domain/values.ts';

const ALLOWED_CHARACTERS = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index)).filter(
  (character) => character !== '"' && character !== '\\',
);
const aName = fc.string({ unit: fc.constantFrom(...ALLOWED_CHARACTERS), minLength: 1, maxLength: 12 });
const aScope = fc.uniqueArray(aName, { maxLength: 8 });
const NAMES = ['read', 'write', 'Audit', 'audit:read', ...RESTRICTED_SCOPES];
const someNames = fc.shuffledSubarray(NAMES);

describe('a scope', () => {
  it('does not change when it is formatted and parsed', () => {
    fc.assert(fc.property(aScope, (scope) => expect(parseScope(formatScope(scope))).to.deep.equal(scope) && true));
  });

  it('keeps the order of the request, without duplicates or additional spaces', () => {
    expect(parseScope('  write  read write read ')).to.deep.equal(['write', 'read']);
  });

  it('is empty if its string is empty', () => {
    for (const text of ['', ' ', '     ']) expect(parseScope(text)).to.deep.equal([]);
    expect(formatScope([])).to.equal('');
  });

  it('allows only the characters of RFC 6749 §3.3 in names', () => {
    for (let code = 0; code <= 0x17f; code += 1) {
      const character = String.fromCharCode(code);
      expect(isScopeToken(character), `U+${code.toString(16)}`).to.equal(ALLOWED_CHARACTERS.includes(character));
      if (character !== ' ')
        expect(parseScope(`a${character}b`) !== undefined).to.equal(ALLOWED_CHARACTERS.includes(character));
    }
    expect(isScopeToken('')).to.equal(false);
  });

  it('is malformed if one of its names is malformed', () => {
    for (const text of ['read "write"', 'read\twrite', 'read\nwrite', 'read wri\\te', 'réad', 'read \u{1F511}'])
      expect(parseScope(text), text).to.equal(undefined);
  });

  it('compares names exactly', () => {
    expect(isWithin(['Read'], ['read'])).to.equal(false);
    expect(isWithin(['read'], ['read:all'])).to.equal(false);
    expect(isWithin(['__proto__'], ['read'])).to.equal(false);
  });

  it('is contained in another scope if the other scope contains all its names, in any order', () => {
    fc.assert(
      fc.property(aScope, aScope, (left, right) => {
        expect(isWithin(left, right)).to.equal(new Set([...left, ...right]).size === new Set(right).size);
        expect(isWithin([], left)).to.equal(true);
        expect(isWithin(left, left.toReversed())).to.equal(true);
      }),
    );
  });

  it('equals another scope if and only if each contains the other', () => {
    fc.assert(
      fc.property(someNames, someNames, (left, right) => {
        expect(isSameScope(left, right)).to.equal(left.toSorted().join(' ') === right.toSorted().join(' '));
      }),
    );
  });

  it('requires a login here only for an ID token and for access while the user is offline', () => {
    expect(['openid', 'offline_access', 'profile', 'email', 'read', ''].filter(needsLogin)).to.deep.equal([
      'openid',
      'offline_access',
    ]);
  });

  it('for group names is called groups, and is not an OpenID Connect scope', () => {
    expect(GROUPS_SCOPE).to.equal('groups');
    expect(isOpenIdScope(GROUPS_SCOPE)).to.equal(false);
  });

  it('is available to exactly the clients to which the operator allows it, if it is restricted', () => {
    const [first, second] = RESTRICTED_SCOPES;
    const clients = [[first], [second], [first, second], []].map((restrictedScopes) => ({ restrictedScopes }));
    expect(allowedClients(first, clients)).to.deep.equal([clients[0], clients[2]]);
  });

  it('treats exactly the listed names as restricted', () => {
    expect(NAMES.filter(isRestricted)).to.deep.equal([...RESTRICTED_SCOPES]);
  });
});

describe('a scope without some names', () => {
  /** Expects that `actual` has the remaining names in order, and is the scope itself if all remain. */
  function expectKept(actual: readonly string[], scope: readonly string[], isKept: (name: string) => boolean): void {
    const keptNames = scope.filter(isKept);
    expect(actual).to.deep.equal(keptNames);
    if (keptNames.length === scope.length) expect(actual).to.equal(scope);
  }

  it('keeps every name that is not restricted, and the restricted ones that are allowed', () => {
    fc.assert(
      fc.property(someNames, fc.subarray([...RESTRICTED_SCOPES]), (scope, allowedNames) => {
        expectKept(
          withoutForbidden(scope, allowedNames),
          scope,
          (name) => !isRestricted(name) || allowedNames.includes(name),
        );
      }),
    );
  });

  it('keeps exactly the known names', () => {
    fc.assert(
      fc.property(someNames, fc.subarray(NAMES), (scope, knownNames) => {
        expectKept(withoutUnknown(scope, new Set(knownNames)), scope, (name) => knownNames.includes(name));
      }),
    );
  });
});
