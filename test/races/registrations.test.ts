import { expect } from 'chai';
import { createAccounts, type Accounts } from '../../src/accounts/accounts.ts';
import { createVault } from '../../src/accounts/personal-data.ts';
import { createAdministratorKeeper, NoAdministratorLeft } from '../../src/accounts/last-administrator.ts';
import { operate } from '../../src/operations/operations.ts';
import { createCommandHandlers } from '../../src/composition/command-handlers.ts';
import type { ClientId, UserId } from '../../src/domain/values.ts';
import { HashingOverloadedError } from '../../src/platform/hashing/hashing-overloaded.ts';
import { createPasswordHashing } from '../../src/platform/hashing/password-hashing.ts';
import { mintId } from '../../src/oauth/credentials/credentials.ts';
import type { User } from '../../src/projections/users.ts';
import { PERSONAL_KEYS } from '../../src/platform/keys/personal-keys.ts';
import type { Page } from '../support/browser-session.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { startRacingService, type RacingService } from '../support/racing-service.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const NEVER = new AbortController().signal;

let racing: RacingService;
let running: RunningService;
const findUser = (username: string): User => running.service().projections.users.findByName(username) ?? expect.fail();
const listNames = (): readonly string[] =>
  running
    .service()
    .projections.users.all()
    .map(({ username }) => username);

async function runOperation(operation: string, input: object): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for await (const item of operate(running.service())(operation, input, NEVER)) items.push(item);
  return items;
}

function useRacingService(settings: Parameters<typeof startRacingService>[0] = {}): void {
  beforeEach(async () => {
    racing = await startRacingService(settings);
    ({ running } = racing);
  });
  afterEach(() => racing.close());
}

describe('The set-up link', () => {
  useRacingService();

  async function prepareSetUp(): Promise<() => Promise<Page>> {
    const browser = running.browser();
    const form = await browser.get(`/accounts/setup/?token=${running.service().setup.token() ?? ''}`);
    return () => browser.submit(form, { username: 'root', password: "root's password" }, '/accounts/setup/');
  }

  it('creates no administrator if an operator creates one while the password is being hashed', async () => {
    const otherAdministrator = { username: 'first', password: 'the first password', roles: ['administrator'] } as const;
    const add = () => running.service().accounts.register(otherAdministrator, OPERATOR);
    const [page] = await racing.duringHash(await prepareSetUp(), add);
    expect(page.status).to.equal(404);
    expect(page.html).to.include('This link does not work');
    expect(listNames()).to.deep.equal(['first']);
  });

  it('creates only one administrator if it is used twice concurrently', async () => {
    const [submitFirst, submitSecond] = [await prepareSetUp(), await prepareSetUp()];
    const pages = await Promise.all([submitFirst(), submitSecond()]);
    expect(pages.map(({ status }) => status)).to.have.members([302, 404]);
    expect(listNames()).to.deep.equal(['root']);
  });
});

describe('An API request that creates a user', () => {
  useRacingService();

  it('is refused, and creates no user, if its token is revoked while the password is being hashed', async () => {
    const client = await running.addClient();
    const { json } = await running.token(client, { grant_type: 'client_credentials', scope: 'write' });
    const authorization = `Bearer ${String(json?.['access_token'])}`;
    const create = () => running.post('/users/', { username: 'ada', password: 'her own password' }, { authorization });
    const remove = () => running.service().registration.remove(client.id as ClientId, OPERATOR);
    const [response] = await racing.duringHash(create, remove);
    expect(response.status).to.equal(401);
    expect(response.headers.get('www-authenticate')).to.include('invalid_token');
    expect(listNames()).to.deep.equal([]);
  });
});

describe('Signing up', () => {
  useRacingService({ settings: { signup: 'open' } });

  it('creates only one of several concurrent accounts whose names differ only in case', async () => {
    const posts = await Promise.all(
      ['ada', 'Ada', 'ADA'].map(async (username) => {
        const browser = running.browser();
        const form = await browser.get('/accounts/signup/');
        return () => browser.submit(form, { username, password: 'a long enough password' }, '/accounts/signup/');
      }),
    );
    const pages = await Promise.all(posts.map((post) => post()));
    expect(pages.map(({ status }) => status)).to.have.members([302, 422, 422]);
    expect(listNames()).to.have.length(1);
  });
});

describe('An application', () => {
  useRacingService();

  it('is not registered for an owner who is disabled before the registration is recorded', async () => {
    const ada = await running.addUser('ada');
    const browser = running.browser();
    await browser.logIn(ada.username, ada.password);
    const form = await browser.get('/o/applications/register/');
    const fields = { name: 'App', client_type: 'public', authorization_grant_type: 'password' };
    const register = () => browser.submit(form, fields, '/o/applications/register/');
    const disable = () => running.service().accounts.disable(findUser('ada'), OPERATOR);
    const [page] = await racing.runBehind(disable, /^client-/, register);
    expect(page.status).to.equal(403);
    expect(running.service().projections.clients.all()).to.deep.equal([]);
  });

  it('keeps both changes that two operators make concurrently', async () => {
    const { id: clientId } = await running.addClient();
    const rename = () => runOperation('client update', { clientId, changes: { name: 'Renamed' } });
    const allow = () =>
      runOperation('client update', { clientId, changes: { allowedOrigins: ['https://app.example'] } });
    await racing.runBehind(rename, /^client-/, allow);
    const expectedFields = { name: 'Renamed', allowedOrigins: ['https://app.example'] };
    expect(running.service().projections.clients.find(clientId)).to.deep.include(expectedFields);
  });
});

describe('An import', () => {
  useRacingService();
  const userCandidate = (username: string, password: string) => ({
    kind: 'user',
    name: username,
    from: `line ${username}`,
    changes: [],
    problem: null,
    entry: { kind: 'user', username, email: '', first_name: '', last_name: '', roles: [], active: true, password },
  });
  const applicationCandidate = (owner: string) => ({
    kind: 'application',
    name: 'App',
    from: 'line of the app',
    changes: [],
    problem: null,
    entry: {
      kind: 'application',
      client_id: 'imported',
      client_type: 'public',
      name: 'App',
      grant_types: ['password'],
      redirect_uris: [],
      allowed_origins: [],
      skip_authorization: false,
      owner,
    },
  });
  const runImport = (...candidates: readonly object[]) =>
    runOperation('import', { candidates, dryRun: false, leaveOutRefused: true });

  it("does not assign an application to another account that takes the owner's name during the import", async () => {
    await running.addUser('ada');
    const replaceOwner = async (): Promise<void> => {
      await running.service().accounts.erase(findUser('ada'), OPERATOR);
      await running.addUser('ada');
    };
    const bob = userCandidate('bob', 'his own password');
    const [result] = await racing.duringHash(() => runImport(bob, applicationCandidate('ada')), replaceOwner);
    const refusal = {
      outcome: 'refused',
      says: ['its owner no longer exists (because of a change during the import)'],
    };
    expect(result).to.deep.include({ kind: 'application', name: 'App', from: 'line of the app', ...refusal });
    expect(running.service().projections.clients.all()).to.deep.equal([]);
  });

  it('assigns an application to an owner who is created in the same import', async () => {
    await runImport(userCandidate('bob', 'his own password'), applicationCandidate('bob'));
    expect(
      running
        .service()
        .projections.clients.find('imported')
        ?.members.map(({ userId }) => userId),
    ).to.deep.equal([findUser('bob').userId]);
  });

  it('imports each entry only once if it runs twice concurrently', async () => {
    const candidates = [
      userCandidate('ada', 'her own password'),
      userCandidate('BOB', 'his own password'),
      applicationCandidate('ada'),
    ];
    const results = await Promise.all([runImport(...candidates), runImport(...candidates)]);
    expect(listNames().toSorted()).to.deep.equal(['BOB', 'ada']);
    expect(running.service().projections.clients.all()).to.have.length(1);
    const outcomes = (results.flat() as readonly { readonly outcome?: string }[]).flatMap(
      ({ outcome = [] }) => outcome,
    );
    expect(outcomes.toSorted()).to.deep.equal(['refused', 'refused', 'refused', 'taken', 'taken', 'taken']);
  });
});

describe('A group', () => {
  useRacingService();

  it('is created only once by concurrent requests', async () => {
    const { groupDirectory: groups, projections } = running.service();
    const problems = await Promise.all(['Staff', 'Staff', ' Staff'].map((name) => groups.create(name, OPERATOR)));
    expect(problems.filter((problem) => problem === undefined)).to.have.length(1);
    expect(projections.groups.all()).to.have.length(1);
  });
});

/** The processes share only the log, not their memory. */
describe('Two processes on one log', () => {
  const personalKeys = PERSONAL_KEYS.inMemory();
  useRacingService({ personalKeys });

  /** Creates an account service with its own command handlers, like that of another process. */
  function createOtherAccounts(): Accounts {
    const { entropy, clock, keys, projections, projector } = running.service();
    return createAccounts({
      commands: createCommandHandlers(running.log, clock.now).users,
      users: projections.users,
      vault: createVault(personalKeys, entropy),
      hashing: createPasswordHashing(quickHasher, clock.ticks),
      verifier: { verify: async () => false },
      position: projector.position,
      mintUserId: () => mintId<UserId>(entropy),
      namesKey: keys.names,
      keepAnAdministrator: createAdministratorKeeper(running.service().administratorLogins),
    });
  }
  const administrator = (username: string) => ({ username, password: 'x', roles: ['administrator'] }) as const;
  const isRefused = async (change: Promise<void>): Promise<boolean> =>
    change.then(
      () => false,
      (error: unknown) => error instanceof NoAdministratorLeft || expect.fail(String(error)),
    );

  it('create only one of several accounts whose names differ only in case', async () => {
    const register = (username: string) => createOtherAccounts().register({ username, password: 'x' }, OPERATOR);
    const results = await Promise.all(['ada', 'Ada', 'ADA'].map(register));
    expect(results.filter((result) => 'user' in result)).to.have.length(1);
    expect(listNames()).to.have.length(1);
  });

  const ENDS: Readonly<Record<string, (accounts: Accounts, user: User) => Promise<void>>> = {
    disable: (accounts, user) => accounts.disable(user, OPERATOR),
    erase: (accounts, user) => accounts.erase(user, OPERATOR),
    demote: (accounts, user) => accounts.changeRoles(user, [], OPERATOR),
  };
  for (const [verb, end] of Object.entries(ENDS)) {
    it(`${verb} one of the last two administrators, but not the other`, async () => {
      const accounts = createOtherAccounts();
      for (const username of ['ada', 'bob']) await accounts.register(administrator(username), OPERATOR);
      const attempts = ['ada', 'bob'].map((username) => isRefused(end(createOtherAccounts(), findUser(username))));
      const refusals = await Promise.all(attempts);
      expect(refusals).to.have.members([false, true]);
      expect(running.service().projections.users.hasAdministrator()).to.equal(true);
    });
  }

  it('do not disable the last administrator, even one who was promoted during the request', async () => {
    const accounts = createOtherAccounts();
    await accounts.register(administrator('ada'), OPERATOR);
    await accounts.register({ username: 'bob', password: 'x' }, OPERATOR);
    const [ada, bob] = [findUser('ada'), findUser('bob')];
    const promote = async (): Promise<void> => {
      await accounts.changeRoles(bob, ['administrator'], OPERATOR);
      await accounts.disable(ada, OPERATOR);
    };
    const disable = () => isRefused(createOtherAccounts().disable(bob, OPERATOR));
    const [wasRefused] = await racing.duringAppend(disable, new RegExp(`^${bob.stream}$`), promote);
    expect(wasRefused).to.equal(true);
    expect(findUser('bob').active).to.equal(true);
  });
});

describe('A password that cannot be hashed in time', () => {
  it('leaves no key for the account', async () => {
    const storedKeys: string[] = [];
    const personalKeys = {
      ...PERSONAL_KEYS.inMemory(),
      async keep(userId: UserId, key: Buffer) {
        storedKeys.push(userId);
        return key;
      },
    };
    let isBusy = false;
    const hash = async (password: string): Promise<string> => {
      if (isBusy) throw new HashingOverloadedError('line-full', 1);
      return quickHasher.hash(password);
    };
    running = await runningService({ personalKeys, hasher: { ...quickHasher, hash } });
    isBusy = true;
    const registration = running.service().accounts.register({ username: 'ada', password: 'x' }, OPERATOR);
    expect(await registration.catch((error: unknown) => error)).to.be.instanceOf(HashingOverloadedError);
    expect(storedKeys).to.deep.equal([]);
    await running.close();
  });
});
