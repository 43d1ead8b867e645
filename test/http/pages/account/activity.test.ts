import { expect } from 'chai';
import { createActivityDescriber } from '../../../../src/audit/queries/own-activity.ts';
import type { EpochSeconds } from '../../../../src/domain/values.ts';
import type { Position } from '../../../../src/event-store/event-log.ts';
import { authorizePath } from '../../../support/authorize-requests.ts';
import type { BrowserSession, Page } from '../../../support/browser-session.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../../../support/running-service.ts';
import { expectAccessToken, allowExchange, exchangeForToken } from '../../../support/token-exchange.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe("A user's activity page", () => {
  let running: RunningService;
  let ada: TestUser;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    ada = await running.addUser('ada');
    running.clock.advance(3_600);
    browser = running.browser({ 'user-agent': FIREFOX });
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  const user = (name: string) => running.service().projections.users.findByName(name) ?? expect.fail();
  const textOf = (html: string): string =>
    html
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  /** Returns the text of each entry, without markup. */
  const entriesOf = ({ html }: Page): readonly string[] =>
    (/<ol class="activity">[\s\S]*<\/ol>/.exec(html)?.[0] ?? '').split('<h2>').slice(1).map(textOf);
  const readEntries = async (query = '', userBrowser = browser): Promise<readonly string[]> =>
    entriesOf(await userBrowser.get(`/accounts/activity/${query}`));

  async function authorize(client: TestClient, userBrowser: BrowserSession, scope = 'read'): Promise<string> {
    const { location } = await userBrowser.submit(await userBrowser.get(authorizePath(client, { scope })), {
      allow: 'Authorize',
    });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const answer = await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    return String(answer.json?.['refresh_token']);
  }

  it('describes events in sentences, newest first', async () => {
    await running.service().accounts.changeRoles(user('ada'), ['auditor'], OPERATOR);
    const entries = await readEntries();
    expect(entries).to.have.length(3);
    expect(entries[0]).to.include('The operator changed your roles to: auditor just now');
    expect(entries[1]).to.include('You logged in with a password, in Firefox on Linux just now');
    expect(entries[1]).to.include('Still logged in');
    expect(entries[2]).to.match(/^The operator created your account 1 hour ago/);
  });

  it('shows a login to an application and the access that the application got as one entry', async () => {
    const client = await running.addClient({ name: 'Demo' });
    const otherBrowser = running.browser({ 'user-agent': FIREFOX });
    await otherBrowser.logIn(ada.username, ada.password);
    let refresh_token = await authorize(client, otherBrowser);
    for (let count = 0; count < 2; count += 1) {
      running.clock.advance(60);
      const answer = await running.token(client, { grant_type: 'refresh_token', refresh_token });
      refresh_token = String(answer.json?.['refresh_token']);
    }
    running.clock.advance(300);
    const [newestEntry = '', ...otherEntries] = await readEntries();
    expect(newestEntry).to.include('You logged in to Demo with a password, in Firefox on Linux 7 minutes ago');
    expect(newestEntry).to.match(/Permissions: \w/);
    expect(newestEntry).to.include('It got a new access token 3 times, most recently 5 minutes ago');
    expect(newestEntry).to.include('See or revoke its access');
    expect(otherEntries).to.have.length(2);
  });

  it('links to the access of an application only after it has redeemed its code', async () => {
    const client = await running.addClient({ name: 'Demo' });
    const { location } = await browser.submit(await browser.get(authorizePath(client)), { allow: 'Authorize' });
    const path = `/o/authorized_tokens/applications/${client.id}/`;
    const [newestEntry] = await readEntries();
    expect(newestEntry).to.include('You logged in to Demo').and.not.include('See or revoke');
    expect((await browser.get('/accounts/activity/')).html).not.to.include(path);
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    expect((await browser.get('/accounts/activity/')).html).to.include(`href="${path}"`);
    expect((await browser.get(path)).status).to.equal(200);
  });

  it('shows how access and sessions ended', async () => {
    const client = await running.addClient({ name: 'Demo' });
    running.clock.advance(1_200);
    await authorize(client, browser);
    await browser.submit(
      await browser.get('/o/authorized_tokens/'),
      {},
      `/o/authorized_tokens/applications/${client.id}/revoke/`,
    );
    await browser.submit(await browser.get('/accounts/'), {}, '/accounts/logout/');
    await browser.logIn(ada.username, ada.password);
    const [, authorizationEntry, loginEntry] = await readEntries();
    expect(authorizationEntry)
      .to.include('You gave Demo access to your account')
      .and.include('You revoked its access just now');
    expect(authorizationEntry).not.to.include('See or revoke');
    expect(loginEntry).to.include('You logged out just now').and.not.include('Still logged in');
  });

  it('shows which application access was passed on to, while that access is valid', async () => {
    const web = await running.addClient({ name: 'Assistant' });
    const tool = await running.addClient({ name: 'Tool', grantTypes: ['token-exchange'], redirectUris: [] });
    await allowExchange(running, tool, web);
    const code = await running.authorize(web, ada, { scope: 'read' });
    const redemption = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    const access = expectAccessToken(await running.token(web, redemption));
    await exchangeForToken(running, tool, access, { scope: 'read' });
    const text = async () => (await readEntries()).join(' ');
    expect(await text()).to.match(/Assistant passed access on to Tool , for read\. It ends/);
    await running.post('/o/revoke_token/', { token: access }, { authorization: web.basic });
    expect(await text())
      .to.include('Assistant')
      .and.to.not.include('passed access on');
  });

  it('does not name the administrator who changed the account', async () => {
    const root = { username: 'root', password: 'the password of root' };
    await running.service().accounts.register({ ...root, roles: ['administrator'] }, OPERATOR);
    const context = { actor: { kind: 'user', id: user('root').userId }, requestId: null } as const;
    await running.service().accounts.disable(user('ada'), context);
    await running.service().accounts.enable(user('ada'), context);
    const otherBrowser = running.browser();
    await otherBrowser.logIn(ada.username, ada.password);
    const { html } = await otherBrowser.get('/accounts/activity/');
    expect(html).to.include('An administrator disabled your account').and.not.include('root');
  });

  it('is filtered by kind, and keeps the filter from page to page', async () => {
    await authorize(await running.addClient({ name: 'Demo' }), browser);
    for (let count = 0; count < 25; count += 1) {
      await running.service().accounts.logOutEverywhere(user('ada'), OPERATOR);
    }
    await browser.logIn(ada.username, ada.password);
    expect(await readEntries('?type=login')).to.have.length(2);
    expect(await readEntries('?type=application')).to.have.length(1);
    const firstPage = await browser.get('/accounts/activity/?type=account');
    expect(entriesOf(firstPage)).to.have.length(20);
    const nextPath = /href="([^"]+)" rel="next"/.exec(firstPage.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(entriesOf(await browser.get(nextPath))).to.have.length(6);
  });

  it('shows nothing about other users', async () => {
    const bob = await running.addUser('bob');
    const bobsBrowser = running.browser();
    await bobsBrowser.logIn(bob.username, bob.password);
    await authorize(await running.addClient({ name: 'App of Bob', owner: 'bob' }), bobsBrowser);
    await bobsBrowser.submit(await bobsBrowser.get('/accounts/'), {}, '/accounts/logout/everywhere/');
    const { html } = await browser.get('/accounts/activity/');
    expect(html).not.to.match(/bob/i);
    expect(await readEntries()).to.have.length(2);
  });

  it('links to events only for auditors', async () => {
    expect((await browser.get('/accounts/activity/')).html).not.to.include('/audit/events/');
    await running.service().accounts.changeRoles(user('ada'), ['auditor'], OPERATOR);
    const [, href = ''] = /href="(\/audit\/events\/\d+\/)"/.exec((await browser.get('/accounts/activity/')).html) ?? [];
    expect((await browser.get(href)).status).to.equal(200);
  });

  it('reads a bounded part of the log, however often a grant has been refreshed', async () => {
    const client = await running.addClient({ name: 'Demo' });
    let refresh_token = await authorize(client, browser);
    for (let count = 0; count < 120; count += 1) {
      const answer = await running.token(client, { grant_type: 'refresh_token', refresh_token });
      refresh_token = String(answer.json?.['refresh_token']);
    }
    const { log, projections } = running.service();
    let eventsRead = 0;
    const countingLog = {
      ...log,
      async *readBackwards(start: Position) {
        for await (const events of log.readBackwards(start)) {
          eventsRead += events.length;
          yield events;
        }
      },
      async *readStreamBackwards(stream: string) {
        for await (const events of log.readStreamBackwards(stream)) {
          eventsRead += events.length;
          yield events;
        }
      },
    };
    const describeEntries = createActivityDescriber({ ...projections, log: countingLog, unseal: () => undefined });
    const { userId } = user('ada');
    const entries = [...projections.userActivity.listByUser(userId)];
    const descriptions = await describeEntries(userId, entries, 0 as EpochSeconds, {
      describeScope: (name) => ({ description: name }),
      describeDetails: () => [],
    });
    const details = descriptions.flatMap((description) => description.details.map(({ text }) => text.key));
    expect(details).to.include('activity.many-tokens').and.not.include('activity.tokens');
    expect(eventsRead).to.be.lessThan(500).and.lessThan(Number(log.head()));
  });
});
