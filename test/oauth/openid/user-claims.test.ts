import { expect } from 'chai';
import fc from 'fast-check';
import { SCOPE_CLAIMS, isUserClaim, PROFILE_FIELDS } from '../../../src/domain/profile.ts';
import type { EpochSeconds } from '../../../src/domain/values.ts';
import { claimsOfScope, userClaims } from '../../../src/oauth/openid/user-claims.ts';

const MINIMAL_USER = {
  username: 'ada',
  email: '',
  firstName: '',
  lastName: '',
  profile: {},
  emailVerified: false,
  updatedAt: 1_700_000_000 as EpochSeconds,
};

const users = fc.record({
  username: fc.constantFrom('ada', 'bob'),
  email: fc.constantFrom('', 'ada@example.org'),
  firstName: fc.constantFrom('', 'Ada'),
  lastName: fc.constantFrom('', 'Lovelace'),
  profile: fc.subarray([...PROFILE_FIELDS]).map((fields) => Object.fromEntries(fields.map((name) => [name, name]))),
  emailVerified: fc.boolean(),
  updatedAt: fc.nat().map((seconds) => seconds as EpochSeconds),
});

describe('the claims about a user', () => {
  it('contain the fields that the user has filled in, under their OpenID Connect names', () => {
    expect(
      userClaims(
        {
          ...MINIMAL_USER,
          email: 'ada@example.org',
          firstName: 'Ada',
          lastName: 'Lovelace',
          profile: {
            middle_name: 'King',
            phone_number: '+442079460123',
            street_address: '12 St James’s Square\nFlat 3',
            locality: 'London',
            country: 'United Kingdom',
          },
        },
        ['editors', 'staff'],
      ),
    ).to.deep.equal({
      name: 'Ada King Lovelace',
      given_name: 'Ada',
      family_name: 'Lovelace',
      middle_name: 'King',
      preferred_username: 'ada',
      updated_at: 1_700_000_000,
      email: 'ada@example.org',
      email_verified: false,
      address: {
        formatted: '12 St James’s Square\nFlat 3\nLondon\nUnited Kingdom',
        street_address: '12 St James’s Square\nFlat 3',
        locality: 'London',
        country: 'United Kingdom',
      },
      phone_number: '+442079460123',
      phone_number_verified: false,
      groups: ['editors', 'staff'],
    });
  });

  it('contain only the user name, the time of the last change and no groups if no field is filled in', () => {
    expect(userClaims(MINIMAL_USER, [])).to.deep.equal({
      preferred_username: 'ada',
      updated_at: 1_700_000_000,
      groups: [],
    });
  });

  it('are never empty, have known names, and state whether the e-mail address is verified', () => {
    fc.assert(
      fc.property(users, (user) => {
        const claims = userClaims(user, ['staff']);
        for (const [name, value] of Object.entries(claims)) {
          expect(isUserClaim(name), name).to.equal(true);
          expect(value, name).to.satisfy((claim: unknown) => claim !== '' && claim !== null && claim !== undefined);
        }
        expect(claims.email_verified).to.equal(claims.email === undefined ? undefined : user.emailVerified);
        expect(claims.phone_number_verified).to.equal(claims.phone_number === undefined ? undefined : false);
      }),
    );
  });
});

describe('the claims of a scope', () => {
  it('are the claims of OpenID Connect Core §5.4 and the groups, each in exactly one scope', () => {
    const claims = Object.values(SCOPE_CLAIMS).flat();
    expect(new Set(claims).size).to.equal(claims.length);
    expect(claims).to.have.lengthOf(20);
    expect(claimsOfScope(['openid', 'email', 'read', 'offline_access'], {})).to.deep.equal(['email', 'email_verified']);
    expect(claimsOfScope(['groups'], { groups: ['nickname'] })).to.deep.equal(['groups', 'nickname']);
    expect(claimsOfScope(['toString', 'constructor'], {})).to.deep.equal([]);
  });

  it('include the claims that the operator maps to it, without duplicates', () => {
    const scopeClaims = { staff: ['email', 'name'], badge: ['name', 'picture'] } as const;
    expect(claimsOfScope(['staff', 'badge'], scopeClaims)).to.deep.equal(['email', 'name', 'picture']);
    expect(claimsOfScope(['badge'], scopeClaims)).to.deep.equal(['name', 'picture']);
  });
});
