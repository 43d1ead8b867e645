import { expect } from 'chai';
import fc from 'fast-check';
import { MAX_LENGTH } from '../../src/domain/lengths.ts';
import { foldedEmail, foldedUserName, hasInvisibleCharacter } from '../../src/domain/user-name.ts';

describe('a folded user name', () => {
  it('is the same in every case and width', () => {
    for (const [name, variant] of [
      ['foo', 'FOO'],
      ['foo', 'ｆｏｏ'],
      ['straße', 'STRASSE'],
      ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
      ['finance', 'ﬁnance'],
      ['a b', 'A  B'],
      ['K', 'k'],
      ['a'.repeat(MAX_LENGTH.userName), 'A'.repeat(MAX_LENGTH.userName)],
    ] as const) {
      expect(foldedUserName(name), variant).to.equal(foldedUserName(variant));
    }
  });

  it('is in lower case, as in the stream names of existing logs', () => {
    for (const name of ['foo', 'Foo', 'FOO', 'ＦＯＯ']) expect(foldedUserName(name)).to.equal('foo');
  });

  it('differs for names that differ in other ways', () => {
    for (const [name, otherName] of [
      ['foo', 'fo'],
      ['foo', 'fóo'],
      ['foo', 'f00'],
      ['foo.bar', 'foobar'],
      ['a b', 'ab'],
    ] as const) {
      expect(foldedUserName(name), otherName).not.to.equal(foldedUserName(otherName));
    }
  });

  it('does not change when folded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(foldedUserName(foldedUserName(name))).to.equal(foldedUserName(name));
      }),
    );
  });
});

describe('a folded e-mail address', () => {
  it('is the same in every case of ASCII letters', () => {
    expect(foldedEmail('Ada.ZOE@Example.ORG')).to.equal('ada.zoe@example.org');
    expect(foldedEmail('ada-1@example.org')).to.equal('ada-1@example.org');
  });

  it('keeps every other letter, because a similar address may belong to someone else', () => {
    for (const address of ['Ádá@example.org', 'Kelvin@example.org', 'ſtaff@example.org', 'ａｄａ@example.org'])
      expect(foldedEmail(address)).to.equal(address);
  });
});

describe('an invisible character in a name', () => {
  it('is detected: a direction mark, a character without width or ink, a control character or a lone surrogate', () => {
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

  it('is not reported in common names', () => {
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
