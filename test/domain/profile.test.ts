import { expect } from 'chai';
import {
  ADDRESS_FIELDS,
  CHANGEABLE_CLAIMS,
  isUserClaim,
  PROFILE_FIELDS,
  SCOPE_CLAIMS,
  USER_CLAIMS,
} from '../../src/domain/profile.ts';

/** The claims that other parts of the account supply. */
const ACCOUNT_CLAIMS = ['name', 'given_name', 'family_name', 'preferred_username', 'updated_at'];
/** OpenID Connect Core §5.1.1, without `formatted`, which the other members determine. */
const ADDRESS_MEMBERS = ['street_address', 'locality', 'region', 'postal_code', 'country'];

describe('a claim about a user', () => {
  it('belongs to exactly one scope', () => {
    const claims = Object.values(SCOPE_CLAIMS).flat();
    expect(new Set(claims).size).to.equal(claims.length);
    expect(USER_CLAIMS).to.have.members(claims);
    for (const claim of claims) expect(isUserClaim(claim), claim).to.equal(true);
    for (const other of ['', 'sub', 'street_address', 'toString']) expect(isUserClaim(other), other).to.equal(false);
  });
});

describe('a profile', () => {
  it('has a field for each claim of the scope `profile` that does not belong to the account, and for the phone', () => {
    const fields = PROFILE_FIELDS.filter((field) => !ADDRESS_MEMBERS.includes(field));
    const expected = SCOPE_CLAIMS.profile.filter((claim) => !ACCOUNT_CLAIMS.includes(claim));
    expect(fields).to.have.members([...expected, 'phone_number']);
  });

  it('has a field for each member of the address', () => {
    expect(ADDRESS_FIELDS).to.have.members(ADDRESS_MEMBERS);
    expect(PROFILE_FIELDS).to.include.members(ADDRESS_MEMBERS);
  });

  it('can be changed by the operator, together with the name and the e-mail address', () => {
    expect(CHANGEABLE_CLAIMS).to.have.members([...PROFILE_FIELDS, 'given_name', 'family_name', 'email']);
  });
});
