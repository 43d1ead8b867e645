import { expect } from 'chai';
import { audit } from '../../src/audit/rules/auditor.ts';
import { createFirstAdministrator } from '../../src/cli/first-administrator.ts';
import { START } from '../../src/event-store/event-log.ts';
import {
  addPasskey,
  createAuthenticator,
  logInWithPasskey,
  type CreationOptions,
  type RequestOptions,
} from '../support/authenticator.ts';
import { authorizePath } from '../support/authorize-requests.ts';
import { browserSession, hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import { runningCluster, type Cluster, type ClusterNode, type ClusterOptions } from '../support/cluster.ts';
import type { TestUser } from '../support/running-service.ts';
import { SMALL_LIMITS } from '../support/small-limits.ts';

const NODE_COUNT = 3;

/** A browser whose requests a load balancer sends to different nodes. */
interface RoamingBrowser extends BrowserSession {
  /** Sends all further requests to this node. */
  to(index: number): RoamingBrowser;
}

describe('Nodes that share a log', () => {
  let cluster: Cluster;
  let ada: TestUser;
  let browser: RoamingBrowser;

  async function start(options: ClusterOptions = {}): Promise<void> {
    cluster = await runningCluster(NODE_COUNT, options);
    ada = await node(0).addUser('ada');
    browser = roamingBrowser();
  }

  beforeEach(() => start());
  afterEach(async () => {
    cluster.deliver();
    const findings: unknown[] = [];
    for await (const item of audit(node(0).view.readAll(START))) if ('rule' in item) findings.push(item);
    expect(findings, 'an audit').to.deep.equal([]);
    await cluster.close();
  });

  const node = (index: number): ClusterNode => cluster.nodes[index] ?? expect.fail();

  function roamingBrowser(): RoamingBrowser {
    let currentIndex = 0;
    const session = browserSession(() => node(currentIndex).origin());
    return {
      ...session,
      to(index) {
        currentIndex = index;
        return this;
      },
    };
  }

  const isLoggedIn = async (session: BrowserSession): Promise<boolean> =>
    (await session.get('/')).html.includes('Log out');
  const cookieOf = (session: BrowserSession): string => session.cookieHeader('/');
  const sortedStatuses = (pages: readonly { readonly status: number }[]): readonly number[] =>
    pages.map(({ status }) => status).toSorted((a, b) => a - b);

  describe('share sessions and forms:', () => {
    it('a login form from one node is accepted by another, and the session is valid on all nodes', async () => {
      const form = await browser.get('/accounts/login/');
      expect(await browser.to(1).submit(form, { ...ada }, '/accounts/login/')).to.include({ status: 302 });
      for (let index = 0; index < NODE_COUNT; index += 1)
        expect(await isLoggedIn(browser.to(index)), `node ${index}`).to.equal(true);
      expect(
        (await browser.to(2).post('/accounts/logout/', hiddenFields(form.html))).status,
        'a form from before the login',
      ).to.equal(403);
      await browser.to(2).submit(await browser.get('/accounts/'), {}, '/accounts/logout/');
      cluster.deliver();
      for (let index = 0; index < NODE_COUNT; index += 1)
        expect(await isLoggedIn(browser.to(index)), `node ${index}`).to.equal(false);
    });

    it('a consent form sent to several nodes has one effect, and only one of them redeems its code', async () => {
      const client = await node(0).addClient();
      await browser.logIn(ada.username, ada.password);
      const form = await browser.to(1).get(authorizePath(client));
      const browsers = [1, 2, 0].map(browserWithSameCookies);
      const responses = await Promise.all(browsers.map((session) => session.submit(form, { allow: 'Authorize' })));
      expect(new Set(responses.map(({ location }) => location)).size, 'one code').to.equal(1);
      const code = new URL(responses[0]?.location ?? '').searchParams.get('code') ?? '';
      const redemptions = await Promise.all(
        cluster.nodes.map((target) =>
          target.token(client, {
            grant_type: 'authorization_code',
            code,
            redirect_uri: 'https://app.example/callback',
          }),
        ),
      );
      expect(sortedStatuses(redemptions)).to.deep.equal([200, 400, 400]);
      expect(
        (await browsers[0]!.submit(form, { allow: 'Authorize' })).status,
        'a form that has already been submitted',
      ).to.equal(409);
    });

    it('a form sent to two nodes creates one application, and its secret is shown only once, on any node', async () => {
      await browser.logIn(ada.username, ada.password);
      const form = await browser.to(1).get('/o/applications/register/');
      const fields = {
        name: 'Engine',
        client_type: 'confidential',
        authorization_grant_type: 'client-credentials',
        redirect_uris: '',
      };
      const secondBrowser = browserWithSameCookies(2);
      const responses = [await browser.to(1).submit(form, fields), await secondBrowser.submit(form, fields)];
      expect(sortedStatuses(responses)).to.deep.equal([302, 302]);
      cluster.deliver();
      expect(cluster.nodes.map((target) => target.service().projections.clients.size())).to.deep.equal([1, 1, 1]);
      const page = responses[0]?.location ?? '';
      expect((await browser.to(0).get(page)).html).to.match(/gls[0-9A-Za-z]{49}/);
      expect((await browser.to(2).get(page)).html).not.to.match(/gls[0-9A-Za-z]{49}/);
    });
  });

  describe('redeem a passkey challenge once', () => {
    it('to log in, even if it is sent to every node repeatedly', async () => {
      const device = createAuthenticator();
      await browser.logIn(ada.username, ada.password);
      expect((await addPasskey(browser, ada.password, device)).status).to.equal(302);
      const phone = roamingBrowser();
      const { csrf_token = '' } = hiddenFields((await phone.to(1).get('/accounts/login/')).html);
      const options = JSON.parse((await phone.get('/accounts/login/passkey/')).html) as RequestOptions;
      const answer = device.get(options);
      const cookie = cookieOf(phone);
      const post = (index: number) => node(index).post('/accounts/login/passkey/', { csrf_token, answer }, { cookie });
      expect(sortedStatuses(await Promise.all([0, 1, 2, 0, 1, 2].map(post)))).to.deep.equal([
        302, 422, 422, 422, 422, 422,
      ]);
      for (let index = 0; index < NODE_COUNT; index += 1)
        expect((await post(index)).status, `node ${index}, again`).to.equal(422);
      expect((await logInWithPasskey(roamingBrowser().to(2), device)).status, 'another challenge').to.equal(302);
    });

    it('to add a passkey, even if it is sent to several nodes, or again after the passkey was removed', async () => {
      await browser.logIn(ada.username, ada.password);
      const { csrf_token = '' } = hiddenFields((await browser.get('/accounts/passkeys/add/')).html);
      const form = { csrf_token, password: ada.password };
      const options = JSON.parse((await browser.post('/accounts/passkeys/options/', form)).html) as CreationOptions;
      const answer = createAuthenticator().create(options);
      const cookie = cookieOf(browser);
      const post = (index: number) => node(index).post('/accounts/passkeys/add/', { csrf_token, answer }, { cookie });
      expect(sortedStatuses(await Promise.all([1, 2].map(post)))).to.deep.equal([302, 422]);
      const { users, passkeys } = node(1).service().projections;
      cluster.deliver();
      const user = users.findByName('ada') ?? expect.fail();
      const [passkey = expect.fail()] = passkeys.listByUser(user.userId);
      await browser.to(0).post(`/accounts/passkeys/${passkey.passkeyId}/remove/`, { csrf_token });
      expect(sortedStatuses(await Promise.all([0, 1, 2].map(post)))).to.deep.equal([422, 422, 422]);
    });
  });

  describe('have one set-up link', () => {
    const account = (username: string) => ({ username, password: 'correct horse', email: '' });
    const linkOf = (index: number): string => `/accounts/setup/?token=${node(index).service().setup.token() ?? ''}`;

    it('that works on any node until it is used', async () => {
      const link = linkOf(0);
      expect([linkOf(1), linkOf(2)]).to.deep.equal([link, link]);
      const form = await browser.to(1).get(link);
      expect(await browser.to(2).submit(form, account('root'))).to.include({ status: 302, location: '/' });
      for (let index = 0; index < NODE_COUNT; index += 1)
        expect((await roamingBrowser().to(index).get(link)).status).to.equal(404);
      expect(await isLoggedIn(browser.to(0))).to.equal(true);
    });

    it('that creates one administrator, even if it is used on several nodes at the same time', async () => {
      const rivals = await Promise.all(
        cluster.nodes.map(async (_, index) => {
          const rival = roamingBrowser().to(index);
          return { rival, form: await rival.get(linkOf(index)), username: `root${index}` };
        }),
      );
      const responses = await Promise.all(
        rivals.map(({ rival, form, username }) => rival.submit(form, account(username))),
      );
      expect(sortedStatuses(responses)).to.deep.equal([302, 404, 404]);
      cluster.deliver();
      const accounts = node(0).service().projections.users.all();
      expect(accounts.map(({ roles }) => roles)).to.deep.equal([[], ['administrator']]);
    });
  });

  it('create the configured administrator only once, even if they start at the same time', async () => {
    const admin = { username: 'root', password: 'the password of root' };
    await Promise.all(cluster.nodes.map((target) => createFirstAdministrator({ admin }, target.service())));
    for (const target of cluster.nodes) await createFirstAdministrator({ admin }, target.service());
    const roles = node(0)
      .service()
      .projections.users.all()
      .map((user) => user.roles);
    expect(roles).to.deep.equal([[], ['administrator']]);
  });

  describe('enforce limits', () => {
    beforeEach(async () => {
      await cluster.close();
      await start({ limits: SMALL_LIMITS, settings: { trustedProxies: 1, signup: 'open' } });
    });

    const forwardedFor = (address: string): Readonly<Record<string, string>> => ({ 'x-forwarded-for': address });
    const logIn = async (index: number, address: string, password: string): Promise<Page> =>
      node(index).browser(forwardedFor(address)).logIn('ada', password);

    it('together on incorrect passwords for an account, but admit its user from a known address', async () => {
      expect((await logIn(0, '192.0.2.1', ada.password)).status).to.equal(302);
      cluster.bus.deliver();
      for (let attempt = 0; attempt < SMALL_LIMITS['password-by-account'].max; attempt += 1) {
        expect((await logIn(attempt % NODE_COUNT, `198.51.100.${attempt}`, 'wrong')).status).to.equal(422);
        cluster.bus.deliver();
      }
      for (let index = 0; index < NODE_COUNT; index += 1)
        expect((await logIn(index, '203.0.113.9', ada.password)).status, `node ${index}`).to.equal(429);
      for (let index = 0; index < NODE_COUNT; index += 1)
        expect((await logIn(index, '192.0.2.1', ada.password)).status, `node ${index}, known address`).to.equal(302);
    });

    it('separately while they receive no messages', async () => {
      const { max } = SMALL_LIMITS['password-by-account-and-place'];
      for (let index = 0; index < NODE_COUNT; index += 1) {
        for (let attempt = 0; attempt < max; attempt += 1)
          expect((await logIn(index, '198.51.100.1', 'wrong')).status).to.equal(422);
        expect((await logIn(index, '198.51.100.1', 'wrong')).status).to.equal(429);
      }
    });

    it('together on sign-ups from an address', async () => {
      const signUp = async (index: number, username: string): Promise<Page> => {
        const visitor = node(index).browser(forwardedFor('192.0.2.7'));
        const password = 'a few unrelated words';
        return visitor.submit(await visitor.get('/accounts/signup/'), { username, password, email: '' });
      };
      for (let attempt = 0; attempt < SMALL_LIMITS['sign-up-by-address'].max; attempt += 1) {
        expect((await signUp(attempt % NODE_COUNT, `new${attempt}`)).status).to.equal(302);
        cluster.bus.deliver();
      }
      expect((await signUp(2, 'another')).status).to.equal(429);
    });

    it("together on a client's tokens", async () => {
      const client = await node(0).addClient();
      const request = (index: number) => node(index).token(client, { grant_type: 'client_credentials' });
      for (let attempt = 0; attempt < SMALL_LIMITS['tokens-by-client'].max; attempt += 1) {
        expect((await request(attempt % NODE_COUNT)).status).to.equal(200);
        cluster.bus.deliver();
      }
      for (let index = 0; index < NODE_COUNT; index += 1)
        expect((await request(index)).status, `node ${index}`).to.equal(429);
      cluster.clock.advance(SMALL_LIMITS['tokens-by-client'].windowSeconds);
      for (let index = 0; index < NODE_COUNT; index += 1) {
        expect((await request(index)).status, `node ${index}, later`).to.equal(200);
        cluster.deliver();
      }
    });
  });

  describe('explain a refusal', () => {
    it("on every node and on the application's page, after the nodes have exchanged messages", async () => {
      const client = await node(0).addClient({ owner: 'ada', name: 'Engine' });
      const refusal = await node(1).token(client, { grant_type: 'authorization_code', code: 'nonsense' });
      expect(refusal.status).to.equal(400);
      const id = refusal.headers.get('x-request-id') ?? expect.fail();
      cluster.bus.deliver();
      const [firstExplanation, ...otherExplanations] = cluster.nodes.map((target) =>
        target.service().explanations.find(id),
      );
      expect(firstExplanation).to.include({ clientId: client.id, isProven: true });
      for (const explanation of otherExplanations) expect(explanation).to.deep.equal(firstExplanation);
      await browser.logIn(ada.username, ada.password);
      const page = await browser.to(2).get(`/o/applications/${client.id}/refusals/`);
      expect(page.html).to.include(id);
    });
  });

  /** A browser with the same cookies, whose requests go to one node. */
  function browserWithSameCookies(index: number): BrowserSession {
    return browserSession(() => node(index).origin(), { cookie: cookieOf(browser) });
  }
});
