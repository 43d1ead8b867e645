import { expect } from 'chai';
import { addPasskey, createAuthenticator, logInWithPasskey } from '../../support/authenticator.ts';
import type { BrowserSession, Page } from '../../support/browser-session.ts';
import { runningService, type RunningService, type TestUser } from '../../support/running-service.ts';
import { authorizeInSession, authorizeThree } from '../../support/session-grants.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
/** Returns the text of a page, without the bidirectional isolates around names. */
const extractText = ({ html }: Page): string =>
  html
    .replaceAll(/<[^>]*>|[\u2066-\u2069]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,;])/g, '');
const NEW_PASSWORD = 'owl moon tea kettle';

describe("A page that ends all of a user's sessions", () => {
  let running: RunningService;
  let lea: TestUser;
  let leasBrowser: BrowserSession;
  let adminBrowser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    lea = await running.addUser('lea');
    const admin = { username: 'root', password: 'the password of root' };
    await running.service().accounts.register({ ...admin, roles: ['administrator'] }, OPERATOR);
    leasBrowser = running.browser();
    adminBrowser = running.browser();
    await leasBrowser.logIn(lea.username, lea.password);
    await adminBrowser.logIn(admin.username, admin.password);
  });
  afterEach(() => running.close());

  const authorize = async (name: string, scope: string): Promise<void> =>
    authorizeInSession(running, leasBrowser, await running.addClient({ name }), scope);

  /** Returns the names of the applications that have access to lea's account. */
  function listAuthorizedApplications(): readonly string[] {
    const { grants, clients, users } = running.service().projections;
    const { userId } = users.findByName('lea') ?? expect.fail('no lea');
    return grants
      .listByUser(userId, running.clock.now())
      .map(({ clientId }) => clients.find(clientId)?.name ?? clientId)
      .toSorted();
  }

  const userPagePath = (action: string): string => {
    const { id } = running.service().projections.users.findByName('lea') ?? expect.fail('no lea');
    return `/admin/users/${id}/${action}/`;
  };

  const LOST_ACCESS_NOTICE = 'This also ends the access of Portal. You can see all access';
  const PAGES: readonly {
    readonly name: string;
    readonly browser: () => BrowserSession;
    readonly path: () => string;
    readonly notice: string;
    readonly submit: (page: Page) => Promise<Page>;
  }[] = [
    ...['/accounts/', '/accounts/sessions/'].map((path) => ({
      name: path,
      browser: () => leasBrowser,
      path: () => path,
      notice: LOST_ACCESS_NOTICE,
      submit: (page: Page) => leasBrowser.submit(page, {}, '/accounts/logout/everywhere/'),
    })),
    {
      name: '/accounts/password/',
      browser: () => leasBrowser,
      path: () => '/accounts/password/',
      notice: 'Your passkeys remain. This also ends the access of Portal.',
      submit: (page) => leasBrowser.submit(page, { current_password: lea.password, new_password: NEW_PASSWORD }),
    },
    ...['password', 'sign_out', 'remove_second_factors'].map((action) => ({
      name: `/admin/users/:pk/${action}/`,
      browser: () => adminBrowser,
      path: () => userPagePath(action),
      notice: 'Access that ends Portal Access that remains Backup, Notes',
      submit: (page: Page) => adminBrowser.submit(page, {}),
    })),
  ];

  for (const { name, browser, path, notice, submit } of PAGES) {
    it(`names exactly the applications that lose access: ${name}`, async () => {
      if (name.includes('second_factors')) await addPasskey(leasBrowser, lea.password, createAuthenticator());
      await authorizeThree(running, leasBrowser);
      const page = await browser().get(path());
      expect(extractText(page)).to.include(notice);
      expect((await submit(page)).status).to.equal(302);
      expect(listAuthorizedApplications()).to.deep.equal(['Backup', 'Notes']);
    });

    it(`says so if no application loses access: ${name}`, async () => {
      await authorize('Notes', 'read');
      const page = await browser().get(path());
      expect(extractText(page)).to.match(
        /No application loses access\.|Access that ends none Access that remains Notes/,
      );
      await submit(page);
      expect(listAuthorizedApplications()).to.deep.equal(['Notes']);
    });
  }

  it('names the applications in German, too', async () => {
    await authorizeThree(running, leasBrowser);
    const germanBrowser = running.browser({ 'accept-language': 'de' });
    await germanBrowser.logIn('root', 'the password of root');
    expect(extractText(await germanBrowser.get(userPagePath('sign_out')))).to.include(
      'Zugriff, der endet Portal Zugriff, der bleibt Backup, Notes',
    );
    const leasGermanBrowser = running.browser({ 'accept-language': 'de' });
    await leasGermanBrowser.logIn(lea.username, lea.password);
    expect(extractText(await leasGermanBrowser.get('/accounts/'))).to.include(
      'Damit endet auch der Zugriff von Portal.',
    );
  });

  it('names ten applications, and counts the others', async () => {
    for (let index = 1; index <= 12; index += 1) await authorize(`App ${index}`, 'openid');
    const page = extractText(await leasBrowser.get('/accounts/sessions/'));
    expect(page).to.include('App 9, App 10 and 2 more.');
    expect(page).to.match(/Logging out here also ends the access of App .* and 2 more Log out/);
  });

  it('names only the applications authorized in the sessions of a passkey, before the passkey is removed', async () => {
    const device = createAuthenticator();
    await addPasskey(leasBrowser, lea.password, device);
    await authorizeThree(running, leasBrowser);
    const [passkey] = running.service().projections.passkeys.listByUser(userIdOf('lea'));
    const path = `/accounts/passkeys/${passkey?.passkeyId ?? ''}/remove/`;
    expect(extractText(await leasBrowser.get(path))).to.include('No application loses access.');
    leasBrowser = running.browser();
    expect((await logInWithPasskey(leasBrowser, device)).status).to.equal(302);
    await authorize('Calendar', 'openid');
    const page = await leasBrowser.get(path);
    expect(extractText(page)).to.include('This also ends the access of Calendar.');
    await leasBrowser.submit(page, {});
    expect(listAuthorizedApplications()).to.deep.equal(['Backup', 'Notes', 'Portal']);
  });

  function userIdOf(name: string) {
    return (running.service().projections.users.findByName(name) ?? expect.fail(`no ${name}`)).userId;
  }
});
