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
const createKey = (byte: number) => createSecretKey(Buffer.alloc(32, byte));
const { mint, parse, deriveSuccessors } = createRefreshTokens(createKey(1));

/** A token that a release without tags created with key 1, and its successors. */
const EARLIER_RELEASE = {
  grantId: 'AAAAAAAAAAAAAAAAAAAAAA' as GrantId,
  token: 'glr_AAAAAAAAAAAAAAAAAAAAAAAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIQIH1wQ',
  access: 'gla_LVkBxC6NjAHbtQxqVgH6VS2tAG-AJzXdYTdbHd3gtl00ViPyw',
  refresh: 'glr_AAAAAAAAAAAAAAAAAAAAAAb8PK9cFvcvQI8q7Ko-V6e7qk-QWbPqL0qieSDl0-n0ArpH7qA',
};

/** Appends the checksum, which needs no key, to the body of a credential. */
function withChecksum(body: string): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return body + checksum.toString('base64url');
}

describe('the tag of a refresh token', () => {
  const { value, hash } = mint(GRANT, entropy);
  const [prefix, grant] = [value.slice(0, 4), value.slice(4, 26)];
  const [secret, tag] = [value.slice(26, 69), value.slice(69, 91)];

  it('is recognized only by the server that issued the token', () => {
    expect(parse(value)).to.deep.equal({ grantId: GRANT, hash, isTagged: true });
    expect(createRefreshTokens(createKey(2)).parse(value)).to.equal(undefined);
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
    const otherToken = mint(grantId('another'), entropy).value;
    expect(parse(withChecksum(`${prefix}${grant}${secret}${tag}`))?.isTagged).to.equal(true);
    for (const body of [
      `${prefix}${otherToken.slice(4, 26)}${secret}${tag}`,
      `${prefix}${grant}${otherToken.slice(26, 69)}${tag}`,
      `${prefix}${grant}${secret}${otherToken.slice(69, 91)}`,
    ])
      expect(parse(withChecksum(body)), body).to.equal(undefined);
  });

  it('cannot be forged, even if the other parts of the token are valid', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const forgedTag = Buffer.from(bytes).toString('base64url');
        fc.pre(forgedTag !== tag);
        expect(parse(withChecksum(`${prefix}${grant}${secret}${forgedTag}`))).to.equal(undefined);
      }),
      { numRuns: 500 },
    );
  });

  it('is missing from tokens of earlier releases, which do not prove their origin', () => {
    expect(parse(EARLIER_RELEASE.token)).to.include({ grantId: EARLIER_RELEASE.grantId, isTagged: false });
    expect(parse(withChecksum(`${prefix}${grant}${secret}`))).to.include({ grantId: GRANT, isTagged: false });
  });
});

describe('the successors of a refresh token', () => {
  const { value } = mint(GRANT, entropy);
  const valuesOf = ({ access, refresh, untaggedRefresh, untaggedAccess }: Successors): readonly string[] => [
    access.value,
    refresh.value,
    untaggedRefresh().value,
    untaggedAccess().value,
  ];

  it('are the same each time, so that a lost response can be repeated', () => {
    expect(valuesOf(deriveSuccessors(value, GRANT))).to.deep.equal(valuesOf(deriveSuccessors(value, GRANT)));
  });

  it('are credentials of their kinds and of the same grant', () => {
    const { access, refresh } = deriveSuccessors(value, GRANT);
    expect(parseAccessToken(access.value)).to.equal(access.hash);
    expect(parse(refresh.value)).to.deep.equal({ grantId: GRANT, hash: refresh.hash, isTagged: true });
  });

  it('can be derived as in earlier releases, to repeat one of their responses', () => {
    const { untaggedRefresh, untaggedAccess } = deriveSuccessors(EARLIER_RELEASE.token, EARLIER_RELEASE.grantId);
    expect([untaggedAccess().value, untaggedRefresh().value]).to.deep.equal([
      EARLIER_RELEASE.access,
      EARLIER_RELEASE.refresh,
    ]);
    expect(parse(untaggedRefresh().value)).to.deep.equal({
      grantId: EARLIER_RELEASE.grantId,
      hash: untaggedRefresh().hash,
      isTagged: false,
    });
  });

  it("depend on both the server's key and the presented token", () => {
    const successors = deriveSuccessors(value, GRANT);
    const otherKeySuccessors = createRefreshTokens(createKey(2)).deriveSuccessors(value, GRANT);
    const otherTokenSuccessors = deriveSuccessors(mint(GRANT, entropy).value, GRANT);
    for (const otherSuccessors of [otherKeySuccessors, otherTokenSuccessors]) {
      for (const otherValue of valuesOf(otherSuccessors)) expect(valuesOf(successors)).not.to.include(otherValue);
    }
    expect(successors.refresh.value).to.not.contain(successors.access.value.slice(4, 47));
  });

  it('never repeat in a chain of refreshes', () => {
    const tokens = new Set([value]);
    for (let count = 0, token = value; count < 200; count += 1) {
      token = deriveSuccessors(token, GRANT).refresh.value;
      expect(tokens.has(token)).to.equal(false);
      tokens.add(token);
    }
  });
});
