import { expect } from 'chai';
import type { PersonalData } from '../../src/projections/sealed-data.ts';
import { createUsers } from '../../src/projections/users.ts';
import { userId } from '../support/domain-values.ts';
import { pbkdf2Of } from '../support/quick-hasher.ts';
import { createRecording } from '../support/recording.ts';

/** In these tests, sealed data is plain JSON. The keys of the users in `erasedIds` are destroyed. */
function setUp() {
  const erasedIds = new Set<string>();
  const users = createUsers((id, sealed) =>
    erasedIds.has(id) ? undefined : (JSON.parse(sealed) as Partial<PersonalData>),
  );
  const { record } = createRecording(users);
  const register = (username: string, label = username): void =>
    record(`user-${username}`, {
      type: 'UserRegistered',
      data: { userId: userId(label), sealed: JSON.stringify({ username, passwordHash: 'phc' }), roles: [] },
    });
  const erase = (label: string): void =>
    record(`user-${label}`, { type: 'UserErased', data: { userId: userId(label) } });
  return { users, record, register, erase, erasedIds };
}

describe('the users', () => {
  it('are numbered in log order, starting with 1', () => {
    const { users, register } = setUp();
    ['ada', 'bob', 'cleo'].forEach((name) => register(name));
    expect(users.all().map(({ id, username }) => [id, username])).to.deep.equal([
      [1, 'ada'],
      [2, 'bob'],
      [3, 'cleo'],
    ]);
    expect(users.findByPk(2)?.username).to.equal('bob');
    for (const id of [0, -1, 4, 1.5]) expect(users.findByPk(id)).to.equal(undefined);
  });

  it('report their highest PBKDF2 iteration count, even after a snapshot', () => {
    const { users, record, erase } = setUp();
    const maxima: number[] = [];
    const recordChange = (
      type: 'UserRegistered' | 'PasswordRehashed' | 'PasswordChanged' | 'UserErased',
      name: string,
      passwordHash = '',
    ): void => {
      const sealed = JSON.stringify({ ...(type === 'UserRegistered' && { username: name }), passwordHash });
      if (type === 'UserErased') erase(name);
      else
        record(
          `user-${name}`,
          type === 'UserRegistered'
            ? { type, data: { userId: userId(name), sealed, roles: [] } }
            : { type, data: { userId: userId(name), sealed } },
        );
      maxima.push(users.maxIterations());
    };
    for (const [name, iterations] of [
      ['ada', 10],
      ['bob', 40],
      ['cleo', 30],
      ['dora', 20],
    ] as const)
      recordChange('UserRegistered', name, pbkdf2Of(name, iterations));
    const restoredUsers = createUsers((_id, sealed) => JSON.parse(sealed) as Partial<PersonalData>);
    for (const piece of users.freeze()) restoredUsers.restore(piece);
    expect(restoredUsers.maxIterations()).to.equal(40);
    recordChange('PasswordRehashed', 'bob', '$argon2id$');
    recordChange('PasswordChanged', 'cleo', '$argon2id$');
    recordChange('UserErased', 'dora');
    recordChange('PasswordRehashed', 'ada', '$argon2id$');
    expect(maxima).to.deep.equal([10, 40, 40, 40, 30, 20, 10, 0]);
  });

  it('keep their numbers when other users are erased, and no number is reused', () => {
    const { users, register, erase } = setUp();
    ['ada', 'bob'].forEach((name) => register(name));
    erase('bob');
    register('cleo');
    expect(users.findByPk(2)).to.equal(undefined);
    expect(users.findByName('cleo')?.id).to.equal(3);
  });

  it('are found by name, id and number until they are erased', () => {
    const { users, register, erase } = setUp();
    register('ada');
    expect(users.find(userId('ada'))).to.equal(users.findByName('ada'));
    expect(users.findByPk(1)).to.equal(users.findByName('ada'));
    erase('ada');
    expect([users.find(userId('ada')), users.findByName('ada'), users.findByPk(1)]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    expect(users.isActive(userId('ada'))).to.equal(false);
    expect([...users.erased()]).to.deep.equal([userId('ada')]);
    expect(users.all()).to.deep.equal([]);
  });

  it('can take the name of an erased user, with a different id and number', () => {
    const { users, register, erase } = setUp();
    register('ada', 'first');
    erase('first');
    register('ada', 'second');
    expect(users.findByName('ada')).to.include({ userId: userId('second'), id: 2 });
  });

  it('can take the name of an erased user even in a replay without the destroyed key', () => {
    const { users, register, erase, erasedIds } = setUp();
    erasedIds.add(userId('first'));
    register('ada', 'first');
    register('bob');
    erase('first');
    register('ada', 'second');
    expect(users.findByName('ada')).to.include({ userId: userId('second'), id: 3 });
    expect(users.findByName('')).to.equal(undefined);
    expect(users.all().map(({ username }) => username)).to.deep.equal(['bob', 'ada']);
  });

  it('are paged without gaps or duplicates, even after erasures', () => {
    const { users, register, erase } = setUp();
    for (let number = 1; number <= 20; number += 1) register(`user${number}`);
    for (const number of [1, 5, 6, 7, 20]) erase(`user${number}`);
    for (const limit of [1, 2, 3, 7, 15, 100]) {
      const pagedIds: number[] = [];
      for (let after = 0, page = users.page(0, limit); page.length > 0; page = users.page(after, limit)) {
        expect(page.length).to.be.at.most(limit);
        after = page.at(-1)?.id ?? 0;
        pagedIds.push(...page.map(({ id }) => id));
      }
      expect(pagedIds).to.deep.equal(users.all().map(({ id }) => id));
    }
    expect(users.page(99, 10)).to.deep.equal([]);
  });

  it('are updated in every index', () => {
    const { users, record, register } = setUp();
    register('ada');
    record('user-ada', {
      type: 'UserProfileChanged',
      data: { userId: userId('ada'), sealed: JSON.stringify({ email: 'ada@example.org' }) },
    });
    record('user-ada', {
      type: 'PasswordChanged',
      data: { userId: userId('ada'), sealed: JSON.stringify({ passwordHash: 'new' }) },
    });
    for (const user of [users.find(userId('ada')), users.findByName('ada'), users.findByPk(1), users.page(0, 1)[0]]) {
      expect(user).to.include({ username: 'ada', email: 'ada@example.org', passwordHash: 'new' });
    }
  });

  it('have their newest profile and the time when it was changed, even after a snapshot', () => {
    const { users, record, register, erasedIds } = setUp();
    const changeProfile = (data: object, at: number): void =>
      record(
        'user-ada',
        { type: 'UserProfileChanged', data: { userId: userId('ada'), sealed: JSON.stringify(data) } },
        at,
      );
    const restoreUser = () => {
      const restoredUsers = createUsers((id, sealed) =>
        erasedIds.has(id) ? undefined : (JSON.parse(sealed) as Partial<PersonalData>),
      );
      for (const piece of users.freeze()) restoredUsers.restore(piece);
      return restoredUsers.find(userId('ada')) ?? expect.fail();
    };
    register('ada');
    expect(restoreUser()).to.deep.include({ profile: {}, updatedAt: 0 });
    changeProfile({ profile: { nickname: 'Countess', locality: 'London' } }, 10);
    changeProfile({ email: 'ada@example.org', firstName: 'Ada', lastName: '' }, 20);
    changeProfile({ profile: { locality: 'Ockham' } }, 30);
    const restoredUser = restoreUser();
    expect(restoredUser).to.deep.equal(users.find(userId('ada')));
    expect(restoredUser).to.deep.include({ profile: { locality: 'Ockham' }, email: 'ada@example.org', updatedAt: 30 });
    const password = { userId: userId('ada'), sealed: JSON.stringify({ passwordHash: 'new' }) };
    record('user-ada', { type: 'PasswordChanged', data: password }, 40);
    expect(restoreUser().updatedAt).to.equal(30);
    erasedIds.add(userId('ada'));
    expect(restoreUser()).to.deep.include({ profile: {}, email: '' });
  });

  it('are active until disabled, and active again once enabled', () => {
    const { users, record, register } = setUp();
    register('ada');
    record('user-ada', { type: 'UserDisabled', data: { userId: userId('ada') } });
    expect([users.isActive(userId('ada')), users.findByName('ada')?.active]).to.deep.equal([false, false]);
    record('user-ada', { type: 'UserEnabled', data: { userId: userId('ada') } });
    expect([users.isActive(userId('ada')), users.findByName('ada')?.active]).to.deep.equal([true, true]);
  });

  it('include an administrator while one is registered', () => {
    const { users, record, register, erase } = setUp();
    register('ada');
    expect(users.hasAdministrator()).to.equal(false);
    record('user-root', {
      type: 'UserRegistered',
      data: { userId: userId('root'), sealed: '{"username":"root"}', roles: ['administrator'] },
    });
    expect(users.hasAdministrator()).to.equal(true);
    erase('root');
    expect(users.hasAdministrator()).to.equal(false);
  });

  describe('with verified addresses', () => {
    function setUpAddresses() {
      const fixture = setUp();
      const { users, record, register } = fixture;
      const setEmail = (name: string, email: string): void =>
        record(`user-${name}`, {
          type: 'UserProfileChanged',
          data: { userId: userId(name), sealed: JSON.stringify({ email }) },
        });
      const verify = (name: string, verifiedEmail: string): void =>
        record(`user-${name}`, {
          type: 'EmailVerified',
          data: { userId: userId(name), sealed: JSON.stringify({ verifiedEmail }) },
        });
      const listVerifiedNames = (): readonly string[] =>
        users.all().flatMap((user) => (user.emailVerified ? user.username : []));
      for (const name of ['ada', 'bob']) register(name);
      return { ...fixture, setEmail, verify, verifiedNames: listVerifiedNames };
    }

    it('are found by the address, ignoring the case of ASCII letters only', () => {
      const { users, setEmail, verify } = setUpAddresses();
      setEmail('ada', 'Mike@Example.org');
      expect(users.findByVerifiedEmail('mike@example.org'), 'not verified').to.equal(undefined);
      verify('ada', 'Mike@Example.org');
      for (const address of ['mike@example.org', 'MIKE@EXAMPLE.ORG'])
        expect(users.findByVerifiedEmail(address)?.username).to.equal('ada');
      for (const address of ['m\u0131ke@example.org', 'mi\u212Ae@example.org', 'ada', ''])
        expect(users.findByVerifiedEmail(address), address).to.equal(undefined);
    });

    it('lose the verification when the address changes, and do not regain it when the address is restored', () => {
      const { users, setEmail, verify, verifiedNames } = setUpAddresses();
      setEmail('ada', 'ada@example.org');
      verify('ada', 'ada@example.org');
      expect(verifiedNames()).to.deep.equal(['ada']);
      setEmail('ada', 'other@example.org');
      setEmail('ada', 'ada@example.org');
      expect(verifiedNames()).to.deep.equal([]);
      expect(users.findByVerifiedEmail('ada@example.org')).to.equal(undefined);
    });

    it('ignore the verification of an address that the account no longer has', () => {
      const { setEmail, verify, verifiedNames } = setUpAddresses();
      setEmail('ada', 'new@example.org');
      verify('ada', 'old@example.org');
      expect(verifiedNames()).to.deep.equal([]);
    });

    it('lose a verified address to the account that verifies it last, even after a snapshot', () => {
      const { users, setEmail, verify, verifiedNames, erase } = setUpAddresses();
      for (const name of ['ada', 'bob']) {
        setEmail(name, 'both@example.org');
        verify(name, 'both@example.org');
      }
      const restoredUsers = createUsers((_id, sealed) => JSON.parse(sealed) as Partial<PersonalData>);
      for (const piece of users.freeze()) restoredUsers.restore(piece);
      expect(restoredUsers.findByVerifiedEmail('both@example.org')?.username).to.equal('bob');
      expect(restoredUsers.all()).to.deep.equal(users.all());
      expect(verifiedNames()).to.deep.equal(['bob']);
      erase('bob');
      expect(users.findByVerifiedEmail('both@example.org')).to.equal(undefined);
    });

    it('are found by their name in a different case if only one name matches', () => {
      const { users, record } = setUpAddresses();
      expect(users.findByNameLike('ADA')?.username).to.equal('ada');
      record('user-old', {
        type: 'UserRegistered',
        data: { userId: userId('old'), sealed: JSON.stringify({ username: 'Ada' }), roles: [] },
      });
      expect(users.findByNameLike('ADA')).to.equal(undefined);
      expect(users.findByNameLike('Ada')?.userId).to.equal(userId('old'));
    });
  });
});
