import { createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import { hmacSha256 } from '../../../src/oauth/credentials/hmac.ts';

describe('HMAC-SHA-256', () => {
  it('equals the result of RFC 4231, test case 2, in every call', () => {
    const hmac = hmacSha256(createSecretKey(Buffer.from('Jefe')));
    const expected = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    for (const text of ['what do ya want for nothing?', 'another text', 'what do ya want for nothing?']) {
      const result = Buffer.from(hmac(text), 'base64url').toString('hex');
      expect(result === expected, text).to.equal(text !== 'another text');
    }
  });
});
