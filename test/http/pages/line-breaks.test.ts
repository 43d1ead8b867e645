import { expect } from 'chai';
import fc from 'fast-check';
import { breakableParts } from '../../../src/http/pages/line-breaks.ts';

describe('Text in a narrow column', () => {
  it('never breaks inside a word of up to 16 characters', () => {
    for (const word of ['administrator', 'hans', 'a@b.example', 'Ressourcenserver'])
      expect(breakableParts(`${word} ${word}`)).to.deep.equal([`${word} ${word}`]);
  });

  it('never breaks inside an e-mail address of up to 26 characters', () => {
    for (const address of ['diego@harbour.example', 'bartholomew@harbour.example'.slice(0, 26)])
      expect(breakableParts(`${address} ${address}`)).to.deep.equal([`${address} ${address}`]);
  });

  it('breaks longer words after "@" and into the longest parts that end with a punctuation mark', () => {
    for (const [text, parts] of [
      ['newbie@harbour-authority.example', ['newbie@', 'harbour-', 'authority.', 'example']],
      ['grant_management_query', ['grant_', 'management_query']],
      ['see http://localhost:8301/x now', ['see http://', 'localhost:8301/x now']],
    ] as const)
      expect(breakableParts(text)).to.deep.equal(parts);
  });

  it('breaks between letters only where a part without punctuation is longer than 16 characters', () => {
    expect(breakableParts('Wiederherstellungscode')).to.deep.equal(['Wiederherstellun', 'gscode']);
  });

  it('keeps every character, and has no more than 16 letters without a punctuation mark, a space or a break', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', ' ', '.', '_', '\n', '🙂', 'é'), maxLength: 99 }),
        (text) => {
          const parts = breakableParts(text);
          expect(parts.join('')).to.equal(text);
          for (const part of parts) expect(part).to.not.match(/[^\s@._]{17}/u);
        },
      ),
    );
  });

  it('keeps combining characters with their letters', () => {
    for (const part of breakableParts('e\u0301'.repeat(40)).slice(1)) expect(part).to.match(/^e/);
  });
});
