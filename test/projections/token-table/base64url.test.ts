import { expect } from 'chai';
import fc from 'fast-check';
import { ID_CHARACTERS, writeOne, writeTwo } from '../../../src/projections/token-table/base64url.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** An id, or a longer string such as a hash, whose additional characters are ignored. */
const aString = fc.string({ unit: fc.constantFrom(...ALPHABET.split('')), minLength: ID_CHARACTERS, maxLength: 43 });

describe('base64url, encoded into bytes', () => {
  it('of two ids equals the encoding of a Buffer, and changes no other bytes', () => {
    fc.assert(
      fc.property(aString, aString, fc.nat({ max: 9 }), (first, second, at) => {
        const bytes = new Uint8Array(60).fill(0xee);
        writeTwo(bytes, at, first, second);
        const expected = Buffer.from(first.slice(0, ID_CHARACTERS) + second.slice(0, ID_CHARACTERS), 'base64url');
        expect(Buffer.from(bytes)).to.deep.equal(
          Buffer.concat([Buffer.alloc(at, 0xee), expected, Buffer.alloc(60 - at - expected.length, 0xee)]),
        );
      }),
    );
  });

  it('of one id is decoded to the same id, and changes no other bytes', () => {
    fc.assert(
      fc.property(aString, fc.nat({ max: 9 }), (text, at) => {
        const bytes = Buffer.alloc(30, 0xee);
        writeOne(bytes, at, text);
        expect(bytes.toString('base64url', at, at + 17)).to.equal(`${text.slice(0, ID_CHARACTERS)}A`);
        expect([...bytes.subarray(0, at), ...bytes.subarray(at + 17)].every((byte) => byte === 0xee)).to.equal(true);
      }),
    );
  });

  it('refuses a string that is too short or has any other character', () => {
    const validId = 'abcdefghijklmnopqrstuv';
    fc.assert(
      fc.property(
        fc.nat({ max: ID_CHARACTERS - 1 }),
        fc.constantFrom('', '+', '/', '=', ' ', '\0', '\u007f', 'é', '\u4141'),
        (at, other) => {
          const invalidId = validId.slice(0, at) + other + validId.slice(at + 1);
          for (const write of [
            () => writeOne(new Uint8Array(40), 0, invalidId),
            () => writeTwo(new Uint8Array(40), 0, invalidId, validId),
            () => writeTwo(new Uint8Array(40), 0, validId, invalidId),
          ]) {
            expect(write, invalidId).to.throw('not base64url');
          }
        },
      ),
    );
  });
});
