import { expect } from 'chai';
import { hiddenFields, type BrowserSession } from '../support/browser-session.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';

describe('Over HTTP, the access a user has given', () => {
  let running: RunningService;
  let ada: TestUser;
  let client: TestClient;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    ada = await running.addUser('ada');
    client = await running.addClient({ name: 'Engine' });
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  async function grantTo(application: TestClient, scope = 'read', user = ada): Promise<{ access: string; refresh: string }> {
    const { json } = await running.token(application, { grant_type: 'password', username: user.username, password: user.password, scope });
    return { access: String(json?.['access_token']), refresh: String(json?.['refresh_token']) };
  }

  const use = async ({ access }: { access: string }): Promise<number> => (await running.get('/users/', { authorization: `Bearer ${access}` })).status;
  const list = () => browser.get('/o/authorized_tokens/');
  const pathsOf = (html: string): string[] => [...html.matchAll(/action="([^"]*\/revoke\/)"/g)].map(([, path = '']) => path);

  it('is listed with the application, the scopes in words and since when', async () => {
    await grantTo(client, 'read groups');
    running.clock.advance(3_600);
    await grantTo(await running.addClient({ name: 'Loom & Co' }));
    const { html } = await list();
    for (const text of ['Engine', 'Read your data', 'See your groups', 'datetime="2026-01-01T00:00:00.000Z"', 'Loom &amp; Co', '1 January 2026 at 01:00 UTC']) {
      expect(html).to.include(text);
    }
    expect(pathsOf(html)).to.have.length(2);
  });

  it('is listed with the owner of the application and when it last got tokens', async () => {
    const bob = await running.addUser('bob');
    const bobs = await running.addClient({ name: 'Loom', owner: bob.username });
    const { refresh } = await grantTo(bobs);
    running.clock.advance(7_200);
    await running.token(bobs, { grant_type: 'refresh_token', refresh_token: refresh });
    await grantTo(client);
    const html = (await list()).html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
    expect(html).to.include('by bob · since 1 January 2026 at 00:00 UTC · last got tokens 1 January 2026 at 02:00 UTC');
    expect(html).to.include('by the operator of this server');
    expect(html.indexOf('Engine'), 'newest first').to.be.lessThan(html.indexOf('Loom'));
    await running.restart();
    expect((await list()).html).to.include('datetime="2026-01-01T02:00:00.000Z"');
  });

  it('is fifty on a page, and older ones behind a link', async () => {
    for (let count = 0; count < 51; count += 1) await grantTo(client);
    const page = await list();
    const [, older = ''] = /href="(\/o\/authorized_tokens\/\?before=\d+)"/.exec(page.html) ?? [];
    expect(pathsOf(page.html)).to.have.length(50);
    const rest = await browser.get(older);
    expect(pathsOf(rest.html)).to.have.length(1);
    expect(rest.html).not.to.include('?before=');
    expect((await browser.get('/o/authorized_tokens/?before=nonsense')).status).to.equal(200);
  });

  it('once taken back, is said to be, with the name of the application', async () => {
    await grantTo(client);
    await browser.submit(await list(), {});
    expect((await list()).html).to.include('Access taken back: what Engine got with it stopped working.');
    expect((await list()).html).not.to.include('Access taken back:');
  });

  it('once taken back on another page, is said to have ended', async () => {
    await grantTo(client);
    const page = await list();
    await browser.submit(page, {});
    const again = await browser.submit(page, {});
    expect(again.status).to.equal(404);
    expect(again.html).to.include('It has ended already').and.to.include('Authorized applications');
  });

  it('once taken back, is said to go on as far as it was given at other times', async () => {
    await grantTo(client);
    await grantTo(client);
    await browser.submit(await list(), {});
    expect((await list()).html).to.include('What you gave it at other times goes on.');
    await browser.submit(await list(), {});
    expect((await list()).html).to.include('stopped working.').and.not.to.include('goes on.');
  });

  it('is nobody else’s to see', async () => {
    const bob = await running.addUser('bob');
    await grantTo(client, 'read', bob);
    expect((await list()).html).to.include('No application may act for you').and.not.include('Engine');
  });

  it('ends with one event when it is taken back: access token, refresh token, and from the list', async () => {
    const [tokens, others] = [await grantTo(client), await grantTo(client)];
    const page = await list();
    const before = (await running.events()).length;
    const path = pathsOf(page.html);
    expect(await browser.submit(page, {}, path[0] ?? '')).to.include({ status: 302, location: '/o/authorized_tokens/' });
    expect((await running.events()).slice(before).map(({ type }) => type)).to.deep.equal(['GrantRevoked']);
    const left = pathsOf((await list()).html);
    expect(left).to.deep.equal(path.slice(1));
    expect([await use(tokens), await use(others)]).to.have.members([200, 401]);
    const refreshed = await Promise.all([tokens, others].map(({ refresh }) => running.token(client, { grant_type: 'refresh_token', refresh_token: refresh })));
    expect(refreshed.map(({ status }) => status)).to.have.members([200, 400]);
  });

  it('cannot be taken back by another, nor without the CSRF token', async () => {
    const tokens = await grantTo(client);
    const [path = ''] = pathsOf((await list()).html);
    const bob = await running.addUser('bob');
    const bobs = running.browser();
    await bobs.logIn(bob.username, bob.password);
    const csrf_token = hiddenFields((await bobs.get('/o/applications/register/')).html)['csrf_token'] ?? '';
    expect((await bobs.post(path, { csrf_token })).status).to.equal(404);
    expect((await browser.post(path, {})).status).to.equal(403);
    expect(await use(tokens)).to.equal(200);
  });

  it('taken back twice is not found the second time', async () => {
    await grantTo(client);
    const page = await list();
    await browser.submit(page, {});
    expect((await browser.submit(page, {})).status).to.equal(404);
  });

  it('is off the list when its application is gone', async () => {
    await grantTo(client);
    const { clientId } = running.service().projections.clients.find(client.id) ?? expect.fail();
    await running.service().registration.remove(clientId, { actor: { kind: 'operator' }, requestId: null });
    expect((await list()).html).to.include('No application may act for you');
  });

  it('is on the list after a restart', async () => {
    await grantTo(client);
    await running.restart();
    expect((await list()).html).to.include('Engine');
  });

  it('does not list a code that was never redeemed once it has expired', async () => {
    await running.authorize(client, ada);
    running.clock.advance(60);
    expect((await list()).html).to.include('No application may act for you');
  });
});
