import { expect } from 'chai';
import type { Role } from '../../src/domain/events.ts';
import { delegableScopes, mayAdminister, mayAudit } from '../../src/domain/roles.ts';

describe('roles', () => {
  it('let administrators also act as auditors, but not the reverse', () => {
    const rights = (roles: readonly Role[]) => [mayAdminister(roles), mayAudit(roles)];
    expect(rights([])).to.deep.equal([false, false]);
    expect(rights(['auditor'])).to.deep.equal([false, true]);
    expect(rights(['administrator'])).to.deep.equal([true, true]);
  });

  it('let a client use the audit scope only for auditors and for itself, and do not limit other scopes', () => {
    expect(delegableScopes(['audit', 'introspection'], null)).to.deep.equal(['audit', 'introspection']);
    expect(delegableScopes(['audit', 'introspection'], ['auditor'])).to.deep.equal(['audit', 'introspection']);
    expect(delegableScopes(['audit', 'introspection'], [])).to.deep.equal(['introspection']);
    expect(delegableScopes([], ['administrator'])).to.deep.equal([]);
  });
});
