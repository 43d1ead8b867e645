import { expect } from 'chai';
import fc from 'fast-check';
import type { Role } from '../../src/domain/events.ts';
import {
  isActiveAdministrator,
  delegableScopes,
  isLastAuditor,
  mayAdminister,
  mayAudit,
  otherAdministrator,
} from '../../src/domain/roles.ts';
import { RESTRICTED_SCOPES } from '../../src/domain/values.ts';
import { userId } from '../support/domain-values.ts';

describe('roles', () => {
  it('let administrators also act as auditors, but not the reverse', () => {
    const rights = (roles: readonly Role[]) => [mayAdminister(roles), mayAudit(roles)];
    expect(rights([])).to.deep.equal([false, false]);
    expect(rights(['auditor'])).to.deep.equal([false, true]);
    expect(rights(['administrator'])).to.deep.equal([true, true]);
  });

  it('let a client use the audit scope only for auditors and itself, and do not limit the introspection scope', () => {
    expect(delegableScopes(['audit', 'introspection'], null)).to.deep.equal(['audit', 'introspection']);
    expect(delegableScopes(['audit', 'introspection'], ['auditor'])).to.deep.equal(['audit', 'introspection']);
    expect(delegableScopes(['audit', 'introspection'], [])).to.deep.equal(['introspection']);
    expect(delegableScopes([], ['administrator'])).to.deep.equal([]);
  });

  it('never let a user delegate `admin`, because users administer the server through its pages', () => {
    const everyRole = ['administrator', 'auditor'] as const;
    const expected = RESTRICTED_SCOPES.filter((scope) => scope !== 'admin');
    expect(delegableScopes(RESTRICTED_SCOPES, everyRole)).to.deep.equal(expected);
    expect(delegableScopes(RESTRICTED_SCOPES, null)).to.deep.equal(RESTRICTED_SCOPES);
  });
});

describe('a set of accounts', () => {
  const someAccounts = fc
    .array(fc.record({ active: fc.boolean(), roles: fc.subarray<Role>(['administrator', 'auditor']) }), {
      minLength: 1,
      maxLength: 5,
    })
    .map((accounts) => accounts.map((fields, index) => ({ ...fields, userId: userId(`${index}`) })));

  it('has a last auditor only if exactly one active account is an auditor', () => {
    fc.assert(
      fc.property(someAccounts, (accounts) => {
        const auditors = accounts.filter(({ active, roles }) => active && roles.includes('auditor'));
        for (const account of accounts)
          expect(isLastAuditor(account, accounts)).to.equal(auditors.length === 1 && auditors[0] === account);
      }),
    );
  });

  it('yields the first active administrator other than a given account, if there is one', () => {
    fc.assert(
      fc.property(someAccounts, (accounts) => {
        const administrators = accounts.filter(({ active, roles }) => active && roles.includes('administrator'));
        expect(accounts.filter(isActiveAdministrator)).to.deep.equal(administrators);
        for (const account of accounts) {
          const others = administrators.filter((administrator) => administrator !== account);
          expect(otherAdministrator(account, accounts)).to.equal(others[0]);
        }
      }),
    );
  });
});
