import { expect } from 'chai';
import { addPasskey, authenticator, logInWithPasskey } from '../../support/authenticator.ts';
import type { BrowserSession, Page } from '../../support/browser-session.ts';
import { runningService, type RunningService, type TestUser } from '../../support/running-service.ts';
import { authorizeInSession, authorizeThree } from '../../support/session-grants.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
/** Bidirectional isolates stand around names. */
const textOf = ({ html }: Page): string =>
  html
    .replaceAll(/<[^>]*>|[\u2066-\u2069]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,;])/g, '');
const NEW_PASSWORD = 'owl moon tea kettle';

describe('A page that ends all sessions of a user', () => {
  let running: RunningService;
  let lea: TestUser;
  let own: BrowserSession;
  let root: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    lea = await running.addUser('lea');
    const admin = { username: 'root', password: 'the password of root' };
    await running.service().accounts.register({ ...admin, roles: ['administrator'] }, OPERATOR);
    own = running.browser();
    root = running.browser();
    await own.logIn(lea.username, lea.password);
    await root.logIn(admin.username, admin.password);
  });
  afterEach(() => running.close());

  const authorize = async (name: string, scope: string): Promise<void> =>
    authorizeInSession(running, own, await running.addClient({ name }), scope);

  /** The names of the applications that have access to the account of lea. */
  function authorized(): readonly string[] {
    const { grants, clients, users } = running.service().projections;
    const { userId } = users.findByName('lea') ?? expect.fail('no lea');
    return grants
      .listByUser(userId, running.clock.now())
      .map(({ clientId }) => clients.find(clientId)?.name ?? clientId)
      .toSorted();
  }

  const pathOf = (action: string): string => {
    const { id } = running.service().projections.users.findByName('lea') ?? expect.fail('no lea');
    return `/admin/users/${id}/${action}/`;
  };

  const OWN_ENDS = 'This also ends the access of Portal. All other access remains';
  const PAGES: readonly {
    readonly name: string;
    readonly browser: () => BrowserSession;
    readonly path: () => string;
    readonly says: string;
    readonly press: (page: Page) => Promise<Page>;
  }[] = [
    ...['/accounts/', '/accounts/sessions/'].map((path) => ({
      name: path,
      browser: () => own,
      path: () => path,
      says: OWN_ENDS,
      press: (page: Page) => own.submit(page, {}, '/accounts/logout/everywhere/'),
    })),
    {
      name: '/accounts/password/',
      browser: () => own,
      path: () => '/accounts/password/',
      says: 'Your passkeys remain. This also ends the access of Portal.',
      press: (page) => own.submit(page, { current_password: lea.password, new_password: NEW_PASSWORD }),
    },
    ...['password', 'sign_out', 'remove_second_factors'].map((action) => ({
      name: `/admin/users/:pk/${action}/`,
      browser: () => root,
      path: () => pathOf(action),
      says: 'Access that ends Portal Access that remains Backup, Notes',
      press: (page: Page) => root.submit(page, {}),
    })),
  ];

  for (const { name, browser, path, says, press } of PAGES) {
    it(`${name} names exactly the applications that lose access`, async () => {
      if (name.includes('second_factors')) await addPasskey(own, lea.password, authenticator());
      await authorizeThree(running, own);
      const page = await browser().get(path());
      expect(textOf(page)).to.include(says);
      expect((await press(page)).status).to.equal(302);
      expect(authorized()).to.deep.equal(['Backup', 'Notes']);
    });

    it(`${name} says so if no application loses access`, async () => {
      await authorize('Notes', 'read');
      const page = await browser().get(path());
      expect(textOf(page)).to.match(/No application loses access\.|Access that ends none Access that remains Notes/);
      await press(page);
      expect(authorized()).to.deep.equal(['Notes']);
    });
  }

  it('names the applications in German', async () => {
    await authorizeThree(running, own);
    const german = running.browser({ 'accept-language': 'de' });
    await german.logIn('root', 'the password of root');
    expect(textOf(await german.get(pathOf('sign_out')))).to.include(
      'Zugriff, der endet Portal Zugriff, der bleibt Backup, Notes',
    );
    const ownGerman = running.browser({ 'accept-language': 'de' });
    await ownGerman.logIn(lea.username, lea.password);
    expect(textOf(await ownGerman.get('/accounts/'))).to.include('Damit endet auch der Zugriff von Portal.');
  });

  it('names ten applications, and counts the others', async () => {
    for (let index = 1; index <= 12; index += 1) await authorize(`App ${index}`, 'openid');
    expect(textOf(await own.get('/accounts/sessions/'))).to.include('App 9, App 10 and 2 more.');
  });

  it('names only the applications that were authorized in sessions of a passkey before its removal', async () => {
    const device = authenticator();
    await addPasskey(own, lea.password, device);
    await authorizeThree(running, own);
    const [passkey] = running.service().projections.passkeys.listByUser(userIdOf('lea'));
    const path = `/accounts/passkeys/${passkey?.passkeyId ?? ''}/remove/`;
    expect(textOf(await own.get(path))).to.include('No application loses access.');
    own = running.browser();
    expect((await logInWithPasskey(own, device)).status).to.equal(302);
    await authorize('Calendar', 'openid');
    const page = await own.get(path);
    expect(textOf(page)).to.include('This also ends the access of Calendar.');
    await own.submit(page, {});
    expect(authorized()).to.deep.equal(['Backup', 'Notes', 'Portal']);
  });

  function userIdOf(name: string) {
    return (running.service().projections.users.findByName(name) ?? expect.fail(`no ${name}`)).userId;
  }
});
