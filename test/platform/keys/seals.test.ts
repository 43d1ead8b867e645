import { expect } from 'chai';
import { seal, SEAL_KEY_BYTES, unseal } from '../../../src/platform/keys/seals.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';

const KEY = Buffer.alloc(SEAL_KEY_BYTES, 7);

describe('sealed text', () => {
  it('decrypts only with its own context', () => {
    const sealedText = seal('', KEY, 'a', seededEntropy('seals'));
    expect(unseal(sealedText, KEY, 'a')).to.equal('');
    expect(() => unseal(sealedText, KEY, 'b')).to.throw();
  });

  it('is refused because of its length if its tag has fewer than 16 bytes, whatever the tag is', () => {
    for (let length = 1; length < 16; length += 1)
      expect(() => unseal(Buffer.alloc(length).toString('base64url'), KEY, ''), `${length} bytes`).to.throw(
        /Invalid (initialization vector|authentication tag length)/,
      );
  });
});
