import { expect } from 'chai';
import type { EpochSeconds } from '../../../src/domain/values.ts';
import { english } from '../../../src/language/english.ts';
import { checkClaims } from '../../../src/oauth/upstream/id-token-check.ts';

const NOW = 1_800_000_000 as EpochSeconds;
const PROVIDER = { preset: 'custom', issuer: 'https://id.example', tenants: [], clientId: 'grantlog' } as const;
const CLAIMS = { iss: PROVIDER.issuer, sub: 'ada', aud: 'grantlog', exp: NOW + 60, iat: NOW, nonce: 'n' };

const describeFailure = (claims: Readonly<Record<string, unknown>>): string => {
  const result = checkClaims({ ...CLAIMS, ...claims }, PROVIDER, { nonce: 'n', now: NOW });
  return 'failed' in result ? `${result.failed.check}: ${english.text(result.failed.seen)}` : 'accepted';
};

describe("the check of a provider's ID token", () => {
  it('accepts the correct claims', () => {
    expect(describeFailure({})).to.equal('accepted');
  });

  it('says how old a token is, or how far in the future its time is', () => {
    expect(describeFailure({ exp: NOW - 90 })).to.equal('expiry: exp 90 seconds ago');
    expect(describeFailure({ iat: NOW - 700 })).to.equal('issue-time: iat 700 seconds ago');
    expect(describeFailure({ iat: NOW + 120 })).to.equal('issue-time: iat 120 seconds in the future');
    expect(describeFailure({ iat: undefined })).to.equal('issue-time: no iat');
  });

  it('distinguishes a missing subject from one that cannot be used', () => {
    expect(describeFailure({ sub: undefined })).to.equal('subject: no sub');
    for (const sub of ['', 7, 'a'.repeat(256)])
      expect(describeFailure({ sub })).to.equal('subject: a sub in a different form');
  });
});
