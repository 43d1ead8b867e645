import { expect } from 'chai';
import type { NewAccount } from '../../src/accounts/accounts.ts';
import { NoAdministratorLeft } from '../../src/accounts/last-administrator.ts';
import { english } from '../../src/language/english.ts';
import type { PasswordHasher } from '../../src/platform/ports.ts';
import type { User } from '../../src/projections/users.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const CONTEXT = { actor: { kind: 'operator' }, requestId: null } as const;
const PASSWORD = 'correct horse';

describe('an account', () => {
  let running: RunningService;
  let verifiedHashes: string[];
  beforeEach(async () => {
    verifiedHashes = [];
    running = await runningService();
  });
  afterEach(() => running.close());

  const register = (account: Partial<NewAccount> = {}) =>
    running.service().accounts.register({ username: 'ada', password: PASSWORD, ...account }, CONTEXT);
  const countingHasher: Pick<PasswordHasher, 'verify'> = {
    verify: (phc, password) => (verifiedHashes.push(phc), quickHasher.verify(phc, password)),
  };
  const verify = (username: string, password = PASSWORD) =>
    running.service().accounts.verify(username, password, countingHasher);
  async function registerUser(account: Partial<NewAccount> = {}): Promise<User> {
    const result = await register(account);
    if ('errors' in result) throw new Error(JSON.stringify(result.errors));
    return result.user;
  }
  async function registrationErrors(
    account: Partial<NewAccount>,
  ): Promise<Readonly<Record<string, string | undefined>>> {
    const result = await register(account);
    const errors = 'errors' in result ? result.errors : {};
    return Object.fromEntries(Object.entries(errors).map(([field, problem]) => [field, english.text(problem)]));
  }

  it('accepts only the correct user name and password', async () => {
    const user = await registerUser();
    expect((await verify('ada'))?.user.userId).to.equal(user.userId);
    for (const [name, password] of [
      ['ada', 'wrong'],
      ['ada', ''],
      ['ada', `${PASSWORD} `],
      ['Ada', PASSWORD],
      ['', PASSWORD],
      ['bob', PASSWORD],
    ] as const) {
      expect(await verify(name, password), `${name}/${password}`).to.equal(undefined);
    }
  });

  it('has the same name in all equivalent spellings (NFKC)', async () => {
    const user = await registerUser({ username: 'ﬁancée Ⅳ' });
    expect(user.username).to.equal('fiancée IV');
    for (const spelling of ['fiancée IV', 'ﬁancée Ⅳ', 'ﬁance\u0301e IV']) {
      expect((await verify(spelling))?.user.userId, spelling).to.equal(user.userId);
      expect(await registrationErrors({ username: spelling })).to.deep.equal({
        username: 'A user with that username already exists.',
      });
    }
  });

  it('has a name that no other account can take in a different case or width', async () => {
    await registerUser({ username: 'Ada Lovelace' });
    for (const username of ['ada lovelace', 'ADA LOVELACE', 'Ａda Lovelace', 'Ada  Lovelace']) {
      expect((await registrationErrors({ username }))['username'], username).to.match(/too similar|already exists/);
    }
    expect(await verify('ADA LOVELACE')).to.equal(undefined);
    await running
      .service()
      .accounts.erase(running.service().projections.users.findByName('Ada Lovelace') ?? expect.fail(), CONTEXT);
    await registerUser({ username: 'ADA LOVELACE' });
  });

  it('is created once if concurrent requests register its name in different cases', async () => {
    const results = await Promise.all(['ada', 'Ada', 'ADA', 'adA'].map((username) => register({ username })));
    expect(results.filter((result) => 'user' in result)).to.have.length(1);
    expect(running.service().projections.users.all()).to.have.length(1);
  });

  it('takes the same work to refuse, whether or not it exists', async () => {
    await registerUser();
    await verify('ada', 'wrong');
    await verify('nobody', 'wrong');
    expect(verifiedHashes).to.have.length(2);
    expect(verifiedHashes[1]).to.match(/^\$argon2id\$/);
  });

  it('never accepts a value that could stand for a missing password', async () => {
    for (const password of ['', 'undefined', 'null', '0'.repeat(64)])
      expect(await verify('nobody', password)).to.equal(undefined);
  });

  const INVALID_ACCOUNTS: readonly (readonly [
    description: string,
    account: Partial<NewAccount>,
    field: string,
    message: RegExp,
  ])[] = [
    ['no name', { username: '' }, 'username', /required/],
    ['a name of 151 characters', { username: 'x'.repeat(151) }, 'username', /at most 150/],
    ['a name that becomes too long when normalized', { username: '\uFDFA'.repeat(20) }, 'username', /at most 150/],
    ['a name with a trailing space', { username: 'ada ' }, 'username', /space/],
    ['a name with a leading no-break space', { username: '\u00A0ada' }, 'username', /space/],
    ['a name with a control character', { username: 'a\u0000da' }, 'username', /invisible characters/],
    ['a name with a lone surrogate', { username: 'a\uD800' }, 'username', /invisible characters/],
    ['a name with a right-to-left mark', { username: '\u202Eada' }, 'username', /invisible characters/],
    ['a name with a zero-width space', { username: 'a\u200Bda' }, 'username', /invisible characters/],
    ['no password', { password: '' }, 'password', /required/],
    ['a password of 1025 characters', { password: 'x'.repeat(1_025) }, 'password', /at most 1024/],
    ['an invalid e-mail address', { email: 'nowhere' }, 'email', /valid e-mail/],
    ['an e-mail address of 255 characters', { email: `${'x'.repeat(250)}@x.yz` }, 'email', /valid e-mail/],
    ['an e-mail address with a line break', { email: 'a@b\nbcc:c@d' }, 'email', /valid e-mail/],
    ['a first name of 151 characters', { firstName: 'x'.repeat(151) }, 'first_name', /at most 150/],
    ['a last name with a control character', { lastName: 'x\u0007' }, 'last_name', /control/],
  ];
  for (const [description, account, field, message] of INVALID_ACCOUNTS) {
    it(`with ${description} is refused with a message for the field, and nothing is written`, async () => {
      const errors = await registrationErrors(account);
      expect(Object.keys(errors)).to.deep.equal([field]);
      expect(errors[field]).to.match(message);
      expect(running.log.head()).to.equal(0);
    });
  }

  it('is accepted if its fields have the maximum lengths', async () => {
    const user = await registerUser({
      username: 'x'.repeat(150),
      password: 'y'.repeat(1_024),
      email: `${'x'.repeat(249)}@x.yz`,
      firstName: 'f'.repeat(150),
      lastName: 'l'.repeat(150),
    });
    expect((await verify(user.username, 'y'.repeat(1_024)))?.user.userId).to.equal(user.userId);
  });

  it('is created once by concurrent requests, and the refused requests write nothing', async () => {
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) => register({ password: `password ${index}` })),
    );
    const winners = results.flatMap((result) => ('user' in result ? [result.user] : []));
    expect(winners).to.have.length(1);
    expect(running.service().projections.users.all()).to.have.length(1);
    expect((await running.events()).map(({ type }) => type)).to.deep.equal(['UserRegistered']);
  });

  it('accepts only the new password after a change, which ends its sessions', async () => {
    const user = await registerUser();
    const { accounts, loginSessions } = running.service();
    const now = Math.floor(running.clock.now() / 1000) as Parameters<typeof loginSessions.find>[1];
    const authentication = (await verify('ada')) ?? expect.fail();
    const session =
      (await loginSessions.start(authentication, now, { requestId: 'request' }, undefined)) ?? expect.fail();
    expect(loginSessions.find(session, now)?.userId).to.equal(user.userId);
    expect(await accounts.changePassword(user, '', CONTEXT)).to.have.property('errors');
    const result = await accounts.changePassword(user, 'new password', CONTEXT);
    expect(result).to.deep.equal({ position: running.log.head() });
    expect(await verify('ada')).to.equal(undefined);
    expect((await verify('ada', 'new password'))?.user.userId).to.equal(user.userId);
    expect(loginSessions.find(session, now)).to.equal(undefined);
  });

  it('accepts a login only while it is enabled', async () => {
    const user = await registerUser();
    await running.service().accounts.disable(user, CONTEXT);
    expect(await verify('ada')).to.equal(undefined);
    expect(await registrationErrors({ username: 'ada' })).to.have.all.keys('username');
    await running.service().accounts.enable(user, CONTEXT);
    expect((await verify('ada'))?.user.userId).to.equal(user.userId);
  });

  it('frees its name when it is erased, but no later account gets its id, number or data', async () => {
    const firstUser = await registerUser({ email: 'ada@example.org' });
    await running.service().accounts.erase(firstUser, CONTEXT);
    expect(await verify('ada')).to.equal(undefined);
    const secondUser = await registerUser({ password: 'another' });
    expect(secondUser.userId).to.not.equal(firstUser.userId);
    expect([firstUser.id, secondUser.id]).to.deep.equal([1, 2]);
    expect(secondUser.email).to.equal('');
    expect(await verify('ada')).to.equal(undefined);
    expect((await verify('ada', 'another'))?.user.userId).to.equal(secondUser.userId);
  });

  it('is unchanged after the log is replayed, and an erased account stays erased', async () => {
    const firstUser = await registerUser({ email: 'ada@example.org' });
    await running.service().accounts.erase(firstUser, CONTEXT);
    const secondUser = await registerUser({ password: 'another', firstName: 'Ada' });
    const usersBefore = running.service().projections.users.all();
    await running.restart();
    expect(running.service().projections.users.all()).to.deep.equal(usersBefore);
    expect((await verify('ada', 'another'))?.user.userId).to.equal(secondUser.userId);
    expect(running.service().projections.users.find(firstUser.userId)).to.equal(undefined);
  });

  it('leaves no personal data in the log', async () => {
    await registerUser({
      username: 'ada.lovelace',
      email: 'ada@example.org',
      firstName: 'Augusta',
      lastName: 'Lovelace',
    });
    const text = (await running.events()).map(({ record }) => record).join('\n');
    for (const secret of ['ada', 'Augusta', 'Lovelace', 'example.org', PASSWORD, 'argon2id'])
      expect(text).to.not.contain(secret);
  });
});

describe('The last administrator who can log in', () => {
  let running: RunningService;
  let ada: User;
  let bob: User;
  beforeEach(async () => {
    running = await runningService();
    [ada, bob] = [await addAdministrator('ada'), await addAdministrator('bob')];
  });
  afterEach(() => running.close());

  async function addAdministrator(username: string): Promise<User> {
    const result = await running
      .service()
      .accounts.register({ username, password: PASSWORD, roles: ['administrator'] }, CONTEXT);
    return 'user' in result ? result.user : expect.fail();
  }

  const CHANGES = {
    disabled: (user: User) => running.service().accounts.disable(user, CONTEXT),
    erased: (user: User) => running.service().accounts.erase(user, CONTEXT),
    'given a lesser role': (user: User) => running.service().accounts.changeRoles(user, ['auditor'], CONTEXT),
  };

  async function attempt(change: Promise<void>): Promise<'done' | 'refused'> {
    return change.then(
      () => 'done' as const,
      (error: unknown) => (error instanceof NoAdministratorLeft ? 'refused' : expect.fail(String(error))),
    );
  }

  for (const [change, apply] of Object.entries(CHANGES)) {
    it(`cannot be ${change}, and nothing is written`, async () => {
      expect(await attempt(apply(ada))).to.equal('done');
      const head = running.log.head();
      expect(await attempt(apply(bob))).to.equal('refused');
      expect(running.log.head()).to.equal(head);
      const authentication = await running.service().accounts.verify('bob', PASSWORD, quickHasher);
      expect(authentication?.user.roles).to.deep.equal(['administrator']);
    });

    it(`remains if the last two are ${change} at the same time`, async () => {
      expect((await Promise.all([attempt(apply(ada)), attempt(apply(bob))])).toSorted()).to.deep.equal([
        'done',
        'refused',
      ]);
    });
  }

  it('is never a disabled account, so a disabled account can be erased', async () => {
    const { accounts } = running.service();
    await accounts.disable(ada, CONTEXT);
    expect(await attempt(accounts.disable(bob, CONTEXT))).to.equal('refused');
    expect(await attempt(accounts.erase(ada, CONTEXT))).to.equal('done');
  });

  it('can be given more roles, and can be erased once there is another administrator', async () => {
    const { accounts } = running.service();
    await accounts.disable(ada, CONTEXT);
    expect(await attempt(accounts.changeRoles(bob, ['administrator', 'auditor'], CONTEXT))).to.equal('done');
    await accounts.enable(ada, CONTEXT);
    expect(await attempt(accounts.erase(bob, CONTEXT))).to.equal('done');
  });
});
