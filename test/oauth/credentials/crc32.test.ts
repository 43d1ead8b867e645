import { crc32 as zlibCrc32 } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { crc32 } from '../../../src/oauth/credentials/crc32.ts';

describe('the CRC-32 of an ASCII string', () => {
  it('equals the CRC-32 of zlib', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        expect(crc32(text)).to.equal(zlibCrc32(text));
      }),
    );
  });
});
