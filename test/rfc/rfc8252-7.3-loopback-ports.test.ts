import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseRedirect, authorizePath, expectErrorPage, openSession } from '../support/authorize-requests.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { expectRefusal, expectTokens, expectNothingAppended } from '../support/protocol-answers.ts';
import { runningService, type Answer, type RunningService, type TestClient } from '../support/running-service.ts';

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

  const ask = (uri: string) => browser.get(authorizePath(app, { redirect_uri: uri, ...CHALLENGE }));

  it('matches any port that the application chose, and the code is sent there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 65_535 }), fc.boolean(), async (port, v6) => {
        const uri = v6 ? `http://[::1]:${port}/cb?x=1` : `http://127.0.0.1:${port}/cb`;
        const { location } = await browser.submit(await ask(uri), { allow: 'Authorize' });
        const back = new URL(location ?? '');
        expect({ host: back.host, path: back.pathname }).to.deep.equal({ host: new URL(uri).host, path: '/cb' });
      }),
      { numRuns: 15 },
    );
  });

  it('must match exactly in everything else', async () => {
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
      expectErrorPage(await ask(uri));
  });

  it('with the name localhost must match the port, because the name may resolve elsewhere (§8.3)', async () => {
    expect((await ask('http://localhost:3000/cb')).status).to.equal(200);
    expectErrorPage(await ask('http://localhost:3001/cb'));
    expectErrorPage(await ask('http://localhost/cb'));
  });

  it('with the name localhost may have any port if the application is native, and the page warns of it', async () => {
    const native = await running.addClient({
      clientType: 'public',
      applicationType: 'native',
      grantTypes: ['authorization-code'],
      redirectUris: ['http://localhost/cb', 'com.example.app:/cb'],
    });
    const askNative = (uri: string) => browser.get(authorizePath(native, { redirect_uri: uri, ...CHALLENGE }));
    const page = await askNative('http://localhost:51004/cb');
    expect(page.html).to.include('a program on this computer').and.include('We can’t tell which one');
    const { location } = await browser.submit(page, { allow: 'Authorize' });
    expect(location).to.match(/^http:\/\/localhost:51004\/cb\?/);
    expect((await askNative('com.example.app:/cb')).html).to.include('an app on this device');
    for (const uri of [
      'http://localhost.evil/cb',
      'http://127.0.0.1@evil/cb',
      'http://127.0.0.1:51004/cb',
      'com.example.app:/cb:1',
    ])
      expectErrorPage(await askNative(uri));
  });

  it('must be the same at the token endpoint, including the port', async () => {
    const uri = 'http://127.0.0.1:51004/cb';
    const code = parseRedirect(await browser.submit(await ask(uri), { allow: 'Authorize' })).parameters['code'] ?? '';
    const redeem = (redirectUri: string): Promise<Answer> =>
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

  it('needs consent each time, because any program could pose as the application (§8.6)', async () => {
    const uri = 'http://127.0.0.1:51004/cb';
    const code = parseRedirect(await browser.submit(await ask(uri), { allow: 'Authorize' })).parameters['code'] ?? '';
    await running.post('/o/token/', {
      grant_type: 'authorization_code',
      code,
      client_id: app.id,
      redirect_uri: uri,
      code_verifier: VERIFIER,
    });
    const again = await browser.get(authorizePath(app, { redirect_uri: uri, approval_prompt: 'auto', ...CHALLENGE }));
    expect(again.status).to.equal(200);
  });
});
