import { expect } from 'chai';
import { qrCode } from '../../../src/http/pages/qr-code.ts';
import { audit } from '../../../src/audit/rules/auditor.ts';
import { START } from '../../../src/event-store/event-log.ts';
import { openSession } from '../../support/authorize-requests.ts';
import { hiddenFields } from '../../support/browser-session.ts';
import { answerDevice, approveDevice, requestCodes, devicePath, poll, type Codes } from '../../support/devices.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../../support/running-service.ts';
import { SMALL_LIMITS } from '../../support/small-limits.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The device page', () => {
  let running: RunningService;
  let tv: TestClient;
  let ada: TestUser;
  let bob: TestUser;

  beforeEach(async () => {
    running = await runningService();
    ada = await running.addUser('ada');
    bob = await running.addUser('bob');
    tv = await addTv();
  });
  afterEach(async () => {
    const auditFindings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) auditFindings.push(item);
    expect(auditFindings, 'audit findings').to.deep.equal([]);
    await running.close();
  });

  const addTv = (): Promise<TestClient> =>
    running.addClient({
      clientType: 'public',
      grantTypes: ['device-code'],
      redirectUris: [],
      name: 'Telly',
      owner: 'ada',
    });
  const listEventTypes = async (): Promise<readonly string[]> => (await running.events()).map(({ type }) => type);
  const isPending = async (codes: Codes): Promise<boolean> =>
    (await poll(running, tv, codes)).json?.['error'] === 'authorization_pending';

  it('sends visitors to the login page, and then continues with the code', async () => {
    const codes = await requestCodes(running, tv);
    const browser = running.browser();
    const { status, location } = await browser.get(devicePath(codes.user));
    expect(status).to.equal(302);
    expect(new URL(location ?? '', running.origin()).searchParams.get('next')).to.equal(devicePath(codes.user));
    await browser.logIn('bob', bob.password);
    await answerDevice(browser, codes);
    expect((await poll(running, tv, codes)).status).to.equal(200);
  });

  it('shows the application, its owner, the device, its address and the code, with a warning', async () => {
    const { json } = await running.post(
      '/o/device_authorization/',
      { client_id: tv.id, scope: 'read' },
      { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    );
    const code = String(json?.['user_code']);
    const { html } = await (await openSession(running, bob)).get(devicePath(code));
    for (const text of ['Telly', 'ada', 'Firefox on Linux', '127.0.0.1', code, 'of every user', 'in front of you'])
      expect(html).to.include(text);
    expect(html).to.include('on the same network as this browser');
    expect(await listEventTypes()).not.to.include('ConsentGiven');
  });

  it('is linked from a QR code on the try-it page of a device application', async () => {
    const application = await running.addClient({
      clientType: 'public',
      grantTypes: ['device-code'],
      owner: ada.username,
    });
    const { html } = await (await openSession(running, ada)).get(`/o/applications/${application.id}/try/`);
    expect(html).to.include(`<path d="${qrCode('http://localhost:8000/o/device/').path}"/>`);
  });

  it('accepts the code in any case and with any separators', async () => {
    const codes = await requestCodes(running, tv);
    const browser = await openSession(running, bob);
    for (const input of [codes.user.toLowerCase(), codes.user.replace('-', ' '), ` ${codes.user.replace('-', '')} `])
      expect((await browser.get(devicePath(input))).html).to.include(codes.user);
  });

  it('asks for a code, and shows the same message for every unusable code', async () => {
    const browser = await openSession(running, bob);
    expect((await browser.get('/o/device/')).html).to.include('Connect a device');
    const usedCodes = await requestCodes(running, tv);
    await approveDevice(running, bob, usedCodes);
    for (const code of [usedCodes.user, 'BCDF-GHJK', 'AEIO-UAEI', 'BCDF', '<b>', '1234-5678']) {
      const { status, html } = await browser.get(devicePath(code));
      expect(status).to.equal(422);
      expect(html).to.include('No device is waiting for this code');
    }
  });

  it('does not approve a request until a button is pressed, even at the complete URI', async () => {
    const codes = await requestCodes(running, tv);
    const browser = await openSession(running, bob);
    const { pathname, search } = new URL(codes.complete);
    await browser.get(pathname + search);
    await browser.get(pathname + search);
    expect(await isPending(codes)).to.equal(true);
  });

  it('binds a code to the first user who enters it, so that no other user can open or approve it', async () => {
    const codes = await requestCodes(running, tv);
    const browser = await openSession(running, bob);
    const page = await browser.get(devicePath(codes.user));
    const otherBrowser = await openSession(running, ada);
    expect((await otherBrowser.get(devicePath(codes.user))).status).to.equal(422);
    const stolenFields = { ...hiddenFields(page.html), allow: 'Authorize' };
    const ownFields = hiddenFields((await otherBrowser.get('/o/device/')).html);
    const { status } = await otherBrowser.post('/o/device/', {
      ...stolenFields,
      csrf_token: ownFields['csrf_token'] ?? '',
    });
    expect(status).to.equal(400);
    expect(await isPending(codes)).to.equal(true);
    expect((await browser.submit(page, { allow: 'Authorize' })).location).to.equal('/o/device/done/');
  });

  it('gives the device access only to the account of the approving user, even if others try the code', async () => {
    const codes = await requestCodes(running, tv, { scope: 'read' });
    await approveDevice(running, bob, codes);
    const adasSession = await openSession(running, ada);
    expect((await adasSession.get(devicePath(codes.user))).status).to.equal(422);
    const otherClient = await addTv();
    expect((await poll(running, otherClient, codes)).json).to.include({ error: 'invalid_grant' });
    const { json } = await poll(running, tv, codes);
    const headers = { authorization: `Bearer ${String(json?.['access_token'])}` };
    const { userId } = running.service().projections.users.findByName('bob') ?? expect.fail();
    const issuedTokens = (await running.events()).filter(({ type }) => type === 'AccessTokenIssued');
    expect(issuedTokens.map(({ data }) => (data as { readonly userId: string }).userId)).to.deep.equal([userId]);
    expect((await running.get('/users/', headers)).status).to.equal(200);
    expect((await poll(running, tv, codes)).json).to.include({ error: 'invalid_grant' });
  });

  it('refuses a form without the CSRF token of the session, or with an altered request', async () => {
    const codes = await requestCodes(running, tv);
    const browser = await openSession(running, bob);
    const page = await browser.get(devicePath(codes.user));
    expect((await browser.submit(page, { allow: 'Authorize', csrf_token: 'x' })).status).to.equal(403);
    expect((await browser.submit(page, { allow: 'Authorize', request: 'x' })).status).to.equal(400);
    expect(await isPending(codes)).to.equal(true);
  });

  it('records an approval once, even if it is submitted twice or from two tabs', async () => {
    const codes = await requestCodes(running, tv);
    const browser = await openSession(running, bob);
    const [page, pageInOtherTab] = [
      await browser.get(devicePath(codes.user)),
      await browser.get(devicePath(codes.user)),
    ];
    const responses = await Promise.all(
      [page, pageInOtherTab, page].map((form) => browser.submit(form, { allow: 'Authorize' })),
    );
    expect(responses.map(({ location }) => location)).to.deep.equal(Array(3).fill('/o/device/done/'));
    expect((await listEventTypes()).filter((type) => type === 'DeviceAuthorized')).to.have.length(1);
  });

  it('lets a later denial in another tab revoke the approval, but not the reverse', async () => {
    const codes = await requestCodes(running, tv);
    const browser = await openSession(running, bob);
    const [page, pageInOtherTab] = [
      await browser.get(devicePath(codes.user)),
      await browser.get(devicePath(codes.user)),
    ];
    await browser.submit(page, { allow: 'Authorize' });
    await browser.submit(pageInOtherTab, { deny: 'Deny' });
    expect((await listEventTypes()).slice(-2)).to.deep.equal(['DeviceAuthorized', 'GrantRevoked']);
    expect((await poll(running, tv, codes)).json).to.include({ error: 'access_denied' });
    expect((await browser.submit(page, { allow: 'Authorize' })).status).to.equal(409);
  });

  it('shows the result again only to the user who answered the request', async () => {
    for (const [decision, message] of [
      [{ allow: 'Authorize' }, 'You authorized Telly on your device.'],
      [{ deny: 'Deny' }, 'You denied the request from Telly.'],
    ] as const) {
      const codes = await requestCodes(running, tv);
      const browser = await openSession(running, bob);
      await answerDevice(browser, codes, decision);
      await browser.get('/o/device/done/');
      const repeatedVisit = await browser.get(devicePath(codes.user.toLowerCase()));
      expect({ status: repeatedVisit.status, location: repeatedVisit.location }).to.deep.equal({
        status: 302,
        location: '/o/device/done/',
      });
      expect((await browser.get('/o/device/done/')).html).to.include(message);
      expect((await browser.get(devicePath('BCDF-GHJK'))).status, 'another code').to.equal(422);
      expect((await (await openSession(running, ada)).get(devicePath(codes.user))).status).to.equal(422);
      await browser.logIn('ada', ada.password);
      expect((await browser.get(devicePath(codes.user))).status, 'another user in this browser').to.equal(422);
    }
  });

  it('denies the request if no permission is selected', async () => {
    const codes = await requestCodes(running, tv);
    await answerDevice(await openSession(running, bob), codes, { allow: 'ticked' });
    expect((await poll(running, tv, codes)).json).to.include({ error: 'access_denied' });
  });

  it('refuses a form whose request has expired', async () => {
    const codes = await requestCodes(running, tv);
    const browser = await openSession(running, bob);
    const page = await browser.get(devicePath(codes.user));
    running.clock.advance(600);
    expect((await browser.submit(page, { allow: 'Authorize' })).status).to.equal(400);
    expect(await listEventTypes()).not.to.include('DeviceAuthorized');
  });

  it('sends a user without a second factor to the second step if the application requires one', async () => {
    const client = running.service().projections.clients.find(tv.id)!;
    const codes = await requestCodes(running, tv);
    const browser = await openSession(running, bob);
    const page = await browser.get(devicePath(codes.user));
    await running.service().registration.update(client.clientId, { ...client, secondFactorRequired: true }, OPERATOR);
    for (const { location } of [
      await browser.get(devicePath(codes.user)),
      await browser.submitAndFollow(page, { allow: 'Authorize' }),
    ])
      expect(location).to.match(/^\/accounts\/login\/second-step\/\?next=%2Fo%2Fdevice/);
    expect(await isPending(codes)).to.equal(true);
    await running.service().registration.update(client.clientId, { ...client, secondFactorRequired: false }, OPERATOR);
    const unusedCodes = await requestCodes(running, tv);
    await running.service().registration.update(client.clientId, { ...client, secondFactorRequired: true }, OPERATOR);
    expect((await browser.get(devicePath(unusedCodes.user))).status).to.equal(302);
    await running.service().registration.update(client.clientId, { ...client, secondFactorRequired: false }, OPERATOR);
    await approveDevice(running, ada, unusedCodes);
    expect((await poll(running, tv, unusedCodes)).status, 'other users can still use the code').to.equal(200);
  });

  it('is closed to users who are not members of an application in test mode', async () => {
    const client = running.service().projections.clients.find(tv.id)!;
    await running.service().registration.update(client.clientId, { ...client, mode: 'test' }, OPERATOR);
    const codes = await requestCodes(running, tv);
    const refusal = await (await openSession(running, bob)).get(devicePath(codes.user));
    expect(refusal.status).to.equal(403);
    expect(refusal.html).to.include('test mode');
    await approveDevice(running, ada, codes);
    expect((await poll(running, tv, codes)).status, 'other users can still use the code').to.equal(200);
  });

  it('lets only auditors and administrators give access to the event log', async () => {
    const auditClient = await running.addClient({
      clientType: 'public',
      grantTypes: ['device-code'],
      redirectUris: [],
      restrictedScopes: ['audit'],
    });
    const codes = await requestCodes(running, auditClient, { scope: 'audit' });
    expect((await (await openSession(running, bob)).get(devicePath(codes.user))).status).to.equal(403);
    const grace = { username: 'grace', password: 'the password of grace' };
    await running.service().accounts.register({ ...grace, roles: ['auditor'] }, OPERATOR);
    const session = await openSession(running, grace);
    expect((await session.get(devicePath(codes.user))).status, 'other users can still use the code').to.equal(200);
  });

  it('never skips consent, even if the operator trusts the application', async () => {
    const trustedClient = await running.addClient({
      clientType: 'public',
      grantTypes: ['device-code'],
      redirectUris: [],
      skipAuthorization: true,
    });
    const codes = await requestCodes(running, trustedClient);
    expect((await (await openSession(running, bob)).get(devicePath(codes.user))).status).to.equal(200);
    expect(await listEventTypes()).not.to.include('ConsentGiven');
  });
});

describe('The limits on device authorization', () => {
  let running: RunningService;

  afterEach(() => running.close());

  const startService = async (settings = {}) => {
    running = await runningService({ limits: SMALL_LIMITS, settings: { trustedProxies: 1, ...settings } });
    const addClient = () =>
      running.addClient({ clientType: 'public', grantTypes: ['device-code'], redirectUris: [], name: 'Telly' });
    return { tv: await addClient(), otherClient: await addClient() };
  };
  const forwardedFor = (address: string) => ({ 'x-forwarded-for': address });
  const request = (client: TestClient, address: string) =>
    running.post('/o/device_authorization/', { client_id: client.id }, forwardedFor(address));
  const { max: maxPerPlace } = SMALL_LIMITS['user-code-by-account-and-place'];
  const { max: maxPerAccount } = SMALL_LIMITS['user-code-by-account'];
  const { max: maxPerAddress } = SMALL_LIMITS['user-code-by-address'];

  it('refuse guesses by one user from one address, and later from all addresses', async () => {
    const { tv } = await startService();
    await running.addUser('eve');
    const guess = async (address: string): Promise<number> => {
      const browser = running.browser(forwardedFor(address));
      await browser.logIn('eve', "eve's password");
      return (await browser.get(devicePath('BCDF-GHJK'))).status;
    };
    for (let times = 0; times < maxPerPlace; times += 1) expect(await guess('192.0.2.1')).to.equal(422);
    expect(await guess('192.0.2.1')).to.equal(429);
    for (let times = maxPerPlace; times < maxPerAccount; times += 1)
      expect(await guess(`192.0.2.1${times}`)).to.equal(422);
    expect(await guess('198.51.100.1')).to.equal(429);
    const codes = await requestCodes(running, tv);
    const browser = running.browser(forwardedFor('198.51.100.2'));
    await browser.logIn('eve', "eve's password");
    expect((await browser.get(devicePath(codes.user))).status, 'a correct code').to.equal(429);
  });

  it('refuse guesses by many users from one address', async () => {
    await startService();
    let refusalCount = 0;
    for (let user = 0; user < maxPerAddress + 1; user += 1) {
      const { username, password } = await running.addUser();
      const browser = running.browser(forwardedFor('192.0.2.1'));
      await browser.logIn(username, password);
      if ((await browser.get(devicePath('BCDF-GHJK'))).status === 429) refusalCount += 1;
    }
    expect(refusalCount).to.equal(1);
  });

  it('do not count correct codes', async () => {
    const { tv } = await startService();
    await running.addUser('ada');
    const codes = await requestCodes(running, tv);
    const browser = running.browser();
    await browser.logIn('ada', "ada's password");
    for (let times = 0; times < 2 * maxPerPlace; times += 1)
      expect((await browser.get(devicePath(codes.user))).status).to.equal(200);
  });

  it('refuse requests from one address, but not from other addresses', async () => {
    const { tv } = await startService();
    const { max } = SMALL_LIMITS['device-requests-by-address'];
    for (let times = 0; times < max; times += 1) expect((await request(tv, '192.0.2.1')).status).to.equal(200);
    const refusal = await request(tv, '192.0.2.1');
    expect(refusal.status).to.equal(429);
    expect(refusal.json).to.include({ error: 'temporarily_unavailable' });
    expect((await request(tv, '192.0.2.2')).status).to.equal(200);
  });

  it('refuse requests by one client from many addresses, but not by other clients', async () => {
    const { tv, otherClient } = await startService();
    const { max } = SMALL_LIMITS['device-requests-by-client'];
    for (let times = 0; times < max; times += 1) expect((await request(tv, `192.0.2.${times}`)).status).to.equal(200);
    expect((await request(tv, '198.51.100.1')).status).to.equal(429);
    expect((await request(otherClient, '198.51.100.1')).status).to.equal(200);
  });
});
