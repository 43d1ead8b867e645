import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseRedirect, authorizePath, expectErrorPage, openSession } from '../support/authorize-requests.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { expectRefusal, expectTokens, expectNothingAppended } from '../support/protocol-responses.ts';
import { runningService, type TestResponse, type RunningService, type TestClient } from '../support/running-service.ts';

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };

describe('RFC 8252 §7.3: a loopback redirect URI', () => {
  let running: RunningService;
  let browser: BrowserSession;
  let app: TestClient;

  before(async () => {
    running = await runningService();
    browser = await openSession(running, await running.addUser());
    app = await running.addClient({
      clientType: 'public',
      grantTypes: ['authorization-code'],
      redirectUris: ['http://127.0.0.1/cb', 'http://[::1]:4000/cb?x=1', 'http://localhost:3000/cb'],
    });
  });
  after(() => running.close());

  const request = (uri: string) => browser.get(authorizePath(app, { redirect_uri: uri, ...CHALLENGE }));

  it('matches with any port, and the application receives the code at that port', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 65_535 }), fc.boolean(), async (port, isIPv6) => {
        const uri = isIPv6 ? `http://[::1]:${port}/cb?x=1` : `http://127.0.0.1:${port}/cb`;
        const { location } = await browser.submit(await request(uri), { allow: 'Authorize' });
        const target = new URL(location ?? '');
        expect({ host: target.host, path: target.pathname }).to.deep.equal({ host: new URL(uri).host, path: '/cb' });
      }),
      { numRuns: 15 },
    );
  });

  it('must match exactly except for the port', async () => {
    for (const uri of [
      'http://127.0.0.1:5000/other',
      'http://127.0.0.1:5000/cb?x=1',
      'http://127.0.0.1:5000/cb#x',
      'https://127.0.0.1:5000/cb',
      'http://127.0.0.2:5000/cb',
      'http://127.1:5000/cb',
      'http://[::1]:5000/cb',
      'http://[0:0:0:0:0:0:0:1]:5000/cb?x=1',
      'http://127.0.0.1:99999/cb',
      'http://127.0.0.1:/cb',
      'http://127.0.0.1:80@evil.example/cb',
      'http://user@127.0.0.1:5000/cb',
      'http://127.0.0.1.evil.example/cb',
      'http://2130706433:5000/cb',
      'http://127.0.0.1:5000\\@evil.example/cb',
      'http://127.0.0.1:-1/cb',
    ])
      expectErrorPage(await request(uri));
  });

  it('must match the port if its host is localhost, which may resolve to a non-loopback address (§8.3)', async () => {
    expect((await request('http://localhost:3000/cb')).status).to.equal(200);
    expectErrorPage(await request('http://localhost:3001/cb'));
    expectErrorPage(await request('http://localhost/cb'));
  });

  it('can be localhost with any port for a native application, and the consent page shows a warning', async () => {
    const nativeClient = await running.addClient({
      clientType: 'public',
      applicationType: 'native',
      grantTypes: ['authorization-code'],
      redirectUris: ['http://localhost/cb', 'com.example.app:/cb'],
    });
    const requestNative = (uri: string) =>
      browser.get(authorizePath(nativeClient, { redirect_uri: uri, ...CHALLENGE }));
    const page = await requestNative('http://localhost:51004/cb');
    expect(page.html).to.include('a program on this computer').and.include('We can’t tell which one');
    const { location } = await browser.submit(page, { allow: 'Authorize' });
    expect(location).to.match(/^http:\/\/localhost:51004\/cb\?/);
    expect((await requestNative('com.example.app:/cb')).html).to.include('an app on this device');
    for (const uri of [
      'http://localhost.evil/cb',
      'http://127.0.0.1@evil/cb',
      'http://127.0.0.1:51004/cb',
      'com.example.app:/cb:1',
    ])
      expectErrorPage(await requestNative(uri));
  });

  it('must be the same at the token endpoint, including the port', async () => {
    const uri = 'http://127.0.0.1:51004/cb';
    const code =
      parseRedirect(await browser.submit(await request(uri), { allow: 'Authorize' })).parameters['code'] ?? '';
    const redeem = (redirectUri: string): Promise<TestResponse> =>
      running.post('/o/token/', {
        grant_type: 'authorization_code',
        code,
        client_id: app.id,
        redirect_uri: redirectUri,
        code_verifier: VERIFIER,
      });
    expectRefusal(await expectNothingAppended(running, () => redeem('http://127.0.0.1:51005/cb')), 'invalid_grant');
    expectRefusal(await expectNothingAppended(running, () => redeem('http://127.0.0.1/cb')), 'invalid_grant');
    expectTokens(await redeem(uri), { scope: 'read write', refresh: true });
  });

  it('requires consent each time, because any program could pose as the application (§8.6)', async () => {
    const uri = 'http://127.0.0.1:51004/cb';
    const code =
      parseRedirect(await browser.submit(await request(uri), { allow: 'Authorize' })).parameters['code'] ?? '';
    await running.post('/o/token/', {
      grant_type: 'authorization_code',
      code,
      client_id: app.id,
      redirect_uri: uri,
      code_verifier: VERIFIER,
    });
    const page = await browser.get(authorizePath(app, { redirect_uri: uri, approval_prompt: 'auto', ...CHALLENGE }));
    expect(page.status).to.equal(200);
  });
});
