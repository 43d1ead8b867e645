import { expect } from 'chai';
import { decodeEvent, type DomainEvent } from '../../src/domain/events.ts';
import { authorizePath } from '../support/authorize-requests.ts';
import { addPasskey, createAuthenticator, logInWithPasskey } from '../support/authenticator.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

describe('The login behind an authorization', () => {
  let running: RunningService;
  let ada: TestUser;
  let client: TestClient;

  beforeEach(async () => {
    running = await runningService();
    ada = await running.addUser('ada');
    client = await running.addClient();
  });
  afterEach(() => running.close());

  async function eventsOf(...types: readonly DomainEvent['type'][]): Promise<readonly DomainEvent[]> {
    return (await running.events()).map(decodeEvent).filter(({ type }) => types.includes(type));
  }

  /** Returns the hash of the newest session. */
  async function newestSession(): Promise<string> {
    const event = (await running.events()).findLast(({ type }) => type === 'SessionStarted');
    return event?.stream.slice('session-'.length) ?? '';
  }

  async function approve(browser: BrowserSession, fields: Readonly<Record<string, string>> = {}): Promise<Page> {
    const page = await browser.get(authorizePath(client, { scope: 'read write', prompt: 'consent', max_age: '600' }));
    return browser.submit(page, { allow: 'Authorize', ...fields });
  }

  async function redeemAndRefresh({ location }: Page): Promise<void> {
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const redemption = await running.token(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
    });
    const refresh_token = String(redemption.json?.['refresh_token']);
    expect((await running.token(client, { grant_type: 'refresh_token', refresh_token })).status).to.equal(200);
  }

  it('is that of the session in which the user gave consent, in every event that records an issuance', async () => {
    const browser = running.browser();
    await browser.logIn(ada.username, ada.password);
    const login = {
      sessionHash: await newestSession(),
      authTime: Math.floor(running.clock.now() / 1000),
      amr: ['pwd'],
      acr: 'pwd',
    };
    running.clock.advance(60);
    await redeemAndRefresh(await approve(browser));
    const issuingEvents = await eventsOf(
      'ConsentGiven',
      'AuthorizationCodeIssued',
      'AccessTokenIssued',
      'RefreshTokenIssued',
    );
    expect(issuingEvents).to.have.length(5);
    for (const { type, data } of issuingEvents) expect(data, type).to.have.property('login').that.deep.equals(login);
  });

  it('is recorded as phishing-resistant if the user logged in with a passkey', async () => {
    const browser = running.browser();
    await browser.logIn(ada.username, ada.password);
    const device = createAuthenticator();
    await addPasskey(browser, ada.password, device, { name: 'Phone' });
    const passkeyBrowser = running.browser();
    await logInWithPasskey(passkeyBrowser, device);
    await approve(passkeyBrowser);
    const [consent] = await eventsOf('ConsentGiven');
    expect(consent?.data)
      .to.have.property('login')
      .that.deep.includes({
        sessionHash: await newestSession(),
        amr: ['pop', 'user'],
        acr: 'phr',
      });
  });

  it('is recorded with the requested scope, prompt and maximum age, even if the user left a scope out', async () => {
    const browser = running.browser();
    await browser.logIn(ada.username, ada.password);
    await approve(browser, { leave_out: 'write' });
    const [consent] = await eventsOf('ConsentGiven');
    expect(consent?.data).to.deep.include({
      scope: ['read'],
      requested: { scope: ['read', 'write'], prompt: ['consent'], maxAgeSeconds: 600 },
    });
  });

  it('has no session if the client sent the password', async () => {
    await running.token(client, { grant_type: 'password', ...ada, scope: 'read' });
    const issuingEvents = await eventsOf('ConsentGiven', 'AccessTokenIssued', 'RefreshTokenIssued');
    expect(issuingEvents).to.have.length(3);
    for (const { data } of issuingEvents) {
      expect(data)
        .to.have.property('login')
        .that.deep.equals({
          sessionHash: null,
          authTime: Math.floor(running.clock.now() / 1000),
          amr: ['pwd'],
          acr: 'pwd',
        });
    }
  });

  it('is not recorded with a token of a client that acts on its own behalf', async () => {
    await running.token(client, { grant_type: 'client_credentials' });
    const [token] = await eventsOf('AccessTokenIssued');
    expect(token?.data).to.not.have.any.keys('login', 'requested');
  });
});
