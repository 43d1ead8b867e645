import { createHmac, createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { hmacSha256 } from '../../../src/oauth/credentials/hmac.ts';

const ascii = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 300,
});

describe('HMAC-SHA-256', () => {
  it('equals the HMAC of RFC 2104 for every string and every key of at most one block, even in repeated calls', () => {
    const keys = fc.uint8Array({ minLength: 1, maxLength: 64 });
    fc.assert(
      fc.property(keys, fc.array(ascii, { maxLength: 5 }), (bytes, strings) => {
        const key = createSecretKey(bytes);
        const hmac = hmacSha256(key);
        for (const text of strings)
          expect(hmac(text)).to.equal(createHmac('sha256', key).update(text).digest('base64url'));
      }),
    );
  });

  it('has the result of test case 2 in RFC 4231', () => {
    const hmac = hmacSha256(createSecretKey(Buffer.from('Jefe')));
    const expected = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    expect(Buffer.from(hmac('what do ya want for nothing?'), 'base64url').toString('hex')).to.equal(expected);
  });

  it('refuses a key that is longer than a block', () => {
    expect(() => hmacSha256(createSecretKey(Buffer.alloc(65)))).to.throw(RangeError, 'at most 64 bytes, not 65');
  });
});
