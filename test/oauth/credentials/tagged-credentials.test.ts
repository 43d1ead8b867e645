import { createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  BASE64URL,
  mintNonce,
  parseAccessToken,
  parseCode,
  withChecksum,
} from '../../../src/oauth/credentials/credentials.ts';
import { createTaggedCredentials } from '../../../src/oauth/credentials/tagged-credentials.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';

const entropy = seededEntropy('tags');
const createKey = (byte: number) => createSecretKey(Buffer.alloc(32, byte));
const { mintAccessToken, accessTokenFrom, deriveCode, isTagged } = createTaggedCredentials(createKey(1));
const CHECKSUM_CHARS = 6;

for (const { kind, mint, parse } of [
  { kind: 'an access token', mint: () => mintAccessToken(entropy).value, parse: parseAccessToken },
  { kind: 'a derived access token', mint: () => accessTokenFrom('s'.repeat(43)).value, parse: parseAccessToken },
  { kind: 'a code', mint: () => deriveCode(mintNonce(entropy)).code.value, parse: parseCode },
]) {
  describe(`the tag of ${kind}`, () => {
    it('proves that it was created with the key of this server', () => {
      const value = mint();
      expect(isTagged(value)).to.equal(true);
      expect(createTaggedCredentials(createKey(2)).isTagged(value)).to.equal(false);
    });

    it('becomes invalid if any character of the credential changes', () => {
      const value = mint();
      const body = value.slice(0, -CHECKSUM_CHARS);
      const anyIndex = fc.integer({ min: 4, max: body.length - 1 });
      fc.assert(
        fc.property(anyIndex, fc.constantFrom(...BASE64URL.split('')), (index, character) => {
          fc.pre(body[index] !== character);
          const changedCredential = withChecksum(body.slice(0, index) + character + body.slice(index + 1)).value;
          expect(parse(changedCredential)).not.to.equal(undefined);
          expect(isTagged(changedCredential)).to.equal(false);
        }),
      );
    });
  });
}

describe('credentials of earlier releases', () => {
  it('have no tag, but are still recognized', () => {
    const earlierToken = withChecksum(`gla_${entropy.bytes(32).toString('base64url')}`);
    expect(isTagged(earlierToken.value)).to.equal(false);
    expect(parseAccessToken(earlierToken.value)).to.equal(earlierToken.hash);
  });

  it('include the code derived from a nonce, so that the response to a form can be repeated', () => {
    const { grantId, code, untaggedCode } = deriveCode(mintNonce(entropy));
    expect(parseCode(untaggedCode().value)).to.deep.equal({ grantId, hash: untaggedCode().hash });
    expect(isTagged(untaggedCode().value)).to.equal(false);
    expect(untaggedCode().value.slice(0, 4 + 22 + 28)).to.equal(code.value.slice(0, 4 + 22 + 28));
  });
});
