import { expect } from 'chai';
import fc from 'fast-check';
import { containsText, foldText, toSortKey } from '../../src/lists/folded-text.ts';

describe('a folded string', () => {
  for (const [text, equivalent] of [
    ['ÄRGER', 'arger'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'Strasse'],
    ['σοφος', 'ΣΟΦΟΣ'],
    ['ｆｏｏ', 'FOO'],
    ['e\u0301', 'É'],
  ] as const)
    it(`is the same for ${text} and ${equivalent}`, () => expect(foldText(text)).to.equal(foldText(equivalent)));

  it('does not change when it is folded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldText(foldText(text))).to.equal(foldText(text));
      }),
      { examples: [['ẞ']] },
    );
  });

  it('contains the start of a word whose last letter has a final form', () => {
    expect(containsText(['ΟΔΟΣΗΜΑΝΣΗ'], 'οδος')).to.equal(true);
  });
});

describe('a sort key', () => {
  const sortByKey = (texts: readonly string[]): readonly string[] =>
    texts.toSorted((a, b) => (toSortKey(a) < toSortKey(b) ? -1 : 1));

  it('ignores case and accents, and orders numbers by value', () => {
    const texts = ['a', 'Ä 1', 'b 2', 'B 9', 'b 010', 'b 10a', 'b 100', 'c'];
    expect(sortByKey(texts.toReversed())).to.deep.equal(texts);
  });

  it('orders whole numbers by their values', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (first, second) => {
        fc.pre(first !== second);
        expect(toSortKey(`App ${first}`) < toSortKey(`app ${second}`)).to.equal(first < second);
      }),
    );
  });

  it('has at most 256 characters, so that it fits into a URL', () => {
    expect(toSortKey('a1'.repeat(5_000)).length).to.equal(256);
  });
});
