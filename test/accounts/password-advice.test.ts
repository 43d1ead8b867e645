import { expect } from 'chai';
import fc from 'fast-check';
import { passwordWeakness } from '../../src/accounts/password-advice.ts';

describe('a password chosen on a page', () => {
  it('has eight characters or more, however many bytes they take', () => {
    expect(passwordWeakness('seven77', [])).to.match(/at least 8/);
    expect(passwordWeakness('eight 88', [])).to.equal(undefined);
    expect(passwordWeakness('🦉🐻🦊🐢🦔🐝🐌', [])).to.match(/at least 8/);
    expect(passwordWeakness('🦉🐻🦊🐢🦔🐝🐌🦋', [])).to.equal(undefined);
  });

  it('needs no capital, digit or symbol', () => {
    expect(passwordWeakness('owl moon tea kettle', ['ada'])).to.equal(undefined);
  });

  it('must not be a common password, in any case or width', () => {
    for (const common of [
      'password',
      'Password1',
      'QWERTYUIOP',
      '12345678',
      'aaaaaaaaaaaa',
      'abababababab',
      'ｐａｓｓｗｏｒｄ',
    ]) {
      expect(passwordWeakness(common, []), common).to.match(/too common/);
    }
  });

  it('must not be the user name or e-mail address', () => {
    for (const known of ['hypatia-theonos', 'Hypatia-Theonos', 'astronomer@mouseion.example', 'astronomer']) {
      expect(passwordWeakness(known, ['hypatia-theonos', 'astronomer@mouseion.example']), known).to.match(
        /user name or e-mail/,
      );
    }
    expect(passwordWeakness('a long unknown one', ['', ''])).to.equal(undefined);
  });

  it('can be anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 20, maxLength: 200 }), (password) => {
        fc.pre(new Set(password.normalize('NFKC').toLowerCase()).size >= 3);
        expect(passwordWeakness(password, ['ada', 'ada@example.org'])).to.equal(undefined);
      }),
    );
  });
});
