import { expect } from 'chai';
import type { BrowserSession } from '../../../support/browser-session.ts';
import { seconds } from '../../../support/domain-values.ts';
import { runningService, type RunningService } from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const MENU = 'aria-label="Administration"';

describe('The administration pages', () => {
  let running: RunningService;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    const { accounts } = running.service();
    const root = { username: 'root', password: 'the password of root', firstName: 'Ada', lastName: 'Lovelace' };
    await accounts.register({ ...root, roles: ['administrator'] }, OPERATOR);
    await accounts.register({ username: 'uma', password: 'the password of uma' }, OPERATOR);
    browser = running.browser();
    await browser.logIn('root', root.password);
  });
  afterEach(() => running.close());

  const PATHS_WITH_MENU = [
    '/admin/users/add/',
    '/admin/users/invite/',
    ...['profile', 'roles', 'password', 'disable', 'erase', 'sign_out'].map((page) => `/admin/users/2/${page}/`),
    '/admin/groups/add/',
    '/admin/keys/rotate/',
    '/admin/applications/register/',
    '/admin/users/99/',
    '/admin/applications/nope/',
    '/admin/nope/',
  ];

  for (const path of PATHS_WITH_MENU)
    it(`have the menu and the title above the form at ${path}`, async () => {
      const { html } = await browser.get(path);
      expect(html).to.include(MENU);
      expect(html.indexOf(MENU)).to.be.lessThan(html.indexOf('<h1'));
      if (!html.includes('panel--error')) expect(html.indexOf('<h1')).to.be.lessThan(html.indexOf('class="panel'));
    });

  it('have the menu and the title above the form on confirmation pages for sessions and keys', async () => {
    const { projections, keyRotation } = running.service();
    const now = seconds(Math.floor(running.clock.now() / 1000));
    await keyRotation.maintain(now);
    const [key] = projections.signingKeys.all();
    const [root] = projections.users.all();
    const sessions = root === undefined ? [] : projections.sessions.listByUser(root.userId, now);
    const choice = { session_hash: sessions.map(({ sessionHash }) => sessionHash) };
    const confirmation = await browser.submit(await browser.get('/admin/sessions/'), choice, '/admin/sessions/end/');
    for (const { html } of [confirmation, await browser.get(`/admin/keys/${key?.kid}/retire/`)]) {
      expect(html).to.include(MENU).and.include('class="panel');
      expect(html.indexOf(MENU)).to.be.lessThan(html.indexOf('<h1'));
      expect(html.indexOf('<h1')).to.be.lessThan(html.indexOf('class="panel'));
    }
  });

  for (const action of ['transfer', 'scopes', 'rotate_secret', 'mode', 'disable', 'remove', 'update'])
    it(`have the menu and the title above the form for the application action ${action}`, async () => {
      const { id } = await running.addClient({ name: 'Engine' });
      const { html } = await browser.get(`/admin/applications/${id}/${action}/`);
      expect(html).to.include(MENU);
      expect(html.indexOf('<h1')).to.be.lessThan(html.indexOf('class="panel'));
    });

  it('have no menu for users who may not use it', async () => {
    const uma = running.browser();
    await uma.logIn('uma', 'the password of uma');
    expect((await uma.get('/admin/users/99/')).html).not.to.include(MENU);
  });

  for (const [name, path] of [
    ['other error pages', '/nope/'],
    ['confirmation pages for a user’s own account', '/accounts/erase/'],
  ] as const)
    it(`have a menu that ${name} do not have`, async () => {
      expect((await browser.get(path)).html).not.to.include(MENU);
    });

  it('say that the account of a missing user may have been erased', async () => {
    expect((await browser.get('/admin/users/99/')).html).to.include('The account was erased, or the address is wrong.');
    const german = running.browser({ 'accept-language': 'de' });
    await german.logIn('root', 'the password of root');
    expect((await german.get('/admin/users/99/')).html).to.include('Das Konto wurde gelöscht, oder die Adresse ist');
  });

  it('show exact times beside the relative ones on the page of a user or application', async () => {
    const { html } = await browser.get('/admin/users/2/');
    expect(html).to.match(
      /<span class="moment"><time datetime="[^"]+">[^<]+<\/time>\s*<span class="meta">\(<time[^>]+>\d/,
    );
    const { id } = await running.addClient({ name: 'Engine' });
    expect((await browser.get(`/admin/applications/${id}/`)).html).to.include('<span class="moment">');
  });

  it('list users with their full names, find users by them, and export them as CSV', async () => {
    expect((await browser.get('/admin/users/?q=lovelace')).html).to.include('Ada Lovelace');
    const file = await browser.get('/admin/users/?format=csv');
    expect(file.html.split('\r\n')[0]).to.match(/^username,id,first_name,last_name,email,/);
  });
});
