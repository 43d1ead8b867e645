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
const textIn = (html: string): string => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const rowsIn = ({ html }: Page): number => html.match(/<tr role="row">/g)?.length ?? 0;

describe('The blast radius of a leak', () => {
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

  /** Api exchanges Ada's token of Web, with Api as the actor, and Tool exchanges the new token. */
  async function exchangeTwice() {
    const root = await userTokens(running, client(web), ada, { scope: 'read write' });
    const actor = await ownToken(running, client(api), { scope: 'read write' });
    const one = await exchangeForToken(running, client(api), root.access, { actor });
    const two = await exchangeForToken(running, client(tool), one, { scope: 'read' });
    return { root, actor, one, two };
  }

  /** Pastes the token, and follows the redirect. */
  async function find(browser: BrowserSession, token: string): Promise<Page & { readonly pagePath: string }> {
    const form = await browser.get(PATH);
    const { status, location } = await browser.submit(form, { source_kind: 'token', source: token }, PATH);
    expect(status).to.equal(302);
    const pagePath = location ?? '';
    return { ...(await browser.get(pagePath)), pagePath };
  }

  /** Ends everything in the list, and returns the page that shows the result. */
  async function end(page: Page): Promise<Page> {
    const [, href = ''] = /href="([^"]+)">End all of it…/.exec(page.html) ?? [];
    const confirmation = await administrator.get(href.replaceAll('&amp;', '&'));
    expect(confirmation.status).to.equal(200);
    const { location } = await administrator.submit(confirmation, {});
    return administrator.get(location ?? '');
  }

  it('is found with a pasted token, even an expired one, and no URL contains the token', async () => {
    const { root, one } = await exchangeTwice();
    for (const token of [root.access, root.refresh]) {
      const { pagePath, html } = await find(auditor, token);
      expect(pagePath).to.match(/^\/audit\/blast-radius\/\?grant=[\w-]{22}$/);
      expect(html).not.to.include(token);
      expect(textIn(html)).to.match(/3 grants with 3 access tokens ?, of 3 applications and 1 user/);
    }
    expect(rowsIn(await find(auditor, one))).to.equal(1 + 2);
    running.clock.advance(36_001);
    const laterPage = await find(auditor, one);
    expect(textIn(laterPage.html)).to.include('Nothing that is valid');
    // the refresh token of the root is still valid
    expect(rowsIn(await find(auditor, root.access))).to.equal(1 + 1);
  });

  it('of a token that was never issued is not found, and an empty form is refused', async () => {
    for (const source of ['x', '', 'x'.repeat(20_000)]) {
      const { status, html } = await auditor.submit(await auditor.get(PATH), { source_kind: 'token', source }, PATH);
      expect(status).to.equal(422);
      expect(html).not.to.include('xxx');
    }
  });

  it('of an application is found by its id or name, and all ids are shown if several have the name', async () => {
    const ask = async (fields: Readonly<Record<string, string>>) =>
      auditor.submit(await auditor.get(PATH), fields, PATH);
    const { id } = client(web);
    for (const source of [id, 'Web'])
      expect((await ask({ source_kind: 'client', source })).location).to.equal(`${PATH}?client=${id}`);
    const earlier = await ask({ source_kind: 'client', source: 'Web', position: '3' });
    expect(earlier.location).to.equal(`${PATH}?client=${id}&position=3`);
    const redirect = await auditor.get(`${PATH}?client=Web&position=3`);
    expect(redirect.location).to.equal(`${PATH}?client=${id}&position=3`);
    const namesake = await running.addClient({ name: 'Web' });
    const ambiguousPage = await ask({ source_kind: 'client', source: 'Web' });
    expect(ambiguousPage.status).to.equal(422);
    expect(textIn(ambiguousPage.html))
      .to.match(/Perhaps you mean \S+ or \S+\./)
      .and.include(namesake.id)
      .and.include(id);
  });

  it('of a grant or a session is found by its stream', async () => {
    const { root } = await exchangeTwice();
    const { pagePath } = await find(auditor, root.access);
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
      expect(textIn(html)).to.include(message);
    }
  });

  it('is ended by an administrator after a page that states its numbers, and shown afterwards', async () => {
    const { root, one, two, actor } = await exchangeTwice();
    const list = await find(administrator, root.access);
    const [, href = ''] = /href="([^"]+)">End all of it…/.exec(list.html) ?? [];
    const confirmation = textIn((await administrator.get(href)).html);
    expect(confirmation).to.include('3 grants with 3 access tokens end at once: 2 exchanges, 3 applications, 1 user.');
    expect(await isActive(two)).to.equal(true);
    const resultPage = await end(list);
    expect(textIn(resultPage.html)).to.include('Ended 3 grants with 3 access tokens.');
    expect(resultPage.html.match(/badge--danger">ended/g)).to.have.length(3);
    for (const token of [root.access, one, two]) expect(await isActive(token)).to.equal(false);
    expect(await isActive(actor)).to.equal(true);
    expect((await exchange(running, client(tool), one)).status).to.equal(400);
    const revocations = (await running.events()).filter(({ type }) => type === 'GrantRevoked');
    expect(revocations.map(({ actor: endingActor }) => endingActor.kind)).to.deep.equal(['user']);
  });

  it('of an application is ended together with its secret, and the new secret is shown', async () => {
    const { root, one, two, actor } = await exchangeTwice();
    const oldClient = client(api);
    const resultPage = await end(await administrator.get(`${PATH}?client=${oldClient.id}`));
    const [, secret = ''] = /id="client-secret"[^>]*>([^<]+)</.exec(resultPage.html) ?? [];
    expect(textIn(resultPage.html)).to.include('The client secret was replaced.');
    for (const token of [one, two, actor]) expect(await isActive(token)).to.equal(false);
    expect(await isActive(root.access)).to.equal(true);
    expect((await running.token(oldClient, { grant_type: 'client_credentials' })).status).to.equal(401);
    await ownToken(running, {
      ...oldClient,
      basic: `Basic ${Buffer.from(`${oldClient.id}:${secret}`).toString('base64')}`,
    });
  });

  it('with nothing valid in it offers only what can still be stopped, if anything', async () => {
    const german = running.browser({ 'accept-language': 'de' });
    await german.logIn('admin', "admin's password");
    const { id } = client(tool);
    const path = `${PATH}?client=${id}`;
    expect((await administrator.get(path)).html).to.include('>Replace the client secret…<');
    expect(textIn((await german.get(path)).html))
      .to.include('Client-Secret ersetzen …')
      .and.not.include('Alles beenden');
    const { html } = await administrator.get(`${PATH}end/?client=${id}`);
    expect(textIn(html)).to.include('Replace the client secret of Tool?').and.not.include('End all of it');
    const phone = await running.addClient({ name: 'Phone', clientType: 'public', grantTypes: ['authorization-code'] });
    expect((await administrator.get(`${PATH}?client=${phone.id}`)).html).to.not.include(`${PATH}end/`);
  });

  it('of an application is ended with one new secret, even if the form is sent twice', async () => {
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
    const consent = await browser.get(authorizePath(client(web), { scope: 'read' }));
    await browser.submit(consent, { allow: 'Authorize' });
    const users = await administrator.get('/admin/users/?q=ada');
    const [, path = ''] = /href="(\/admin\/users\/\d+\/)"/.exec(users.html) ?? [];
    const sessions = await administrator.get(`${path}sessions/`);
    const [, href = ''] = /href="(\/audit\/blast-radius\/\?session=[^"]+)"/.exec(sessions.html) ?? [];
    const list = await administrator.get(href);
    expect(rowsIn(list)).to.equal(1 + 1);
    expect(textIn((await end(list)).html)).to.include('The session was ended.');
    expect((await browser.get('/accounts/')).status).to.equal(302);
  });

  it('can be shown at an earlier time, but not ended at that time', async () => {
    const { root } = await exchangeTwice();
    const position = running.log.head();
    const list = await find(administrator, root.access);
    await end(list);
    const { html, status } = await administrator.get(`${list.pagePath}&position=${position}`);
    expect(status).to.equal(200);
    expect(html.match(/badge--danger">ended/g)).to.have.length(3);
    expect(html).not.to.include('End all of it');
    expect((await administrator.get(`${list.pagePath.replace('?', 'end/?')}&position=1`)).status).to.equal(404);
    expect(rowsIn(await administrator.get(list.pagePath))).to.equal(0);
  });

  it('can be viewed by auditors, who cannot end it, and not by other users', async () => {
    const { root } = await exchangeTwice();
    const list = await find(auditor, root.access);
    expect(list.html).not.to.include('End all of it');
    const endPath = list.pagePath.replace('?', 'end/?');
    expect((await auditor.get(endPath)).status).to.equal(403);
    expect((await auditor.submit(list, {}, endPath)).status).to.equal(403);
    expect(await isActive(root.access)).to.equal(true);
    const ordinaryUser = await openSession(running, ada);
    for (const path of [PATH, list.pagePath, endPath]) expect((await ordinaryUser.get(path)).status).to.equal(403);
    expect((await running.browser().get(list.pagePath)).status).to.equal(302);
  });

  it('is split into pages, with its total numbers', async () => {
    for (let count = 0; count < 60; count += 1) await ownToken(running, client(api));
    const pagePath = `${PATH}?client=${client(api).id}`;
    const first = await auditor.get(pagePath);
    expect(rowsIn(first)).to.equal(1 + 50);
    expect(textIn(first.html)).to.include('60 grants with 60 access tokens');
    const [, next = ''] = /href="([^"]+)" rel="next"/.exec(first.html) ?? [];
    const second = await auditor.get(next.replaceAll('&amp;', '&'));
    expect(rowsIn(second)).to.equal(1 + 10);
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
      expect(textIn(html)).to.include(message);
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
