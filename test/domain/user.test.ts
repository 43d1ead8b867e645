import { expect } from 'chai';
import fc from 'fast-check';
import type { DomainEvent, Role } from '../../src/domain/events.ts';
import { user, type UserCommand, type UserEvent } from '../../src/domain/user.ts';
import type { UserId } from '../../src/domain/values.ts';
import { groupId, passkeyId, totpId, userId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';
import { unchecked } from '../support/unchecked.ts';

const register = (label = 'ada'): UserCommand => ({
  type: 'RegisterUser',
  userId: userId(label),
  sealed: 'sealed',
  roles: [],
  active: true,
});
const createChanges = (account: UserId): readonly UserCommand[] => [
  { type: 'ChangeProfile', userId: account, sealed: 'sealed' },
  { type: 'ChangePassword', userId: account, sealed: 'sealed' },
  { type: 'DisableUser', userId: account },
  { type: 'EnableUser', userId: account },
  { type: 'EraseUser', userId: account },
  { type: 'EndAllSessions', userId: account },
  { type: 'ChangeRoles', userId: account, roles: ['auditor'] },
  { type: 'AddPasskey', userId: account, passkeyId: passkeyId('p'), sealed: 'sealed' },
  { type: 'RemovePasskey', userId: account, passkeyId: passkeyId('p') },
  { type: 'ChangeGroups', userId: account, add: [groupId('g')], remove: [] },
];
const changes = createChanges(userId('ada'));
const verifyEmail: UserCommand = { type: 'VerifyEmail', userId: userId('ada'), sealed: 'sealed' };
const [changeProfile, changePassword, disable, enable, erase, endAllSessions, makeAuditor, addPasskey, removePasskey] =
  changes as [
    UserCommand,
    UserCommand,
    UserCommand,
    UserCommand,
    UserCommand,
    UserCommand,
    UserCommand,
    UserCommand,
    UserCommand,
  ];

describe('a user name', () => {
  it('belongs to one account at a time, even if the account is disabled', () => {
    given(user).when(register()).accepted('UserRegistered');
    given(user, register()).when(register('bob')).refused('username-taken');
    given(user, register(), disable).when(register('bob')).refused('username-taken');
  });

  it('can be used by a new account, with a different id, after the old account has been erased', () => {
    const { decision } = given(user, register(), erase).when(register('bob')).accepted('UserRegistered');
    expect(decision.events[0]?.data).to.include({ userId: userId('bob') });
  });

  it('refuses commands meant for an earlier account of that name', () => {
    for (const command of changes)
      given(user, register(), erase, register('bob')).when(command).refused('user-unknown');
  });

  it('accepts only a registration if it has no account', () => {
    for (const command of changes) {
      given(user).when(command).refused('user-unknown');
      given(user, register(), erase).when(command).refused('user-unknown');
    }
  });
});

describe('an account', () => {
  it('gets a new hash of its registered password once, and none after a password change', () => {
    const rehash: UserCommand = { type: 'RehashPassword', userId: userId('ada'), sealed: 'sealed' };
    given(user, register(), changeProfile).when(rehash).accepted('PasswordRehashed');
    given(user, register(), rehash).when(rehash).changesNothing();
    given(user, register(), changePassword).when(rehash).changesNothing();
    given(user, register(), erase).when(rehash).refused('user-unknown');
  });

  it('can be registered as disabled, without ever being active', () => {
    given(user)
      .when({ type: 'RegisterUser', userId: userId('ada'), sealed: 'sealed', roles: [], active: false })
      .accepted('UserRegistered', 'UserDisabled');
  });

  it('has no groups, passkeys or second factors at first', () => {
    const { events } = user.decide(register(), user.initial);
    const state = events.reduce(user.evolve, user.initial);
    expect(state).to.deep.include({ groups: [], passkeys: [], removedPasskeys: [], totpId: null, codes: null });
  });

  const afterRegistration = given(user, register());

  it('records each change with its id', () => {
    const outcomes = [
      afterRegistration.when(changeProfile).accepted('UserProfileChanged'),
      afterRegistration.when(changePassword).accepted('PasswordChanged'),
      afterRegistration.when(verifyEmail).accepted('EmailVerified'),
      given(user, register(), verifyEmail).when(erase).accepted('UserErased'),
      afterRegistration.when(endAllSessions).accepted('AllSessionsEnded'),
      afterRegistration.when(disable).accepted('UserDisabled'),
      afterRegistration.when(erase).accepted('UserErased'),
      given(user, register(), disable).when(enable).accepted('UserEnabled'),
    ];
    for (const { decision } of outcomes) expect(decision.events[0]?.data).to.include({ userId: userId('ada') });
  });

  it('is disabled once and enabled once', () => {
    afterRegistration.when(enable).changesNothing();
    given(user, register(), disable).when(disable).changesNothing();
    given(user, register(), disable, enable).when(enable).changesNothing();
  });

  it('records a role change only if the set of roles differs', () => {
    afterRegistration.when(makeAuditor).accepted('UserRolesChanged');
    given(user, register(), makeAuditor).when(makeAuditor).changesNothing();
    given(user, register(), makeAuditor, disable, enable).when(makeAuditor).changesNothing();
    const changeRoles = (...roles: readonly Role[]): UserCommand => ({
      type: 'ChangeRoles',
      userId: userId('ada'),
      roles,
    });
    const withBothRoles = given(user, register(), changeRoles('auditor', 'administrator'));
    withBothRoles.when(changeRoles('administrator', 'auditor')).changesNothing();
    withBothRoles.when(changeRoles('auditor', 'auditor')).accepted('UserRolesChanged');
    withBothRoles.when(changeRoles('auditor')).accepted('UserRolesChanged');
  });

  it('can remove each of its passkeys once', () => {
    afterRegistration.when(removePasskey).changesNothing();
    given(user, register(), addPasskey).when(removePasskey).accepted('PasskeyRemoved');
    given(user, register(), addPasskey, removePasskey).when(removePasskey).changesNothing();
    const addAnother: UserCommand = {
      type: 'AddPasskey',
      userId: userId('ada'),
      passkeyId: passkeyId('q'),
      sealed: 'sealed',
    };
    given(user, register(), addPasskey, addAnother, removePasskey)
      .when({ type: 'RemovePasskey', userId: userId('ada'), passkeyId: passkeyId('q') })
      .accepted('PasskeyRemoved');
  });

  it('joins and leaves groups in one append, which skips groups without a change', () => {
    const changeGroups = (add: readonly string[], remove: readonly string[] = []): UserCommand => ({
      type: 'ChangeGroups',
      userId: userId('ada'),
      add: add.map(groupId),
      remove: remove.map(groupId),
    });
    afterRegistration.when(changeGroups(['staff', 'staff'])).accepted('GroupMemberAdded');
    afterRegistration.when(changeGroups([], ['staff'])).changesNothing();
    const member = given(user, register(), changeGroups(['staff', 'editors']));
    member.when(changeGroups(['staff', 'editors'])).changesNothing();
    member
      .when(changeGroups(['staff', 'readers'], ['editors', 'other']))
      .accepted('GroupMemberRemoved', 'GroupMemberAdded');
    given(user, register(), changeGroups(['staff', 'editors']), changeGroups([], ['staff']))
      .when(changeGroups(['editors']))
      .changesNothing();
    given(user, register(), changeGroups(['staff']), changeGroups([], ['staff']))
      .when(changeGroups(['staff']))
      .accepted('GroupMemberAdded');
    given(user, register(), changeGroups(['staff']), erase, register())
      .when(changeGroups([], ['staff']))
      .changesNothing();
  });

  it('is not restored by an event that follows its erasure in a damaged log', () => {
    const account = userId('ada');
    const events: readonly UserEvent[] = [
      { type: 'UserEnabled', data: { userId: account } },
      { type: 'UserDisabled', data: { userId: account } },
      { type: 'UserRolesChanged', data: { userId: account, roles: ['administrator'] } },
      { type: 'PasskeyAdded', data: { userId: account, passkeyId: passkeyId('p'), sealed: 'sealed' } },
      { type: 'PasskeyRemoved', data: { userId: account, passkeyId: passkeyId('p') } },
      { type: 'GroupMemberAdded', data: { userId: account, groupId: groupId('g') } },
      { type: 'GroupMemberRemoved', data: { userId: account, groupId: groupId('g') } },
      { type: 'PasswordChanged', data: { userId: account, sealed: 'sealed' } },
      { type: 'TotpAdded', data: { userId: account, totpId: totpId('t'), sealed: 'sealed' } },
    ];
    for (const event of events) expect(user.evolve(user.initial, event), event.type).to.equal(user.initial);
  });

  it('refuses unknown commands and events', () => {
    const unknownMessage = unchecked({ type: 'Other', userId: userId('ada') });
    expect(() => afterRegistration.when(unknownMessage)).to.throw('unhandled case');
    expect(() => user.evolve(user.initial, unknownMessage)).to.throw('unhandled case');
  });

  it('adds no passkey with an id that it had before', () => {
    given(user, register(), addPasskey).when(addPasskey).refused('passkey-exists');
    given(user, register(), addPasskey, removePasskey).when(addPasskey).refused('passkey-exists');
  });

  it('has at most twenty passkeys', () => {
    const twentyPasskeys = Array.from({ length: 20 }, (_, index): UserCommand => ({
      type: 'AddPasskey',
      userId: userId('ada'),
      passkeyId: passkeyId(`${index}`),
      sealed: 'sealed',
    }));
    given(user, register(), ...twentyPasskeys.slice(1))
      .when(addPasskey)
      .accepted('PasskeyAdded');
    given(user, register(), ...twentyPasskeys)
      .when(addPasskey)
      .refused('too-many-passkeys');
  });

  it('records nothing after its erasure', () => {
    let labels = 0;
    const aCommand = fc.oneof(
      fc.constant((_account: UserId, label: string) => register(label)),
      fc.nat({ max: changes.length - 1 }).map((index) => (account: UserId) => createChanges(account)[index] ?? disable),
    );
    fc.assert(
      fc.property(fc.array(aCommand, { maxLength: 20 }), (commands) => {
        const events: DomainEvent[] = [];
        commands.reduce((state, command) => {
          const account = state.status === 'absent' ? userId('ada') : state.userId;
          const newEvents = user.decide(command(account, `user ${(labels += 1)}`), state).events;
          events.push(...newEvents);
          return newEvents.reduce(user.evolve, state);
        }, user.initial);
        const erasedIds = new Set<string>();
        for (const { type, data } of events) {
          const id = (data as { userId: string }).userId;
          expect(erasedIds.has(id)).to.equal(false);
          if (type === 'UserErased') erasedIds.add(id);
        }
      }),
    );
  });
});
