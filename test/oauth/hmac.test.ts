import { createHmac, createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { hmacSha256 } from '../../src/oauth/hmac.ts';

const keys = fc.uint8Array({ minLength: 1, maxLength: 64 });
const texts = fc.string({ unit: 'binary', maxLength: 85 });

describe('the HMAC of a text', () => {
  it('is the one of RFC 2104, whatever was hashed under the same key before', () => {
    fc.assert(fc.property(keys, fc.array(texts, { minLength: 1, maxLength: 5 }), (key, said) => {
      const hmac = hmacSha256(createSecretKey(key));
      for (const text of said) expect(hmac(text)).to.equal(createHmac('sha256', key).update(text).digest('base64url'));
    }));
  });

  it('is refused where text or key are too long for it, never taken of a part', () => {
    expect(() => hmacSha256(createSecretKey(Buffer.alloc(32)))('x'.repeat(86))).to.throw(RangeError);
    expect(() => hmacSha256(createSecretKey(Buffer.alloc(65)))).to.throw(RangeError);
  });
});
