import type { Socket } from 'node:net';
import { expect } from 'chai';
import { createLocalJWKSet, jwtVerify, type JWTPayload } from 'jose';
import type { LogoutFailure } from '../../src/domain/logout-failures.ts';
import type { ClientId, EpochSeconds, UserId } from '../../src/domain/values.ts';
import { MAX_ATTEMPTS } from '../../src/oauth/openid/delivery-queue.ts';
import { operate } from '../../src/operations/operations.ts';
import { sessionIdFor } from '../../src/oauth/openid/session-id.ts';
import { authorizePath } from '../support/authorize-requests.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { flood, startHostileServer, type HostileServer } from '../support/hostile-server.ts';
import { manualTimers, type ManualTimers } from '../support/manual-timers.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';

const SESSION_SECONDS = 3_600;
const PAUSES_SECONDS = [5, 30, 120, 600, 1_800];
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

/** A relying party, and its response to a logout token. */
interface Party {
  readonly server: HostileServer;
  respond: (socket: Socket) => void;
  client: TestClient;
}

describe('Back-channel logout', () => {
  let running: RunningService;
  let timers: ManualTimers;
  let ada: TestUser;
  let browser: BrowserSession;
  let parties: Party[];

  beforeEach(async () => {
    timers = manualTimers();
    parties = [];
    running = await runningService({
      settings: {
        sessionLifetimeSeconds: SESSION_SECONDS,
        plainHttpRedirectUris: true,
        outgoingHttp: true,
        outgoingNetworks: ['127.0.0.0/8'],
      },
      startTimer: timers.startTimer,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    running.service().logoutDeliveries.start();
    ada = await running.addUser('ada');
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(async () => {
    await Promise.all(parties.map(({ server }) => server.close()));
    await running.service().close();
    await running.close();
  });

  async function addParty(
    respond: Party['respond'] = (socket) => void socket.end(OK),
    openid = {},
    owner: string | null = null,
  ): Promise<Party> {
    const server = await startHostileServer((socket) => newParty.respond(socket));
    const backchannelLogoutUri = `http://rp${parties.length}.example:${server.port}/logout`;
    const client = await running.addClient({ owner, openid: { backchannelLogoutUri, ...openid } });
    const newParty: Party = { server, respond, client };
    parties.push(newParty);
    return newParty;
  }

  async function authorize({ client }: Pick<Party, 'client'>, scope = 'openid', session = browser): Promise<void> {
    const page = await session.get(authorizePath(client, { scope }));
    const { location } = await session.submit(page, { allow: 'Authorize' });
    expect(location).to.include('code=');
  }

  async function logOut(session = browser): Promise<void> {
    const { html } = await session.get('/accounts/');
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
    expect((await session.post('/accounts/logout/', { csrf_token })).status).to.equal(302);
  }

  async function submitFormOn(pagePath: string, formPath: RegExp): Promise<void> {
    const page = await browser.get(pagePath);
    await browser.submit(page, {}, formPath.exec(page.html)?.[0] ?? expect.fail(`no form on ${pagePath}`));
  }

  const deliveryCounts = () => running.service().projections.logouts.counts();

  /** Waits for the network and the log until the condition is true, without advancing the clock. */
  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise(setImmediate);
  }
  const waitForDeliveries = (count: number): Promise<void> => until(() => deliveryCounts().delivered >= count);

  function tokenOf({ server }: Party, requestIndex = -1): string {
    const body = server.requests.at(requestIndex)?.split('\r\n\r\n').at(-1) ?? '';
    return new URLSearchParams(body).get('logout_token') ?? expect.fail(`no token in ${body}`);
  }

  async function claimsOf(rp: Party, requestIndex = -1): Promise<JWTPayload> {
    const keys = running.service().signingKeys.publishedKeys(Math.floor(running.clock.now() / 1000) as EpochSeconds);
    const { payload } = await jwtVerify(tokenOf(rp, requestIndex), createLocalJWKSet({ keys: [...keys] }), {
      typ: 'logout+jwt',
      audience: rp.client.id,
      issuer: 'http://localhost:8000',
      currentDate: new Date(running.clock.now()),
    });
    return payload;
  }

  async function logoutEvents(): Promise<
    readonly { readonly stream: string; readonly type: string; readonly data: unknown }[]
  > {
    return (await running.events())
      .filter(({ type }) => type.startsWith('Logout'))
      .map(({ stream, type, data }) => ({ stream, type, data }));
  }

  async function sessionStreams(): Promise<readonly string[]> {
    return (await running.events()).filter(({ type }) => type === 'SessionStarted').map(({ stream }) => stream);
  }
  const sidOf = ({ client }: Party, stream: string): string =>
    sessionIdFor(client.id as ClientId, stream.slice('session-'.length));
  const userId = (): UserId => running.service().projections.users.findByName('ada')?.userId ?? expect.fail();

  /** Advances the clock, and runs the retries that are due. */
  function passTime(seconds: number): void {
    running.clock.advance(seconds);
    timers.expire(1_000);
  }

  it('notifies a client with a signed token about the session and the user, and records the delivery', async () => {
    const rp = await addParty();
    await authorize(rp);
    await logOut();
    await waitForDeliveries(1);
    const [stream = ''] = await sessionStreams();
    const { jti, ...claims } = await claimsOf(rp);
    const now = Math.floor(running.clock.now() / 1000);
    expect(claims).to.deep.equal({
      iss: 'http://localhost:8000',
      aud: rp.client.id,
      sub: userId(),
      sid: sidOf(rp, stream),
      iat: now,
      exp: now + 120,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
    expect(jti).to.match(/^[\w-]{22}$/);
    expect(await logoutEvents()).to.deep.equal([
      { stream, type: 'LogoutDelivered', data: { clientId: rp.client.id, userId: userId(), attempts: 1 } },
    ]);
  });

  const SESSION_ENDINGS: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      'the user ends it in the list of sessions',
      () => submitFormOn('/accounts/sessions/', /\/accounts\/sessions\/[\w-]+\/end\//),
    ],
    ['the user logs out everywhere', () => submitFormOn('/accounts/', /\/accounts\/logout\/everywhere\//)],
    [
      'the password is changed',
      async () =>
        browser.submit(await browser.get('/accounts/password/'), {
          current_password: ada.password,
          new_password: 'another long password',
        }),
    ],
    [
      'another user logs in from the same browser',
      async () => {
        const bob = await running.addUser('bob');
        await browser.logIn(bob.username, bob.password);
      },
    ],
    [
      'the account is disabled',
      async () => {
        const { accounts, projections } = running.service();
        const user = projections.users.findByName('ada') ?? expect.fail();
        await accounts.disable(user, { actor: { kind: 'operator' }, requestId: null });
      },
    ],
  ];
  for (const [condition, end] of SESSION_ENDINGS) {
    it(`notifies every client of the session when ${condition}`, async () => {
      const [firstParty, secondParty] = [await addParty(), await addParty(undefined, { idTokenAlgorithm: 'ES256' })];
      await authorize(firstParty);
      await authorize(secondParty, 'openid read offline_access');
      await end();
      await waitForDeliveries(2);
      const [stream = ''] = await sessionStreams();
      for (const rp of [firstParty, secondParty]) expect((await claimsOf(rp))['sid']).to.equal(sidOf(rp, stream));
    });
  }

  it('notifies only clients that have a logout URI and were authorized for OpenID Connect in the session', async () => {
    const [rp, oauthParty, partyOfOtherSession] = [await addParty(), await addParty(), await addParty()];
    const partyWithoutUri = await addParty(undefined, { backchannelLogoutUri: null });
    await authorize(rp);
    await authorize(oauthParty, 'read');
    await authorize(partyWithoutUri);
    const otherBrowser = running.browser();
    await otherBrowser.logIn(ada.username, ada.password);
    await authorize(partyOfOtherSession, 'openid', otherBrowser);
    await logOut();
    await waitForDeliveries(1);
    expect(deliveryCounts()).to.deep.equal({ pending: 0, delivered: 1, failed: 0 });
    expect(
      [oauthParty, partyOfOtherSession, partyWithoutUri].map(({ server }) => server.requests.length),
    ).to.deep.equal([0, 0, 0]);
  });

  it('notifies a client once, however often it was authorized in the session', async () => {
    const rp = await addParty();
    for (let times = 0; times < 3; times += 1) await authorize(rp);
    await logOut();
    await waitForDeliveries(1);
    expect(deliveryCounts().pending).to.equal(0);
    expect(rp.server.requests).to.have.length(1);
  });

  it('notifies no client when a session expires', async () => {
    await authorize(await addParty());
    running.clock.advance(SESSION_SECONDS + 7_200);
    await browser.logIn(ada.username, ada.password);
    expect(deliveryCounts()).to.deep.equal({ pending: 0, delivered: 0, failed: 0 });
  });

  it('waits if the user logs in again in the same browser, and later names the session the client knows', async () => {
    const rp = await addParty();
    await authorize(rp);
    await browser.logIn(ada.username, ada.password);
    expect(deliveryCounts().pending).to.equal(0);
    await logOut();
    await waitForDeliveries(1);
    const [firstStream = ''] = await sessionStreams();
    expect((await claimsOf(rp))['sid']).to.equal(sidOf(rp, firstStream));
    expect(await logoutEvents()).to.have.nested.property('[0].stream', firstStream);
  });

  it('sends the pairwise subject to a client that gets pairwise subjects', async () => {
    const rp = await addParty(undefined, { subjectType: 'pairwise' });
    await authorize(rp);
    await logOut();
    await waitForDeliveries(1);
    const client = running.service().projections.clients.find(rp.client.id) ?? expect.fail();
    const { sub } = await claimsOf(rp);
    expect(sub).to.equal(running.service().subjects.subjectOf(client, userId())).and.not.equal(userId());
  });

  it('retries a failed delivery with a new token, and records only the outcome', async () => {
    const rp = await addParty((socket) => void socket.end('HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n'));
    await authorize(rp);
    await logOut();
    await rp.server.waitForRequests(1);
    await rp.server.waitUntilIdle();
    await until(() => running.service().projections.logouts.counts().pending === 1);
    expect(await logoutEvents()).to.deep.equal([]);
    rp.respond = (socket) => void socket.end(OK);
    passTime(5);
    await waitForDeliveries(1);
    expect((await logoutEvents())[0]?.data).to.include({ attempts: 2 });
    expect((await claimsOf(rp, 0)).jti).not.to.equal((await claimsOf(rp, 1)).jti);
  });

  const FAILURES: readonly (readonly [string, Party['respond'], LogoutFailure])[] = [
    ['hangs', () => {}, { reason: 'timed-out' }],
    ['sends one byte and then hangs', (socket) => void socket.write('H'), { reason: 'timed-out' }],
    [
      'responds with 500',
      (socket) => void socket.end('HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n'),
      { reason: 'error-status', status: 500 },
    ],
    [
      'redirects',
      (socket) => void socket.end('HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n'),
      { reason: 'redirected', status: 302 },
    ],
    [
      'sends 1 GB of headers',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        flood(socket, `X: ${'x'.repeat(1_000)}\r\n`);
      },
      { reason: 'too-large' },
    ],
    ['closes the connection', (socket) => void socket.destroy(), { reason: 'connection-failed' }],
  ];
  for (const [condition, respond, failure] of FAILURES) {
    it(`gives up on a client that ${condition}, without delaying the logout or other clients`, async () => {
      const [badParty, goodParty] = [await addParty(respond), await addParty()];
      await authorize(badParty);
      await authorize(goodParty);
      await logOut();
      await waitForDeliveries(1);
      expect(goodParty.server.requests).to.have.length(1);
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        await badParty.server.waitForRequests(attempt);
        if (failure.reason === 'timed-out') timers.expire(); // the request deadline
        await badParty.server.waitUntilIdle();
        await until(() => timers.running().length === 1);
        passTime(PAUSES_SECONDS[attempt - 1] ?? 0);
      }
      await until(() => deliveryCounts().failed === 1);
      expect(deliveryCounts().pending).to.equal(0);
      expect((await logoutEvents())[1]).to.deep.include({ type: 'LogoutDeliveryFailed' });
      expect((await logoutEvents())[1]?.data).to.deep.include({ attempts: MAX_ATTEMPTS, ...failure });
    });
  }

  it('reads only the status of a response, so a body of 1 GB does not prevent a delivery', async () => {
    const rp = await addParty((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n');
      flood(socket, 'x'.repeat(65_536));
    });
    await authorize(rp);
    await logOut();
    await waitForDeliveries(1);
  });

  it('continues a pending delivery after a restart', async () => {
    const rp = await addParty(() => {});
    await authorize(rp);
    await logOut();
    await rp.server.waitForRequests(1);
    const previousService = running.service();
    await running.restart();
    previousService.egress.close();
    rp.respond = (socket) => void socket.end(OK);
    expect(deliveryCounts().pending).to.equal(1);
    running.service().logoutDeliveries.start();
    await waitForDeliveries(1);
    expect((await claimsOf(rp))['sub']).to.equal(userId());
  });

  it('records that a client was removed, or withdrew its logout URI, before it was notified', async () => {
    const [removedParty, changedParty] = [await addParty(() => {}), await addParty(() => {})];
    await authorize(removedParty);
    await authorize(changedParty);
    await logOut();
    await removedParty.server.waitForRequests(1);
    await changedParty.server.waitForRequests(1);
    const { registration, projections } = running.service();
    const context = { actor: { kind: 'operator' }, requestId: null } as const;
    await registration.remove(removedParty.client.id as ClientId, context);
    const registeredClient = projections.clients.find(changedParty.client.id) ?? expect.fail();
    const openid = { ...registeredClient.openid, backchannelLogoutUri: null };
    expect(await registration.update(registeredClient.clientId, { ...registeredClient, openid }, context)).to.equal(
      undefined,
    );
    timers.expire();
    await Promise.all([removedParty.server.waitUntilIdle(), changedParty.server.waitUntilIdle()]);
    await until(() => timers.running().length === 1);
    passTime(5);
    await until(() => deliveryCounts().failed === 2);
    for (const { data } of await logoutEvents()) expect(data).to.include({ reason: 'withdrawn' });
  });

  it("is shown to an owner on the application's page, and to the operator by a command", async () => {
    const [goodParty, badParty] = [await addParty(undefined, {}, 'ada'), await addParty(() => {}, {}, 'ada')];
    await authorize(goodParty);
    await authorize(badParty);
    const otherBrowser = running.browser();
    await otherBrowser.logIn(ada.username, ada.password);
    const pageOf = async ({ client }: Party): Promise<string> =>
      (await otherBrowser.get(`/o/applications/${client.id}/refusals/`)).html.replaceAll('<wbr>', '');
    expect(await pageOf(goodParty)).to.match(/Reported logouts[^]*No report is waiting/);
    await logOut();
    await waitForDeliveries(1);
    const [stream = ''] = await sessionStreams();
    expect(await pageOf(goodParty))
      .to.include(sidOf(goodParty, stream))
      .and.include('delivered');
    expect(await pageOf(badParty)).to.include('1 report is waiting');
    const rows: unknown[] = [];
    const signal = new AbortController().signal;
    const input = { clientId: null };
    for await (const row of operate(running.service())('client logouts', input, signal)) rows.push(row);
    const now = new Date(running.clock.now()).toISOString();
    expect(rows).to.have.length(2);
    expect(rows[0]).to.deep.include({
      client_id: badParty.client.id,
      sid: sidOf(badParty, stream),
      state: 'pending',
      at: now,
    });
    expect(rows[1]).to.deep.include({ client_id: goodParty.client.id, state: 'delivered', reason: null, attempts: 1 });
  });

  it('has metrics for pending deliveries and failed requests', async () => {
    const rp = await addParty(() => {});
    await authorize(rp);
    await logOut();
    await rp.server.waitForRequests(1);
    const { text } = await running.get('/metrics');
    expect(text).to.include('grantlog_logout_deliveries{state="pending"} 1');
    expect(text).to.include('grantlog_outgoing_requests_total{purpose="logout-token",outcome="timed-out"} 0');
  });
});
