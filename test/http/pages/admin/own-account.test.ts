import { expect } from 'chai';
import type { Role } from '../../../../src/domain/events.ts';
import { hiddenFields, type BrowserSession, type Page } from '../../../support/browser-session.ts';
import { runningService, type RunningService } from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const PASSWORD = 'the password of everybody';

/** Removes tags, and the bidirectional isolates around names. */
const extractText = ({ html }: Page): string =>
  html
    .replaceAll(/<[^>]*>|[\u2066-\u2069]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,;])/g, '');

describe('Administrators who change their own account on the pages for users', () => {
  let running: RunningService;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    await addUser('ada', ['administrator']);
    browser = await logIn('ada');
  });
  afterEach(() => running.close());

  async function addUser(username: string, roles: readonly Role[]): Promise<void> {
    const registration = await running.service().accounts.register({ username, password: PASSWORD, roles }, OPERATOR);
    if ('errors' in registration) throw new Error(JSON.stringify(registration.errors));
  }

  async function logIn(username: string, language = 'en'): Promise<BrowserSession> {
    const session = running.browser({ 'accept-language': language });
    expect((await session.logIn(username, PASSWORD)).status).to.equal(302);
    return session;
  }

  const findUser = (username: string) => running.service().projections.users.findByName(username);
  const account = (username: string) => findUser(username) ?? expect.fail(`no ${username}`);
  const pathOf = (username: string, action = ''): string => `/admin/users/${account(username).id}/${action}`;

  async function submitAndReachHome(page: Page, fields: Readonly<Record<string, string>> = {}): Promise<Page> {
    const answer = await browser.submit(page, fields);
    expect([answer.status, answer.location]).to.deep.equal([302, '/']);
    const home = await browser.get('/');
    expect(home.status).to.equal(200);
    return home;
  }

  it('are marked in the list and in the title of their page, and no other user is', async () => {
    await addUser('bob', []);
    const list = await browser.get('/admin/users/');
    expect(extractText(list)).to.include('ada you').and.not.include('bob you');
    expect((await browser.get(pathOf('ada'))).html).to.match(/<title>[^<]*ada[^<]*\(you\)/);
    expect((await browser.get(pathOf('bob'))).html).not.to.include('(you)');
    const german = await logIn('ada', 'de');
    expect(extractText(await german.get('/admin/users/'))).to.include('ada Sie');
  });

  describe('who change roles', () => {
    beforeEach(() => addUser('bob', ['administrator']));

    const submitRoles = async (roles: readonly Role[]): Promise<Page> => {
      const { csrf_token = '' } = hiddenFields((await browser.get(pathOf('ada', 'roles/'))).html);
      return browser.post(pathOf('ada', 'roles/'), { csrf_token, role: roles });
    };

    it('are warned, and must confirm before they lose the administrator role', async () => {
      expect(extractText(await browser.get(pathOf('ada', 'roles/')))).to.include(
        'This is your account. Without the administrator role, you lose access to these pages immediately, and only ' +
          'another administrator can give the role back to you.',
      );
      const head = running.log.head();
      const confirmation = await submitRoles(['auditor']);
      expect(confirmation.status).to.equal(200);
      expect(extractText(confirmation))
        .to.include('Give up your administrator role?')
        .and.include('Other administrators bob');
      expect(running.log.head()).to.equal(head);
    });

    for (const [name, roles] of [
      ['keep the other role that they chose', ['auditor']],
      ['have no role if they chose none', []],
    ] as const)
      it(`are sent to the home page with a notice when they lose it, and ${name}`, async () => {
        const home = await submitAndReachHome(await submitRoles(roles));
        expect(extractText(home)).to.include('You are no longer an administrator.');
        expect(account('ada').roles).to.deep.equal(roles);
        expect((await browser.get('/admin/users/')).status).to.equal(403);
      });

    it('need not confirm if they keep it', async () => {
      const answer = await submitRoles(['administrator', 'auditor']);
      expect([answer.status, answer.location]).to.deep.equal([302, pathOf('ada')]);
      expect(account('ada').roles).to.deep.equal(['administrator', 'auditor']);
    });

    it('need not confirm if they withdraw it from another administrator', async () => {
      const { csrf_token = '' } = hiddenFields((await browser.get(pathOf('bob', 'roles/'))).html);
      const answer = await browser.post(pathOf('bob', 'roles/'), { csrf_token });
      expect([answer.status, answer.location]).to.deep.equal([302, pathOf('bob')]);
      expect(account('bob').roles).to.deep.equal([]);
    });
  });

  it('cannot give up the role as the last administrator', async () => {
    const { csrf_token = '' } = hiddenFields((await browser.get(pathOf('ada', 'roles/'))).html);
    expect((await browser.post(pathOf('ada', 'roles/'), { csrf_token })).status).to.equal(409);
    expect(account('ada').roles).to.deep.equal(['administrator']);
  });

  for (const { action, english, german, notice, expectEffect } of [
    {
      action: 'disable/',
      english: 'cannot log in until another administrator enables your account again',
      german: 'Sie werden sofort abgemeldet',
      notice: 'Your account was disabled, and you were logged out.',
      expectEffect: () => expect(account('ada').active).to.equal(false),
    },
    {
      action: 'erase/',
      english: 'your user name becomes available again',
      german: 'Ihre persönlichen Daten',
      notice: 'Your account was erased.',
      expectEffect: () => expect(findUser('ada')).to.equal(undefined),
    },
    {
      action: 'sign_out/',
      english: 'Your sessions end immediately in every browser, including this one.',
      german: 'Ihre Sitzungen enden sofort in jedem Browser, auch in diesem.',
      notice: 'You were logged out everywhere.',
      expectEffect: () => expect(account('ada').active).to.equal(true),
    },
    {
      action: 'remove_second_factors/',
      english: 'Your authenticator app, recovery codes and passkeys are removed',
      german: 'Ihre Authentifizierungs-App',
      notice: null,
      expectEffect: () => expect(account('ada').active).to.equal(true),
    },
  ] as const) {
    it(`are addressed directly on ${action}, not in the third person`, async () => {
      await addUser('bob', ['administrator']);
      const page = extractText(await browser.get(pathOf('ada', action)));
      expect(page)
        .to.include(english)
        .and.include('This is your own account.')
        .and.not.match(/\b(?:[Tt]hey|[Tt]heir)\b(?! other access)/);
      expect(extractText(await (await logIn('ada', 'de')).get(pathOf('ada', action)))).to.include(german);
    });

    if (notice !== null)
      it(`are sent to the home page with a notice after ${action}`, async () => {
        await addUser('bob', ['administrator']);
        const home = await submitAndReachHome(await browser.get(pathOf('ada', action)), { username: 'ada' });
        expect(extractText(home)).to.include(notice).and.include('Log in');
        expectEffect();
      });
  }

  it('learn who else administers the server before they disable their account', async () => {
    for (const name of ['b', 'c', 'd', 'e', 'f', 'g']) await addUser(`${name}ob`, ['administrator']);
    expect(extractText(await browser.get(pathOf('ada', 'disable/')))).to.include(
      'Other administrators bob, cob, dob, eob, fob and 1 more',
    );
  });

  it('are told that a new password logs them out elsewhere', async () => {
    expect(extractText(await browser.get(pathOf('ada', 'password/')))).to.include(
      'You will be logged out everywhere else.',
    );
  });
});

describe('The pages that disable and erase a user', () => {
  let running: RunningService;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    for (const [username, roles] of [
      ['root', ['administrator']],
      ['uma', ['auditor']],
    ] as const)
      await running.service().accounts.register({ username, password: PASSWORD, roles }, OPERATOR);
    browser = running.browser();
    await browser.logIn('root', PASSWORD);
  });
  afterEach(() => running.close());

  const pathOf = (action: string): string =>
    `/admin/users/${running.service().projections.users.findByName('uma')?.id ?? 0}/${action}/`;

  for (const action of ['disable', 'erase']) {
    it(`list the roles and warn about the last auditor (${action})`, async () => {
      expect(extractText(await browser.get(pathOf(action))))
        .to.include('Roles auditor')
        .and.include('This is the last auditor who can log in.');
    });

    it(`do not warn while another auditor can log in (${action})`, async () => {
      const { accounts } = running.service();
      await accounts.register({ username: 'vic', password: PASSWORD, roles: ['auditor'] }, OPERATOR);
      expect(extractText(await browser.get(pathOf(action))))
        .to.include('Roles auditor')
        .and.not.include('last auditor');
    });
  }
});
