import { expect } from 'chai';
import { hiddenFields, type BrowserSession } from '../support/browser-session.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const CODE = 'glc_arrived';

describe('The built-in callback page', () => {
  let running: RunningService;
  let client: TestClient;
  let owner: BrowserSession;
  let otherBrowser: BrowserSession;
  let path: string;

  beforeEach(async () => {
    running = await runningService();
    const [ada, bob] = [await running.addUser('ada'), await running.addUser('bob')];
    client = await running.addClient({ owner: 'ada' });
    path = `/o/applications/${client.id}/callback/`;
    owner = running.browser();
    await owner.logIn(ada.username, ada.password);
    otherBrowser = running.browser();
    await otherBrowser.logIn(bob.username, bob.password);
  });
  afterEach(() => running.close());

  it('drops a code if the user is not an owner, and then looks the same for every application', async () => {
    for (const [user, browser] of Object.entries({ visitor: running.browser(), otherBrowser })) {
      const pages = [];
      for (const callbackPath of [path, '/o/applications/unknown/callback/']) {
        const arrival = await browser.get(`${callbackPath}?code=${CODE}&state=x`);
        expect(arrival.status, user).to.equal(303);
        expect(arrival.location, user).to.equal(callbackPath);
        expect(arrival.html, user).not.to.include(CODE);
        expect(arrival.headers.get('referrer-policy'), user).to.equal('no-referrer');
        const page = await browser.get(callbackPath);
        expect(page.status, user).to.equal(404);
        expect(page.html, user).to.include('for the application’s developers').and.not.include(client.id);
        pages.push(page.html.replaceAll(/name="csrf_token" value="[^"]*"/g, ''));
      }
      expect(pages[0], user).to.equal(pages[1]);
    }
    expect((await running.events()).map(({ type }) => type)).not.to.include('AuthorizationCodeRedeemed');
  });

  it('cannot be framed or cached, loads nothing from other origins, and sends no referrer', async () => {
    for (const browser of [owner, otherBrowser]) {
      const { headers, html } = await browser.get(path);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('x-frame-options')).to.equal('DENY');
      expect(headers.get('content-security-policy'))
        .to.include("default-src 'none'")
        .and.include("script-src 'self'")
        .and.include("connect-src 'self'")
        .and.include("frame-ancestors 'none'");
      expect(html).not.to.match(/(?:src|href)="(?:https?:)?\/\//);
    }
  });

  it('shows owners without JavaScript the code and a command that redeems it, with the code quoted', async () => {
    const hostileCode = `x';id;'`;
    const { html } = await owner.get(`${path}?${new URLSearchParams({ code: hostileCode, state: 'x' }).toString()}`);
    const [, noScript = ''] = /<noscript>([\s\S]*?)<\/noscript>/.exec(html) ?? [];
    expect(noScript)
      .to.include('x&#39;;id;&#39;')
      .and.include(String.raw`code=x&#39;\&#39;&#39;;id;&#39;\&#39;&#39;`)
      .and.include('CODE_VERIFIER')
      .and.include('grant_type=authorization_code');
  });

  it('shows only the error code, because a link might contain any description', async () => {
    const refusal = await owner.get(`${path}?error=access_denied&error_description=Call+this+number`);
    expect(refusal.html).to.include('access_denied').and.not.include('Call this number');
    const { html } = await owner.get(`${path}?error=Call+this+number`);
    expect(html)
      .to.include('The response is an error with a malformed error code.')
      .and.not.include('Call this number');
  });

  it('can be added to the redirect URIs by owners with a button', async () => {
    const page = `/o/applications/${client.id}/try/`;
    const currentClient = () => running.service().projections.clients.find(client.id);
    const previousUris = currentClient()?.redirectUris ?? [];
    expect((await otherBrowser.post(page, hiddenFields((await otherBrowser.get('/accounts/')).html))).status).to.equal(
      404,
    );
    expect((await owner.post(page, {})).status).to.equal(403);
    const answer = await owner.submit(await owner.get(page), {}, page);
    expect(answer).to.include({ status: 302, location: page });
    expect(currentClient()?.redirectUris).to.deep.equal([...previousUris, `http://localhost:8000${path}`]);
    expect((await owner.get(page)).html).not.to.include('Use the built-in callback page');
  });
});

describe('The try-it page of an application', () => {
  let running: RunningService;
  let client: TestClient;
  let owner: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    const ada = await running.addUser('ada');
    client = await running.addClient({ owner: 'ada' });
    owner = running.browser();
    await owner.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  it('explains the refusal with a given request id to owners of the application only', async () => {
    const { headers } = await running.post('/o/token/', {
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: 'wrong',
    });
    const id = headers.get('x-request-id') ?? '';
    const fetchExplanation = async (browser: BrowserSession, application: TestClient) =>
      browser.get(`/o/applications/${application.id}/try/refusals/${id}/`);
    const answer = JSON.parse((await fetchExplanation(owner, client)).html) as { readonly explanation: object };
    expect(answer.explanation).to.include.keys('rule', 'expected', 'seen', 'advice');
    const anotherClient = await running.addClient({ owner: 'ada' });
    expect((await fetchExplanation(owner, anotherClient)).html).to.equal('{"explanation":null}');
    const bob = await running.addUser('bob');
    const otherBrowser = running.browser();
    await otherBrowser.logIn(bob.username, bob.password);
    expect((await fetchExplanation(otherBrowser, client)).status).to.equal(404);
  });

  it('shows all examples in the chosen language, and remembers it', async () => {
    const path = `/o/applications/${client.id}/try/`;
    const usage = async (pagePath: string): Promise<string> =>
      /data-usage>([^<]*)</.exec((await owner.get(pagePath)).html)?.[1] ?? '';
    expect(await usage(path)).to.include('terminal');
    expect(await usage(`${path}?language=go`)).to.include('go run');
    expect(await usage(path)).to.include('go run');
    expect(await usage(`${path}?language=cobol`)).to.include('go run');
    const { html } = await owner.get(path);
    expect(html)
      .to.include('package main')
      .and.match(/aria-current="true">Go</);
    expect(html).not.to.include('curl &#39;');
  });
});
