import { expect } from 'chai';
import { audit } from '../../src/audit/rules/auditor.ts';
import { START } from '../../src/event-store/event-log.ts';
import { openSession } from '../support/authorize-requests.ts';
import {
  answerDevice,
  approveDevice,
  requestCodes,
  devicePath,
  poll,
  requestDevice,
  type Codes,
} from '../support/devices.ts';
import { expectNothingAppended, expectRefusal, expectTokens, isAccepted } from '../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const TOKENS = { scope: 'read write', refresh: true };

describe('RFC 8628 (device authorization grant)', () => {
  let running: RunningService;
  let tv: TestClient;
  let ada: TestUser;

  beforeEach(async () => {
    running = await runningService();
    tv = await addDevice();
    ada = await running.addUser('ada');
  });
  afterEach(async () => {
    const findings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
    expect(findings, 'audit findings').to.deep.equal([]);
    await running.close();
  });

  const addDevice = (options: Parameters<RunningService['addClient']>[0] = {}): Promise<TestClient> =>
    running.addClient({
      clientType: 'public',
      grantTypes: ['device-code'],
      redirectUris: [],
      name: 'Telly',
      ...options,
    });
  const listEventTypes = async (startIndex = 0): Promise<readonly string[]> =>
    (await running.events()).slice(startIndex).map(({ type }) => type);
  const latestExplanation = () => running.service().explanations.listByClient(tv.id)[0];

  /** Waits for the interval, sends the device's next request, and returns the response. */
  async function pollLater(codes: Codes, client = tv): Promise<TestResponse> {
    running.clock.advance(5);
    return poll(running, client, codes);
  }

  describe('§3.1: a device authorization request', () => {
    it('returns both codes, the verification URIs, the lifetime and the interval, and forbids caching', async () => {
      const { status, headers, json } = await requestDevice(running, tv);
      expect(status).to.equal(200);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(json).to.have.all.keys(
        'device_code',
        'user_code',
        'verification_uri',
        'verification_uri_complete',
        'expires_in',
        'interval',
      );
      expect(json).to.include({ verification_uri: 'http://localhost:8000/o/device/', expires_in: 600, interval: 5 });
      expect(json?.['user_code']).to.match(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
      expect(json?.['verification_uri_complete']).to.equal(
        `http://localhost:8000/o/device/?user_code=${String(json?.['user_code'])}`,
      );
      expect(json?.['device_code']).to.match(/^gld_[\w-]{100,}$/);
    });

    it('is also accepted at the path that django-oauth-toolkit uses', async () => {
      const { status, json } = await running.post('/o/device-authorization/', { client_id: tv.id });
      expect(status).to.equal(200);
      expect(json).to.include({ expires_in: 600 });
    });

    it('adds nothing to the log', async () => {
      await expectNothingAppended(running, () => requestDevice(running, tv));
    });

    it('is refused without client authentication, and to clients without the grant type', async () => {
      const confidentialDevice = await addDevice({ clientType: 'confidential' });
      const otherClient = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
      expectRefusal(await running.post('/o/device_authorization/', { scope: 'read' }), 'invalid_client');
      expectRefusal(
        await running.post('/o/device_authorization/', { client_id: confidentialDevice.id }),
        'invalid_client',
      );
      expectRefusal(await requestDevice(running, otherClient), 'unauthorized_client');
      expect((await requestDevice(running, confidentialDevice)).status).to.equal(200);
    });

    it('is refused for scopes and resource servers that do not exist', async () => {
      expectRefusal(await requestDevice(running, tv, { scope: 'read nonsense' }), 'invalid_scope');
      expectRefusal(await requestDevice(running, tv, { scope: 'read '.repeat(500) }), 'invalid_request');
      expectRefusal(await requestDevice(running, tv, { resource: 'https://nowhere.example' }), 'invalid_target');
    });
  });

  describe('§3.5: the error response', () => {
    it('is authorization_pending for any number of requests at the correct interval, and records nothing', async () => {
      const codes = await requestCodes(running, tv);
      await expectNothingAppended(running, async () => {
        for (let times = 0; times < 5; times += 1) expectRefusal(await pollLater(codes), 'authorization_pending');
        return pollLater(codes);
      });
      expect(latestExplanation()).to.deep.include({ rule: 'device-pending' });
    });

    it('is slow_down for requests that come too soon, and adds 5 seconds to the interval each time', async () => {
      const codes = await requestCodes(running, tv);
      expectRefusal(await poll(running, tv, codes), 'authorization_pending');
      running.clock.advance(2);
      expectRefusal(await poll(running, tv, codes), 'slow_down'); // increases the interval to 10 seconds
      expect(latestExplanation()).to.deep.include({
        rule: 'device-polls-too-fast',
        details: { intervalSeconds: 5, seenSeconds: 2 },
      });
      running.clock.advance(7);
      expectRefusal(await poll(running, tv, codes), 'slow_down'); // increases the interval to 15 seconds
      running.clock.advance(15);
      expectRefusal(await poll(running, tv, codes), 'authorization_pending');
    });

    it('is permanently access_denied after the user has denied the request', async () => {
      const codes = await requestCodes(running, tv);
      const browser = await openSession(running, ada);
      expect((await answerDevice(browser, codes, {})).location).to.equal('/o/device/done/');
      for (let times = 0; times < 2; times += 1) expectRefusal(await pollLater(codes), 'access_denied');
      expect((await listEventTypes()).at(-1)).to.equal('DeviceDenied');
      expect((await browser.get(devicePath(codes.user))).location).to.equal('/o/device/done/');
    });

    it('is access_denied if the user first approves and then denies the request', async () => {
      const codes = await requestCodes(running, tv);
      const browser = await openSession(running, ada);
      const page = await browser.get(devicePath(codes.user));
      await browser.submit(page, { allow: 'Authorize' });
      await browser.submit(page, {});
      expectRefusal(await pollLater(codes), 'access_denied');
    });

    it('is expired_token after the lifetime, even if the user has approved the request', async () => {
      const [pendingCodes, approvedCodes] = [await requestCodes(running, tv), await requestCodes(running, tv)];
      await approveDevice(running, ada, approvedCodes);
      running.clock.advance(600);
      for (const codes of [pendingCodes, approvedCodes]) expectRefusal(await poll(running, tv, codes), 'expired_token');
      const page = await (await openSession(running, ada)).get(devicePath(pendingCodes.user));
      expect(page.status).to.equal(422);
    });

    it("is invalid_grant for another client's code, and for a forged, truncated or missing code", async () => {
      const otherDevice = await addDevice();
      const codes = await requestCodes(running, tv);
      expectRefusal(await poll(running, otherDevice, codes), 'invalid_grant');
      const truncatedCode = codes.device.slice(0, -7);
      const forgedCode = `${codes.device.slice(0, 50)}${codes.device[50] === 'a' ? 'b' : 'a'}${codes.device.slice(51)}`;
      for (const code of [truncatedCode, forgedCode, 'gld_', 'x', 'gld_'.repeat(3_000)])
        expectRefusal(await poll(running, tv, { device: code }), 'invalid_grant');
      expectRefusal(await poll(running, tv, { device: '' }), 'invalid_request');
      await approveDevice(running, ada, codes);
      expectRefusal(await poll(running, otherDevice, codes), 'invalid_grant');
      expectTokens(await pollLater(codes), TOKENS);
    });
  });

  describe('§3.4: the token endpoint, after the user has approved,', () => {
    it('issues an access token and a refresh token', async () => {
      const codes = await requestCodes(running, tv);
      expectRefusal(await poll(running, tv, codes), 'authorization_pending');
      const eventCount = (await running.events()).length;
      const { location } = await approveDevice(running, ada, codes);
      expect(location).to.equal('/o/device/done/');
      const { access, refresh } = expectTokens(await pollLater(codes), TOKENS);
      expect(await listEventTypes(eventCount)).to.deep.equal([
        'SessionStarted',
        'ConsentGiven',
        'DeviceAuthorized',
        'DeviceCodeRedeemed',
        'AccessTokenIssued',
        'RefreshTokenIssued',
      ]);
      expect(await isAccepted(running, access)).to.equal(true);
      const refreshResponse = await running.post('/o/token/', {
        grant_type: 'refresh_token',
        client_id: tv.id,
        refresh_token: refresh,
      });
      expectTokens(refreshResponse, TOKENS);
    });

    it('issues tokens immediately, even if the device polled too fast', async () => {
      const codes = await requestCodes(running, tv);
      for (let times = 0; times < 3; times += 1) await poll(running, tv, codes);
      await approveDevice(running, ada, codes);
      expectTokens(await poll(running, tv, codes), TOKENS);
    });

    it('grants only the scopes that the user checked', async () => {
      const codes = await requestCodes(running, tv, { scope: 'read write groups' });
      await answerDevice(await openSession(running, ada), codes, { allow: 'ticked', scope: ['read', 'groups'] });
      expectTokens(await pollLater(codes), { scope: 'read groups', refresh: true });
      const consent = (await running.events()).find(({ type }) => type === 'ConsentGiven');
      expect(consent?.data).to.deep.include({ basis: 'device', requested: { scope: ['read', 'write', 'groups'] } });
    });

    it('refuses a resource server that was not requested', async () => {
      await running.restart({ resources: ['https://a.example', 'https://b.example'] });
      const codes = await requestCodes(running, tv, { resource: 'https://a.example' });
      await approveDevice(running, ada, codes);
      expectRefusal(await poll(running, tv, codes, { resource: 'https://b.example' }), 'invalid_target');
      expectTokens(await pollLater(codes), TOKENS);
    });

    it('redeems a code only once, and revokes the tokens if the code is presented again', async () => {
      const codes = await requestCodes(running, tv);
      await approveDevice(running, ada, codes);
      const { access } = expectTokens(await pollLater(codes), TOKENS);
      const eventCount = (await running.events()).length;
      expectRefusal(await pollLater(codes), 'invalid_grant');
      expect(latestExplanation()).to.deep.include({ rule: 'code-redeemed' });
      expectRefusal(await pollLater(codes), 'invalid_grant');
      expect(await listEventTypes(eventCount)).to.deep.equal(['GrantRevoked']);
      expect(await isAccepted(running, access)).to.equal(false);
    });

    it('redeems a code exactly once for a thousand concurrent requests', async function () {
      this.timeout(180_000);
      const codes = await requestCodes(running, tv);
      await approveDevice(running, ada, codes);
      const responses = await Promise.all(Array.from({ length: 1_000 }, () => poll(running, tv, codes)));
      expect(responses.filter(({ status }) => status === 200)).to.have.length(1);
      expect((await listEventTypes()).filter((type) => type === 'DeviceCodeRedeemed')).to.have.length(1);
    });

    it('continues after a restart, although only approvals are stored', async () => {
      const [pendingCodes, approvedCodes] = [await requestCodes(running, tv), await requestCodes(running, tv)];
      await approveDevice(running, ada, approvedCodes);
      await running.restart();
      expectTokens(await pollLater(approvedCodes), TOKENS);
      const browser = await openSession(running, ada);
      expect((await browser.get(devicePath(pendingCodes.user))).status).to.equal(422);
      expectRefusal(await pollLater(pendingCodes), 'authorization_pending');
      await answerDevice(browser, pendingCodes);
      expectTokens(await pollLater(pendingCodes), TOKENS);
    });

    it('issues an ID token that states the login of the user who approved', async () => {
      const codes = await requestCodes(running, tv, { scope: 'openid read' });
      await approveDevice(running, ada, codes);
      const { json } = await pollLater(codes);
      const payload = String(json?.['id_token']).split('.')[1] ?? '';
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
      expect(claims).to.include({ aud: tv.id, iss: 'http://localhost:8000', acr: 'pwd' });
      expect(claims).to.include.keys('auth_time', 'amr', 'sid', 'at_hash');
      expect(claims).not.to.have.property('nonce');
    });

    it('issues tokens that become invalid with the session if openid is granted without offline_access', async () => {
      const browser = await openSession(running, ada);
      const [onlineCodes, offlineCodes] = [
        await requestCodes(running, tv, { scope: 'openid read' }),
        await requestCodes(running, tv, { scope: 'openid read offline_access' }),
      ];
      for (const codes of [onlineCodes, offlineCodes]) await answerDevice(browser, codes);
      const [onlineResponse, offlineResponse] = [await pollLater(onlineCodes), await poll(running, tv, offlineCodes)];
      await browser.submit(await browser.get('/accounts/'), {}, '/accounts/logout/');
      expect(await isAccepted(running, String(onlineResponse.json?.['access_token']))).to.equal(false);
      expect(await isAccepted(running, String(offlineResponse.json?.['access_token']))).to.equal(true);
    });

    it('refuses a code if the application has lost the grant type or the user has been disabled', async () => {
      const [codes, laterCodes] = [await requestCodes(running, tv), await requestCodes(running, tv)];
      for (const deviceCodes of [codes, laterCodes]) await approveDevice(running, ada, deviceCodes);
      const { accounts, projections, registration } = running.service();
      const client = projections.clients.find(tv.id)!;
      const context = { actor: { kind: 'operator' }, requestId: null } as const;
      const fields = { ...client, grantTypes: ['authorization-code'] as const, redirectUris: [REDIRECT_URI] };
      await registration.update(client.clientId, fields, context);
      expectRefusal(await pollLater(codes), 'unauthorized_client');
      await registration.update(client.clientId, { ...fields, grantTypes: ['device-code'] as const }, context);
      await accounts.disable(projections.users.findByName('ada')!, context);
      expectRefusal(await pollLater(codes), 'invalid_grant');
    });

    it('issues JWTs to clients that have chosen them', async () => {
      const jwtDevice = await addDevice({ accessTokenFormat: 'jwt' });
      const codes = await requestCodes(running, jwtDevice);
      await approveDevice(running, ada, codes);
      const { json } = await pollLater(codes, jwtDevice);
      expect(String(json?.['access_token']).split('.')).to.have.length(3);
      expect(await isAccepted(running, String(json?.['access_token']))).to.equal(true);
    });
  });

  it('has its endpoint and its grant type in the server metadata', async () => {
    const { json } = await running.get('/.well-known/oauth-authorization-server');
    expect(json).to.include({ device_authorization_endpoint: 'http://localhost:8000/o/device_authorization/' });
    expect(json?.['grant_types_supported']).to.include('urn:ietf:params:oauth:grant-type:device_code');
  });
});
