import { expect } from 'chai';
import fc from 'fast-check';
import { ROLES, type Role } from '../../src/domain/events.ts';
import { isLastAdministrator, delegable, mayAdminister, mayAudit } from '../../src/domain/roles.ts';
import { userId } from '../support/domain-values.ts';

const someRoles = fc.subarray([...ROLES]);
const someAccounts = fc
  .array(fc.record({ active: fc.boolean(), roles: someRoles }), { minLength: 1, maxLength: 8 })
  .map((accounts) => accounts.map((account, index) => ({ ...account, userId: userId(`${index}`) })));

describe('roles', () => {
  it('let administrators, and only them, act as auditors', () => {
    const rights = (roles: readonly Role[]) => [mayAdminister(roles), mayAudit(roles)];
    expect(rights([])).to.deep.equal([false, false]);
    expect(rights(['auditor'])).to.deep.equal([false, true]);
    expect(rights(['administrator'])).to.deep.equal([true, true]);
  });

  it('let a client use the audit scope only for auditors and for itself, and do not limit other scopes', () => {
    expect(delegable(['audit', 'introspection'], null)).to.deep.equal(['audit', 'introspection']);
    expect(delegable(['audit', 'introspection'], ['auditor'])).to.deep.equal(['audit', 'introspection']);
    expect(delegable(['audit', 'introspection'], [])).to.deep.equal(['introspection']);
    expect(delegable([], ['administrator'])).to.deep.equal([]);
  });
});

describe('the last administrator', () => {
  it('is the only enabled administrator', () => {
    fc.assert(
      fc.property(someAccounts, (accounts) => {
        const administrators = accounts.filter(({ active, roles }) => active && roles.includes('administrator'));
        for (const account of accounts) {
          expect(isLastAdministrator(account, accounts)).to.equal(
            administrators.length === 1 && administrators.includes(account),
          );
        }
      }),
    );
  });

  it('is the account without which no enabled administrator remains', () => {
    fc.assert(
      fc.property(someAccounts, (accounts) => {
        const hasAdministrator = (some: typeof accounts) =>
          some.some(({ active, roles }) => active && roles.includes('administrator'));
        fc.pre(hasAdministrator(accounts));
        for (const account of accounts) {
          expect(isLastAdministrator(account, accounts)).to.equal(
            !hasAdministrator(accounts.filter((other) => other !== account)),
          );
        }
      }),
    );
  });
});
