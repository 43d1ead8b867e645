import { expect } from 'chai';
import fc from 'fast-check';
import { findJsonSyntaxError } from '../../src/config/json-syntax.ts';

describe('findJsonSyntaxError', () => {
  it('reports the line and the cause of the first error', () => {
    const errors: readonly (readonly [string, number, string])[] = [
      ['', 1, 'unfinished'],
      ['{bad', 1, 'name'],
      ['{\n  "a": 1,\n}', 3, 'name'],
      ['{\n  "a": 1\n  "b": 2\n}', 3, 'comma'],
      ['{"a" 1}', 1, 'colon'],
      ['{"a": \u201cx\u201d}', 1, 'value'],
      ['{"a": nope}', 1, 'value'],
      ['[1, 02]', 1, 'value'],
      ['[1,\r\n]', 2, 'value'],
      ['[1}', 1, 'comma'],
      ['{"a": "x\n"}', 1, 'string'],
      ['{"a": {\n', 2, 'unfinished'],
      ['{} {}', 1, 'end'],
      ['[]]', 1, 'end'],
    ];
    for (const [text, line, cause] of errors) expect(findJsonSyntaxError(text), text).to.deep.equal({ line, cause });
  });

  it('finds an error if and only if JSON.parse does, even in deeply nested and damaged text', () => {
    const arbitraryDamage = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', ':', '"', '{', ']', 'x', '0', '\n', '\\'),
    );
    const expectAgreement = (text: string): void => {
      expect(findJsonSyntaxError(text) === undefined, text).to.equal(canParse(text));
    };
    fc.assert(
      fc.property(arbitraryDamage, ([json, index, insertion]) => {
        const offset = index % (json.length + 1);
        expectAgreement(json);
        expectAgreement(json.slice(0, offset) + insertion + json.slice(offset));
        expectAgreement(json.slice(0, offset) + insertion + json.slice(offset + 1));
      }),
    );
    expectAgreement('['.repeat(5_000) + ']'.repeat(5_000));
    expectAgreement('['.repeat(5_000));
  });
});

function canParse(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
