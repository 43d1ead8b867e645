import { expect } from 'chai';
import { isPrintable } from '../../src/domain/printable.ts';

describe('printable text', () => {
  it('contains no control character, lone surrogate or direction mark', () => {
    for (const character of ['\n', '\u0085', '\ud800', '\u061c', '\u200e', '\u200f', '\u202e', '\u2066', '\u2069'])
      expect(isPrintable(`Acme${character}`), JSON.stringify(character)).to.equal(false);
  });

  it('may contain letters of every script, and emoji', () => {
    for (const text of ['Acme', 'Straße', 'مرحبا', 'שלום', '日本', '😀'])
      expect(isPrintable(text), text).to.equal(true);
  });
});
