import { expect } from 'chai';
import { operate } from '../../src/operations/operations.ts';
import type { HashClass } from '../../src/platform/hashing/hash-caller.ts';
import { HashingOverloadedError } from '../../src/platform/hashing/hashing-overloaded.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { pausableHasher, waitUntil, type PausableHasher } from '../support/pausable-hasher.ts';
import { pbkdf2Of } from '../support/quick-hasher.ts';
import {
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

interface Flood {
  readonly answers: Promise<readonly TestResponse[]>;
}

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ADMIN_PASSWORD = 'the password of root';
const SERVICE = {
  name: 'Imported',
  clientType: 'confidential',
  grantTypes: ['client-credentials'],
  redirectUris: [],
  allowedOrigins: [],
  skipAuthorization: false,
};

describe('passwords that are queued for hashing', () => {
  let running: RunningService;
  let hashing: PausableHasher;
  let publicClient: TestClient;
  let confidentialClient: TestClient;
  let alice: TestUser;
  /** Requests that the test awaits at the end. */
  const pendingRequests: Promise<unknown>[] = [];

  beforeEach(async () => {
    hashing = pausableHasher();
    const settings = { trustedProxies: 1, signup: 'open', sampleApi: true } as const;
    running = await runningService({ hasher: hashing.hasher, settings });
    publicClient = await running.addClient({ clientType: 'public', grantTypes: ['password'] });
    confidentialClient = await running.addClient();
    alice = await running.addUser('alice');
  });
  afterEach(async () => {
    hashing.releaseAll();
    await Promise.all(pendingRequests.splice(0));
    await running.close();
  });

  const browserAt = (address: string): BrowserSession => running.browser({ 'x-forwarded-for': address });
  const queueLength = (): number =>
    Object.values(running.service().hashing.load()).reduce((sum, count) => sum + count, 0);

  /** Sends a password through a public client, from any address. */
  function guess(username: string, password: string, address: string): Promise<TestResponse> {
    const parameters = { grant_type: 'password', client_id: publicClient.id, username, password };
    return running.post('/o/token/', parameters, { 'x-forwarded-for': address });
  }

  /** Sends `count` passwords concurrently. Resolves when all of them are queued or being hashed. */
  async function flood(count: number, send: (nth: number) => Promise<TestResponse>): Promise<Flood> {
    const initialLength = queueLength();
    const answers = Promise.all(Array.from({ length: count }, (_, nth) => send(nth)));
    pendingRequests.push(answers);
    await waitUntil(() => queueLength() === initialLength + count);
    return { answers };
  }

  /** Calls `send`, and resolves when its password is queued. */
  async function enqueue<Result>(send: () => Promise<Result>): Promise<{ readonly answer: Promise<Result> }> {
    const initialLength = queueLength();
    const answer = send();
    pendingRequests.push(answer);
    await waitUntil(() => queueLength() === initialLength + 1);
    return { answer };
  }

  /** Hashes passwords one at a time, and returns the first `count` of them. */
  async function hashFirst(count: number): Promise<readonly string[]> {
    for (let nth = 1; nth < count; nth += 1) {
      hashing.release();
      await waitUntil(() => hashing.pausedPasswords.length > nth);
    }
    return hashing.pausedPasswords.slice(0, count);
  }

  /** Opens a browser, and logs the user in and out. */
  async function openKnownBrowser(user: TestUser, address: string): Promise<BrowserSession> {
    const browser = browserAt(address);
    expect((await browser.logIn(user.username, user.password)).status).to.equal(302);
    await browser.submit(await browser.get('/'), {}, '/accounts/logout/');
    return browser;
  }

  it('delay another user by at most one hash if they are the correct passwords of one account', async () => {
    const mallory = await running.addUser('mallory');
    hashing.hold();
    await flood(40, () => guess(mallory.username, mallory.password, '203.0.113.1'));
    const victim = await enqueue(() => browserAt('192.0.2.1').logIn(alice.username, alice.password));
    expect(await hashFirst(3)).to.include(alice.password);
    hashing.releaseAll();
    expect((await victim.answer).status).to.equal(302);
  });

  it('delay another user at the same address by at most one hash', async () => {
    const mallory = await running.addUser('mallory');
    hashing.hold();
    await flood(40, () => guess(mallory.username, mallory.password, '203.0.113.1'));
    await enqueue(() => browserAt('203.0.113.1').logIn(alice.username, alice.password));
    expect(await hashFirst(3)).to.include(alice.password);
  });

  it('delay another address by at most one hash if one address sends them for various names', async () => {
    hashing.hold();
    await flood(40, (nth) => guess(`nobody${nth}`, 'a guess', '203.0.113.1'));
    await enqueue(() => browserAt('192.0.2.1').logIn(alice.username, alice.password));
    expect(await hashFirst(3)).to.include(alice.password);
  });

  it('delay a browser with an earlier login by at most one hash, however many addresses send them', async () => {
    const browser = await openKnownBrowser(alice, '192.0.2.1');
    hashing.hold();
    await flood(100, (nth) => guess(`nobody${nth}`, 'a guess', `198.51.100.${nth}`));
    await enqueue(() => browser.logIn(alice.username, alice.password));
    expect(await hashFirst(3)).to.include(alice.password);
  });

  it('delay logged-in users and confidential clients by at most one hash', async () => {
    const browser = browserAt('192.0.2.1');
    await browser.logIn(alice.username, alice.password);
    const form = await browser.get('/accounts/password/');
    const bob = await running.addUser('bob');
    hashing.hold();
    await flood(100, (nth) => guess(`nobody${nth}`, 'a guess', `198.51.100.${nth}`));
    await enqueue(() => browser.submit(form, { current_password: alice.password, new_password: 'a new and long one' }));
    await enqueue(() => running.token(confidentialClient, { grant_type: 'password', ...bob }));
    expect(await hashFirst(4)).to.include.members([alice.password, bob.password]);
  });

  it('delay a correct imported password by at most one hash while another address sends wrong ones', async () => {
    const account = { username: 'imported', active: true, password: { hash: pbkdf2Of('imported, too') } };
    await running.service().accounts.importAccount(account, OPERATOR);
    hashing.hold('pbkdf2');
    await flood(20, (nth) => guess(`nobody${nth}`, 'a guess', '203.0.113.1'));
    const victim = await enqueue(() => browserAt('192.0.2.1').logIn('imported', 'imported, too'));
    await waitUntil(() => running.service().hashing.queues().pbkdf2.waiting.address === 20);
    expect(await hashFirst(3)).to.include('imported, too');
    hashing.releaseAll();
    expect((await victim.answer).status).to.equal(302);
  });

  it('are queued by the class of their sender: address, client or known user', async () => {
    const { accounts, registration } = running.service();
    await accounts.register({ username: 'root', password: ADMIN_PASSWORD, roles: ['administrator'] }, OPERATOR);
    await registration.register(SERVICE, null, OPERATOR, { clientId: 'imported', clientSecret: 'hunter2' });
    const knownSession = await openKnownBrowser(alice, '192.0.2.1');
    const [session, administrator] = [browserAt('192.0.2.2'), browserAt('192.0.2.3')];
    const [stranger, newcomer] = [browserAt('192.0.2.4'), browserAt('192.0.2.5')];
    await session.logIn(alice.username, alice.password);
    await administrator.logIn('root', ADMIN_PASSWORD);
    const { json } = await running.token(confidentialClient, { grant_type: 'client_credentials' });
    const bearer = { authorization: `Bearer ${String(json?.['access_token'])}` };
    const [wrongPassword, newPassword] = [{ password: 'wrong' }, { password: 'a long password' }];
    const change = { current_password: 'wrong', new_password: 'a new and long one' };
    const chosenSecret = { grant_type: 'client_credentials', client_id: 'imported', client_secret: 'wrong' };
    const accountFields = { username: 'by-operator', email: '', firstName: '', lastName: '' };
    const newAccount = { ...accountFields, password: 'owl moon tea', roles: [] };

    type Fields = Readonly<Record<string, string>>;
    type SendForm = () => Promise<Page>;
    /** Opens the form, and returns a function that sends it. */
    async function openForm(browser: BrowserSession, path: string, fields: Fields, action = path): Promise<SendForm> {
      const page = await browser.get(path);
      return () => browser.submit(page, fields, action);
    }
    const runOperation = (name: string, input: object) => async (): Promise<void> => {
      for await (const _ of operate(running.service())(name, input, new AbortController().signal));
    };
    const requests: readonly (readonly [HashClass, string, () => Promise<unknown>])[] = [
      ['address', 'a login', await openForm(stranger, '/accounts/login/', { ...alice })],
      [
        'address',
        'a login to a different account in a known browser',
        await openForm(knownSession, '/accounts/login/', { username: 'x', ...wrongPassword }),
      ],
      ['address', 'a sign-up', await openForm(newcomer, '/accounts/signup/', { username: 'newcomer', ...newPassword })],
      ['address', 'the password grant of a public client', () => guess('alice', 'a guess', '192.0.2.4')],
      ['address', 'a user-chosen client secret', () => running.post('/o/token/', chosenSecret)],
      ['client', 'the password grant', () => running.token(confidentialClient, { grant_type: 'password', ...alice })],
      ['client', 'POST /users/', () => running.post('/users/', { username: 'by-client', ...newPassword }, bearer)],
      ['known', 'a login in a known browser', await openForm(knownSession, '/accounts/login/', { ...alice })],
      ['known', 'a password change', await openForm(session, '/accounts/password/', change)],
      ['known', 'a new passkey', await openForm(session, '/accounts/', wrongPassword, '/accounts/passkeys/options/')],
      ['known', 'an erasure', await openForm(session, '/accounts/erase/', { username: 'alice', ...wrongPassword })],
      [
        'known',
        'a user whom an administrator adds',
        await openForm(administrator, '/admin/users/add/', { username: 'added', ...newPassword }),
      ],
      [
        'known',
        'a password that an administrator sets',
        await openForm(administrator, '/admin/users/1/password/', newPassword),
      ],
      ['known', 'a user whom the operator adds', runOperation('user add', newAccount)],
      [
        'known',
        'a password that the operator sets',
        runOperation('user passwd', { username: 'alice', ...newPassword }),
      ],
    ];
    for (const [expected, name, send] of requests) {
      hashing.hold();
      const blockingRequest = await enqueue(() => guess('nobody', 'a guess', '203.0.113.1'));
      const { answer } = await enqueue(send);
      const { waiting } = running.service().hashing.queues().argon2id;
      expect(waiting, name).to.deep.equal({ known: 0, client: 0, address: 0, [expected]: 1 });
      hashing.releaseAll();
      await Promise.all([blockingRequest.answer, answer]);
    }
  });

  describe('when more are queued than can be hashed in time', () => {
    const ADDRESS = '203.0.113.1';

    /** Fills the queue. It is short, because hashes are slow here. */
    async function fillQueue(): Promise<Flood> {
      hashing.hold();
      const slowRequest = await enqueue(() => guess('nobody', 'a guess', ADDRESS));
      running.clock.advance(15);
      hashing.release();
      await slowRequest.answer;
      return flood(10, (nth) => guess(`nobody${nth}`, 'a guess', ADDRESS));
    }

    it('are refused with the time until the queue is empty', async () => {
      await fillQueue();
      const { status, json, headers } = await guess('nobody', 'a guess', ADDRESS);
      expect([status, headers.get('retry-after')]).to.deep.equal([503, '14']);
      expect(json).to.deep.equal({
        error: 'temporarily_unavailable',
        request_id: headers.get('x-request-id'),
        error_description: 'The server is checking too many passwords at the moment. Try again in 14 seconds.',
      });
      const page = await browserAt(ADDRESS).logIn('nobody', 'a guess');
      expect([page.status, page.headers.get('retry-after')]).to.deep.equal([503, '14']);
      expect(page.html).to.include('Try again in 14 seconds.');
      const response = await running.post('/users/', {}, {});
      expect(response.status, 'a request that needs no hash is served').to.equal(401);
    });

    it('are refused equally for existing and missing accounts', async () => {
      await fillQueue();
      const summarizeAnswer = async (username: string, password: string) => {
        const { status, headers, json } = await guess(username, password, ADDRESS);
        return [status, headers.get('retry-after'), { ...json, request_id: '' }];
      };
      const expectedSummary = await summarizeAnswer('nobody', 'a guess');
      expect(expectedSummary[0]).to.equal(503);
      expect(await summarizeAnswer('alice', 'a guess')).to.deep.equal(expectedSummary);
      expect(await summarizeAnswer('alice', alice.password), 'the correct password').to.deep.equal(expectedSummary);
    });

    it('yield to an address that has none in the queue, which is served after one more hash', async () => {
      const queuedFlood = await fillQueue();
      const answer = browserAt('192.0.2.1').logIn(alice.username, alice.password);
      const pausedCount = hashing.pausedPasswords.length;
      await waitUntil(() => running.service().hashing.queues().argon2id.refusals['line-full'] === 1);
      hashing.release();
      hashing.release();
      await waitUntil(() => hashing.pausedPasswords.length > pausedCount);
      hashing.releaseAll();
      expect((await answer).status).to.equal(302);
      const statuses = (await queuedFlood.answers).map(({ status }) => status);
      expect(statuses).to.have.members([...Array<number>(9).fill(400), 503]);
    });

    it('are accepted again once the queue is empty', async () => {
      const queuedFlood = await fillQueue();
      expect((await guess('alice', alice.password, ADDRESS)).status).to.equal(503);
      hashing.releaseAll();
      await queuedFlood.answers;
      expect((await guess('alice', alice.password, ADDRESS)).status).to.equal(200);
    });
  });

  it('do not prevent a login with an imported password, which is hashed again at a later login', async () => {
    await running.close();
    let isBusy = true;
    const hash = async (password: string): Promise<string> => {
      if (isBusy && password === 'imported, too') throw new HashingOverloadedError('line-full', 1);
      return hashing.hasher.hash(password);
    };
    running = await runningService({ hasher: { ...hashing.hasher, hash } });
    const account = { username: 'imported', active: true, password: { hash: pbkdf2Of('imported, too') } };
    await running.service().accounts.importAccount(account, OPERATOR);
    const storedHash = (): string | undefined =>
      running.service().projections.users.findByName('imported')?.passwordHash;
    for (const [busy, expected] of [
      [true, /^pbkdf2_/],
      [false, /^\$argon2id\$/],
    ] as const) {
      isBusy = busy;
      expect((await running.browser().logIn('imported', 'imported, too')).status).to.equal(302);
      expect(storedHash()).to.match(expected);
    }
  });
});
