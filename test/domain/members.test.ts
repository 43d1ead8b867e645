import { expect } from 'chai';
import fc from 'fast-check';
import {
  isOpenTo,
  isOwner,
  ownersOf,
  roleOf,
  testUsersOf,
  withMember,
  withoutMember,
  type Member,
} from '../../src/domain/members.ts';
import { MEMBER_ROLES } from '../../src/domain/values.ts';
import { userId } from '../support/domain-values.ts';

const aUser = fc.constantFrom('ada', 'bob', 'eve').map(userId);
const aMember = fc.record({ userId: aUser, role: fc.constantFrom(...MEMBER_ROLES) });
const additions = fc.array(aMember, { maxLength: 8 });
const membersAfter = (added: readonly Member[]): readonly Member[] =>
  added.reduce<readonly Member[]>((members, member) => withMember(members, member), []);

describe('the members of a client', () => {
  it('have at most one role, which is the last one that they were given', () => {
    fc.assert(
      fc.property(additions, aUser, (added, user) => {
        const members = membersAfter(added);
        expect(members.filter((member) => member.userId === user)).to.have.length.at.most(1);
        const lastRole = added.findLast((member) => member.userId === user)?.role;
        expect(roleOf({ members }, user)).to.equal(lastRole);
        expect(isOwner({ members }, user)).to.equal(lastRole === 'owner');
      }),
    );
  });

  it('are owners or test users, in the order in which they were given the role', () => {
    fc.assert(
      fc.property(additions, (added) => {
        const members = membersAfter(added);
        const lastAdditions = added.filter(
          ({ userId: user }, index) => index === added.findLastIndex((member) => member.userId === user),
        );
        expect(ownersOf({ members })).to.deep.equal(lastAdditions.filter(({ role }) => role === 'owner'));
        expect(testUsersOf({ members })).to.deep.equal(lastAdditions.filter(({ role }) => role === 'test-user'));
      }),
    );
  });

  it('do not include a user who has left, and still include the others', () => {
    fc.assert(
      fc.property(additions, aUser, (added, user) => {
        const members = membersAfter(added);
        const remaining = withoutMember(members, user);
        expect(roleOf({ members: remaining }, user)).to.equal(undefined);
        expect([...remaining, ...members.filter((member) => member.userId === user)]).to.have.members([...members]);
      }),
    );
  });

  it('do not include a visitor who is not logged in', () => {
    const members = [{ userId: userId('ada'), role: 'owner' }] as const;
    expect(roleOf({ members }, undefined)).to.equal(undefined);
    expect(isOwner({ members }, undefined)).to.equal(false);
  });
});

describe('a client', () => {
  it('is open to every user, but in test mode only to its members', () => {
    fc.assert(
      fc.property(additions, aUser, (added, user) => {
        const members = membersAfter(added);
        expect(isOpenTo({ members, mode: 'live' }, user)).to.equal(true);
        const isMember = members.some((member) => member.userId === user);
        expect(isOpenTo({ members, mode: 'test' }, user)).to.equal(isMember);
      }),
    );
  });
});
