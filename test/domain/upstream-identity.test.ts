import { expect } from 'chai';
import fc from 'fast-check';
import type { Role } from '../../src/domain/events.ts';
import {
  groupChangesAtLogin,
  identityOf,
  isInDomains,
  lacksClaims,
  rolesAfterLogin,
} from '../../src/domain/upstream-identity.ts';
import { providerId } from '../support/domain-values.ts';

const ACCOUNT = { providerId: providerId('corp'), issuer: 'https://login.example', subject: '42' };
const SETTINGS = { groupsClaim: 'groups', secondFactorValues: ['mfa'] };
const identityFrom = (claims: Readonly<Record<string, unknown>>, changes: Partial<typeof SETTINGS> = {}) =>
  identityOf(claims, ACCOUNT, { ...SETTINGS, ...changes });

const NOTHING_REPORTED = {
  ...ACCOUNT,
  email: '',
  isEmailVerified: false,
  preferredName: '',
  firstName: '',
  lastName: '',
  groups: [],
  authenticatedAt: null,
  hasSecondFactor: false,
};

describe('an identity at a provider', () => {
  it('has what the claims say, and the account that was verified', () => {
    const claims = {
      sub: 'another subject',
      iss: 'https://other.example',
      email: 'ada@example.org',
      email_verified: true,
      preferred_username: 'ada',
      given_name: 'Ada',
      family_name: 'Lovelace',
      groups: ['staff'],
      auth_time: 1_000.9,
      amr: ['pwd', 'mfa'],
    };
    expect(identityFrom(claims)).to.deep.equal({
      ...ACCOUNT,
      email: 'ada@example.org',
      isEmailVerified: true,
      preferredName: 'ada',
      firstName: 'Ada',
      lastName: 'Lovelace',
      groups: ['staff'],
      authenticatedAt: 1_000,
      hasSecondFactor: true,
    });
  });

  it('has nothing that the claims say in the wrong type', () => {
    const aWrongValue = fc.constantFrom(undefined, null, 5, true, {}, [], ['x'], 'x'.repeat(255));
    const aWrongFlag = fc.constantFrom(undefined, null, 1, 'true', [true]);
    const aWrongTime = fc.constantFrom(undefined, null, '1000', -1, [1], NaN);
    const wrongGroups = fc.constantFrom(undefined, null, 5, [5, null, ''], [[]], '', { 0: 'staff' });
    const claims = fc.record({
      email: aWrongValue,
      email_verified: aWrongFlag,
      preferred_username: aWrongValue,
      given_name: aWrongValue,
      family_name: aWrongValue,
      groups: wrongGroups,
      auth_time: aWrongTime,
      amr: wrongGroups,
      acr: aWrongValue,
    });
    fc.assert(
      fc.property(claims, (wrongClaims) => {
        expect(identityFrom(wrongClaims)).to.deep.equal(NOTHING_REPORTED);
      }),
    );
  });

  it('has texts of up to 254 characters, and the first thousand groups', () => {
    const longestText = 'x'.repeat(254);
    expect(identityFrom({ email: longestText })).to.include({ email: longestText });
    const groups = Array.from({ length: 1_001 }, (_, index) => `group ${index}`);
    expect(identityFrom({ groups }).groups).to.deep.equal(groups.slice(0, 1_000));
  });

  it('authenticated at any time since the epoch, if the provider reports it', () => {
    expect(identityFrom({ auth_time: 0 }).authenticatedAt).to.equal(0);
  });

  it('has groups only if the settings name the claim', () => {
    const claims = { groups: 'staff', null: 'admins' };
    expect(identityFrom(claims).groups, 'a single group').to.deep.equal(['staff']);
    expect(identityOf(claims, ACCOUNT, { ...SETTINGS, groupsClaim: null }).groups).to.deep.equal([]);
  });

  it('has groups in a claim with that name, or else at that path', () => {
    const path = { groupsClaim: 'realm.roles' };
    expect(identityFrom({ realm: { roles: ['staff'] } }, path).groups).to.deep.equal(['staff']);
    expect(identityFrom({ 'realm.roles': ['a'], realm: { roles: ['b'] } }, path).groups).to.deep.equal(['a']);
    for (const claims of [{}, { realm: null }, { realm: 'staff' }, { realm: {} }, { roles: ['staff'] }])
      expect(identityFrom(claims, path).groups, JSON.stringify(claims)).to.deep.equal([]);
    expect(identityFrom({ realm: 'staff' }, { groupsClaim: 'realm.0' }).groups, 'a letter').to.deep.equal([]);
  });

  it('has a second factor only if the provider reports a value that the operator accepts', () => {
    for (const claims of [{ amr: ['mfa'] }, { amr: 'mfa' }, { acr: 'mfa' }])
      expect(identityFrom(claims).hasSecondFactor, JSON.stringify(claims)).to.equal(true);
    for (const claims of [{}, { amr: ['pwd'] }, { acr: 'gold' }, { acr: ['mfa'] }, { amr: [] }])
      expect(identityFrom(claims).hasSecondFactor, JSON.stringify(claims)).to.equal(false);
    expect(identityFrom({ amr: ['mfa'], acr: 'mfa' }, { secondFactorValues: [] }).hasSecondFactor).to.equal(false);
  });
});

describe('the claims of an ID token', () => {
  it('are enough if they include the address, and the groups if the settings need them', () => {
    const lacks = (claims: Readonly<Record<string, unknown>>, groupsClaim: string | null) =>
      lacksClaims(claims, { ...SETTINGS, groupsClaim });
    expect(lacks({ email: 'ada@example.org' }, null)).to.equal(false);
    expect(lacks({ email: 'ada@example.org', groups: [] }, 'groups')).to.equal(false);
    expect(lacks({ email: 'ada@example.org' }, 'groups')).to.equal(true);
    expect(lacks({ groups: [] }, 'groups')).to.equal(true);
    expect(lacks({}, null)).to.equal(true);
    expect(lacks({ email: 'ada@example.org' }, 'constructor'), 'an inherited property').to.equal(true);
  });
});

const aGroup = fc.constantFrom('staff', 'admins', 'guests');
const aRole = fc.constantFrom<Role>('administrator', 'auditor');

describe('a login through a provider', () => {
  it('gives exactly the roles of the groups, and keeps roles that no group determines', () => {
    const someMappings = fc.array(fc.record({ group: aGroup, role: aRole }), { maxLength: 4 });
    fc.assert(
      fc.property(fc.subarray<Role>(['administrator', 'auditor']), fc.uniqueArray(aGroup), someMappings, (...input) => {
        const [currentRoles, groups, mappings] = input;
        const roles = rolesAfterLogin(currentRoles, groups, { roles: mappings });
        for (const role of ['administrator', 'auditor'] as const) {
          const ofRole = mappings.filter((mapping) => mapping.role === role);
          const isGranted = ofRole.some(({ group }) => groups.includes(group));
          const isExpected = ofRole.length === 0 ? currentRoles.includes(role) : isGranted;
          expect(roles.filter((granted) => granted === role)).to.have.length(isExpected ? 1 : 0);
        }
      }),
    );
  });

  it('adds the user to exactly the local groups of the groups, and removes the user from the other mapped ones', () => {
    const someMappings = fc.array(fc.record({ group: aGroup, name: fc.constantFrom('Staff', 'Readers') }));
    fc.assert(
      fc.property(fc.uniqueArray(aGroup), someMappings, (groups, mappings) => {
        const { added, removed } = groupChangesAtLogin(groups, { groups: mappings });
        for (const name of ['Staff', 'Readers']) {
          const ofName = mappings.filter((mapping) => mapping.name === name);
          const isMember = ofName.some(({ group }) => groups.includes(group));
          expect(added.filter((local) => local === name)).to.have.length(isMember ? 1 : 0);
          expect(removed.filter((local) => local === name)).to.have.length(ofName.length > 0 && !isMember ? 1 : 0);
        }
      }),
    );
  });
});

describe('an address', () => {
  it('is in its own domain, in any case, and in no other', () => {
    expect(isInDomains('Ada@Example.ORG', ['other.example', 'example.org'])).to.equal(true);
    for (const email of ['ada@sub.example.org', 'ada@example.org.evil.test', 'example.org@evil.test', ''])
      expect(isInDomains(email, ['example.org']), email).to.equal(false);
    expect(isInDomains('"a@other.example"@example.org', ['example.org'])).to.equal(true);
    expect(isInDomains('"a@example.org"@other.example', ['example.org'])).to.equal(false);
  });

  it('is accepted whatever its domain if no domains are listed', () => {
    expect(isInDomains('ada@example.org', [])).to.equal(true);
  });
});
