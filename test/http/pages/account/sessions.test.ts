import { expect } from 'chai';
import { audit } from '../../../../src/audit/rules/auditor.ts';
import { START } from '../../../../src/event-store/event-log.ts';
import { authorizePath } from '../../../support/authorize-requests.ts';
import { expectAccessToken, allowExchange, exchangeForToken } from '../../../support/token-exchange.ts';
import type { BrowserSession, Page } from '../../../support/browser-session.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../../../support/running-service.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 ' +
  'Mobile/15E148 Safari/604.1';
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The session list', () => {
  let running: RunningService;
  let ada: TestUser;
  let home: BrowserSession;
  let phone: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    ada = await running.addUser('ada');
    home = running.browser({ 'user-agent': FIREFOX });
    phone = running.browser({ 'user-agent': SAFARI });
    for (const browser of [home, phone]) await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  async function authorize(browser: BrowserSession, client: TestClient, scope: string): Promise<void> {
    const page = await browser.get(authorizePath(client, { scope }));
    const { location } = await browser.submit(page, { allow: 'Authorize' });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const answer = await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    expect(answer.status).to.equal(200);
  }

  /** Returns the text of each listed session, without markup. */
  const rowsOf = ({ html }: Page): readonly string[] =>
    [...html.matchAll(/<li class="row">([\s\S]*?)<\/li>/g)].map(([, row = '']) =>
      row.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
    );

  it('shows how and in which browser each session began', async () => {
    const [firstRow = '', secondRow = '', ...otherRows] = rowsOf(await home.get('/accounts/sessions/'));
    expect(firstRow).to.include('Firefox on Linux This browser').and.include('with a password');
    expect(secondRow).to.include('Safari on iOS').and.include('with a password');
    expect(otherRows).to.deep.equal([]);
  });

  it('shows which applications were authorized from each session, and whose access ends with it', async () => {
    const calendar = await running.addClient({ name: 'Calendar' });
    const notes = await running.addClient({ name: 'Notes' });
    await authorize(phone, calendar, 'openid read');
    await authorize(phone, notes, 'read');
    await authorize(home, notes, 'openid offline_access');
    const [firstRow, secondRow] = rowsOf(await home.get('/accounts/sessions/'));
    expect(firstRow).to.include('You authorized from here: Notes').and.not.include('ends the access');
    expect(secondRow).to.include('Calendar , Notes').and.include('also ends the access of Calendar');
  });

  it('shows which application passed on access from a session, and to which one, until it ends', async () => {
    const web = await running.addClient({ name: 'Web' });
    const grantTypes = ['token-exchange'] as const;
    const [api, tool] = [
      await running.addClient({ name: 'Api', grantTypes }),
      await running.addClient({ name: 'Tool', grantTypes }),
    ];
    await allowExchange(running, api, web);
    await allowExchange(running, tool, api);
    const page = await phone.get(authorizePath(web, { scope: 'read' }));
    const { location } = await phone.submit(page, { allow: 'Authorize' });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const redemption = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    const exchangedToken = await exchangeForToken(
      running,
      api,
      expectAccessToken(await running.token(web, redemption)),
    );
    for (let times = 0; times < 2; times += 1) await exchangeForToken(running, tool, exchangedToken);
    const [otherRow, row = ''] = rowsOf(await home.get('/accounts/sessions/'));
    expect(row.match(/\S+ passed access on to \S+/g)).to.deep.equal([
      'Web passed access on to Api',
      'Api passed access on to Tool',
    ]);
    expect(otherRow).not.to.include('passed access on');
    await running.post('/o/revoke_token/', { token: exchangedToken }, { authorization: api.basic });
    expect(rowsOf(await home.get('/accounts/sessions/'))[1]).not.to.include('passed access on');
  });

  it('is linked only from authorizations that end with a session', async () => {
    const [calendar, notes] = [
      await running.addClient({ name: 'Calendar' }),
      await running.addClient({ name: 'Notes' }),
    ];
    const openAuthorizationPage = async ({ id }: TestClient): Promise<string> =>
      (await home.get(`/o/authorized_tokens/applications/${id}/`)).html;
    await authorize(phone, calendar, 'openid read');
    expect(await openAuthorizationPage(calendar)).to.match(
      /ends with the <a href="\/accounts\/sessions\/">session<\/a>/,
    );
    running.clock.advance(60);
    await authorize(home, notes, 'read');
    expect(await openAuthorizationPage(notes)).not.to.include('ends with the <a');
  });

  it('ends one session with a button, and names the applications that lost access with it', async () => {
    const calendar = await running.addClient({ name: 'Calendar' });
    await authorize(phone, calendar, 'openid read');
    const page = await home.get('/accounts/sessions/');
    const endPaths = [...page.html.matchAll(/action="(\/accounts\/sessions\/[^"]+)"/g)].map(([, path = '']) => path);
    await home.submit(page, {}, endPaths[1]);
    expect((await phone.get('/accounts/')).status).to.equal(302);
    const resultPage = await home.get('/accounts/sessions/');
    expect(resultPage.html).to.include('and with it the access of Calendar.');
    expect(rowsOf(resultPage)).to.have.length(1);
    const [lastEvent] = (await running.events()).slice(-1);
    expect([lastEvent?.type, lastEvent?.data]).to.deep.equal([
      'SessionEnded',
      { userId: running.service().projections.users.findByName('ada')?.userId, reason: 'ended-by-user' },
    ]);
  });

  it('shows when each session was last used', async () => {
    running.clock.advance(3 * 3_600);
    await phone.get('/');
    running.clock.advance(2 * 3_600);
    const [firstRow, secondRow] = rowsOf(await home.get('/accounts/sessions/'));
    expect(firstRow).to.include('Last used just now').and.include('with a password 5 hours ago');
    expect(secondRow).to.include('Last used 2 hours ago').and.include('with a password 5 hours ago');
  });

  it('records only the first use of a session on each day after the first', async () => {
    const useEvents = async () => (await running.events()).filter(({ type }) => type === 'SessionUsed');
    for (let request = 0; request < 3; request += 1) await phone.get('/accounts/');
    expect(await useEvents()).to.deep.equal([]);
    for (let day = 1; day <= 2; day += 1) {
      running.clock.advance(86_400);
      await Promise.all([phone.get('/'), phone.get('/accounts/'), phone.get('/o/applications/')]);
      await phone.get('/');
    }
    const now = Math.floor(running.clock.now() / 1000);
    const { userId } = running.service().projections.users.findByName('ada') ?? expect.fail();
    const recordedUses = await useEvents();
    expect(recordedUses.map(({ data }) => data)).to.deep.equal([
      { userId, usedAt: now - 86_400 },
      { userId, usedAt: now },
    ]);
    expect(new Set(recordedUses.map(({ actor }) => JSON.stringify(actor)))).to.deep.equal(
      new Set([JSON.stringify({ kind: 'user', id: userId })]),
    );
  });

  it('shows the recorded day of the last use after a restart', async () => {
    running.clock.advance(86_400);
    await phone.get('/');
    await phone.get('/');
    running.clock.advance(2 * 86_400);
    await home.get('/');
    await running.restart();
    const [, row] = rowsOf(await home.get('/accounts/sessions/'));
    expect(row).to.include('Last used 2 days ago');
  });

  it('shows only the day of the last use after a restart, even on the day of the login', async () => {
    running.clock.advance(3 * 3_600);
    await phone.get('/');
    await running.restart();
    const [, row] = rowsOf(await home.get('/accounts/sessions/'));
    expect(row).to.include('Last used today').and.include('with a password 3 hours ago');
  });

  it('records no use of a session that the same request ends', async () => {
    const page = await phone.get('/accounts/');
    running.clock.advance(86_400);
    await phone.submit(page, {}, '/accounts/logout/');
    await home.get('/');
    const auditFindings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) auditFindings.push(item);
    expect(auditFindings).to.deep.equal([]);
  });

  it('does not name a browser that sent no User-Agent header', async () => {
    const browserWithoutName = running.browser();
    await browserWithoutName.logIn(ada.username, ada.password);
    expect(rowsOf(await browserWithoutName.get('/accounts/sessions/'))[0]).to.match(/^ This browser Last used/);
  });

  it('is part of the account export', async () => {
    const { sessions } = JSON.parse((await home.get('/accounts/export/')).html) as { sessions: readonly object[] };
    expect(sessions).to.deep.include({
      started_at: new Date(running.clock.now()).toISOString(),
      expires_at: new Date(running.clock.now() + 1_209_600_000).toISOString(),
      method: 'password',
      browser: 'Safari on iOS',
    });
  });

  it('keeps browser names encrypted in the log, and unreadable after the user is erased', async () => {
    const { accounts, projections, loginSessions } = running.service();
    const user = projections.users.findByName('ada') ?? expect.fail();
    const [session = expect.fail()] = projections.sessions.listByUser(user.userId, running.clock.now() / 1000);
    expect(loginSessions.browserOf(session)).to.equal('Safari on iOS');
    const text = (await running.events()).map(({ record }) => record).join('\n');
    for (const name of ['Safari', 'Firefox', 'iOS', 'Linux']) expect(text).not.to.include(name);
    await accounts.erase(user, OPERATOR);
    expect(loginSessions.browserOf(session)).to.equal(undefined);
  });
});
