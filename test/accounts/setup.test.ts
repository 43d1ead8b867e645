import { expect } from 'chai';
import { createSecretKey } from 'node:crypto';
import { createSetup, type Setup } from '../../src/accounts/setup.ts';
import type { Role } from '../../src/domain/events.ts';
import type { User } from '../../src/projections/users.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { unchecked } from '../support/unchecked.ts';

const TOKEN = /^[\w-]{32}$/;

describe('the set-up link', () => {
  const accounts: User[] = [];
  const users = {
    all: () => accounts,
    hasAdministrator: () => accounts.some(({ roles }) => roles.includes('administrator')),
  };

  beforeEach(() => {
    accounts.length = 0;
  });

  const startSetup = (seed: string, key?: number): Setup =>
    createSetup(users, seededEntropy(seed), key === undefined ? undefined : createSecretKey(Buffer.alloc(32, key)));

  function addUser(registeredPosition: number, ...roles: readonly Role[]): User {
    const user: User = unchecked({ registeredPosition, roles });
    accounts.push(user);
    return user;
  }

  it('is new each time a single server starts', () => {
    const [firstSetup, secondSetup] = [startSetup('before'), startSetup('after')];
    expect(firstSetup.token()).to.match(TOKEN);
    expect(secondSetup.matches(firstSetup.token() ?? '')).to.equal(false);
  });

  it('is the same on nodes with the same key, even after a restart, until there is an administrator', () => {
    const [a, b, nodeWithOtherKey] = [startSetup('a', 1), startSetup('b', 1), startSetup('a', 2)];
    const token = a.token() ?? '';
    expect(token).to.match(TOKEN);
    expect([b.matches(token), nodeWithOtherKey.matches(token)]).to.deep.equal([true, false]);
    addUser(1);
    expect(b.matches(token)).to.equal(true);
    addUser(2, 'administrator');
    expect([a.token(), b.token(), a.matches(token), b.matches(token)]).to.deep.equal([
      undefined,
      undefined,
      false,
      false,
    ]);
  });

  it('belongs to the administrator that was recorded first, if two nodes create one concurrently', () => {
    const setup = startSetup('a', 1);
    addUser(1, 'auditor');
    const [firstAdministrator, secondAdministrator] = [addUser(2, 'administrator'), addUser(3, 'administrator')];
    expect([
      setup.isFirstAdministrator(firstAdministrator),
      setup.isFirstAdministrator(secondAdministrator),
    ]).to.deep.equal([true, false]);
  });
});
