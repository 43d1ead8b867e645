import { expect } from 'chai';
import { wayToLogIn, type LoginProvider, type LoginWays } from '../../src/domain/login-ways.ts';

const NO_WAYS: LoginWays = { hasPassword: false, hasPasskey: false, links: [] };
const CORP: LoginProvider = { providerId: 'corp', issuer: 'https://corp.example', tenants: [], required: false };
const OTHER_PROVIDER: LoginProvider = { ...CORP, providerId: 'other', issuer: 'https://other.example' };
const LINK = { providerId: 'corp', issuer: 'https://corp.example' };

describe('a user can log in', () => {
  const wayWith = (ways: Partial<LoginWays>, ...providers: readonly LoginProvider[]) =>
    wayToLogIn({ ...NO_WAYS, ...ways }, providers);

  it('only with a password, a passkey or a linked account', () => {
    expect(wayWith({}, CORP)).to.equal(undefined);
    expect(wayWith({ hasPassword: true })).to.equal('password');
    expect(wayWith({ hasPasskey: true })).to.equal('passkey');
    expect(wayWith({ links: [LINK] }, CORP)).to.equal(LINK);
  });

  it('with a passkey, but not with a password, while a provider is required', () => {
    const requiredProvider = { ...CORP, required: true };
    expect(wayWith({ hasPassword: true }, OTHER_PROVIDER, requiredProvider)).to.equal(undefined);
    expect(wayWith({ hasPassword: true, hasPasskey: true }, requiredProvider)).to.equal('passkey');
    expect(
      wayWith({ hasPassword: true }, { ...requiredProvider, disabled: true }),
      'the required provider is disabled',
    ).to.equal('password');
  });

  it('through an enabled provider, but only through a required one if any is required', () => {
    const links = [LINK];
    expect(wayWith({ links })).to.equal(undefined);
    expect(wayWith({ links }, { ...CORP, disabled: true })).to.equal(undefined);
    expect(wayWith({ links }, CORP, { ...OTHER_PROVIDER, required: true })).to.equal(undefined);
    expect(wayWith({ links }, { ...CORP, required: true }, { ...OTHER_PROVIDER, required: true })).to.equal(LINK);
  });

  it('through a provider with the issuer of the linked account, or through any provider with tenants', () => {
    const movedProvider = { ...CORP, issuer: 'https://moved.example' };
    expect(wayWith({ links: [LINK] }, movedProvider)).to.equal(undefined);
    expect(wayWith({ links: [LINK] }, { ...movedProvider, tenants: ['a tenant'] })).to.equal(LINK);
    expect(wayWith({ links: [LINK] }, { ...CORP, providerId: 'copy' }), 'another provider').to.equal(undefined);
    const linkWithoutIssuer = { ...LINK, issuer: null };
    expect(wayWith({ links: [linkWithoutIssuer] }, movedProvider), 'the issuer is unknown').to.equal(linkWithoutIssuer);
  });
});
