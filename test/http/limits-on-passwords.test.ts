import { expect } from 'chai';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import {
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';
import { SMALL_LIMITS } from '../support/small-limits.ts';

/** The longest time that a user can be locked out for, according to docs/operations.md. */
const BLOCK_SECONDS = 900;

const BY_OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('password guessing', () => {
  let running: RunningService;
  let client: TestClient;
  let alice: TestUser;
  let verificationCount = 0;

  beforeEach(async () => {
    const verify: typeof quickHasher.verify = (phc, password) => (
      (verificationCount += 1),
      quickHasher.verify(phc, password)
    );
    running = await runningService({
      limits: SMALL_LIMITS,
      settings: { trustedProxies: 1 },
      hasher: { ...quickHasher, verify },
    });
    client = await running.addClient();
    alice = await running.addUser('alice');
    verificationCount = 0;
  });
  afterEach(() => running.close());

  const browserAt = (address: string): BrowserSession => running.browser({ 'x-forwarded-for': address });
  const guess = (username: string, address: string): Promise<Page> => browserAt(address).logIn(username, 'a guess');
  const logIn = (userBrowser: BrowserSession = browserAt('192.0.2.1')): Promise<Page> =>
    userBrowser.logIn(alice.username, alice.password);
  const passwordGrant = (username: string, password: string, sender = client): Promise<TestResponse> =>
    running.token(sender, { grant_type: 'password', username, password });

  /** Uses up the attempts that the account allows to strangers, from different addresses. */
  async function exhaustLimit(username = alice.username): Promise<void> {
    for (let stranger = 0; stranger < 5; stranger += 1)
      expect((await guess(username, `203.0.113.${stranger}`)).status).to.equal(422);
  }

  it('is blocked for an account and address after a few attempts, until 15 minutes after the first', async () => {
    const browser = browserAt('192.0.2.1');
    for (let times = 0; times < 3; times += 1) {
      expect((await guess('alice', '192.0.2.1')).status).to.equal(422);
      running.clock.advance(10);
    }
    const refusal = await logIn(browser);
    expect(refusal.status).to.equal(429);
    expect(refusal.headers.get('retry-after')).to.equal(String(BLOCK_SECONDS - 30));
    expect(refusal.html).to.include('Too many attempts. Try again in 15 minutes.');
    expect(refusal.html, 'the user name that was entered').to.match(/name="username"[^>]*value="alice"/);
    expect(refusal.html).not.to.include(alice.password);
    running.clock.advance(BLOCK_SECONDS - 31);
    const lastRefusal = await logIn(browser);
    expect([lastRefusal.status, lastRefusal.headers.get('retry-after')]).to.deep.equal([429, '1']);
    running.clock.advance(1);
    expect((await logIn(browser)).status).to.equal(302);
  });

  it('is counted for the account under every spelling of the login name', async () => {
    const { accounts, projections } = running.service();
    const account = () => projections.users.findByName('alice') ?? expect.fail();
    await accounts.changeProfile(account(), { email: 'Alice@example.org' }, BY_OPERATOR);
    await accounts.verifyEmail(account(), BY_OPERATOR);
    for (const name of ['ALICE', 'alice@EXAMPLE.org', ' ａlice '])
      expect((await guess(name, '192.0.2.1')).status, name).to.equal(422);
    for (const name of ['alice', 'Alice', 'alice@example.org'])
      expect((await guess(name, '192.0.2.1')).status, name).to.equal(429);
    expect((await passwordGrant('alice', alice.password)).status, 'through a client').to.equal(200);
  });

  it('is counted in the same way for every spelling of an unknown name', async () => {
    for (const name of ['Nobody', 'NOBODY', 'nobody']) expect((await guess(name, '192.0.2.1')).status).to.equal(422);
    expect((await guess('noBody', '192.0.2.1')).status).to.equal(429);
  });

  it('costs one hash, whether or not the e-mail address is known', async () => {
    const { accounts, projections } = running.service();
    const account = () => projections.users.findByName('alice') ?? expect.fail();
    await accounts.changeProfile(account(), { email: 'alice@example.org' }, BY_OPERATOR);
    await accounts.verifyEmail(account(), BY_OPERATOR);
    for (const name of ['alice@example.org', 'bob@example.org']) {
      verificationCount = 0;
      expect((await guess(name, '192.0.2.1')).status).to.equal(422);
      expect(verificationCount, name).to.equal(1);
    }
  });

  it('costs no hash and writes no event while blocked, and does not extend the block', async () => {
    for (let times = 0; times < 3; times += 1) await guess('alice', '192.0.2.1');
    const [hashCount, eventCount] = [verificationCount, (await running.events()).length];
    for (let times = 0; times < 20; times += 1) expect((await guess('alice', '192.0.2.1')).status).to.equal(429);
    expect(verificationCount).to.equal(hashCount);
    expect(await running.events()).to.have.length(eventCount);
    running.clock.advance(BLOCK_SECONDS);
    expect((await logIn()).status).to.equal(302);
  });

  it('does not reveal which accounts exist: the sequences of responses are equal', async () => {
    const guessFiveTimes = async (username: string, sender: TestClient): Promise<readonly unknown[]> => {
      const answers: unknown[] = [];
      for (let times = 0; times < 5; times += 1) {
        const { status, text, headers } = await passwordGrant(username, 'a guess', sender);
        answers.push([status, text, headers.get('retry-after'), headers.get('cache-control'), headers.get('pragma')]);
      }
      return answers;
    };
    const answersForAlice = await guessFiveTimes('alice', await running.addClient());
    expect(answersForAlice).to.deep.equal(await guessFiveTimes('nobody', await running.addClient()));
    expect(answersForAlice[4]).to.deep.equal([
      429,
      '{"error":"temporarily_unavailable","error_description":"too many attempts; try again in 900 seconds"}',
      '900',
      'no-store',
      'no-cache',
    ]);
    running.clock.advance(BLOCK_SECONDS);
    await exhaustLimit('alice');
    await exhaustLimit('nobody');
    const [refusalForAlice, refusalForNobody] = [await guess('alice', '192.0.2.7'), await guess('nobody', '192.0.2.8')];
    expect([refusalForAlice.status, refusalForAlice.headers.get('retry-after')]).to.deep.equal([429, '900']);
    expect([refusalForNobody.status, refusalForNobody.headers.get('retry-after')]).to.deep.equal([429, '900']);
    const withoutVaryingText = ({ html }: Page): string =>
      html.replaceAll(/<code>.*<\/code>|value="(?:alice|nobody)"|name="csrf_token" value="[^"]*"/g, '');
    expect(withoutVaryingText(refusalForAlice)).to.equal(withoutVaryingText(refusalForNobody));
  });

  it('from many addresses is blocked, which locks the user out only for the documented time', async () => {
    await exhaustLimit();
    const refusal = await logIn(browserAt('198.51.100.1'));
    expect([refusal.status, refusal.headers.get('retry-after')]).to.deep.equal([429, String(BLOCK_SECONDS)]);
    running.clock.advance(BLOCK_SECONDS - 1);
    expect((await logIn(browserAt('198.51.100.1'))).status).to.equal(429);
    running.clock.advance(1);
    expect((await logIn(browserAt('198.51.100.1'))).status).to.equal(302);
  });

  it('does not lock the user out at an address or in a browser with an earlier login', async () => {
    const browser = browserAt('192.0.2.1');
    expect((await logIn(browser)).status).to.equal(302);
    await exhaustLimit();
    expect((await logIn()).status, 'at the known address').to.equal(302);
    const otherBrowser = running.browser({ 'x-forwarded-for': '198.51.100.1' });
    expect((await logIn(otherBrowser)).status, 'in a new browser at a new address').to.equal(429);
    for (const [name, value] of browser.cookies())
      if (name.startsWith('grantlog-browser')) (otherBrowser.cookies() as Map<string, string>).set(name, value);
    expect((await logIn(otherBrowser)).status, 'in the known browser').to.equal(302);
  });

  it('does not lock the user out at an address for two weeks after each login there', async () => {
    const twoWeeks = 1_209_600;
    expect((await logIn()).status).to.equal(302);
    running.clock.advance(twoWeeks - 1);
    expect((await logIn()).status).to.equal(302);
    running.clock.advance(twoWeeks - 1);
    await exhaustLimit();
    expect((await logIn()).status, 'within two weeks of a login').to.equal(302);
    running.clock.advance(twoWeeks);
    await exhaustLimit();
    expect((await logIn()).status, 'two weeks after the last login').to.equal(429);
  });

  it('has a separate limit in a browser with an earlier login, which later logins do not reset', async () => {
    const browser = browserAt('192.0.2.1');
    await logIn(browser);
    for (let times = 0; times < 3; times += 1) {
      expect((await browser.logIn('alice', 'a guess')).status).to.equal(422);
      if (times < 2) expect((await logIn(browser)).status).to.equal(302);
    }
    expect((await logIn(browser)).status).to.equal(429);
    expect((await logIn(browserAt('198.51.100.1'))).status, 'at another address').to.equal(302);
  });

  it('gains nothing from a forged cookie or one from another account', async () => {
    const mallory = await running.addUser('mallory');
    const browser = browserAt('203.0.113.99');
    await browser.logIn(mallory.username, mallory.password);
    await exhaustLimit();
    expect((await browser.logIn('alice', 'a guess')).status).to.equal(429);
    const userId = running.service().projections.users.findByName('alice')?.userId ?? '';
    (browser.cookies() as Map<string, string>).set('grantlog-browser', `${userId}.AAAAAAAAAAAAAAAAAAAAAA`);
    expect((await browser.logIn('alice', 'a guess')).status).to.equal(429);
  });

  it("gains no attempts from logins to one's own account", async () => {
    const mallory = await running.addUser('mallory');
    for (let times = 0; times < 7; times += 1) {
      expect((await browserAt('203.0.113.9').logIn(mallory.username, mallory.password)).status).to.equal(302);
      expect((await guess(`victim${times}`, '203.0.113.9')).status).to.equal(422);
    }
    expect((await guess('victim7', '203.0.113.9')).status).to.equal(429);
  });

  it('is blocked for an address that tries many accounts, and for no other address', async () => {
    for (let times = 0; times < 7; times += 1)
      expect((await guess(`victim${times}`, '2001:db8:0:1::1')).status).to.equal(422);
    expect((await guess('victim7', '2001:db8:0:1:ffff::1')).status, 'in the same /64').to.equal(429);
    expect((await guess('victim7', '2001:db8:0:2::1')).status, 'in a different /64').to.equal(422);
  });

  it('through a confidential client is blocked for that client, and for no other', async () => {
    const otherClient = await running.addClient();
    for (let times = 0; times < 8; times += 1)
      expect((await passwordGrant(`victim${times}`, 'a guess')).json).to.include({ error: 'invalid_grant' });
    expect((await passwordGrant('alice', alice.password)).status).to.equal(429);
    expect((await passwordGrant('alice', alice.password, otherClient)).status).to.equal(200);
    running.clock.advance(BLOCK_SECONDS);
    expect((await passwordGrant('alice', alice.password)).status).to.equal(200);
  });

  it('through several confidential clients is blocked for the address', async () => {
    const guessFrom = async (address: string, username: string, password = 'a guess'): Promise<TestResponse> => {
      const { id, secret } = await running.addClient();
      return running.post(
        '/o/token/',
        { grant_type: 'password', client_id: id, client_secret: secret, username, password },
        { 'x-forwarded-for': address },
      );
    };
    for (let times = 0; times < 9; times += 1)
      expect((await guessFrom('203.0.113.9', `victim${times}`)).json).to.include({ error: 'invalid_grant' });
    expect((await guessFrom('203.0.113.9', 'victim9')).status).to.equal(429);
    expect((await guessFrom('198.51.100.1', 'alice', alice.password)).status, 'from another address').to.equal(200);
  });

  it('through a public client is blocked for the address', async () => {
    const publicClient = await running.addClient({ clientType: 'public', grantTypes: ['password'] });
    const guessFrom = (address: string, username: string): Promise<TestResponse> =>
      running.post(
        '/o/token/',
        { grant_type: 'password', client_id: publicClient.id, username, password: 'a guess' },
        { 'x-forwarded-for': address },
      );
    for (let times = 0; times < 7; times += 1)
      expect((await guessFrom('203.0.113.9', `victim${times}`)).status).to.equal(400);
    expect((await guessFrom('203.0.113.9', 'victim7')).status).to.equal(429);
    expect((await guessFrom('203.0.113.8', 'victim7')).status).to.equal(400);
  });

  it('gains no attempts and costs no more hashes through concurrent requests', async () => {
    const guesses = Array.from({ length: 30 }, (_, index) =>
      passwordGrant('alice', index === 25 ? alice.password : 'a guess'),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).to.have.length(3);
    expect(statuses.filter((status) => status === 429)).to.have.length(27);
    expect(verificationCount).to.equal(3);
  });

  it('does not include correct passwords, which neither use up nor return attempts', async () => {
    for (let times = 0; times < 2; times += 1) await passwordGrant('alice', 'a guess');
    expect((await passwordGrant('alice', alice.password)).status).to.equal(200);
    const statuses = (await Promise.all(Array.from({ length: 30 }, () => passwordGrant('alice', alice.password)))).map(
      ({ status }) => status,
    );
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect((await passwordGrant('alice', 'a guess')).status, 'the third guess').to.equal(400);
    expect((await passwordGrant('alice', alice.password)).status, 'correct passwords return no attempt').to.equal(429);
  });

  it('stays blocked for the stated time, even if the wall clock is changed', async () => {
    const day = 86_400;
    for (let times = 0; times < 3; times += 1) await guess('alice', '192.0.2.1');
    for (const seconds of [-day, 366 * day]) {
      running.clock.shift(seconds);
      const refusal = await logIn();
      expect([refusal.status, refusal.headers.get('retry-after')], `${seconds}`).to.deep.equal([
        429,
        String(BLOCK_SECONDS),
      ]);
    }
    running.clock.advance(BLOCK_SECONDS);
    expect((await logIn()).status).to.equal(302);
  });

  it('is forgotten after a restart', async () => {
    for (let times = 0; times < 3; times += 1) await guess('alice', '192.0.2.1');
    expect((await logIn()).status).to.equal(429);
    await running.restart();
    expect((await logIn()).status).to.equal(302);
  });
});

describe('correct passwords', () => {
  const MAX_LOGINS = SMALL_LIMITS['log-in-by-account'].max;
  let running: RunningService;
  let client: TestClient;
  let alice: TestUser;
  beforeEach(async () => {
    running = await runningService({ limits: SMALL_LIMITS, settings: { trustedProxies: 1 } });
    client = await running.addClient();
    alice = await running.addUser('alice');
  });
  afterEach(() => running.close());

  const browserAt = (address: string): BrowserSession => running.browser({ 'x-forwarded-for': address });
  const logIn = (userBrowser = browserAt('192.0.2.1')): Promise<Page> =>
    userBrowser.logIn(alice.username, alice.password);
  const passwordGrant = (): Promise<TestResponse> => running.token(client, { grant_type: 'password', ...alice });
  const countSessions = async (): Promise<number> =>
    (await running.events()).filter(({ type }) => type === 'SessionStarted').length;

  async function useUpLogins(): Promise<void> {
    for (let times = 0; times < MAX_LOGINS; times += 1) expect((await logIn()).status).to.equal(302);
  }

  it('can start a limited number of sessions for an account within fifteen minutes', async () => {
    await useUpLogins();
    const refusal = await logIn(browserAt('198.51.100.1'));
    expect([refusal.status, refusal.headers.get('retry-after')]).to.deep.equal([429, String(BLOCK_SECONDS)]);
    expect(await countSessions()).to.equal(MAX_LOGINS);
    running.clock.advance(BLOCK_SECONDS);
    expect((await logIn()).status).to.equal(302);
  });

  it('are limited for each account: other users can log in', async () => {
    await useUpLogins();
    const bob = await running.addUser('bob');
    expect((await browserAt('192.0.2.1').logIn(bob.username, bob.password)).status).to.equal(302);
  });

  it('reveal nothing when the limit is reached: wrong passwords are refused as for unknown accounts', async () => {
    await useUpLogins();
    async function tryWrongPassword(
      username: string,
      address: string,
    ): Promise<readonly [status: number, html: string]> {
      const { status, html } = await browserAt(address).logIn(username, 'a guess');
      const text = html.replaceAll(/<code>.*<\/code>|value="(?:alice|nobody)"|name="csrf_token" value="[^"]*"/g, '');
      return [status, text.replaceAll(username, 'NAME')];
    }
    const answerForAlice = await tryWrongPassword('alice', '198.51.100.1');
    expect(answerForAlice[0]).to.equal(422);
    expect(answerForAlice).to.deep.equal(await tryWrongPassword('nobody', '198.51.100.2'));
  });

  it('of logged-in users count toward the limit, which is checked before anything is changed', async () => {
    const browser = browserAt('192.0.2.1');
    await logIn(browser);
    const form = await browser.get('/accounts/password/');
    for (let times = 1; times < MAX_LOGINS; times += 1) await logIn();
    const eventCount = (await running.events()).length;
    const fields = { current_password: alice.password, new_password: 'a new and long one' };
    expect((await browser.submit(form, fields)).status).to.equal(429);
    expect(await running.events()).to.have.length(eventCount);
  });

  it('sent by clients have a separate limit', async () => {
    const { max } = SMALL_LIMITS['password-grant-by-account'];
    for (let times = 0; times < max; times += 1) expect((await passwordGrant()).status).to.equal(200);
    const refusal = await passwordGrant();
    expect([refusal.status, refusal.headers.get('retry-after')]).to.deep.equal([429, String(BLOCK_SECONDS)]);
    expect(refusal.json).to.include({ error: 'temporarily_unavailable' });
    expect((await logIn()).status).to.equal(302);
  });
});
