import { expect } from 'chai';
import { openSessionAs } from '../../support/audit-pages.ts';
import type { BrowserSession } from '../../support/browser-session.ts';
import { runningService, type RunningService, type TestClient } from '../../support/running-service.ts';

describe('The home page', () => {
  let running: RunningService;
  let owner: BrowserSession;
  beforeEach(async () => {
    running = await runningService();
    owner = await openSessionAs(running, 'ada');
  });
  afterEach(() => running.close());

  const openHome = async (browser: BrowserSession): Promise<string> => (await browser.get('/')).html;
  const causeRefusal = (client: TestClient) =>
    running.token(client, { grant_type: 'client_credentials', scope: 'nowhere' });

  it('shows recent refusals only to owners and administrators', async () => {
    const [administrator, otherUser] = [
      await openSessionAs(running, 'root', 'administrator'),
      await openSessionAs(running, 'bob'),
    ];
    expect(await openHome(owner)).to.not.include('Recent refusals');
    const client = await running.addClient({ owner: 'ada', name: 'Engine' });
    const id = (await causeRefusal(client)).headers.get('x-request-id') ?? '';
    for (const browser of [owner, administrator]) {
      expect(await openHome(browser))
        .to.include(`href="/o/refusals/${id}/">Unknown scope: nowhere`)
        .and.include('Engine');
    }
    for (const browser of [otherUser, running.browser()]) expect(await openHome(browser)).to.not.include(id);
  });

  it('leaves out refusals of unauthenticated requests that name an application', async () => {
    const client = await running.addClient({ owner: 'ada' });
    const guess = { grant_type: 'client_credentials', client_id: client.id, client_secret: 'a guess' };
    expect((await running.post('/o/token/', guess)).status).to.equal(401);
    expect(await openHome(owner)).to.not.include('Recent refusals');
  });

  it('describes the permissions of authorized applications instead of naming scopes', async () => {
    const user = await running.addUser('eve');
    const client = await running.addClient({ owner: 'ada', name: 'Engine' });
    const { username, password } = user;
    await running.token(client, { grant_type: 'password', username, password, scope: 'read write' });
    const browser = running.browser();
    await browser.logIn(username, password);
    expect(await openHome(browser))
      .to.include('of every user · Create accounts on this server</p>')
      .and.not.include('<code>read</code>');
  });

  it('shows the problems from the dashboard and the figures for the last day only to administrators', async () => {
    const administrator = await openSessionAs(running, 'root', 'administrator');
    const client = await running.addClient({ owner: 'ada' });
    await causeRefusal(client);
    await running.browser().logIn('root', 'wrong');
    const html = await openHome(administrator);
    const findFigure = (title: string): string | undefined =>
      new RegExp(String.raw`<a href="([^"]+)"><strong>(\d+)</strong> <span>${title}</span></a>`)
        .exec(html)
        ?.slice(1)
        .join(' ');
    expect(findFigure('Users')).to.equal('/admin/users/ 2');
    expect(findFigure('Applications')).to.equal('/admin/applications/ 1');
    expect(findFigure('Logins in the last 24 hours')).to.equal('/audit/?type=SessionStarted 2');
    expect(findFigure('Failed logins in the last 24 hours')).to.equal('/admin/#failed-logins-title 1');
    expect(findFigure('Refusals in the last 24 hours')).to.equal('/admin/refusals/ 1');
    const extractProblems = (page: string): readonly string[] =>
      page.match(/<li class="notice notice--[^]*?<\/li>/g) ?? [];
    expect(extractProblems(html))
      .to.deep.equal(extractProblems((await administrator.get('/admin/')).html))
      .and.to.not.deep.equal([]);
    expect(await openHome(owner))
      .to.not.include('/admin/')
      .and.not.include('notice--');
  });

  it('has the title Home for users, and describes the server to visitors, in both languages', async () => {
    const titleOf = (html: string): string => /<title>(.*?) ·/.exec(html)?.[1] ?? '';
    expect(titleOf(await openHome(owner))).to.equal('Home');
    expect(titleOf(await openHome(running.browser()))).to.equal('OAuth 2.0 and OpenID Connect server');
    const germanBrowser = running.browser({ 'accept-language': 'de' });
    expect(titleOf(await openHome(germanBrowser))).to.equal('Server für OAuth 2.0 und OpenID Connect');
    await germanBrowser.logIn('ada', "ada's password");
    expect(titleOf(await openHome(germanBrowser))).to.equal('Startseite');
  });

  it('lists the most recently used applications first', async () => {
    const names = ['First', 'Second', 'Third', 'Fourth', 'Fifth'];
    const clients: TestClient[] = [];
    for (const name of names) clients.push(await running.addClient({ owner: 'ada', name }));
    for (const index of [1, 0]) {
      running.clock.advance(60);
      await running.token(clients[index] as TestClient, { grant_type: 'client_credentials' });
    }
    const listedNames = [...(await openHome(owner)).matchAll(/applications\/[^"]+"><bdi>(\w+)<\/bdi>/g)].map(
      ([, name]) => name,
    );
    expect(listedNames.slice(0, 2)).to.deep.equal(['First', 'Second']);
    expect(listedNames).to.have.length(3);
  });
});

describe('The API reference', () => {
  it('has examples with credentials, the meaning of error statuses, and no broken anchors', async () => {
    const running = await runningService();
    try {
      const { html } = await running.browser().get('/docs/');
      expect(html).to.include('curl -u CLIENT_ID:CLIENT_SECRET -d token=TOKEN http://localhost:8000/o/introspect/');
      expect(html).to.include('Too many requests from this caller.');
      for (const [, id] of html.matchAll(/href="#([^"]+)"/g)) expect(html, id).to.include(`id="${id}"`);
    } finally {
      await running.close();
    }
  });
});
