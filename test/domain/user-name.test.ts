import { expect } from 'chai';
import fc from 'fast-check';
import { foldedUserName, hasInvisibleCharacter } from '../../src/domain/user-name.ts';

describe('a user name, folded,', () => {
  it('is the same in whatever case and width it is written', () => {
    for (const [one, other] of [
      ['foo', 'FOO'],
      ['foo', 'ｆｏｏ'],
      ['straße', 'STRASSE'],
      ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
      ['finance', 'ﬁnance'],
      ['a b', 'A  B'],
      ['K', 'k'],
    ] as const) {
      expect(foldedUserName(one), other).to.equal(foldedUserName(other));
    }
  });

  it('keeps apart what differs in more', () => {
    for (const [one, other] of [
      ['foo', 'fo'],
      ['foo', 'fóo'],
      ['foo', 'f00'],
      ['foo.bar', 'foobar'],
      ['a b', 'ab'],
    ] as const) {
      expect(foldedUserName(one), other).not.to.equal(foldedUserName(other));
    }
  });

  it('stays as it is when folded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(foldedUserName(foldedUserName(name))).to.equal(foldedUserName(name));
      }),
    );
  });
});

describe('what cannot be seen in a name', () => {
  it('is found: marks that turn text around, blanks of no width, control characters', () => {
    for (const mark of [
      '\u202e',
      '\u2066',
      '\u2069',
      '\u200f',
      '\u061c',
      '\u200b',
      '\u200d',
      '\u2060',
      '\ufeff',
      '\u00ad',
      '\u034f',
      '\u115f',
      '\u3164',
      '\u2028',
      '\ufe0f',
      '\u{e0041}',
      '\u2800',
      '\u0000',
      '\ud800',
    ]) {
      expect(hasInvisibleCharacter(`a${mark}da`), mark.codePointAt(0)?.toString(16)).to.equal(true);
    }
  });

  it('is not found in names as people write them', () => {
    for (const name of [
      'ada',
      'Ada Lovelace',
      'ada@example.org',
      'Ægir Þór',
      'عائشة',
      'אדה',
      'あだ',
      '阿达',
      'Ада',
      'O’Neil',
      'ada_1-2.3',
    ]) {
      expect(hasInvisibleCharacter(name), name).to.equal(false);
    }
  });
});
