import { expect } from 'chai';
import { LIMITS } from '../../src/platform/limits/limits.ts';
import { countingHasher } from '../support/counting-hasher.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { runningService, type TestResponse, type RunningService, type TestClient } from '../support/running-service.ts';
import { SMALL_LIMITS } from '../support/small-limits.ts';

const CLIENT_ADDRESS = '192.0.2.1';
const ENDPOINTS = ['/o/token/', '/o/revoke_token/', '/o/introspect/'];

describe('client secret guessing', () => {
  let running: RunningService;
  let client: TestClient;
  let verificationCount = 0;

  beforeEach(async () => {
    const verify: typeof quickHasher.verify = (phc, secret) => (
      (verificationCount += 1),
      quickHasher.verify(phc, secret)
    );
    running = await runningService({
      limits: SMALL_LIMITS,
      settings: { trustedProxies: 1 },
      hasher: { ...quickHasher, verify },
    });
    client = await running.addClient();
  });
  afterEach(() => running.close());

  const authenticate = (
    id: string,
    secret: string,
    address = CLIENT_ADDRESS,
    path = '/o/token/',
  ): Promise<TestResponse> =>
    running.post(
      path,
      { grant_type: 'client_credentials', token: 'x', client_id: id, client_secret: secret },
      { 'x-forwarded-for': address },
    );

  async function importClient(clientId: string): Promise<{ readonly id: string; readonly secret: string }> {
    const fields = {
      name: clientId,
      clientType: 'confidential',
      grantTypes: ['client-credentials'],
      redirectUris: [],
      allowedOrigins: [],
      skipAuthorization: false,
    };
    await running
      .service()
      .registration.register(
        fields,
        null,
        { actor: { kind: 'operator' }, requestId: null },
        { clientId, clientSecret: 'hunter2' },
      );
    return { id: clientId, secret: 'hunter2' };
  }

  it('is blocked at all three endpoints together, with a JSON error and the time to wait', async () => {
    for (const path of ENDPOINTS)
      expect((await authenticate(client.id, 'a guess', CLIENT_ADDRESS, path)).json).to.include({
        error: 'invalid_client',
      });
    running.clock.advance(100);
    for (const path of ENDPOINTS) {
      const { status, headers, json } = await authenticate(client.id, 'a guess', CLIENT_ADDRESS, path);
      expect(status).to.equal(429);
      expect(json).to.deep.equal({
        error: 'temporarily_unavailable',
        error_description: 'too many attempts; try again in 800 seconds',
      });
      expect(headers.get('retry-after')).to.equal('800');
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('pragma')).to.equal('no-cache');
      expect(headers.get('www-authenticate')).to.equal(null);
    }
    running.clock.advance(800);
    expect((await authenticate(client.id, 'a guess')).status).to.equal(401);
  });

  it('does not block a correct generated secret', async () => {
    for (let times = 0; times < 20; times += 1) await authenticate(`unknown${times}`, 'a guess');
    for (let times = 0; times < 20; times += 1) await authenticate(client.id, 'a guess', `203.0.113.${times}`);
    expect((await authenticate(client.id, 'a guess')).status).to.equal(429);
    expect((await authenticate(client.id, client.secret)).status).to.equal(200);
    expect((await authenticate(client.id, client.secret, '198.51.100.1')).status).to.equal(200);
  });

  it('blocks a correct user-chosen secret, except from an address where the client has succeeded before', async () => {
    const importedClient = await importClient('imported');
    expect((await authenticate(importedClient.id, importedClient.secret)).status).to.equal(200);
    for (let times = 0; times < 5; times += 1)
      expect((await authenticate(importedClient.id, 'a guess', `203.0.113.${times}`)).status).to.equal(401);
    expect((await authenticate(importedClient.id, importedClient.secret, '198.51.100.1')).status).to.equal(429);
    expect((await authenticate(importedClient.id, importedClient.secret)).status).to.equal(200);
    running.clock.advance(900);
    expect((await authenticate(importedClient.id, importedClient.secret, '198.51.100.1')).status).to.equal(200);
  });

  it('costs no slow hash and writes no event while blocked', async () => {
    await importClient('imported');
    for (const id of ['imported', 'unknown']) {
      for (let times = 0; times < 3; times += 1) await authenticate(id, 'a guess');
      const [hashCount, eventCount] = [verificationCount, (await running.events()).length];
      for (let times = 0; times < 10; times += 1) expect((await authenticate(id, 'a guess')).status).to.equal(429);
      expect(verificationCount, id).to.equal(hashCount);
      expect(await running.events()).to.have.length(eventCount);
    }
    expect(verificationCount).to.be.greaterThan(0);
  });

  it('gains no attempts through concurrent requests', async () => {
    const importedClient = await importClient('imported');
    const guesses = Array.from({ length: 30 }, (_, index) =>
      authenticate(importedClient.id, index === 25 ? importedClient.secret : 'a guess'),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).to.have.length(3);
    expect(statuses.filter((status) => status === 429)).to.have.length(27);
  });

  it('reveals neither which clients exist nor the kind of their secrets', async () => {
    const importedClient = await importClient('imported');
    const sequences = [];
    for (const [index, id] of [client.id, importedClient.id, 'unknown', 'x'.repeat(10_000)].entries()) {
      const answers = [];
      for (let times = 0; times < 5; times += 1) {
        const { status, text, headers } = await authenticate(id, 'a guess', `198.51.100.${index}`);
        answers.push([status, text, headers.get('retry-after'), headers.get('www-authenticate')]);
      }
      sequences.push(answers);
    }
    expect(sequences[0]?.map(([status]) => status)).to.deep.equal([401, 401, 401, 429, 429]);
    for (const sequence of sequences) expect(sequence).to.deep.equal(sequences[0]);
  });

  it('is blocked for an address that tries many clients', async () => {
    for (let times = 0; times < 7; times += 1)
      expect((await authenticate(`unknown${times}`, 'a guess')).status).to.equal(401);
    expect((await authenticate('unknown7', 'a guess')).status).to.equal(429);
    expect((await authenticate('unknown7', 'a guess', '198.51.100.1')).status).to.equal(401);
  });

  it('is counted for every client id that a Basic header might mean', async () => {
    await importClient('a+b');
    const guess = (): Promise<TestResponse> =>
      running.token(
        { id: '', secret: '', basic: `Basic ${Buffer.from('a+b:guess').toString('base64')}` },
        { grant_type: 'client_credentials' },
      );
    for (let times = 0; times < 3; times += 1) expect((await guess()).status).to.equal(401);
    expect((await guess()).status).to.equal(429);
    expect(
      (
        await running.post('/o/token/', {
          grant_type: 'client_credentials',
          client_id: 'a+b',
          client_secret: 'hunter2',
        })
      ).status,
    ).to.equal(429);
  });
});

describe('rate limits', () => {
  let running: RunningService;
  const warnings: Readonly<Record<string, unknown>>[] = [];

  async function start(settings: Parameters<typeof runningService>[0] = {}): Promise<void> {
    warnings.length = 0;
    running = await runningService({
      limits: SMALL_LIMITS,
      warn: (details) => void warnings.push(details),
      ...settings,
    });
  }
  afterEach(() => running.close());

  it("use the peer's address alone unless proxies are trusted", async () => {
    await start();
    const statuses = [];
    for (let times = 0; times < 8; times += 1) {
      const { status } = await running.post(
        '/o/token/',
        { grant_type: 'client_credentials', client_id: `unknown${times}`, client_secret: 'x' },
        { 'x-forwarded-for': `203.0.113.${times}` },
      );
      statuses.push(status);
    }
    expect(statuses).to.deep.equal([401, 401, 401, 401, 401, 401, 401, 429]);
  });

  it('block attempts to guess the set-up link, but not its use', async () => {
    await start({ settings: { trustedProxies: 1 } });
    const browser = running.browser({ 'x-forwarded-for': CLIENT_ADDRESS });
    const token = running.service().setup.token() ?? '';
    const form = await browser.get(`/accounts/setup/?token=${token}`);
    const account = { username: 'root', email: '', password: 'a long password' };
    expect((await browser.get('/accounts/setup/?token=guess')).status).to.equal(404);
    expect((await browser.submit(form, { ...account, token: 'guess' })).status).to.equal(404);
    const refusal = await browser.submit(form, { ...account, token: 'guess' });
    expect([refusal.status, refusal.headers.get('retry-after')]).to.deep.equal([429, '900']);
    expect(
      (await running.browser({ 'x-forwarded-for': '198.51.100.1' }).get('/accounts/setup/?token=guess')).status,
    ).to.equal(404);
    expect((await browser.submit(form, account)).status).to.equal(302);
  });

  it('limit sign-ups from one address, and from all addresses together', async () => {
    await start({ settings: { signup: 'open', trustedProxies: 1 } });
    let userCount = 0;
    const signUp = async (address: string) => {
      const browser = running.browser({ 'x-forwarded-for': address });
      return browser.submit(await browser.get('/accounts/signup/'), {
        username: `newcomer${(userCount += 1)}`,
        email: '',
        password: 'a long password',
      });
    };
    for (let times = 0; times < 2; times += 1) expect((await signUp(CLIENT_ADDRESS)).status).to.equal(302);
    const eventCount = (await running.events()).length;
    const refusal = await signUp(CLIENT_ADDRESS);
    expect([refusal.status, refusal.headers.get('retry-after')]).to.deep.equal([429, '3600']);
    expect(await running.events()).to.have.length(eventCount);
    expect((await signUp('198.51.100.1')).status).to.equal(302);
    expect((await signUp('198.51.100.2')).status).to.equal(429);
    running.clock.advance(3_600);
    expect((await signUp(CLIENT_ADDRESS)).status).to.equal(302);
  });

  it('do not count refused sign-ups against the server-wide limit, and refuse them without a hash', async () => {
    const { hasher, hashCount } = countingHasher();
    await start({ settings: { signup: 'open', trustedProxies: 1 }, hasher });
    const signUp = async (address: string, username: string, password = 'a long password'): Promise<number> => {
      const browser = running.browser({ 'x-forwarded-for': address });
      return (await browser.submit(await browser.get('/accounts/signup/'), { username, email: '', password })).status;
    };
    const initialHashCount = hashCount();
    for (let nth = 0; nth < 10; nth += 1) expect(await signUp(`203.0.113.${nth}`, 'somebody', 'short')).to.equal(422);
    for (let nth = 0; nth < 10; nth += 1) expect(await signUp(`203.0.113.1${nth}`, '')).to.equal(422);
    expect(hashCount() - initialHashCount, 'refused without a hash').to.equal(0);
    for (let nth = 0; nth < 3; nth += 1) expect(await signUp(`198.51.100.${nth}`, `newcomer${nth}`)).to.equal(302);
    expect(await signUp('198.51.100.4', 'newcomer4'), 'limited for the server').to.equal(429);
    for (let times = 0; times < 3; times += 1) expect(await signUp('203.0.113.1', 'somebody')).to.equal(429);
    expect(hashCount() - initialHashCount).to.equal(3);
  });

  describe('for users created through the sample API', () => {
    async function create(creator: TestClient, username: string, address = CLIENT_ADDRESS): Promise<TestResponse> {
      const { json } = await running.token(creator, { grant_type: 'client_credentials' });
      const authorization = `Bearer ${String(json?.['access_token'])}`;
      return running.post('/users/', { username, password: 'secret' }, { authorization, 'x-forwarded-for': address });
    }

    it("apply to each application, with an error in the API's JSON format", async () => {
      await start();
      const client = await running.addClient();
      for (const username of ['one', 'two']) expect((await create(client, username)).status).to.equal(201);
      const eventCount = (await running.events()).length;
      const { status, headers, json } = await create(client, 'three');
      expect([status, headers.get('retry-after')]).to.deep.equal([429, '3600']);
      expect(json).to.include({
        detail: 'You’ve made too many attempts in a short time. Nothing was changed. Try again in 60 minutes.',
      });
      expect(await running.events(), 'only the token event').to.have.length(eventCount + 1);
      expect((await create(await running.addClient(), 'three')).status).to.equal(201);
    });

    it('apply to all applications of an owner together', async () => {
      await start();
      await running.addUser('ada');
      const clients = [await running.addClient({ owner: 'ada' }), await running.addClient({ owner: 'ada' })];
      const statuses = [];
      for (const username of ['one', 'two', 'three'])
        statuses.push((await create(clients[statuses.length % 2]!, username)).status);
      expect(statuses).to.deep.equal([201, 201, 429]);
    });

    it('apply to all callers together while sign-up is closed, from any number of addresses', async () => {
      await start({ settings: { trustedProxies: 1 } });
      for (let times = 0; times < 4; times += 1)
        expect((await create(await running.addClient(), '')).status, 'no account is created').to.equal(400);
      for (const username of ['one', 'two', 'three'])
        expect((await create(await running.addClient(), username)).status).to.equal(201);
      expect((await create(await running.addClient(), 'four', '198.51.100.1')).status).to.equal(429);
      running.clock.advance(3_600);
      expect((await create(await running.addClient(), 'four')).status).to.equal(201);
    });

    it('are shared with sign-up while it is open, so that neither bypasses the other', async () => {
      await start({ settings: { signup: 'open', trustedProxies: 1 } });
      const signUp = async (username: string, address: string): Promise<number> => {
        const browser = running.browser({ 'x-forwarded-for': address });
        const form = await browser.get('/accounts/signup/');
        return (await browser.submit(form, { username, email: '', password: 'a long password' })).status;
      };
      const clients = [await running.addClient(), await running.addClient(), await running.addClient()] as const;
      expect((await create(clients[0], 'one')).status).to.equal(201);
      expect(await signUp('two', CLIENT_ADDRESS)).to.equal(302);
      expect(await signUp('three', CLIENT_ADDRESS), 'limited for the address').to.equal(429);
      expect((await create(clients[1], 'three')).status, 'limited for the address').to.equal(429);
      expect((await create(clients[1], 'three', '198.51.100.1')).status).to.equal(201);
      expect(await signUp('four', '198.51.100.2'), 'limited for the server').to.equal(429);
      expect((await create(clients[2], 'four', '198.51.100.3')).status, 'limited for the server').to.equal(429);
    });
  });

  it('limit how many applications a user can register', async () => {
    await start();
    const browser = running.browser();
    const user = await running.addUser();
    await browser.logIn(user.username, user.password);
    const register = async () =>
      browser.submit(await browser.get('/o/applications/register/'), {
        name: 'App',
        client_type: 'confidential',
        authorization_grant_type: 'client-credentials',
      });
    for (let times = 0; times < 2; times += 1) expect((await register()).status).to.equal(302);
    const refusal = await register();
    expect([refusal.status, refusal.headers.get('retry-after')]).to.deep.equal([429, '3600']);
    expect(
      running
        .service()
        .projections.clients.countOwnedBy(
          running.service().projections.users.findByName(user.username)?.userId ?? ('' as never),
        ),
    ).to.equal(2);
  });

  it('log refusals at most once a minute and without user names, but count each of them', async () => {
    await start();
    const guess = async (): Promise<number> => (await running.browser().logIn('alice', 'a guess')).status;
    for (let times = 0; times < 3; times += 1) await guess();
    expect(warnings).to.deep.equal([]);
    for (let times = 0; times < 5; times += 1) expect(await guess()).to.equal(429);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include({
      limit: 'password-by-account-and-place',
      address: '127.0.0.1',
      retryAfterSeconds: 900,
    });
    expect(JSON.stringify(warnings)).not.to.match(/alice|guess/);
    running.clock.advance(60);
    await guess();
    expect(warnings).to.have.length(2);
    expect(running.service().limits.refusals()).to.include({
      'password-by-account-and-place': 6,
      'password-by-address': 0,
    });
    expect(Object.keys(running.service().limits.refusals())).to.deep.equal(Object.keys(LIMITS));
  });
});
