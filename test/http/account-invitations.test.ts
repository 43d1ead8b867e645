import { expect } from 'chai';
import { invitationKeyId } from '../../src/domain/invitation-keys.ts';
import type { User } from '../../src/projections/users.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { addManager } from '../support/management.ts';
import { mailbox, type Mailbox } from '../support/mailbox.ts';
import { setProvider } from '../support/scripted-provider.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const BY_OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const FORM = '/admin/users/invite/';
const LIST = '/admin/users/invitations/';
const PASSWORD = 'correct horse battery';

describe('An invitation to create an account', () => {
  let running: RunningService;
  let box: Mailbox;
  let admin: BrowserSession;

  async function start(withMail: boolean): Promise<void> {
    box = mailbox();
    running = await runningService(withMail ? { mailTransport: box.transport } : {});
    for (const username of ['root', 'other']) {
      const account = { username, password: PASSWORD, roles: ['administrator'] } as const;
      expect(await running.service().accounts.register(account, BY_OPERATOR)).to.have.property('user');
    }
    admin = running.browser();
    await admin.logIn('root', PASSWORD);
  }
  beforeEach(() => start(true));
  afterEach(() => running.close());

  const account = (name: string): User => running.service().projections.users.findByName(name) ?? expect.fail();
  const eventTypes = async (): Promise<readonly string[]> => (await running.events()).map(({ type }) => type);

  async function invite(email = 'eve@example.org', role: readonly string[] = []): Promise<string> {
    const count = box.emails.length + 1;
    const answer = await admin.submit(await admin.get('/admin/users/invite/'), { email, role }, FORM);
    expect(answer).to.include({ status: 302, location: LIST });
    const mail = await box.waitFor(count);
    expect(mail.to).to.equal(email);
    return box.linkIn(mail);
  }

  async function accept(link: string, username = 'eve', browser = running.browser()): Promise<Page> {
    const page = await browser.get(link);
    return page.status === 200 ? browser.submit(page, { username, password: PASSWORD }) : page;
  }

  it('creates an account with its roles and a verified address, and redirects to the login page', async () => {
    const link = await invite('eve@example.org', ['auditor']);
    expect(await accept(link)).to.include({ status: 302, location: '/accounts/login/' });
    expect(account('eve')).to.deep.include({ email: 'eve@example.org', emailVerified: true, roles: ['auditor'] });
    expect((await running.browser().logIn('eve@example.org', PASSWORD)).status).to.equal(302);
  });

  describe('while a provider is required', () => {
    const requireProvider = (linking: 'explicit' | 'verified-email') =>
      setProvider(running, { issuer: 'https://login.example' }, { required: true, linking });

    it('offers no password field, and creates an account that can be used only through a provider', async () => {
      const link = await invite();
      await requireProvider('verified-email');
      const browser = running.browser();
      const page = await browser.get(link);
      expect(page.html).to.include('You log in through').and.not.include('type="password"');
      const answer = await browser.submit(page, { username: 'eve', password: PASSWORD });
      expect(answer).to.include({ status: 302, location: '/accounts/login/' });
      expect(account('eve')).to.deep.include({ emailVerified: true, passwordHash: '' });
    });

    it('is refused on the page and by the management API if no provider would link the address', async () => {
      await invite('early@example.org');
      await requireProvider('explicit');
      const head = running.log.head();
      const refusal = await admin.submit(await admin.get(FORM), { email: 'eve@example.org', role: [] }, FORM);
      expect(refusal.status).to.equal(422);
      expect(refusal.html).to.include('no required provider links this address');
      const list = await admin.get(LIST);
      expect(list.html).to.include('not usable');
      const resendPage = await admin.submitAndFollow(list, {}, `${LIST}1/resend/`);
      expect(resendPage.html).to.include('no required provider links this address');
      const manager = await addManager(running);
      const answers = [
        await manager.call('POST', '/invitations/', { address: 'eve@example.org' }),
        await manager.call('POST', '/invitations/1/send/'),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([409, 409]);
      expect(answers[0]?.text).to.include('no required provider links the address');
      expect((await manager.call('GET', '/invitations/')).text).to.include('"usable":false');
      const sentEvents = (await running.events()).slice(head).filter(({ type }) => type === 'InvitationSent');
      expect(sentEvents).to.deep.equal([]);
      await requireProvider('verified-email');
      expect((await admin.get(LIST)).html).not.to.include('not usable');
      expect(await invite()).to.include('/accounts/invitation/');
    });

    it('is usable only for an address in a domain that the provider links', async () => {
      const { invitations } = running.service();
      const fields = { required: true, linking: 'verified-email', domains: ['example.org'] };
      await setProvider(running, { issuer: 'https://login.example' }, fields);
      expect(invitations.loginFor('eve@example.org')).to.deep.include({ providerId: 'corp' });
      expect(invitations.loginFor('eve@other.example')).to.equal(undefined);
    });

    it('does not create an account that nobody could log in to', async () => {
      const link = await invite();
      await requireProvider('explicit');
      const page = await running.browser().get(link);
      expect(page.status).to.equal(403);
      expect(page.html).to.include('Passwords are off');
    });
  });

  it('is not sent to an address that an account has verified', async () => {
    await accept(await invite());
    const answer = await admin.submit(await admin.get(FORM), { email: 'eve@example.org', role: [] }, FORM);
    expect(answer.status).to.equal(422);
    expect(answer.html).to.include('eve already has this address.');
  });

  const send = async (email: string, extraFields: Record<string, string> = {}, browser = admin): Promise<Page> =>
    browser.submit(await browser.get(FORM), { email, role: ['auditor'], ...extraFields }, FORM);

  it('must be confirmed if a user has the address but has not verified it', async () => {
    await running.service().accounts.changeProfile(account('other'), { email: 'other@example.org' }, BY_OPERATOR);
    const confirmation = await send('OTHER@example.org');
    expect(confirmation.html).to.include('other has this address, but has not verified it.');
    expect(box.emails.filter(({ to }) => to === 'OTHER@example.org')).to.deep.equal([]);
    expect(await admin.submit(confirmation, {})).to.include({ status: 302, location: LIST });
    await box.waitFor(1);
    expect((await admin.get(`${LIST}?format=csv`)).html).to.include('OTHER@example.org,auditor,root,');
    const german = running.browser({ 'accept-language': 'de' });
    await german.logIn('root', PASSWORD);
    await running.service().accounts.changeProfile(account('root'), { email: 'root@example.org' }, BY_OPERATOR);
    expect((await send('root@example.org', {}, german)).html).to.include('root hat diese Adresse, hat sie aber nicht');
  });

  it('is resent rather than duplicated while one to the same address is pending', async () => {
    await invite();
    const confirmation = await send('Eve@example.org', { confirmed: 'yes' });
    expect(confirmation.html).to.include('An invitation to this address is pending. It was sent by root.');
    expect(await admin.submit(confirmation, {})).to.include({ status: 302, location: LIST });
    await box.waitFor(2);
    expect((await admin.get(LIST)).html).to.include('1 pending invitation');
    const german = running.browser({ 'accept-language': 'de' });
    await german.logIn('root', PASSWORD);
    expect((await send('eve@example.org', {}, german)).html).to.include(
      'Eine Einladung an diese Adresse ist noch offen',
    );
  });

  it('is sent only once if the form is submitted twice', async () => {
    const form = await admin.get(FORM);
    const submit = () => admin.submit(form, { email: 'eve@example.org' }, FORM);
    for (const answer of [await submit(), await submit()]) expect(answer).to.include({ status: 302, location: LIST });
    expect((await admin.get(LIST)).html).to.include('1 pending invitation');
  });

  it('is recorded without its address, and opening it records nothing', async () => {
    const eventCount = (await eventTypes()).length;
    const link = await invite();
    expect((await running.browser().get(link)).status).to.equal(200);
    const newEvents = (await running.events()).slice(eventCount);
    expect(newEvents.map(({ type }) => type)).to.deep.equal(['InvitationSent']);
    expect(JSON.stringify(newEvents)).not.to.include('eve');
  });

  it('is in the list of pending invitations until it is used', async () => {
    await invite('zoe@example.org', ['auditor']);
    const link = await invite();
    const { html } = await admin.get(`${LIST}?sort=email`);
    expect(html)
      .to.match(/eve@example\.org[^]*root[^]*zoe@example\.org/)
      .and.include('2 pending invitations');
    const file = await admin.get(`${LIST}?format=csv&q=zoe`);
    expect(file.html).to.include('zoe@example.org,auditor,root,').and.not.include('eve@example.org');
    await accept(link);
    expect((await admin.get(LIST)).html)
      .to.include('1 pending invitation')
      .and.not.include('eve@example.org');
  });

  it('leaves the list when it expires or another account verifies its address', async () => {
    const { accounts } = running.service();
    await invite();
    await invite('other@example.org');
    await accounts.changeProfile(account('other'), { email: 'other@example.org' }, BY_OPERATOR);
    await accounts.verifyEmail(account('other'), BY_OPERATOR);
    expect((await admin.get(LIST)).html).to.include('1 pending invitation');
    running.clock.advance(604_800);
    await admin.logIn('root', PASSWORD);
    expect((await admin.get(LIST)).html).to.include('No pending invitations');
  });

  it('does not work after it has been withdrawn, and cannot be withdrawn twice', async () => {
    const link = await invite();
    const list = await admin.get(LIST);
    const withdraw = () => admin.submitAndFollow(list, {}, `${LIST}1/withdraw/`);
    expect((await withdraw()).html).to.include('The invitation to eve@example.org was withdrawn.');
    expect((await accept(link)).status).to.equal(404);
    expect((await withdraw()).html).to.include('This invitation is no longer valid');
    expect(await eventTypes()).not.to.include('InvitationAccepted');
  });

  it('is either used or withdrawn, even if both are tried at the same time', async () => {
    const link = await invite();
    const list = await admin.get(LIST);
    await Promise.all([accept(link), admin.submit(list, {}, `${LIST}1/withdraw/`)]);
    const endEvents = (await eventTypes()).filter(
      (type) => type === 'InvitationAccepted' || type === 'InvitationWithdrawn',
    );
    expect(endEvents).to.have.length(1);
    expect(running.service().projections.users.findByName('eve') !== undefined).to.equal(
      endEvents[0] === 'InvitationAccepted',
    );
  });

  it('can be resent with a new link, which works once and for another week', async () => {
    const firstLink = await invite();
    running.clock.advance(400_000);
    await admin.logIn('root', PASSWORD);
    await admin.submit(await admin.get(LIST), {}, `${LIST}1/resend/`);
    const secondLink = box.linkIn(await box.waitFor(2));
    running.clock.advance(300_000);
    expect((await running.browser().get(firstLink)).status).to.equal(404);
    expect((await accept(secondLink)).status).to.equal(302);
    expect((await accept(secondLink, 'again')).status).to.equal(404);
  });

  it('with a role can be resent by a program, but only to its address, and ends with its sender’s role', async () => {
    const root = account('root');
    const invitation = { email: 'eve@example.org', roles: ['auditor'], invitedBy: root.userId } as const;
    await running.service().invitations.invite(invitation, BY_OPERATOR);
    await box.waitFor(1);
    const manager = await addManager(running);
    const { status, json } = await manager.call('POST', '/invitations/1/send/');
    expect(status).to.equal(200);
    expect(json).to.deep.include({ address: 'eve@example.org', roles: ['auditor'], sent: true, link: null });
    const link = box.linkIn(await box.waitFor(2));
    expect((await running.browser().get(link)).status).to.equal(200);
    await running.service().accounts.changeRoles(root, [], BY_OPERATOR);
    expect((await accept(link)).status).to.equal(404);
    expect((await manager.call('POST', '/invitations/1/send/')).status).to.equal(404);
  });

  it('leaves no key for its address behind after it has ended', async () => {
    const { invitations, personalKeys, projections } = running.service();
    const keys = () =>
      [...projections.sentInvitations.ended(), ...projections.sentInvitations.all().map(({ stream }) => stream)]
        .map((stream) => personalKeys.find(invitationKeyId(stream)))
        .filter((key) => key !== undefined);
    const link = await invite();
    await invite('zoe@example.org');
    await invite('max@example.org');
    expect(keys()).to.have.length(3);
    await accept(link);
    await admin.submit(await admin.get(LIST), {}, `${LIST}2/withdraw/`);
    expect(keys()).to.have.length(1);
    running.clock.advance(604_800);
    await invitations.forgetExpired();
    expect(keys()).to.deep.equal([]);
  });

  it('works once, even if it is accepted twice at the same time, and not after the account is erased', async () => {
    const link = await invite();
    const answers = await Promise.all([accept(link, 'eve'), accept(link, 'eva')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([302, 404]);
    const user = running.service().projections.users.findByVerifiedEmail('eve@example.org') ?? expect.fail();
    await running.service().accounts.erase(user, BY_OPERATOR);
    expect((await accept(link, 'again')).status).to.equal(404);
    expect((await eventTypes()).filter((type) => type === 'InvitationAccepted')).to.have.length(1);
  });

  it('still works after an attempt with a user name that is already taken', async () => {
    const link = await invite();
    expect((await accept(link, 'root')).status).to.equal(422);
    expect((await accept(link)).status).to.equal(302);
  });

  it('expires after a week', async () => {
    const link = await invite();
    running.clock.advance(604_799);
    expect((await running.browser().get(link)).status).to.equal(200);
    running.clock.advance(1);
    expect((await accept(link)).status).to.equal(404);
  });

  it('ends when the administrator who sent it loses the role or is disabled', async () => {
    const { accounts } = running.service();
    const [firstLink, secondLink] = [await invite(), await invite('zoe@example.org')];
    await accounts.changeRoles(account('root'), [], BY_OPERATOR);
    expect((await accept(firstLink)).status).to.equal(404);
    await accounts.changeRoles(account('root'), ['administrator'], BY_OPERATOR);
    await accounts.disable(account('root'), BY_OPERATOR);
    expect((await accept(secondLink)).status).to.equal(404);
  });

  const INTERRUPTIONS: Readonly<Record<string, readonly [end: () => Promise<void>, undo: () => Promise<void>]>> = {
    'gets the role back': [
      () => running.service().accounts.changeRoles(account('root'), ['auditor'], BY_OPERATOR),
      () => running.service().accounts.changeRoles(account('root'), ['administrator'], BY_OPERATOR),
    ],
    'is enabled again': [
      () => running.service().accounts.disable(account('root'), BY_OPERATOR),
      () => running.service().accounts.enable(account('root'), BY_OPERATOR),
    ],
  };

  for (const [title, [end, undo]] of Object.entries(INTERRUPTIONS)) {
    it(`stays invalid if the administrator ${title}, and leaves no key behind`, async () => {
      const [link, resentLink] = [await invite(), await invite('zoe@example.org', ['auditor'])];
      const { invitations, personalKeys, projections } = running.service();
      await invitations.resend(invitations.findByNumber('2') ?? expect.fail(), null, BY_OPERATOR);
      await end();
      await undo();
      expect((await accept(link)).status).to.equal(404);
      expect(invitations.listPending().map(({ id }) => id)).to.deep.equal([2]);
      expect((await accept(resentLink, 'zoe')).status, 'the invitation that the operator resent').to.equal(302);
      await invitations.forgetExpired();
      const streams = [...projections.sentInvitations.ended()];
      expect(streams).to.have.length(2);
      expect(streams.flatMap((stream) => personalKeys.find(invitationKeyId(stream)) ?? [])).to.deep.equal([]);
    });
  }

  it('can be sent to the same address again after its sender lost the role', async () => {
    await invite();
    await INTERRUPTIONS['gets the role back']?.[0]();
    await INTERRUPTIONS['gets the role back']?.[1]();
    expect(await accept(await invite())).to.include({ status: 302 });
  });

  it('ends when another account verifies the address', async () => {
    const link = await invite();
    const { accounts } = running.service();
    await accounts.changeProfile(account('other'), { email: 'EVE@example.org' }, BY_OPERATOR);
    await accounts.verifyEmail(account('other'), BY_OPERATOR);
    expect((await accept(link)).status).to.equal(404);
  });

  it('can be sent only by administrators, and only to a valid address', async () => {
    const ordinaryUser = running.browser();
    await running.addUser('member');
    await ordinaryUser.logIn('member', "member's password");
    expect((await ordinaryUser.get('/admin/users/invite/')).status).to.equal(403);
    for (const email of ['', 'eve', 'a@b, c@d', 'eve@example.org\r\nBcc: x@y'])
      expect((await admin.submit(await admin.get('/admin/users/invite/'), { email }, FORM)).status, email).to.equal(
        422,
      );
    expect(box.emails).to.deep.equal([]);
  });

  it('has a link that is shown to the administrator once if mail is off', async () => {
    await running.close();
    await start(false);
    const linkPage = await admin.submitAndFollow(
      await admin.get('/admin/users/invite/'),
      { email: 'eve@example.org' },
      FORM,
    );
    const [, url = ''] = />(http[^<]*\/accounts\/invitation\/\?token=[\w-]+)</.exec(linkPage.html) ?? [];
    expect((await admin.get(linkPage.path)).html).to.include('cannot be shown again');
    const { pathname, search } = new URL(url);
    expect((await accept(`${pathname}${search}`)).status).to.equal(302);
  });
});
