import { expect } from 'chai';
import { mailbox, type Mailbox } from '../support/mailbox.ts';
import { runningService, type RunningService, type TestUser } from '../support/running-service.ts';

const BY_OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

describe('A login', () => {
  let running: RunningService;
  let box: Mailbox;
  let ada: TestUser;

  beforeEach(async () => {
    box = mailbox();
    running = await runningService({ mailTransport: box.transport });
    ada = await running.addUser('ada');
    await running.service().accounts.changeProfile(account(), { email: 'ada@example.org' }, BY_OPERATOR);
  });
  afterEach(() => running.close());

  const account = () => running.service().projections.users.findByName('ada') ?? expect.fail();
  const verify = (): Promise<void> => running.service().accounts.verifyEmail(account(), BY_OPERATOR);

  /** Waits until any queued e-mail would have arrived. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  it('from a browser that is new to the user is reported by e-mail, but later logins from it are not', async () => {
    await verify();
    const browser = running.browser({ 'user-agent': FIREFOX });
    await browser.logIn(ada.username, ada.password);
    const mail = await box.waitFor(1);
    expect([mail.to, mail.subject]).to.deep.equal(['ada@example.org', `New login to your account at ${host()}`]);
    expect(mail.text).to.include('Firefox on Linux').and.include('/accounts/sessions/');
    await browser.submit(await browser.get('/accounts/'), {}, '/accounts/logout/');
    await browser.logIn(ada.username, ada.password);
    await settle();
    expect(box.emails).to.have.length(1);
    await running.browser({ 'user-agent': FIREFOX }).logIn(ada.username, ada.password);
    await box.waitFor(2);
  });

  it('is reported to a user if another user has logged in from the same browser in the meantime', async () => {
    await verify();
    const bob = await running.addUser('bob');
    const browser = running.browser();
    await browser.logIn(ada.username, ada.password);
    await box.waitFor(1);
    await browser.submit(await browser.get('/accounts/'), {}, '/accounts/logout/');
    await browser.logIn(bob.username, bob.password);
    await browser.submit(await browser.get('/accounts/'), {}, '/accounts/logout/');
    await browser.logIn(ada.username, ada.password);
    await box.waitFor(2);
  });

  it('is not reported if the address is not verified, or the login fails', async () => {
    await running.browser().logIn(ada.username, ada.password);
    await verify();
    await running.browser().logIn(ada.username, 'wrong password');
    await settle();
    expect(box.emails).to.deep.equal([]);
  });

  const host = (): string => new URL(running.service().issuer()).host;
});
