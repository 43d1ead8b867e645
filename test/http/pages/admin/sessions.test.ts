import { expect } from 'chai';
import { hiddenFields, type BrowserSession } from '../../../support/browser-session.ts';
import { runningService, type RunningService } from '../../../support/running-service.ts';

const PAGE = '/admin/sessions/';

describe('The sessions page', () => {
  let running: RunningService;
  let root: BrowserSession;
  let ada: BrowserSession;
  let bob: BrowserSession;

  async function loggedIn(name: string): Promise<BrowserSession> {
    const browser = running.browser();
    await browser.logIn(name, `${name}'s password`);
    return browser;
  }

  beforeEach(async () => {
    running = await runningService();
    await running.addUser('root', ['administrator']);
    for (const name of ['ada', 'bob']) await running.addUser(name);
    [root, ada, bob] = [await loggedIn('root'), await loggedIn('ada'), await loggedIn('bob')];
  });
  afterEach(() => running.close());

  const hashes = (html: string): readonly string[] =>
    [...html.matchAll(/name="session_hash" value="([^"]+)"/g)].map(([, hash = '']) => hash);
  const isOpen = async (browser: BrowserSession): Promise<boolean> => (await browser.get('/accounts/')).status === 200;
  const end = async (list: string, chosen: readonly string[]) =>
    root.submit(await root.get(list), { session_hash: chosen }, `${PAGE}end/`);

  it('lists the sessions of all users, and finds them by user and method', async () => {
    expect(hashes((await root.get(PAGE)).html)).to.have.length(3);
    const found = await root.get(`${PAGE}?q=ada`);
    expect(hashes(found.html)).to.have.length(1);
    expect(found.html).to.match(/<a href="\/admin\/users\/\d+\/sessions\/"><bdi>ada/);
    expect(hashes((await root.get(`${PAGE}?type=passkey`)).html)).to.have.length(0);
    expect(hashes((await root.get(`${PAGE}?type=password&sort=username`)).html)).to.have.length(3);
    const { html: csv } = await root.get(`${PAGE}?format=csv&q=bob`);
    expect(csv.trim().split(/\r?\n/)[0]).to.equal('username,browser,login,provider,last_used,started,expires');
  });

  it('marks only the session in which the reader looks at the page', async () => {
    expect((await root.get(PAGE)).html.match(/this browser/g)).to.have.length(1);
    expect((await root.get(`${PAGE}?q=root`)).html).to.include('this browser');
    const german = running.browser({ 'accept-language': 'de' });
    await german.logIn('root', "root's password");
    expect((await german.get(PAGE)).html.match(/dieser Browser/g)).to.have.length(1);
  });

  it('ends the chosen sessions and no others, with events that name the administrator', async () => {
    const answer = await end(`${PAGE}?q=ada`, hashes((await root.get(`${PAGE}?q=ada`)).html));
    expect([answer.status, answer.location]).to.deep.equal([302, PAGE]);
    expect([await isOpen(ada), await isOpen(bob), await isOpen(root)]).to.deep.equal([false, true, true]);
    const account = running.service().projections.users.findByName('root');
    expect((await running.events()).at(-1)).to.deep.include({
      type: 'SessionEnded',
      actor: { kind: 'user', id: account?.userId },
    });
  });

  it("ends several sessions at once, and the administrator's own session last", async () => {
    const answer = await end(PAGE, hashes((await root.get(PAGE)).html));
    expect([answer.status, answer.location]).to.deep.equal([302, '/']);
    expect([await isOpen(ada), await isOpen(bob), await isOpen(root)]).to.deep.equal([false, false, false]);
  });

  it('ends nothing without a choice, and ignores sessions that have ended', async () => {
    const before = (await running.events()).length;
    await end(PAGE, []);
    await end(PAGE, ['x'.repeat(43)]);
    expect((await running.events()).length).to.equal(before);
    expect((await root.get(PAGE)).html).to.include('The chosen sessions had already ended.');
  });

  it('refuses users who are not administrators', async () => {
    const [hash = ''] = hashes((await root.get(`${PAGE}?q=bob`)).html);
    expect((await ada.get(PAGE)).status).to.equal(403);
    const token = hiddenFields((await ada.get('/o/applications/register/')).html)['csrf_token'] ?? '';
    expect((await ada.post(`${PAGE}end/`, { csrf_token: token, session_hash: hash })).status).to.equal(403);
    expect(await isOpen(bob)).to.equal(true);
  });
});
