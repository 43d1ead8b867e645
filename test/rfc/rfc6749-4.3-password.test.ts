import { expect } from 'chai';
import { countingHasher } from '../support/counting-hasher.ts';
import {
  serializeResponse,
  expectRefusal,
  expectTokens,
  isAccepted,
  expectNothingAppended,
} from '../support/protocol-responses.ts';
import {
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('RFC 6749 §4.3: the password grant', () => {
  let running: RunningService;
  let client: TestClient;
  let owner: TestUser;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient();
    owner = await running.addUser();
  });
  afterEach(() => running.close());

  const request = (username: string, password: string, caller = client): Promise<TestResponse> =>
    running.token(caller, { grant_type: 'password', username, password });
  const findUser = ({ username }: TestUser) => {
    const user = running.service().projections.users.findByName(username);
    if (user === undefined) throw new Error('no such user');
    return user;
  };

  it('returns an access and a refresh token with all configured scopes', async () => {
    const { access } = expectTokens(await request(owner.username, owner.password), {
      scope: 'read write groups',
      refresh: true,
    });
    expect(await isAccepted(running, access)).to.equal(true);
  });

  it('also accepts client credentials in the body', async () => {
    const body = {
      grant_type: 'password',
      username: owner.username,
      password: owner.password,
      client_id: client.id,
      client_secret: client.secret,
    };
    expectTokens(await running.post('/o/token/', body), { scope: 'read write groups', refresh: true });
  });

  it('refuses a wrong password and an unknown, disabled or erased user with identical responses', async () => {
    const disabledUser = await running.addUser();
    const erasedUser = await running.addUser();
    const { accounts } = running.service();
    await accounts.disable(findUser(disabledUser), OPERATOR);
    await accounts.erase(findUser(erasedUser), OPERATOR);
    const responses = new Set<string>();
    for (const [username, password] of [
      [owner.username, 'wrong'],
      ['nobody', 'wrong'],
      ['nobody', owner.password],
      [disabledUser.username, disabledUser.password],
      [erasedUser.username, erasedUser.password],
    ] as const) {
      const response = await expectNothingAppended(running, () => request(username, password));
      expectRefusal(response, 'invalid_grant');
      responses.add(serializeResponse(response));
    }
    expect([...responses]).to.have.length(1);
  });

  it('succeeds once a disabled user has been enabled again', async () => {
    const { accounts } = running.service();
    await accounts.disable(findUser(owner), OPERATOR);
    await accounts.enable(findUser(owner), OPERATOR);
    expectTokens(await request(owner.username, owner.password), { scope: 'read write groups', refresh: true });
  });

  it('requires a user name and a password', async () => {
    for (const parameters of [
      { username: owner.username },
      { password: owner.password },
      { username: '', password: owner.password },
      { username: owner.username, password: '' },
    ] as const) {
      expectRefusal(
        await expectNothingAppended(running, () => running.token(client, { grant_type: 'password', ...parameters })),
        'invalid_request',
      );
    }
  });

  it('is refused to a client that is not registered for it, without checking the password', async () => {
    const otherClient = await running.addClient({ grantTypes: ['authorization-code'] });
    for (const password of [owner.password, 'wrong']) {
      expectRefusal(
        await expectNothingAppended(running, () => request(owner.username, password, otherClient)),
        'unauthorized_client',
      );
    }
  });

  it('accepts any characters in names and passwords, and compares passwords exactly', async () => {
    const unusualUser = await running.addUser('Zoë & 50% = "ü" +1');
    expectTokens(await request(unusualUser.username, unusualUser.password), {
      scope: 'read write groups',
      refresh: true,
    });
    for (const password of [
      unusualUser.password.toUpperCase(),
      `${unusualUser.password} `,
      ` ${unusualUser.password}`,
    ]) {
      expectRefusal(
        await expectNothingAppended(running, () => request(unusualUser.username, password)),
        'invalid_grant',
      );
    }
  });

  it('succeeds immediately for a user created through the API', async () => {
    const { access } = expectTokens(await request(owner.username, owner.password), {
      scope: 'read write groups',
      refresh: true,
    });
    const response = await running.post(
      '/users/',
      { username: 'foo', password: 'bar' },
      { authorization: `Bearer ${access}` },
    );
    expect(response.status).to.equal(201);
    expectTokens(await request('foo', 'bar'), { scope: 'read write groups', refresh: true });
  });

  it('ends when its user is disabled, and its tokens become invalid', async () => {
    const tokens = expectTokens(await request(owner.username, owner.password), {
      scope: 'read write groups',
      refresh: true,
    });
    await running.service().accounts.disable(findUser(owner), OPERATOR);
    expect(await isAccepted(running, tokens.access)).to.equal(false);
    expectRefusal(
      await expectNothingAppended(running, () =>
        running.token(client, { grant_type: 'refresh_token', refresh_token: tokens.refresh }),
      ),
      'invalid_grant',
    );
  });

  it('computes one hash for any user name, to prevent timing attacks, and none if the client is refused', async () => {
    const counter = countingHasher();
    const service = await runningService({ hasher: counter.hasher });
    try {
      const [passwordClient, codeClient] = [
        await service.addClient(),
        await service.addClient({ grantTypes: ['authorization-code'] }),
      ];
      const [user, disabledUser] = [await service.addUser(), await service.addUser()];
      const { accounts, projections } = service.service();
      await accounts.disable(projections.users.findByName(disabledUser.username)!, OPERATOR);
      const countHashes = async (username: string, caller: TestClient): Promise<number> => {
        const countBefore = counter.verifyCount();
        await service.token(caller, { grant_type: 'password', username, password: 'wrong' });
        return counter.verifyCount() - countBefore;
      };
      for (const username of [user.username, disabledUser.username, 'nobody', '\u0000'])
        expect(await countHashes(username, passwordClient), username).to.equal(1);
      expect(await countHashes(user.username, codeClient)).to.equal(0);
      expect(await countHashes(user.username, { ...passwordClient, basic: 'Basic eDp5' })).to.equal(0);
    } finally {
      await service.close();
    }
  });
});
