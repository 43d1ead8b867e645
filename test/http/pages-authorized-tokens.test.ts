import { expect } from 'chai';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import { LogUnavailable } from '../../src/event-store/event-log.ts';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningOptions,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const LIST = '/o/authorized_tokens/';

describe('The applications that a user has authorized', () => {
  let running: RunningService;
  let ada: TestUser;
  let client: TestClient;
  let browser: BrowserSession;

  beforeEach(() => start());
  afterEach(() => running.close());

  async function start(options: RunningOptions = {}): Promise<void> {
    running = await runningService(options);
    ada = await running.addUser('ada');
    client = await running.addClient({ name: 'Engine' });
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  }

  interface Tokens {
    readonly access: string;
    readonly refresh: string;
  }

  async function grantTo(
    application: TestClient,
    scope = 'read',
    extraParameters: Readonly<Record<string, string>> = {},
    user = ada,
  ): Promise<Tokens> {
    const { json } = await running.token(application, {
      grant_type: 'password',
      username: user.username,
      password: user.password,
      scope,
      ...extraParameters,
    });
    return { access: String(json?.['access_token']), refresh: String(json?.['refresh_token']) };
  }

  async function grantTimes(times: number, application = client): Promise<readonly Tokens[]> {
    const tokens: Tokens[] = [];
    while (tokens.length < times) tokens.push(await grantTo(application));
    return tokens;
  }

  const useToken = async ({ access }: Tokens): Promise<number> =>
    (await running.get('/users/', { authorization: `Bearer ${access}` })).status;
  const refreshWith = async ({ refresh }: Tokens, application = client): Promise<number> =>
    (await running.token(application, { grant_type: 'refresh_token', refresh_token: refresh })).status;
  const openList = () => browser.get(LIST);
  /** Opens the page that lists the application's authorizations. */
  const openAuthorizationsPage = () => browser.get(pathOf(client));
  const pathOf = ({ id }: TestClient): string => `${LIST}applications/${id}/`;
  const textOf = ({ html }: Page): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  /** Returns the rows of the list, one for each application. */
  const rowsOf = ({ html }: Page): readonly string[] =>
    (html.split('</main>')[0] ?? '').split('<li class="row row--application">').slice(1);
  const revokePathsIn = (html: string): readonly string[] =>
    [...html.matchAll(/action="([^"]*\/authorized_tokens\/[\w-]{22}\/revoke\/)"/g)].map(([, path = '']) => path);
  const revokeAll = async (application = client): Promise<Page> =>
    browser.submitAndFollow(await openList(), {}, `${pathOf(application)}revoke/`);
  const typesSince = async (position: number): Promise<readonly string[]> =>
    (await running.events()).slice(position).map(({ type }) => type);

  describe('in the list', () => {
    it('can be opened if they offer a login that third parties can initiate (OpenID Connect Core §4)', async () => {
      const initiateLoginUri = 'https://app.example/login?from=grantlog';
      const clientWithLogin = await running.addClient({ name: 'Offering', openid: { initiateLoginUri } });
      await grantTo(client);
      await grantTo(clientWithLogin);
      const { html } = await browser.get(LIST);
      const loginUrl = `${initiateLoginUri}&iss=${encodeURIComponent('http://localhost:8000')}`;
      expect(html)
        .to.include(`href="${loginUrl.replaceAll('&', '&amp;')}"`)
        .and.include('Open <bdi>Offering</bdi>');
      expect(html).not.to.include('Open <bdi>Engine</bdi>');
    });

    it('have one row each, however often they were authorized, newest first', async () => {
      await grantTimes(3);
      const loom = await running.addClient({ name: 'Loom & Co' });
      await grantTimes(2, loom);
      await grantTimes(1);
      const rows = rowsOf(await openList());
      expect(rows.map((row) => /<bdi>([^<]+)</.exec(row)?.[1])).to.deep.equal(['Engine', 'Loom &amp; Co']);
      expect(rows.map((row) => /(\d+) authorizations/.exec(row)?.[1])).to.deep.equal(['4', '2']);
    });

    it('show all their permissions and resource servers, and their first and last use', async () => {
      const [bob, api] = [await running.addUser('bob'), 'http://localhost:8000'];
      const loom = await running.addClient({ name: 'Loom', owner: bob.username });
      const { refresh } = await grantTo(loom, 'read', { resource: api });
      running.clock.advance(3_600);
      await grantTo(loom, 'groups', { resource: api });
      running.clock.advance(3_600);
      await running.token(loom, { grant_type: 'refresh_token', refresh_token: refresh });
      const text = textOf(await openList());
      expect(text).to.include('by bob · first used 2 hours ago · last used just now');
      expect(text).to.include('of every user').and.include('all groups').and.include(`only for ${api}`);
      await grantTo(loom, 'read');
      expect(rowsOf(await openList())[0]?.split('<details')[0], 'one authorization is unrestricted').not.to.include(
        'only for',
      );
      await grantTo(client);
      expect(textOf(await openList())).to.include('by the operator of this server');
    });

    it('have one button each to revoke everything after a confirmation, and a page with authorizations', async () => {
      await grantTimes(6);
      running.clock.advance(3_600);
      await grantTo(client, 'groups');
      const [row = ''] = rowsOf(await openList());
      expect(row.match(/<form/g)).to.have.length(1);
      expect(row).to.match(/<details class="confirm">[^]*Revoke all access for <bdi>Engine<\/bdi>\?[^]*<form/);
      expect(textOf({ html: row } as Page)).to.include('7 authorizations for Engine');
      const authorizationsPage = await browser.get(pathOf(client));
      expect(revokePathsIn(authorizationsPage.html)).to.have.length(7);
      expect(authorizationsPage.html).to.match(/<code>groups<\/code> · last used[\s\S]*<code>read<\/code> · last used/);
    });

    it('have no button that ends sessions', async () => {
      await grantTo(client);
      expect((await openList()).html).not.to.match(/action="\/accounts\/logout\/everywhere/);
    });

    it('appear ten per page, and their authorizations fifty per page', async () => {
      for (let count = 0; count < 12; count += 1)
        await grantTo(await running.addClient({ name: `Application ${count}` }));
      const firstPage = await openList();
      expect(rowsOf(firstPage)).to.have.length(10);
      const [, nextPath = ''] = /href="([^"]+)" rel="next"/.exec(firstPage.html) ?? [];
      const secondPage = await browser.get(nextPath);
      expect(rowsOf(secondPage)).to.have.length(2);
      expect(secondPage.html).not.to.include('rel="next"');
      expect(rowsOf(await browser.get(`${LIST}?q=application+1`)), 'applications 1, 10 and 11').to.have.length(3);
      await grantTimes(51);
      expect(revokePathsIn((await openAuthorizationsPage()).html)).to.have.length(50);
      expect(revokePathsIn((await browser.get(`${pathOf(client)}?page=2`)).html)).to.have.length(1);
      for (const query of ['page=nonsense', 'before=9', 'page=99'])
        expect((await browser.get(`${LIST}?${query}`)).status, query).to.equal(200);
    });

    it('appear only for the user who authorized them', async () => {
      const bob = await running.addUser('bob');
      await grantTo(client, 'read', {}, bob);
      expect(textOf(await openList()))
        .to.include('No applications have access to your account')
        .and.not.include('Engine');
      expect((await browser.get(pathOf(client))).status).to.equal(404);
    });

    it('still appear after a restart', async () => {
      await grantTo(client);
      await running.restart();
      expect(textOf(await openList())).to.include('Engine');
    });

    it('disappear once they are deleted, or once their only code has expired unused', async () => {
      await grantTo(client);
      const { clientId } = running.service().projections.clients.find(client.id) ?? expect.fail();
      await running.service().registration.remove(clientId, { actor: { kind: 'operator' }, requestId: null });
      expect(textOf(await openList())).to.include('No applications have access to your account');
      await running.authorize(await running.addClient({ name: 'Loom' }), ada);
      running.clock.advance(60);
      expect(textOf(await openList())).to.include('No applications have access to your account');
    });
  });

  describe('when all access is revoked', () => {
    it('lose every token and code, with one event for each authorization', async () => {
      const [revokedTokens, otherTokens] = [
        await grantTimes(3),
        await grantTo(await running.addClient({ name: 'Loom' })),
      ];
      const code = await running.authorize(client, ada);
      const initialHead = running.log.head();
      const page = await browser.submit(await openList(), {}, `${pathOf(client)}revoke/`);
      expect(page).to.include({ status: 302, location: LIST });
      expect(await typesSince(initialHead)).to.deep.equal(Array.from({ length: 4 }, () => 'GrantRevoked'));
      expect(await Promise.all(revokedTokens.map(useToken))).to.deep.equal([401, 401, 401]);
      expect(await Promise.all(revokedTokens.map((tokens) => refreshWith(tokens)))).to.deep.equal([400, 400, 400]);
      expect(
        (await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI })).status,
      ).to.equal(400);
      expect(await useToken(otherTokens), 'a token of another application').to.equal(200);
      expect(textOf(await openList())).to.include('Engine no longer has access to your account.');
      expect(textOf(await openList())).not.to.include('Engine');
    });

    it('keep the access that other users gave them', async () => {
      const bob = await running.addUser('bob');
      const bobsTokens = await grantTo(client, 'read', {}, bob);
      await grantTo(client);
      await revokeAll();
      expect(await useToken(bobsTokens)).to.equal(200);
    });

    it('lose all authorizations, however many there are', async () => {
      await grantTimes(120);
      const initialHead = running.log.head();
      expect(textOf(await revokeAll())).to.include('Engine no longer has access to your account.');
      expect(await typesSince(initialHead)).to.have.length(120);
    });

    it('are revoked once: a second click says that the access has ended', async () => {
      await grantTo(client);
      const page = await openList();
      await browser.submit(page, {}, `${pathOf(client)}revoke/`);
      const secondResponse = await browser.submit(page, {}, `${pathOf(client)}revoke/`);
      expect(secondResponse.status).to.equal(404);
      expect(secondResponse.html).to.include('Already ended').and.to.include('Authorized applications');
    });

    it('can be revoked only by the user, with the CSRF token', async () => {
      const tokens = await grantTo(client);
      const bob = await running.addUser('bob');
      const bobsBrowser = running.browser();
      await bobsBrowser.logIn(bob.username, bob.password);
      const csrf_token = hiddenFields((await bobsBrowser.get('/o/applications/register/')).html)['csrf_token'] ?? '';
      expect((await bobsBrowser.post(`${pathOf(client)}revoke/`, { csrf_token })).status).to.equal(404);
      expect((await browser.post(`${pathOf(client)}revoke/`, {})).status).to.equal(403);
      expect(await useToken(tokens)).to.equal(200);
    });
  });

  describe('when the log fails in the middle of a revocation', () => {
    let appendsLeft: number;

    beforeEach(async () => {
      await running.close();
      const log = createMemoryLog();
      appendsLeft = Infinity;
      await start({
        log: {
          ...log,
          append: (...change) =>
            appendsLeft-- > 0
              ? log.append(...change)
              : Promise.reject(new LogUnavailable('no space left on the device')),
        },
      });
    });
    afterEach(async () => {
      expect(running.unexpected, 'the failure was logged').to.have.length(1);
      await running.close().catch(() => {});
      running = await runningService();
    });

    it('show how many authorizations remain, and lose them at the next attempt', async () => {
      const tokens = await grantTimes(60);
      appendsLeft = 52;
      const page = await revokeAll();
      expect(textOf(page)).to.include(
        'Only some authorizations were revoked: 8 authorizations for Engine are still active. Try again.',
      );
      expect(page.html).to.include('flash--warning');
      expect((await Promise.all(tokens.map(useToken))).filter((status) => status === 200)).to.have.length(8);
      appendsLeft = Infinity;
      expect(textOf(await revokeAll())).to.include('Engine no longer has access to your account.');
    });

    it('lead to an error if nothing was recorded', async () => {
      const [tokens] = await grantTimes(1);
      appendsLeft = 0;
      const page = await browser.submit(await openList(), {}, `${pathOf(client)}revoke/`);
      expect(page.status).to.equal(503);
      expect(tokens && (await useToken(tokens))).to.equal(200);
    });
  });

  describe('when one authorization is revoked', () => {
    it('lose it with one event, and keep the other authorizations', async () => {
      const [tokens, otherTokens] = [await grantTo(client), await grantTo(client)];
      const initialHead = running.log.head();
      const paths = revokePathsIn((await openAuthorizationsPage()).html);
      expect(paths).to.have.length(2);
      const answer = await browser.submit(await openAuthorizationsPage(), {}, paths[0] ?? '');
      expect(answer).to.include({ status: 302, location: LIST });
      expect(await typesSince(initialHead)).to.deep.equal(['GrantRevoked']);
      const page = await openList();
      expect(textOf(page)).to.include('One authorization was revoked. 1 authorization for Engine is still active.');
      expect(revokePathsIn((await openAuthorizationsPage()).html)).to.deep.equal(paths.slice(1));
      expect([await useToken(tokens), await useToken(otherTokens)]).to.deep.equal([200, 401]);
      expect([await refreshWith(tokens), await refreshWith(otherTokens)]).to.deep.equal([200, 400]);
    });

    it('have no access left if it was the last one', async () => {
      await grantTo(client);
      const [path = ''] = revokePathsIn((await openAuthorizationsPage()).html);
      expect(textOf(await browser.submitAndFollow(await openAuthorizationsPage(), {}, path))).to.include(
        'Engine no longer has access to your account.',
      );
    });

    it('lose it only once, and only if the user sends the CSRF token', async () => {
      const tokens = await grantTo(client);
      const [path = ''] = revokePathsIn((await openAuthorizationsPage()).html);
      const bob = await running.addUser('bob');
      const bobsBrowser = running.browser();
      await bobsBrowser.logIn(bob.username, bob.password);
      const csrf_token = hiddenFields((await bobsBrowser.get('/o/applications/register/')).html)['csrf_token'] ?? '';
      expect((await bobsBrowser.post(path, { csrf_token })).status).to.equal(404);
      expect((await browser.post(path, {})).status).to.equal(403);
      expect(await useToken(tokens)).to.equal(200);
      const page = await openAuthorizationsPage();
      expect((await browser.submit(page, {}, path)).status).to.equal(302);
      expect((await browser.submit(page, {}, path)).status).to.equal(404);
    });
  });
});
