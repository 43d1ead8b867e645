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

  const home = async (browser: BrowserSession): Promise<string> => (await browser.get('/')).html;
  const refuse = (client: TestClient) => running.token(client, { grant_type: 'client_credentials', scope: 'nowhere' });

  it('shows owners and administrators recent refusals, and nobody else', async () => {
    const [administrator, other] = [
      await openSessionAs(running, 'root', 'administrator'),
      await openSessionAs(running, 'bob'),
    ];
    expect(await home(owner)).to.not.include('Recent refusals');
    const client = await running.addClient({ owner: 'ada', name: 'Engine' });
    const id = (await refuse(client)).headers.get('x-request-id') ?? '';
    for (const browser of [owner, administrator]) {
      expect(await home(browser))
        .to.include(`href="/o/refusals/${id}/">Unknown scope: nowhere`)
        .and.include('Engine');
    }
    for (const browser of [other, running.browser()]) expect(await home(browser)).to.not.include(id);
  });

  it('leaves out refusals that strangers cause in the name of an application', async () => {
    const client = await running.addClient({ owner: 'ada' });
    const guess = { grant_type: 'client_credentials', client_id: client.id, client_secret: 'a guess' };
    expect((await running.post('/o/token/', guess)).status).to.equal(401);
    expect(await home(owner)).to.not.include('Recent refusals');
  });

  it('names the permissions of authorized applications in words, and not by the names of scopes', async () => {
    const user = await running.addUser('eve');
    const client = await running.addClient({ owner: 'ada', name: 'Engine' });
    const { username, password } = user;
    await running.token(client, { grant_type: 'password', username, password, scope: 'read write' });
    const browser = running.browser();
    await browser.logIn(username, password);
    expect(await home(browser))
      .to.include('of every user · Create accounts on this server</p>')
      .and.not.include('<code>read</code>');
  });

  it('shows administrators, and only them, the figures of the server', async () => {
    const administrator = await openSessionAs(running, 'root', 'administrator');
    expect(await home(administrator)).to.match(/href="\/admin\/users\/"><strong>2<\/strong> Users/);
    await running.addClient({ owner: 'ada' });
    expect(await home(administrator)).to.match(/<strong>1<\/strong> Application</);
    expect(await home(owner)).to.not.include('/admin/');
  });

  it('lists the most recently used applications first', async () => {
    const names = ['First', 'Second', 'Third', 'Fourth', 'Fifth'];
    const clients: TestClient[] = [];
    for (const name of names) clients.push(await running.addClient({ owner: 'ada', name }));
    for (const at of [1, 0]) {
      running.clock.advance(60);
      await running.token(clients[at] as TestClient, { grant_type: 'client_credentials' });
    }
    const listedNames = [...(await home(owner)).matchAll(/applications\/[^"]+"><bdi>(\w+)<\/bdi>/g)].map(
      ([, name]) => name,
    );
    expect(listedNames.slice(0, 2)).to.deep.equal(['First', 'Second']);
    expect(listedNames).to.have.length(3);
  });
});

describe('The API reference', () => {
  it('has an example for each operation with credentials, and the meaning of every error status', async () => {
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
