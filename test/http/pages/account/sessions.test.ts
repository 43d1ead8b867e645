import { expect } from 'chai';
import { authorizePath } from '../../../support/authorize-requests.ts';
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

describe('The list of sessions', () => {
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

  /** The text of each listed session, without markup. */
  const rowsOf = ({ html }: Page): readonly string[] =>
    [...html.matchAll(/<li class="row">([\s\S]*?)<\/li>/g)].map(([, row = '']) =>
      row.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
    );

  it('shows how and when each session began, and in which browser', async () => {
    const [first = '', second = '', ...others] = rowsOf(await home.get('/accounts/sessions/'));
    expect(first).to.include('This browser (Firefox on Linux)').and.include('with the password');
    expect(second).to.include('Safari on iOS').and.include('with the password');
    expect(others).to.deep.equal([]);
  });

  it('shows which applications were authorized from each session, and which of them end with it', async () => {
    const calendar = await running.addClient({ name: 'Calendar' });
    const notes = await running.addClient({ name: 'Notes' });
    await authorize(phone, calendar, 'openid read');
    await authorize(phone, notes, 'read');
    await authorize(home, notes, 'openid offline_access');
    const [first, second] = rowsOf(await home.get('/accounts/sessions/'));
    expect(first).to.include('You authorized from here: Notes').and.not.include('ends the access');
    expect(second).to.include('Calendar , Notes').and.include('also ends the access of Calendar');
  });

  it('is linked from the authorizations that end with a session, and only from these', async () => {
    await authorize(phone, await running.addClient({ name: 'Calendar' }), 'openid read');
    const before = await home.get('/o/authorized_tokens/');
    expect(before.html).to.match(/ends with the <a href="\/accounts\/sessions\/">session<\/a>/);
    running.clock.advance(60);
    await authorize(home, await running.addClient({ name: 'Notes' }), 'read');
    const after = await home.get('/o/authorized_tokens/');
    expect(after.html.match(/ends with the <a/g)).to.have.length(1);
  });

  it('ends one session with a button, and names what ended with it', async () => {
    const calendar = await running.addClient({ name: 'Calendar' });
    await authorize(phone, calendar, 'openid read');
    const page = await home.get('/accounts/sessions/');
    const addresses = [...page.html.matchAll(/action="(\/accounts\/sessions\/[^"]+)"/g)].map(([, path = '']) => path);
    await home.submit(page, {}, addresses[1]);
    expect((await phone.get('/accounts/')).status).to.equal(302);
    const after = await home.get('/accounts/sessions/');
    expect(after.html).to.include('and with it the access of Calendar.');
    expect(rowsOf(after)).to.have.length(1);
    const [ended] = (await running.events()).slice(-1);
    expect([ended?.type, ended?.data]).to.deep.equal([
      'SessionEnded',
      { userId: running.service().projections.users.findByName('ada')?.userId, reason: 'ended-by-user' },
    ]);
  });

  it('shows no browser that did not introduce itself', async () => {
    const silent = running.browser();
    await silent.logIn(ada.username, ada.password);
    expect(rowsOf(await silent.get('/accounts/sessions/'))[0]).to.match(/^ This browser since/);
  });

  it('is part of the export of the account', async () => {
    const { sessions } = JSON.parse((await home.get('/accounts/export/')).html) as { sessions: readonly object[] };
    expect(sessions).to.deep.include({
      started_at: new Date(running.clock.now()).toISOString(),
      expires_at: new Date(running.clock.now() + 1_209_600_000).toISOString(),
      method: 'password',
      browser: 'Safari on iOS',
    });
  });

  it('keeps the browser encrypted in the log, unreadable after the erasure of the user', async () => {
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
