import { expect } from 'chai';
import type { BrowserSession, Page } from '../../../support/browser-session.ts';
import { authorizePath, openSession } from '../../../support/authorize-requests.ts';
import { openSessionAs } from '../../../support/audit-pages.ts';
import {
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../../../support/running-service.ts';
import {
  allowExchange,
  exchange,
  exchangeForToken,
  introspect,
  ownToken,
  userTokens,
} from '../../../support/token-exchange.ts';

const GRANT_TYPES = ['authorization-code', 'password', 'client-credentials', 'token-exchange'] as const;
const PATH = '/audit/blast-radius/';
const extractText = (html: string): string => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const countRows = ({ html }: Page): number => html.match(/<tr role="row">/g)?.length ?? 0;

describe('The blast radius', () => {
  let running: RunningService;
  let ada: TestUser;
  let auditor: BrowserSession;
  let administrator: BrowserSession;
  let [web, api, tool]: readonly TestClient[] = [];

  beforeEach(async () => {
    running = await runningService();
    ada = await running.addUser('ada');
    web = await running.addClient({ name: 'Web', grantTypes: GRANT_TYPES });
    api = await running.addClient({ name: 'Api', grantTypes: GRANT_TYPES });
    tool = await running.addClient({ name: 'Tool', grantTypes: GRANT_TYPES });
    await allowExchange(running, client(api), client(web));
    await allowExchange(running, client(tool), client(api));
    auditor = await openSessionAs(running, 'auditor', 'auditor');
    administrator = await openSessionAs(running, 'admin', 'administrator');
  });
  afterEach(() => running.close());

  const client = (testClient: TestClient | undefined): TestClient => testClient ?? expect.fail('no client');
  const isActive = async (token: string): Promise<boolean> =>
    (await introspect(running, client(web), token))['active'] === true;

  /**
   * Makes Api exchange the token that Web got for Ada, with Api as the actor, and Tool exchange the resulting token.
   */
  async function exchangeTwice() {
    const root = await userTokens(running, client(web), ada, { scope: 'read write' });
    const actor = await ownToken(running, client(api), { scope: 'read write' });
    const apiToken = await exchangeForToken(running, client(api), root.access, { actor });
    const toolToken = await exchangeForToken(running, client(tool), apiToken, { scope: 'read' });
    return { root, actor, apiToken, toolToken };
  }

  /** Submits the token in the form, and follows the redirect. */
  async function findByToken(browser: BrowserSession, token: string): Promise<Page & { readonly pagePath: string }> {
    const form = await browser.get(PATH);
    const { status, location } = await browser.submit(form, { source_kind: 'token', source: token }, PATH);
    expect(status).to.equal(302);
    const pagePath = location ?? '';
    return { ...(await browser.get(pagePath)), pagePath };
  }

  /** Ends everything in the list, and returns the result page. */
  async function endEverything(page: Page): Promise<Page> {
    const [, href = ''] = /href="([^"]+)">End everything…/.exec(page.html) ?? [];
    const confirmation = await administrator.get(href.replaceAll('&amp;', '&'));
    expect(confirmation.status).to.equal(200);
    const { location } = await administrator.submit(confirmation, {});
    return administrator.get(location ?? '');
  }

  it('is found by a pasted token, even an expired one, and no URL contains the token', async () => {
    const { root, apiToken } = await exchangeTwice();
    for (const token of [root.access, root.refresh]) {
      const { pagePath, html } = await findByToken(auditor, token);
      expect(pagePath).to.match(/^\/audit\/blast-radius\/\?grant=[\w-]{22}$/);
      expect(html).not.to.include(token);
      expect(extractText(html)).to.match(/3 grants with 3 access tokens +for 3 applications and 1 user/);
    }
    expect(countRows(await findByToken(auditor, apiToken))).to.equal(1 + 2);
    running.clock.advance(36_001);
    const laterPage = await findByToken(auditor, apiToken);
    expect(extractText(laterPage.html)).to.include('No valid grants');
    // The refresh token of the root grant is still valid.
    expect(countRows(await findByToken(auditor, root.access))).to.equal(1 + 1);
  });

  it('of a token that was never issued is not found, and an empty form is refused', async () => {
    for (const source of ['x', '', 'x'.repeat(20_000)]) {
      const { status, html } = await auditor.submit(await auditor.get(PATH), { source_kind: 'token', source }, PATH);
      expect(status).to.equal(422);
      expect(html).not.to.include('xxx');
    }
  });

  it('of an application is found by its id or name, and all ids are shown if the name is ambiguous', async () => {
    const search = async (fields: Readonly<Record<string, string>>) =>
      auditor.submit(await auditor.get(PATH), fields, PATH);
    const { id } = client(web);
    for (const source of [id, 'Web'])
      expect((await search({ source_kind: 'client', source })).location).to.equal(`${PATH}?client=${id}`);
    const earlierSearch = await search({ source_kind: 'client', source: 'Web', position: '3' });
    expect(earlierSearch.location).to.equal(`${PATH}?client=${id}&position=3`);
    const redirect = await auditor.get(`${PATH}?client=Web&position=3`);
    expect(redirect.location).to.equal(`${PATH}?client=${id}&position=3`);
    const namesake = await running.addClient({ name: 'Web' });
    const ambiguousPage = await search({ source_kind: 'client', source: 'Web' });
    expect(ambiguousPage.status).to.equal(422);
    expect(extractText(ambiguousPage.html))
      .to.match(/Did you mean \S+ or \S+\?/)
      .and.include(namesake.id)
      .and.include(id);
  });

  it('of a grant or a session is found by its stream', async () => {
    const { root } = await exchangeTwice();
    const { pagePath } = await findByToken(auditor, root.access);
    const stream = `grant-${pagePath.split('=')[1] ?? ''}`;
    const form = await auditor.get(PATH);
    expect((await auditor.submit(form, { source_kind: 'grant', source: stream }, PATH)).location).to.equal(pagePath);
    const session = (await running.events()).findLast(({ stream: name }) => name.startsWith('session-'))?.stream ?? '';
    expect((await auditor.submit(form, { source_kind: 'session', source: session }, PATH)).location).to.equal(
      `${PATH}?session=${session.slice('session-'.length)}`,
    );
  });

  it('is not found with invalid input, and the form explains the error', async () => {
    const invalidInputs = [
      { fields: { source_kind: 'planet', source: 'x' }, message: 'Choose what leaked.' },
      { fields: { source_kind: 'client', source: '' }, message: 'Enter the name or the client id of the application.' },
      {
        fields: { source_kind: 'client', source: 'x'.repeat(5_000) },
        message: 'The log has no application with this id.',
      },
      { fields: { source_kind: 'key', source: 'k1' }, message: 'The log has no key with this id.' },
      { fields: { source_kind: 'grant', source: 'short' }, message: 'A grant id has 22 characters.' },
      { fields: { source_kind: 'token', source: 'x', position: 'y' }, message: 'Enter the number of an event' },
      { fields: { source_kind: 'token', source: 'x', time: 'y'.repeat(5_000) }, message: 'Enter a time such as' },
    ];
    for (const { fields, message } of invalidInputs) {
      const { status, html } = await auditor.submit(await auditor.get(PATH), fields, PATH);
      expect(status, message).to.equal(422);
      expect(extractText(html)).to.include(message);
    }
  });

  it('can be ended by an administrator, who confirms its size first, and is shown afterwards', async () => {
    const { root, apiToken, toolToken, actor } = await exchangeTwice();
    const list = await findByToken(administrator, root.access);
    const [, href = ''] = /href="([^"]+)">End everything…/.exec(list.html) ?? [];
    const confirmation = extractText((await administrator.get(href)).html);
    expect(confirmation).to.include(
      '3 grants with 3 access tokens, including 2 grants from token exchanges, for 3 applications and 1 user.',
    );
    expect(await isActive(toolToken)).to.equal(true);
    const resultPage = await endEverything(list);
    expect(extractText(resultPage.html)).to.include('Ended 3 grants with 3 access tokens.');
    expect(resultPage.html.match(/badge--danger">ended/g)).to.have.length(3);
    for (const token of [root.access, apiToken, toolToken]) expect(await isActive(token)).to.equal(false);
    expect(await isActive(actor)).to.equal(true);
    expect((await exchange(running, client(tool), apiToken)).status).to.equal(400);
    const revocations = (await running.events()).filter(({ type }) => type === 'GrantRevoked');
    expect(revocations.map(({ actor: endingActor }) => endingActor.kind)).to.deep.equal(['user']);
  });

  it('of an application is ended and its secret is replaced, and the new secret is shown', async () => {
    const { root, apiToken, toolToken, actor } = await exchangeTwice();
    const oldClient = client(api);
    const resultPage = await endEverything(await administrator.get(`${PATH}?client=${oldClient.id}`));
    const [, secret = ''] = /id="client-secret"[^>]*>([^<]+)</.exec(resultPage.html) ?? [];
    expect(extractText(resultPage.html)).to.include('The client secret was replaced.');
    for (const token of [apiToken, toolToken, actor]) expect(await isActive(token)).to.equal(false);
    expect(await isActive(root.access)).to.equal(true);
    expect((await running.token(oldClient, { grant_type: 'client_credentials' })).status).to.equal(401);
    await ownToken(running, {
      ...oldClient,
      basic: `Basic ${Buffer.from(`${oldClient.id}:${secret}`).toString('base64')}`,
    });
  });

  it('that contains nothing valid offers only to replace the client secret, if there is one', async () => {
    const germanBrowser = running.browser({ 'accept-language': 'de' });
    await germanBrowser.logIn('admin', "admin's password");
    const { id } = client(tool);
    const path = `${PATH}?client=${id}`;
    expect((await administrator.get(path)).html).to.include('>Replace the client secret…<');
    expect(extractText((await germanBrowser.get(path)).html))
      .to.include('Client-Secret ersetzen …')
      .and.not.include('Alles beenden');
    const { html } = await administrator.get(`${PATH}end/?client=${id}`);
    expect(extractText(html)).to.include('Replace the client secret of Tool?').and.not.include('End everything');
    const phoneClient = await running.addClient({
      name: 'Phone',
      clientType: 'public',
      grantTypes: ['authorization-code'],
    });
    expect((await administrator.get(`${PATH}?client=${phoneClient.id}`)).html).to.not.include(`${PATH}end/`);
  });

  it('of an application is ended with only one new secret, even if the form is submitted twice', async () => {
    const confirmation = await administrator.get(`${PATH}end/?client=${client(api).id}`);
    const secrets: (string | undefined)[] = [];
    for (let times = 0; times < 2; times += 1) {
      const { location } = await administrator.submit(confirmation, {});
      secrets.push(/id="client-secret"[^>]*>([^<]+)</.exec((await administrator.get(location ?? '')).html)?.[1]);
    }
    expect(secrets[0]).to.be.a('string');
    expect(secrets[1]).to.equal(secrets[0]);
    await administrator.submit(await administrator.get(`${PATH}end/?client=${client(api).id}`), {});
    expect((await administrator.submit(confirmation, {})).status, 'an outdated form').to.equal(409);
  });

  it('of a session contains the grants that were authorized in it, and is ended with the session', async () => {
    const browser = await openSession(running, ada);
    const consentPage = await browser.get(authorizePath(client(web), { scope: 'read' }));
    await browser.submit(consentPage, { allow: 'Authorize' });
    const usersPage = await administrator.get('/admin/users/?q=ada');
    const [, path = ''] = /href="(\/admin\/users\/\d+\/)"/.exec(usersPage.html) ?? [];
    const sessionsPage = await administrator.get(`${path}sessions/`);
    const [, href = ''] = /href="(\/audit\/blast-radius\/\?session=[^"]+)"/.exec(sessionsPage.html) ?? [];
    const list = await administrator.get(href);
    expect(countRows(list)).to.equal(1 + 1);
    expect(extractText((await endEverything(list)).html)).to.include('The session was ended.');
    expect((await browser.get('/accounts/')).status).to.equal(302);
  });

  it('can be shown at an earlier time, but not ended at that time', async () => {
    const { root } = await exchangeTwice();
    const position = running.log.head();
    const list = await findByToken(administrator, root.access);
    await endEverything(list);
    const { html, status } = await administrator.get(`${list.pagePath}&position=${position}`);
    expect(status).to.equal(200);
    expect(html.match(/badge--danger">ended/g)).to.have.length(3);
    expect(html).not.to.include('End everything');
    expect((await administrator.get(`${list.pagePath.replace('?', 'end/?')}&position=1`)).status).to.equal(404);
    expect(countRows(await administrator.get(list.pagePath))).to.equal(0);
  });

  it('can be viewed by auditors, who cannot end it, and not by other users', async () => {
    const { root } = await exchangeTwice();
    const list = await findByToken(auditor, root.access);
    expect(list.html).not.to.include('End everything');
    const endPath = list.pagePath.replace('?', 'end/?');
    expect((await auditor.get(endPath)).status).to.equal(403);
    expect((await auditor.submit(list, {}, endPath)).status).to.equal(403);
    expect(await isActive(root.access)).to.equal(true);
    const ordinaryUser = await openSession(running, ada);
    for (const path of [PATH, list.pagePath, endPath]) expect((await ordinaryUser.get(path)).status).to.equal(403);
    expect((await running.browser().get(list.pagePath)).status).to.equal(302);
  });

  it('is split into pages that show the totals', async () => {
    for (let count = 0; count < 60; count += 1) await ownToken(running, client(api));
    const pagePath = `${PATH}?client=${client(api).id}`;
    const firstPage = await auditor.get(pagePath);
    expect(countRows(firstPage)).to.equal(1 + 50);
    expect(extractText(firstPage.html)).to.include('60 grants with 60 access tokens');
    const [, next = ''] = /href="([^"]+)" rel="next"/.exec(firstPage.html) ?? [];
    const secondPage = await auditor.get(next.replaceAll('&amp;', '&'));
    expect(countRows(secondPage)).to.equal(1 + 10);
  });

  it('is not found with an invalid query, and the page explains the error', async () => {
    const invalidInputs = [
      { query: 'client=a&key=b', message: 'Enter only one source.' },
      { query: 'grant=short', message: 'A grant id has 22 characters.' },
      { query: 'client=a&time=never', message: 'Enter a time such as' },
      { query: 'client=a&time=2026-01-01&position=1', message: 'not both' },
      { query: 'client=nobody', message: 'The log has no application with this id.' },
      { query: `grant=${'A'.repeat(22)}`, message: 'The log has no grant with this id.' },
      { query: 'key=k1', message: 'The log has no key with this id.' },
      { query: 'session=x', message: 'The log has no session with this id.' },
      { query: 'client=a&position=999999', message: 'Enter the number of an event, from 1 to ' },
    ];
    for (const { query, message } of invalidInputs) {
      const { status, html } = await auditor.get(`${PATH}?${query}`);
      expect(status, query).to.equal(422);
      expect(extractText(html)).to.include(message);
    }
    for (const path of [
      'end/',
      'end/?client=a&key=b',
      'end/?grant=short',
      'end/?client=nobody',
      'ended/nobody/1/page/',
      `ended/${client(api).id}/999999/page/`,
    ])
      expect((await administrator.get(`${PATH}${path}`)).status, path).to.equal(404);
  });
});
