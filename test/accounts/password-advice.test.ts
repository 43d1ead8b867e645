import { expect } from 'chai';
import fc from 'fast-check';
import { passwordWeakness } from '../../src/accounts/password-advice.ts';
import { english } from '../../src/language/english.ts';

function describeWeakness(password: string, personalValues: readonly string[]): string | undefined {
  const weakness = passwordWeakness(password, personalValues);
  return weakness && english.text(weakness);
}

describe('a password chosen on a page', () => {
  it('must have at least eight characters, no matter how many bytes they take', () => {
    expect(describeWeakness('seven77', [])).to.match(/at least 8/);
    expect(describeWeakness('eight 88', [])).to.equal(undefined);
    expect(describeWeakness('🦉🐻🦊🐢🦔🐝🐌', [])).to.match(/at least 8/);
    expect(describeWeakness('🦉🐻🦊🐢🦔🐝🐌🦋', [])).to.equal(undefined);
  });

  it('does not need a capital letter, digit or symbol', () => {
    expect(describeWeakness('owl moon tea kettle', ['ada'])).to.equal(undefined);
  });

  it('must not be a common password in any case or width', () => {
    for (const commonPassword of [
      'password',
      'Password1',
      'QWERTYUIOP',
      '12345678',
      'aaaaaaaaaaaa',
      'abababababab',
      'ｐａｓｓｗｏｒｄ',
    ]) {
      expect(describeWeakness(commonPassword, []), commonPassword).to.match(/too common/);
    }
  });

  it('must not be the user name, the e-mail address or its local part', () => {
    for (const value of ['hypatia-theonos', 'Hypatia-Theonos', 'astronomer@mouseion.example', 'astronomer']) {
      expect(describeWeakness(value, ['hypatia-theonos', 'astronomer@mouseion.example']), value).to.match(
        /user name or e-mail/,
      );
    }
    expect(describeWeakness('a long unknown one', ['', ''])).to.equal(undefined);
  });

  it('can be anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 20, maxLength: 200 }), (password) => {
        fc.pre(new Set(password.normalize('NFKC').toLowerCase()).size >= 3);
        expect(describeWeakness(password, ['ada', 'ada@example.org'])).to.equal(undefined);
      }),
    );
  });
});
