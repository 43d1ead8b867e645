import { expect } from 'chai';
import { oneLineRows } from '../../src/cli/one-line-rows.ts';

describe('a list with one line for each row', () => {
  it('truncates a long text between characters, even if a character has two UTF-16 code units', () => {
    for (let width = 1; width <= 6; width += 1) {
      const [, line = ''] = oneLineRows(['text'], ['text'], [{ text: 'a😀😀b' }], width);
      expect(line).to.not.match(/\p{Surrogate}/u);
      expect(line.trimEnd().length).to.be.at.most(width);
    }
  });
});
