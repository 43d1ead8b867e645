import { expect } from 'chai';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';

const WEEK = 604_800;

describe("An application's people", () => {
  let running: RunningService;
  let app: TestClient;
  let ada: BrowserSession;
  let bob: BrowserSession;
  let eve: BrowserSession;

  async function logIn({ username, password }: TestUser): Promise<BrowserSession> {
    const browser = running.browser();
    await browser.logIn(username, password);
    return browser;
  }

  beforeEach(async () => {
    running = await runningService();
    const users = await Promise.all(['ada', 'bob', 'eve'].map((name) => running.addUser(name)));
    [ada, bob, eve] = (await Promise.all(users.map(logIn))) as [BrowserSession, BrowserSession, BrowserSession];
    app = await running.addClient({ owner: 'ada', name: 'Engine' });
  });
  afterEach(() => running.close());

  const path = (): string => `/o/applications/${app.id}/`;
  const idOf = (name: string): number => running.service().projections.users.findByName(name)?.id ?? 0;
  const csrf = async (browser: BrowserSession): Promise<string> =>
    hiddenFields((await browser.get('/o/applications/register/')).html)['csrf_token'] ?? '';
  const send = async (
    browser: BrowserSession,
    formPath: string,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<Page> => browser.post(formPath, { csrf_token: await csrf(browser), ...fields });

  /** Creates an invitation link, and returns its secret, which the page shows. */
  async function invite(role: 'owner' | 'test-user', inviter: BrowserSession = ada): Promise<string> {
    const { headers } = await send(inviter, `${path()}people/invite/`, { member_role: role });
    const { html } = await inviter.get(headers.get('location') ?? '');
    const url = new URL(/id="invitation"[^>]*>([^<]+)</.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '');
    expect(url.pathname).to.equal('/o/invitations/');
    return url.searchParams.get('invitation') ?? '';
  }
  const openInvitation = (browser: BrowserSession, invitation: string): Promise<Page> =>
    browser.get(`/o/invitations/?${new URLSearchParams({ invitation }).toString()}`);
  const accept = (browser: BrowserSession, invitation: string): Promise<Page> =>
    send(browser, '/o/invitations/', { invitation });
  const members = (): readonly string[] => {
    const { clients, users } = running.service().projections;
    return (clients.find(app.id)?.members ?? []).map(
      ({ userId, role }) => `${users.find(userId)?.username ?? 'nobody'}: ${role}`,
    );
  };
  const remove = (browser: BrowserSession, name: string): Promise<Page> =>
    send(browser, `${path()}people/${idOf(name)}/remove/`);

  it('become owners by accepting an invitation, and can then open all pages of the application', async () => {
    const invitation = await invite('owner');
    expect((await bob.get(path())).status).to.equal(404);
    const page = await openInvitation(bob, invitation);
    expect(page.html).to.include('Become an owner of').and.include('Engine').and.include('ada');
    expect(members()).to.deep.equal(['ada: owner']);
    const { headers } = await accept(bob, invitation);
    expect(headers.get('location')).to.equal(path());
    expect(members()).to.deep.equal(['ada: owner', 'bob: owner']);
    for (const tab of ['', 'try/', 'refusals/', 'people/', 'update/', 'rotate_secret/', 'delete/'])
      expect((await bob.get(`${path()}${tab}`)).status, tab).to.equal(200);
    expect((await bob.get('/o/applications/')).html).to.include('Engine');
  });

  it('become test users by accepting an invitation, but cannot open the pages of the application', async () => {
    await accept(bob, await invite('test-user'));
    expect(members()).to.deep.equal(['ada: owner', 'bob: test-user']);
    for (const tab of ['', 'people/', 'update/', 'rotate_secret/'])
      expect((await bob.get(`${path()}${tab}`)).status, tab).to.equal(404);
  });

  describe('join through an invitation that', () => {
    it('requires a login, after which the user returns to it', async () => {
      const invitation = await invite('owner');
      const { status, headers } = await openInvitation(running.browser(), invitation);
      expect(status).to.equal(302);
      expect(headers.get('location')).to.include('next=%2Fo%2Finvitations%2F');
    });

    it('cannot be used again by the same or another user', async () => {
      const invitation = await invite('owner');
      await accept(bob, invitation);
      for (const browser of [bob, eve]) expect((await openInvitation(browser, invitation)).status).to.equal(410);
      expect((await accept(eve, invitation)).status).to.equal(410);
      expect((await accept(bob, invitation)).status, 'the same form submitted twice').to.equal(302);
      await remove(ada, 'bob');
      expect((await accept(bob, invitation)).status).to.equal(410);
      expect(members()).to.deep.equal(['ada: owner']);
    });

    it('works for only one of two users who accept it at the same time', async () => {
      const invitation = await invite('owner');
      const statuses = (await Promise.all([bob, eve].map((browser) => accept(browser, invitation)))).map(
        ({ status }) => status,
      );
      expect(statuses.toSorted((a, b) => a - b)).to.deep.equal([302, 410]);
      expect(members()).to.have.length(2);
    });

    it('expires after seven days', async () => {
      const invitation = await invite('test-user');
      running.clock.advance(WEEK - 1);
      bob = await logIn({ username: 'bob', password: "bob's password" });
      expect((await openInvitation(bob, invitation)).status).to.equal(200);
      running.clock.advance(1);
      expect((await openInvitation(bob, invitation)).html).to.include('This invitation has expired');
      expect((await accept(bob, invitation)).status).to.equal(410);
    });

    it('has not been tampered with', async () => {
      const invitation = await invite('owner');
      const [content = '', signature = ''] = invitation.split('.');
      const forgedFields = JSON.parse(Buffer.from(content, 'base64url').toString()) as unknown[];
      forgedFields[4] = Number(forgedFields[4]) + 1;
      const alteredInvitations = [
        '',
        'x',
        `${content}.`,
        `${Buffer.from(JSON.stringify(forgedFields)).toString('base64url')}.${signature}`,
        `${content}=.${signature}`,
      ];
      for (const alteredInvitation of alteredInvitations) {
        expect((await openInvitation(bob, alteredInvitation)).status, alteredInvitation).to.equal(410);
        expect((await accept(bob, alteredInvitation)).status, alteredInvitation).to.equal(410);
      }
      expect(members()).to.deep.equal(['ada: owner']);
    });

    it('has not been withdrawn; withdrawing it affects neither the other role nor later invitations', async () => {
      const [ownerInvitation, testUserInvitation] = [await invite('owner'), await invite('test-user')];
      await send(ada, `${path()}people/withdraw/`, { member_role: 'owner' });
      expect((await openInvitation(bob, ownerInvitation)).html).to.include('This invitation has been withdrawn');
      expect((await accept(bob, ownerInvitation)).status).to.equal(410);
      expect((await accept(bob, testUserInvitation)).status).to.equal(302);
      expect((await accept(eve, await invite('owner'))).status).to.equal(302);
    });

    it('was created by a user who has been an owner ever since', async () => {
      await accept(bob, await invite('owner'));
      const invitation = await invite('owner', bob);
      await remove(ada, 'bob');
      expect((await accept(eve, invitation)).status).to.equal(410);
      await accept(bob, await invite('owner'));
      expect((await accept(eve, invitation)).status, 'after the inviter has become an owner again').to.equal(410);
      expect((await accept(eve, await invite('owner', bob))).status).to.equal(302);
    });

    it('is for an application that still exists', async () => {
      const invitation = await invite('owner');
      await send(ada, `${path()}delete/`);
      expect((await openInvitation(bob, invitation)).status).to.equal(410);
      expect((await accept(bob, invitation)).status).to.equal(410);
    });

    it('gives a higher role than the user has, such as owner to a test user', async () => {
      const invitation = await invite('test-user');
      expect((await accept(ada, invitation)).status).to.equal(409);
      await accept(bob, invitation);
      expect((await openInvitation(bob, await invite('test-user'))).status).to.equal(409);
      await accept(bob, await invite('owner'));
      expect(members()).to.deep.equal(['ada: owner', 'bob: owner']);
    });

    it('is not recorded before it is accepted, and whose secret is never recorded', async () => {
      const eventCount = (await running.events()).length;
      const invitation = await invite('owner');
      await openInvitation(bob, invitation);
      expect((await running.events()).length).to.equal(eventCount);
      await accept(bob, invitation);
      expect(JSON.stringify(await running.events())).not.to.include(invitation.split('.')[0]);
    });
  });

  describe('after a second owner has joined', () => {
    beforeEach(async () => {
      await accept(bob, await invite('owner'));
    });

    it('lose access to its pages, open forms and secrets not shown yet when they are removed', async () => {
      const form = await bob.get(`${path()}update/`);
      const rotation = await send(bob, `${path()}rotate_secret/`, { old_secret: 'now' });
      const secretPage = rotation.headers.get('location') ?? '';
      await remove(ada, 'bob');
      for (const tab of ['', 'try/', 'refusals/', 'people/', 'update/', 'rotate_secret/', 'delete/'])
        expect((await bob.get(`${path()}${tab}`)).status, tab).to.equal(404);
      expect((await bob.get(secretPage)).status).to.equal(404);
      expect((await bob.submit(form, { name: 'Mine' })).status).to.equal(404);
      for (const action of ['delete/', 'rotate_secret/', 'people/invite/', 'people/withdraw/', 'mode/'])
        expect((await send(bob, `${path()}${action}`, { member_role: 'owner', mode: 'test' })).status).to.equal(404);
      expect((await bob.get('/o/applications/')).html).not.to.include('Engine');
    });

    it('can leave, which hands the application over to the other owner', async () => {
      const { headers } = await remove(ada, 'ada');
      expect(headers.get('location')).to.equal('/o/applications/');
      expect(members()).to.deep.equal(['bob: owner']);
      expect((await ada.get(path())).status).to.equal(404);
    });

    it('cannot leave as the last owner, or as the last owner who can log in', async () => {
      const { users } = running.service().projections;
      const bobsAccount = users.findByName('bob')!;
      await running.service().accounts.disable(bobsAccount, { actor: { kind: 'operator' }, requestId: null });
      expect((await remove(ada, 'ada')).status).to.equal(409);
      await remove(ada, 'bob');
      expect((await remove(ada, 'ada')).html).to.include('An owner is required');
      expect(members()).to.deep.equal(['ada: owner']);
    });

    it('cannot both leave at the same time', async () => {
      const pages = await Promise.all([remove(ada, 'ada'), remove(bob, 'bob')]);
      expect(pages.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([302, 409]);
      expect(members()).to.have.length(1);
    });
  });

  it('cannot be removed by users who are not owners', async () => {
    await accept(bob, await invite('test-user'));
    expect((await remove(bob, 'ada')).status).to.equal(404);
    expect((await remove(eve, 'bob')).status).to.equal(404);
    expect((await remove(ada, 'eve')).status).to.equal(404);
    expect(members()).to.deep.equal(['ada: owner', 'bob: test-user']);
  });

  it('are gone after the only owner is erased, but the application still works', async () => {
    const { accounts, projections } = running.service();
    await accounts.erase(projections.users.findByName('ada')!, { actor: { kind: 'operator' }, requestId: null });
    expect(members()).to.deep.equal([]);
    expect((await running.token(app, { grant_type: 'client_credentials' })).status).to.equal(200);
    expect((await bob.get(path())).status).to.equal(404);
  });
});
