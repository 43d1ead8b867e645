import { expect } from 'chai';
import { hiddenFields, type BrowserSession, type Page } from '../../../support/browser-session.ts';
import { authorizePath } from '../../../support/authorize-requests.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
} from '../../../support/running-service.ts';

const PAGE = '/admin/sessions/';

describe('The sessions page', () => {
  let running: RunningService;
  let root: BrowserSession;
  let ada: BrowserSession;
  let bob: BrowserSession;

  async function logIn(name: string): Promise<BrowserSession> {
    const browser = running.browser();
    await browser.logIn(name, `${name}'s password`);
    return browser;
  }

  beforeEach(async () => {
    running = await runningService();
    await running.addUser('root', ['administrator']);
    for (const name of ['ada', 'bob']) await running.addUser(name);
    [root, ada, bob] = [await logIn('root'), await logIn('ada'), await logIn('bob')];
  });
  afterEach(() => running.close());

  async function authorizeInSession(browser: BrowserSession, client: TestClient, scope: string): Promise<void> {
    const page = await browser.get(authorizePath(client, { scope }));
    const { location } = await browser.submit(page, { allow: 'Authorize' });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const fields = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    expect((await running.token(client, fields)).status).to.equal(200);
  }

  const hashesIn = (html: string): readonly string[] =>
    [...html.matchAll(/name="session_hash" value="([^"]+)"/g)].map(([, hash = '']) => hash);
  const findAccount = (name: string) => running.service().projections.users.findByName(name);
  const userIdOf = (name: string) => findAccount(name)?.userId ?? expect.fail(`there is no user ${name}`);
  const findBobsHashes = async () => hashesIn((await root.get(`${PAGE}?q=bob`)).html);
  const isLoggedIn = async (browser: BrowserSession): Promise<boolean> =>
    (await browser.get('/accounts/')).status === 200;
  /** Submits the chosen sessions. Resolves with the confirmation page, unless none of these sessions is open. */
  const choose = async (list: string, chosenHashes: readonly string[], browser = root) =>
    browser.submit(await browser.get(list), { session_hash: chosenHashes }, `${PAGE}end/`);
  const confirm = (confirmation: Page) =>
    root.submit(confirmation, { session_hash: hashesIn(confirmation.html) }, `${PAGE}end/`);
  const endSessions = async (list: string, hashes: readonly string[]) => confirm(await choose(list, hashes));
  const allHashes = async () => hashesIn((await root.get(PAGE)).html);
  const textOf = (html: string): string => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

  it('lists the sessions of all users, and finds them by user and method', async () => {
    expect(hashesIn((await root.get(PAGE)).html)).to.have.length(3);
    const adasSessions = await root.get(`${PAGE}?q=ada`);
    expect(hashesIn(adasSessions.html)).to.have.length(1);
    expect(adasSessions.html).to.match(/<a href="\/admin\/users\/\d+\/sessions\/"><bdi>ada/);
    expect(hashesIn((await root.get(`${PAGE}?type=passkey`)).html)).to.have.length(0);
    expect(hashesIn((await root.get(`${PAGE}?type=password&sort=username`)).html)).to.have.length(3);
    const { html: csv } = await root.get(`${PAGE}?format=csv&q=bob`);
    expect(csv.trim().split(/\r?\n/)[0]).to.equal('username,browser,login,provider,last_used,started,expires');
  });

  it('marks only the session of the current browser', async () => {
    expect((await root.get(PAGE)).html.match(/this browser/g)).to.have.length(1);
    expect((await root.get(`${PAGE}?q=root`)).html).to.include('this browser');
    const germanBrowser = running.browser({ 'accept-language': 'de' });
    await germanBrowser.logIn('root', "root's password");
    expect((await germanBrowser.get(PAGE)).html.match(/dieser Browser/g)).to.have.length(1);
  });

  it('ends only the chosen sessions, and records the administrator as the actor', async () => {
    const response = await endSessions(`${PAGE}?q=ada`, hashesIn((await root.get(`${PAGE}?q=ada`)).html));
    expect([response.status, response.location]).to.deep.equal([302, PAGE]);
    expect([await isLoggedIn(ada), await isLoggedIn(bob), await isLoggedIn(root)]).to.deep.equal([false, true, true]);
    expect((await running.events()).at(-1)).to.deep.include({
      type: 'SessionEnded',
      actor: { kind: 'user', id: userIdOf('root') },
    });
  });

  it('asks for confirmation before it ends one or more sessions, and ends none without it', async () => {
    for (const list of [`${PAGE}?q=ada`, PAGE]) {
      const chosenHashes = hashesIn((await root.get(list)).html);
      const confirmation = await choose(list, chosenHashes);
      expect(confirmation.status).to.equal(200);
      expect(hashesIn(confirmation.html)).to.have.members(chosenHashes);
    }
    expect([await isLoggedIn(ada), await isLoggedIn(bob), await isLoggedIn(root)]).to.deep.equal([true, true, true]);
  });

  it('says how many sessions of how many users will end, and if the administrator’s own is among them', async () => {
    await logIn('ada');
    const otherUsersPage = await choose(PAGE, [
      ...hashesIn((await root.get(`${PAGE}?q=ada`)).html),
      ...(await findBobsHashes()),
    ]);
    expect(textOf(otherUsersPage.html))
      .to.include('End 3 sessions?')
      .and.include('3 sessions of 2 users')
      .and.include('ada');
    expect(otherUsersPage.html).not.to.include('Your own session');
    const allSessionsPage = await choose(PAGE, await allHashes());
    expect(textOf(allSessionsPage.html)).to.include('4 sessions of 3 users');
    expect(allSessionsPage.html).to.include(
      'Your own session, in this browser, is among them: you will be logged out.',
    );
    const bobPage = await choose(PAGE, await findBobsHashes());
    expect(textOf(bobPage.html)).to.include('End the session of bob?').and.include('One session of one user');
    const germanBrowser = running.browser({ 'accept-language': 'de' });
    await germanBrowser.logIn('root', "root's password");
    expect(textOf((await choose(PAGE, await findBobsHashes(), germanBrowser)).html))
      .to.include('Die Sitzung von bob beenden?')
      .and.include('Eine Sitzung von einem Benutzer');
  });

  it('lists the applications that lose access with the chosen sessions, and those that keep it', async () => {
    const [portal, wiki] = [await running.addClient({ name: 'Portal' }), await running.addClient({ name: 'Wiki' })];
    await authorizeInSession(ada, portal, 'openid read');
    await authorizeInSession(ada, wiki, 'read');
    const { html } = await choose(PAGE, hashesIn((await root.get(`${PAGE}?q=ada`)).html));
    expect(textOf(html)).to.match(/Access that ends Portal Access that remains Wiki/);
    const newestBrowser = await logIn('ada');
    const [newestHash = ''] = running
      .service()
      .projections.sessions.listByUser(userIdOf('ada'), Math.floor(running.clock.now() / 1000))
      .map(({ sessionHash }) => sessionHash);
    expect(await isLoggedIn(newestBrowser)).to.equal(true);
    expect(textOf((await choose(PAGE, [newestHash])).html)).to.match(/Access that ends none Access that remains/);
  });

  it("asks for the same confirmation on a user's session page", async () => {
    const list = `/admin/users/${findAccount('ada')?.id}/sessions/`;
    const action = /action="([^"]+\/end\/)"/.exec((await root.get(list)).html)?.[1] ?? expect.fail('no button');
    const confirmation = await root.submit(await root.get(list), {}, action);
    expect(textOf(confirmation.html)).to.include('End the session of ada?');
    expect(await isLoggedIn(ada)).to.equal(true);
    const response = await root.submit(confirmation, { session_hash: hashesIn(confirmation.html) }, action);
    expect([response.location, await isLoggedIn(ada), await isLoggedIn(bob)]).to.deep.equal([list, false, true]);
    expect((await root.submit(confirmation, {}, action)).status, 'the form submitted a second time').to.equal(404);
  });

  it("ends several sessions together, including the administrator's own", async () => {
    const response = await endSessions(PAGE, hashesIn((await root.get(PAGE)).html));
    expect([response.status, response.location]).to.deep.equal([302, '/']);
    expect([await isLoggedIn(ada), await isLoggedIn(bob), await isLoggedIn(root)]).to.deep.equal([false, false, false]);
  });

  it('ends nothing if no session is chosen, and ignores sessions that have already ended', async () => {
    const eventCount = (await running.events()).length;
    for (const chosenHashes of [[], ['x'.repeat(43)]])
      expect((await choose(PAGE, chosenHashes)).location, String(chosenHashes)).to.equal(PAGE);
    expect((await running.events()).length).to.equal(eventCount);
    expect((await root.get(PAGE)).html).to.include('The selected sessions had already ended.');
  });

  it('refuses users who are not administrators', async () => {
    const [hash = ''] = hashesIn((await root.get(`${PAGE}?q=bob`)).html);
    expect((await ada.get(PAGE)).status).to.equal(403);
    const token = hiddenFields((await ada.get('/o/applications/register/')).html)['csrf_token'] ?? '';
    expect((await ada.post(`${PAGE}end/`, { csrf_token: token, session_hash: hash })).status).to.equal(403);
    expect(await isLoggedIn(bob)).to.equal(true);
  });
});
