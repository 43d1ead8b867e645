import { expect } from 'chai';
import type { User } from '../../src/projections/users.ts';
import { addPasskey, createAuthenticator, logInWithPasskey, type CreationOptions } from '../support/authenticator.ts';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import { startRacingService, type RacingService } from '../support/racing-service.ts';
import type { RunningService, TestUser } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const [THIEF_PASSWORD, OWNER_PASSWORD] = ["the thief's password", "the owner's new password"];

/** A thief who knows the password, or has found a logged-in browser, acts while the owner changes the password. */
describe('On the account page, if the password changes at the same time,', () => {
  let racing: RacingService;
  let running: RunningService;
  let ada: TestUser;
  let thief: BrowserSession;

  beforeEach(async () => {
    racing = await startRacingService();
    ({ running } = racing);
    ada = await running.addUser('ada');
    thief = running.browser();
    await thief.logIn(ada.username, ada.password);
  });
  afterEach(() => racing.close());

  const user = (): User => running.service().projections.users.findByName('ada') ?? expect.fail();
  const changeByOwner = () => running.service().accounts.changePassword(user(), OWNER_PASSWORD, OPERATOR);
  const canLogInWith = async (password: string): Promise<boolean> =>
    (await running.browser().logIn('ada', password)).status === 302;
  const eventTypes = async (): Promise<readonly string[]> => (await running.events()).map(({ type }) => type);

  async function openForm(path: string): Promise<(fields: Readonly<Record<string, string>>) => Promise<Page>> {
    const page = await thief.get(path);
    return (fields) => thief.submit(page, fields, path);
  }

  it('another change with the old password is refused', async () => {
    const submit = await openForm('/accounts/password/');
    const change = () => submit({ current_password: ada.password, new_password: THIEF_PASSWORD });
    const [page] = await racing.runBehind(changeByOwner, /^user-/, change);
    expect(page.status).to.equal(403);
    expect(page.html).to.include('You are not logged in');
    expect([await canLogInWith(OWNER_PASSWORD), await canLogInWith(THIEF_PASSWORD)]).to.deep.equal([true, false]);
    expect((await thief.get('/accounts/')).status, 'the session').to.equal(302);
  });

  it('another change is refused even if its new password is already being hashed', async () => {
    const submit = await openForm('/accounts/password/');
    const change = () => submit({ current_password: ada.password, new_password: THIEF_PASSWORD });
    const [page] = await racing.duringHash(change, changeByOwner, 2);
    expect(page.status).to.equal(403);
    expect([await canLogInWith(OWNER_PASSWORD), await canLogInWith(THIEF_PASSWORD)]).to.deep.equal([true, false]);
  });

  it('only one of two changes with the old password succeeds', async () => {
    const otherBrowser = running.browser();
    await otherBrowser.logIn(ada.username, ada.password);
    const [thiefPage, otherPage] = [
      await thief.get('/accounts/password/'),
      await otherBrowser.get('/accounts/password/'),
    ];
    const pages = await Promise.all([
      thief.submit(thiefPage, { current_password: ada.password, new_password: THIEF_PASSWORD }, '/accounts/password/'),
      otherBrowser.submit(
        otherPage,
        { current_password: ada.password, new_password: OWNER_PASSWORD },
        '/accounts/password/',
      ),
    ]);
    expect((await eventTypes()).filter((type) => type === 'PasswordChanged')).to.have.length(1);
    expect(pages.filter(({ status }) => status === 302)).to.have.length(1);
  });

  it('no session starts with a password that was changed before the session is recorded', async () => {
    const submit = await openForm('/accounts/password/');
    const changeByThief = () => submit({ current_password: ada.password, new_password: THIEF_PASSWORD });
    const [, page] = await racing.runBehind(changeByThief, /^user-/, changeByOwner);
    expect(page).to.include({ status: 302, location: '/accounts/' });
    expect((await thief.get('/accounts/')).status, 'the session').to.equal(302);
    expect((await thief.get('/accounts/login/')).html).to.include('Your account was changed while you were logging in');
    expect([await canLogInWith(OWNER_PASSWORD), await canLogInWith(THIEF_PASSWORD)]).to.deep.equal([true, false]);
  });

  it('the account is not erased with the old password', async () => {
    const submit = await openForm('/accounts/erase/');
    const erase = () => submit({ username: 'ada', password: ada.password });
    const [page] = await racing.runBehind(changeByOwner, /^user-/, erase);
    expect(page.status).to.equal(403);
    expect(await canLogInWith(OWNER_PASSWORD)).to.equal(true);
  });

  it('names and the e-mail address are not changed', async () => {
    const hiddenInputs = hiddenFields((await thief.get('/accounts/')).html);
    const profile = { email: 'thief@example.org', first_name: '', last_name: '', ...hiddenInputs };
    const [page] = await racing.runBehind(changeByOwner, /^user-/, () => thief.post('/accounts/profile/', profile));
    expect(page.status).to.equal(403);
    expect(user().email).to.equal('');
  });

  it('no passkey is added or removed', async () => {
    const device = createAuthenticator();
    expect((await addPasskey(thief, ada.password, device)).status).to.equal(302);
    const [remainingPasskey] = running.service().projections.passkeys.listByUser(user().userId);
    const { csrf_token = '' } = hiddenFields((await thief.get('/accounts/passkeys/add/')).html);
    const options = await thief.post('/accounts/passkeys/options/', { csrf_token, password: ada.password });
    const newDevice = createAuthenticator();
    const answer = newDevice.create(JSON.parse(options.html) as CreationOptions);
    const attempts = () =>
      Promise.all([
        thief.post('/accounts/passkeys/add/', { csrf_token, name: 'Mine', answer }),
        thief.post(`/accounts/passkeys/${remainingPasskey?.passkeyId ?? ''}/remove/`, { csrf_token }),
      ]);
    const [pages] = await racing.runBehind(changeByOwner, /^user-/, attempts);
    expect(pages.map(({ status }) => status)).to.deep.equal([403, 403]);
    expect(running.service().projections.passkeys.listByUser(user().userId)).to.deep.equal([remainingPasskey]);
    expect((await logInWithPasskey(running.browser(), device)).status).to.equal(302);
    expect((await logInWithPasskey(running.browser(), newDevice)).status).to.equal(422);
  });
});

describe('A passkey', () => {
  let racing: RacingService;
  beforeEach(async () => {
    racing = await startRacingService();
  });
  afterEach(() => racing.close());

  it('that two accounts add concurrently belongs to the first, and the second gets an error', async () => {
    const { running } = racing;
    const device = createAuthenticator();
    const additions = await Promise.all(
      ['ada', 'bob'].map(async (name) => {
        const { username, password } = await running.addUser(name);
        const browser = running.browser();
        await browser.logIn(username, password);
        const { csrf_token = '' } = hiddenFields((await browser.get('/accounts/passkeys/add/')).html);
        const options = await browser.post('/accounts/passkeys/options/', { csrf_token, password });
        const answer = device.create(JSON.parse(options.html) as CreationOptions);
        return () => browser.post('/accounts/passkeys/add/', { csrf_token, name: 'Shared', answer });
      }),
    );
    const [firstAddition, secondAddition] = [additions[0] ?? expect.fail(), additions[1] ?? expect.fail()];
    const [laterPage, earlierPage] = await racing.runBehind(firstAddition, /^user-/, secondAddition);
    expect([earlierPage.status, laterPage.status]).to.deep.equal([302, 422]);
    expect(laterPage.html).to.include('This passkey has already been added');
    const { users, passkeys } = running.service().projections;
    expect(users.all().map(({ userId }) => passkeys.listByUser(userId).length)).to.deep.equal([1, 0]);
  });
});
