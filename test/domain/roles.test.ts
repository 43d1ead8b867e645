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
  it('make auditors of administrators, and nobody else of auditors', () => {
    const rights = (roles: readonly Role[]) => [mayAdminister(roles), mayAudit(roles)];
    expect(rights([])).to.deep.equal([false, false]);
    expect(rights(['auditor'])).to.deep.equal([false, true]);
    expect(rights(['administrator'])).to.deep.equal([true, true]);
  });

  it('let a client hold the scope audit for auditors and for itself alone, and take no other scope away', () => {
    expect(delegable(['audit', 'introspection'], null)).to.deep.equal(['audit', 'introspection']);
    expect(delegable(['audit', 'introspection'], ['auditor'])).to.deep.equal(['audit', 'introspection']);
    expect(delegable(['audit', 'introspection'], [])).to.deep.equal(['introspection']);
    expect(delegable([], ['administrator'])).to.deep.equal([]);
  });
});

describe('the last administrator', () => {
  it('can log in, and nobody else who can is an administrator', () => {
    fc.assert(
      fc.property(someAccounts, (accounts) => {
        const able = accounts.filter(({ active, roles }) => active && roles.includes('administrator'));
        for (const account of accounts) {
          expect(isLastAdministrator(account, accounts)).to.equal(able.length === 1 && able.includes(account));
        }
      }),
    );
  });

  it('is never one who could go without the server being left to nobody', () => {
    fc.assert(
      fc.property(someAccounts, (accounts) => {
        const canAnybody = (some: typeof accounts) =>
          some.some(({ active, roles }) => active && roles.includes('administrator'));
        fc.pre(canAnybody(accounts));
        for (const account of accounts) {
          expect(isLastAdministrator(account, accounts)).to.equal(
            !canAnybody(accounts.filter((other) => other !== account)),
          );
        }
      }),
    );
  });
});
