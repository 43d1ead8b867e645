import { expect } from 'chai';
import fc from 'fast-check';
import { passwordWeakness } from '../../src/accounts/password-advice.ts';
import { normalizeGroupName } from '../../src/domain/group.ts';
import { MAX_DECOMPOSED_LENGTH, normalForm } from '../../src/domain/normal-form.ts';
import { foldedUserName, normalizeUserName } from '../../src/domain/user-name.ts';
import { watchPrimitives } from '../support/watched-primitives.ts';

/** The worst case: marks of one class in front of marks that have to be moved before them. */
const LONG_TEXT = `a${'\u0301'.repeat(16_000)}${'\u0323'.repeat(16_000)}`;

/** The lengths of the strings that are normalized while `act` runs. */
function normalizedLengths(action: () => unknown): readonly number[] {
  const watch = watchPrimitives(() => true);
  try {
    action();
    return watch
      .takeCalls()
      .filter(({ primitive }) => primitive === 'String.normalize')
      .map(({ text }) => text.length);
  } finally {
    watch.stop();
  }
}

describe('the normal form of a string', () => {
  it('is NFKC for every string whose NFKC is within the limit', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'),
        (text, form) => {
          const composed = text.normalize('NFKC');
          expect(normalForm(text.normalize(form), composed.length)).to.equal(composed);
        },
      ),
    );
    for (const decomposed of ['\u1F82', '\u1FF7', '각', 'ǭ', '𝅘𝅥𝅯'].map((text) => text.normalize('NFD'))) {
      expect(decomposed.length).to.be.at.most(decomposed.normalize('NFC').length * MAX_DECOMPOSED_LENGTH);
      const composed = decomposed.normalize('NFKC');
      expect(normalForm(decomposed, composed.length)).to.equal(composed);
    }
  });

  it('is the unchanged string if the string exceeds the limit', () => {
    expect(normalizedLengths(() => expect(normalForm(LONG_TEXT, 150)).to.equal(LONG_TEXT))).to.deep.equal([]);
  });
});

describe('a name or password that is too long', () => {
  for (const [subject, normalize] of [
    ['a user name', () => normalizeUserName(LONG_TEXT)],
    ['a folded user name', () => foldedUserName(LONG_TEXT)],
    ['a group name', () => normalizeGroupName(LONG_TEXT)],
    ['a password', () => passwordWeakness(LONG_TEXT, ['ada'])],
    [
      'the name of the owner of a password',
      () => passwordWeakness('a long password', [LONG_TEXT, `${LONG_TEXT}@mail.example`]),
    ],
  ] as const) {
    it(`is not normalized: ${subject}`, () => {
      for (const length of normalizedLengths(normalize)) expect(length).to.be.at.most(1_024 * MAX_DECOMPOSED_LENGTH);
    });
  }

  it('remains too long, so its rule refuses it', () => {
    expect([normalizeUserName(LONG_TEXT), foldedUserName(LONG_TEXT), normalizeGroupName(LONG_TEXT)]).to.deep.equal([
      LONG_TEXT,
      LONG_TEXT,
      LONG_TEXT,
    ]);
    expect(passwordWeakness(LONG_TEXT, [])?.key).to.equal('problem.too-long');
  });
});
