import { expect } from 'chai';
import { wayToLogIn, type LoginProvider, type LoginWays } from '../../src/domain/login-ways.ts';

const NONE: LoginWays = { hasPassword: false, hasPasskey: false, links: [] };
const CORP: LoginProvider = { providerId: 'corp', issuer: 'https://corp.example', tenants: [], required: false };
const OTHER: LoginProvider = { ...CORP, providerId: 'other', issuer: 'https://other.example' };
const LINK = { providerId: 'corp', issuer: 'https://corp.example' };

describe('a user can log in', () => {
  const way = (ways: Partial<LoginWays>, ...providers: readonly LoginProvider[]) =>
    wayToLogIn({ ...NONE, ...ways }, providers);

  it('only with a password, a passkey or a linked account', () => {
    expect(way({}, CORP)).to.equal(undefined);
    expect(way({ hasPassword: true })).to.equal('password');
    expect(way({ hasPasskey: true })).to.equal('passkey');
    expect(way({ links: [LINK] }, CORP)).to.equal(LINK);
  });

  it('with a passkey, but not with a password, while a provider is required', () => {
    const required = { ...CORP, required: true };
    expect(way({ hasPassword: true }, OTHER, required)).to.equal(undefined);
    expect(way({ hasPassword: true, hasPasskey: true }, required)).to.equal('passkey');
    expect(way({ hasPassword: true }, { ...required, disabled: true }), 'a disabled one').to.equal('password');
  });

  it('through an enabled provider, but only through a required one if any is required', () => {
    const links = [LINK];
    expect(way({ links })).to.equal(undefined);
    expect(way({ links }, { ...CORP, disabled: true })).to.equal(undefined);
    expect(way({ links }, CORP, { ...OTHER, required: true })).to.equal(undefined);
    expect(way({ links }, { ...CORP, required: true }, { ...OTHER, required: true })).to.equal(LINK);
  });

  it('through the issuer of the linked account, or a tenant of a provider with several', () => {
    const moved = { ...CORP, issuer: 'https://moved.example' };
    expect(way({ links: [LINK] }, moved)).to.equal(undefined);
    expect(way({ links: [LINK] }, { ...moved, tenants: ['a tenant'] })).to.equal(LINK);
    const unknown = { ...LINK, issuer: null };
    expect(way({ links: [unknown] }, moved), 'an unknown issuer').to.equal(unknown);
  });
});
