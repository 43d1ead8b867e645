import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import type { GrantId } from '../../../src/domain/values.ts';
import { parseAccessToken } from '../../../src/oauth/credentials/credentials.ts';
import { createRefreshTokens, type Successors } from '../../../src/oauth/credentials/refresh-tokens.ts';
import { grantId } from '../../support/domain-values.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';

const entropy = seededEntropy('refresh tokens');
const GRANT = grantId('grant');
const keyOf = (byte: number) => createSecretKey(Buffer.alloc(32, byte));
const { mint, parse, deriveSuccessors: successorsOf } = createRefreshTokens(keyOf(1));

/** A token with key 1 and its successors, from a release without tags. */
const EARLIER = {
  grantId: 'AAAAAAAAAAAAAAAAAAAAAA' as GrantId,
  token: 'glr_AAAAAAAAAAAAAAAAAAAAAAAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIQIH1wQ',
  access: 'gla_LVkBxC6NjAHbtQxqVgH6VS2tAG-AJzXdYTdbHd3gtl00ViPyw',
  refresh: 'glr_AAAAAAAAAAAAAAAAAAAAAAb8PK9cFvcvQI8q7Ko-V6e7qk-QWbPqL0qieSDl0-n0ArpH7qA',
};

/** Appends the checksum to the body of a credential. The checksum needs no key. */
function withChecksum(body: string): string {
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return body + check.toString('base64url');
}

describe('the tag of a refresh token', () => {
  const { value, hash } = mint(GRANT, entropy);
  const [prefix, grant] = [value.slice(0, 4), value.slice(4, 26)];
  const [secret, tag] = [value.slice(26, 69), value.slice(69, 91)];

  it('is recognized only by the server that issued the token', () => {
    expect(parse(value)).to.deep.equal({ grantId: GRANT, hash, isTagged: true });
    expect(createRefreshTokens(keyOf(2)).parse(value)).to.equal(undefined);
  });

  it('is the first 16 bytes of an HMAC-SHA-256 in every release', () => {
    const tagKey = Buffer.from(hkdfSync('sha256', Buffer.alloc(32, 1), '', 'grantlog refresh token tags', 32));
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const token = mint(GRANT, seededEntropy(String(seed))).value;
        const mac = createHmac('sha256', tagKey).update(token.slice(4, 69)).digest();
        expect(token.slice(69, 91)).to.equal(mac.subarray(0, 16).toString('base64url'));
      }),
    );
  });

  it('is valid for only one grant and one secret', () => {
    const other = mint(grantId('another'), entropy).value;
    expect(parse(withChecksum(`${prefix}${grant}${secret}${tag}`))?.isTagged).to.equal(true);
    for (const body of [
      `${prefix}${other.slice(4, 26)}${secret}${tag}`,
      `${prefix}${grant}${other.slice(26, 69)}${tag}`,
      `${prefix}${grant}${secret}${other.slice(69, 91)}`,
    ])
      expect(parse(withChecksum(body)), body).to.equal(undefined);
  });

  it('cannot be forged, even if the other parts of the token are valid', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const forged = Buffer.from(bytes).toString('base64url');
        fc.pre(forged !== tag);
        expect(parse(withChecksum(`${prefix}${grant}${secret}${forged}`))).to.equal(undefined);
      }),
      { numRuns: 500 },
    );
  });

  it('is missing from tokens of earlier releases, which do not prove their origin', () => {
    expect(parse(EARLIER.token)).to.include({ grantId: EARLIER.grantId, isTagged: false });
    expect(parse(withChecksum(`${prefix}${grant}${secret}`))).to.include({ grantId: GRANT, isTagged: false });
  });
});

describe('the successors of a refresh token', () => {
  const { value } = mint(GRANT, entropy);
  const valuesOf = ({ access, refresh, untagged, untaggedAccess }: Successors): readonly string[] => [
    access.value,
    refresh.value,
    untagged().value,
    untaggedAccess().value,
  ];

  it('are the same each time, so that a lost response can be repeated', () => {
    expect(valuesOf(successorsOf(value, GRANT))).to.deep.equal(valuesOf(successorsOf(value, GRANT)));
  });

  it('are credentials of their kinds and of the same grant', () => {
    const { access, refresh } = successorsOf(value, GRANT);
    expect(parseAccessToken(access.value)).to.equal(access.hash);
    expect(parse(refresh.value)).to.deep.equal({ grantId: GRANT, hash: refresh.hash, isTagged: true });
  });

  it('can be derived as in earlier releases, to repeat one of their responses', () => {
    const { untagged, untaggedAccess } = successorsOf(EARLIER.token, EARLIER.grantId);
    expect([untaggedAccess().value, untagged().value]).to.deep.equal([EARLIER.access, EARLIER.refresh]);
    expect(parse(untagged().value)).to.deep.equal({ grantId: EARLIER.grantId, hash: untagged().hash, isTagged: false });
  });

  it("depend on both the server's key and the presented token", () => {
    const own = successorsOf(value, GRANT);
    const otherKeySuccessors = createRefreshTokens(keyOf(2)).deriveSuccessors(value, GRANT);
    const otherTokenSuccessors = successorsOf(mint(GRANT, entropy).value, GRANT);
    for (const other of [otherKeySuccessors, otherTokenSuccessors]) {
      for (const each of valuesOf(other)) expect(valuesOf(own)).not.to.include(each);
    }
    expect(own.refresh.value).to.not.contain(own.access.value.slice(4, 47));
  });

  it('never repeat in a chain of refreshes', () => {
    const tokens = new Set([value]);
    for (let count = 0, current = value; count < 200; count += 1) {
      current = successorsOf(current, GRANT).refresh.value;
      expect(tokens.has(current)).to.equal(false);
      tokens.add(current);
    }
  });
});
