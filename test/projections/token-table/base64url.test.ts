import { expect } from 'chai';
import fc from 'fast-check';
import { ID_LENGTH, writeBase64url, writeBase64urlPair } from '../../../src/projections/token-table/base64url.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** An id, or a longer string such as a hash, whose extra characters are ignored. */
const aString = fc.string({ unit: fc.constantFrom(...ALPHABET.split('')), minLength: ID_LENGTH, maxLength: 43 });

describe('decoded base64url ids', () => {
  it('match what Buffer decodes from two ids, and leave other bytes unchanged', () => {
    fc.assert(
      fc.property(aString, aString, fc.nat({ max: 9 }), (first, second, offset) => {
        const bytes = new Uint8Array(60).fill(0xee);
        writeBase64urlPair(bytes, offset, first, second);
        const expected = Buffer.from(first.slice(0, ID_LENGTH) + second.slice(0, ID_LENGTH), 'base64url');
        expect(Buffer.from(bytes)).to.deep.equal(
          Buffer.concat([Buffer.alloc(offset, 0xee), expected, Buffer.alloc(60 - offset - expected.length, 0xee)]),
        );
      }),
    );
  });

  it('encode to the same id again, and leave other bytes unchanged', () => {
    fc.assert(
      fc.property(aString, fc.nat({ max: 9 }), (text, offset) => {
        const bytes = Buffer.alloc(30, 0xee);
        writeBase64url(bytes, offset, text);
        expect(bytes.toString('base64url', offset, offset + 17)).to.equal(`${text.slice(0, ID_LENGTH)}A`);
        expect([...bytes.subarray(0, offset), ...bytes.subarray(offset + 17)].every((byte) => byte === 0xee)).to.equal(
          true,
        );
      }),
    );
  });

  it('are refused if the string is too short or has a character outside the alphabet', () => {
    const validId = 'abcdefghijklmnopqrstuv';
    fc.assert(
      fc.property(
        fc.nat({ max: ID_LENGTH - 1 }),
        fc.constantFrom('', '+', '/', '=', ' ', '\0', '\u007f', 'é', '\u4141'),
        (offset, replacement) => {
          const invalidId = validId.slice(0, offset) + replacement + validId.slice(offset + 1);
          for (const write of [
            () => writeBase64url(new Uint8Array(40), 0, invalidId),
            () => writeBase64urlPair(new Uint8Array(40), 0, invalidId, validId),
            () => writeBase64urlPair(new Uint8Array(40), 0, validId, invalidId),
          ]) {
            expect(write, invalidId).to.throw('not valid base64url');
          }
        },
      ),
    );
  });
});
