import { expect } from 'chai';
import type { User } from '../../src/projections/users.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { mailbox, type Mailbox } from '../support/mailbox.ts';
import { runningService, type RunningOptions, type RunningService, type TestUser } from '../support/running-service.ts';
import { SMALL_LIMITS } from '../support/small-limits.ts';

const BY_OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const NEW_PASSWORD = 'correct horse battery';

describe('Links in e-mails', () => {
  let running: RunningService;
  let box: Mailbox;
  let ada: TestUser;

  async function start(options: RunningOptions = {}): Promise<void> {
    box = mailbox(({ subject }) => !subject.startsWith('New login'));
    running = await runningService({ mailTransport: box.transport, ...options });
    ada = await running.addUser('ada');
    await setEmail('ada', 'ada@example.org');
  }
  beforeEach(() => start());
  afterEach(() => running.close());

  const account = (name = 'ada'): User => running.service().projections.users.findByName(name) ?? expect.fail();

  async function setEmail(name: string, email: string): Promise<void> {
    await running.service().accounts.changeProfile(account(name), { email }, BY_OPERATOR);
  }
  const verify = (name = 'ada'): Promise<void> => running.service().accounts.verifyEmail(account(name), BY_OPERATOR);

  async function requestReset(name: string, browser = running.browser()): Promise<Page> {
    return browser.submit(await browser.get('/accounts/forgot/'), { username: name });
  }

  async function requestResetLink(): Promise<string> {
    const mailCount = box.emails.length;
    expect(await requestReset('ada')).to.include({ status: 302, location: '/accounts/forgot/sent/' });
    return box.linkIn(await box.waitFor(mailCount + 1));
  }

  async function requestVerificationLink(): Promise<string> {
    const mailCount = box.emails.length;
    const browser = running.browser();
    await browser.logIn(ada.username, ada.password);
    await browser.submit(await browser.get('/accounts/'), {}, '/accounts/verify/send/');
    return box.linkIn(await box.waitFor(mailCount + 1));
  }

  async function useLink(link: string, fields = {}, browser: BrowserSession = running.browser()): Promise<Page> {
    const page = await browser.get(link);
    return page.status === 200 ? browser.submit(page, fields) : page;
  }
  const reset = (link: string, password = NEW_PASSWORD): Promise<Page> => useLink(link, { new_password: password });

  const eventTypes = async (): Promise<readonly string[]> => (await running.events()).map(({ type }) => type);

  /** Waits until any queued e-mail would have arrived. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  describe('for verifying an e-mail address', () => {
    it('verify the address in a different browser, and the account page says so', async () => {
      const link = await requestVerificationLink();
      expect(box.emails[0]?.to).to.equal('ada@example.org');
      expect(await useLink(link)).to.include({ status: 302, location: '/accounts/login/' });
      expect(account().emailVerified).to.equal(true);
      expect((await eventTypes()).filter((type) => type === 'EmailVerified')).to.have.length(1);
      const browser = running.browser();
      await browser.logIn('ADA@example.org', ada.password);
      expect((await browser.get('/accounts/')).html).to.include('Verified. You can log in with it.');
    });

    it('change nothing when they are opened', async () => {
      const link = await requestVerificationLink();
      const previousTypes = await eventTypes();
      for (let times = 0; times < 3; times += 1) {
        const page = await running.browser().get(link);
        expect(page.status).to.equal(200);
        expect(page.headers.get('referrer-policy')).to.equal('no-referrer');
      }
      expect([await eventTypes(), account().emailVerified]).to.deep.equal([previousTypes, false]);
    });

    it('work once, after which all of them are invalid', async () => {
      const [olderLink, newerLink] = [await requestVerificationLink(), await requestVerificationLink()];
      expect((await useLink(olderLink)).status).to.equal(302);
      for (const link of [olderLink, newerLink]) expect((await useLink(link)).status).to.equal(404);
    });

    it('work after other changes to the account, but not if the address is changed and changed back', async () => {
      const link = await requestVerificationLink();
      await running.service().accounts.changeProfile(account(), { firstName: 'Ada' }, BY_OPERATOR);
      expect((await running.browser().get(link)).status).to.equal(200);
      await setEmail('ada', 'other@example.org');
      await setEmail('ada', 'ada@example.org');
      expect((await useLink(link)).status).to.equal(404);
    });

    it('are sent when the user enters a different address, which requires the password', async () => {
      await verify();
      const browser = running.browser();
      await browser.logIn(ada.username, ada.password);
      const changeEmail = async (current_password: string): Promise<Page> =>
        browser.submit(await browser.get('/accounts/'), { email: 'new@example.org', current_password });
      expect((await changeEmail('wrong')).status).to.equal(422);
      expect(account().email).to.equal('ada@example.org');
      expect((await changeEmail(ada.password)).status).to.equal(302);
      await box.waitFor(2);
      expect(box.emails.map(({ to, subject }) => [to, subject.split(' for ')[0]])).to.deep.equal([
        ['ada@example.org', 'Your e-mail address'],
        ['new@example.org', 'Confirm your e-mail address'],
      ]);
      expect(account().emailVerified).to.equal(false);
    });
  });

  describe('for a new password', () => {
    beforeEach(() => verify());

    it('set the password, end every session, lead to the login page, and notify the user', async () => {
      const browser = running.browser();
      await browser.logIn(ada.username, ada.password);
      const answer = await reset(await requestResetLink());
      expect(answer).to.include({ status: 302, location: '/accounts/login/' });
      expect((await browser.get('/accounts/')).status).to.equal(302);
      expect((await running.browser().logIn('ada', ada.password)).status).to.equal(422);
      expect((await running.browser().logIn('ada', NEW_PASSWORD)).status).to.equal(302);
      expect((await box.waitFor(2)).subject).to.include('was changed');
    });

    it('do not log the user in, because a session needs a complete login', async () => {
      const browser = running.browser();
      await useLink(await requestResetLink(), { new_password: NEW_PASSWORD }, browser);
      expect((await browser.get('/accounts/')).location).to.include('/accounts/login/');
      expect((await eventTypes()).includes('SessionStarted')).to.equal(false);
    });

    it('can be requested with the user name or the address, ignoring case', async () => {
      for (const name of ['ADA', ' ada@EXAMPLE.org ']) {
        const mailCount = box.emails.length;
        await requestReset(name);
        expect((await box.waitFor(mailCount + 1)).to).to.equal('ada@example.org');
      }
    });

    it('refuse a weak password, and still work afterwards', async () => {
      const link = await requestResetLink();
      expect((await reset(link, 'short')).status).to.equal(422);
      expect((await reset(link)).status).to.equal(302);
    });

    it('work once, after which all of them are invalid', async () => {
      const [olderLink, newerLink] = [await requestResetLink(), await requestResetLink()];
      expect((await reset(olderLink)).status).to.equal(302);
      for (const link of [olderLink, newerLink]) expect((await reset(link)).status).to.equal(404);
    });

    it('work once even if they are used twice at the same time', async () => {
      const link = await requestResetLink();
      const pages = await Promise.all(
        ['one password here', 'another password'].map(async (new_password) => {
          const browser = running.browser();
          return { browser, page: await browser.get(link), new_password };
        }),
      );
      const answers = await Promise.all(
        pages.map(({ browser, page, new_password }) => browser.submit(page, { new_password })),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([302, 404]);
      expect((await eventTypes()).filter((type) => type === 'PasswordChanged')).to.have.length(1);
    });

    it('expire after half an hour', async () => {
      const link = await requestResetLink();
      running.clock.advance(1_799);
      expect((await running.browser().get(link)).status).to.equal(200);
      running.clock.advance(1);
      expect((await reset(link)).status).to.equal(404);
    });

    const INVALIDATING_CHANGES: Readonly<Record<string, () => Promise<unknown>>> = {
      'the password is changed': () => running.service().accounts.changePassword(account(), NEW_PASSWORD, BY_OPERATOR),
      'the address is changed': () => setEmail('ada', 'new@example.org'),
      'the address is verified by another account': async () => {
        await running.addUser('bob');
        await setEmail('bob', 'ada@example.org');
        await verify('bob');
      },
      'the account is disabled': () => running.service().accounts.disable(account(), BY_OPERATOR),
      'the account is disabled and enabled again': async () => {
        await running.service().accounts.disable(account(), BY_OPERATOR);
        await running.service().accounts.enable(account(), BY_OPERATOR);
      },
      'the account is erased': () => running.service().accounts.erase(account(), BY_OPERATOR),
      'the user is logged out everywhere': () => running.service().accounts.logOutEverywhere(account(), BY_OPERATOR),
    };
    for (const [event, change] of Object.entries(INVALIDATING_CHANGES)) {
      it(`become invalid when ${event}`, async () => {
        const link = await requestResetLink();
        const browser = running.browser();
        const page = await browser.get(link);
        await change();
        expect((await browser.submit(page, { new_password: NEW_PASSWORD })).status).to.equal(404);
        expect((await running.browser().get(link)).status).to.equal(404);
      });
    }

    it('are refused if they are used for a different purpose, altered or made up', async () => {
      const link = await requestResetLink();
      const token = new URLSearchParams(link.split('?')[1]).get('token') ?? '';
      const alteredToken = `${token.slice(0, -3)}${token.endsWith('AAA') ? 'BBB' : 'AAA'}`;
      for (const path of [
        `/accounts/verify/?token=${token}`,
        `/accounts/reset/?token=${alteredToken}`,
        `/accounts/reset/?token=${token}.`,
        '/accounts/reset/?token=AAAA',
        '/accounts/reset/',
      ])
        expect((await running.browser().get(path)).status, path).to.equal(404);
      expect((await reset(link)).status).to.equal(302);
    });

    it('are sent only to verified addresses of active accounts', async () => {
      await running.addUser('bob');
      await setEmail('bob', 'bob@example.org');
      await requestReset('bob');
      await requestReset('bob@example.org');
      await running.service().accounts.disable(account(), BY_OPERATOR);
      await requestReset('ada');
      await settle();
      expect(box.emails).to.deep.equal([]);
    });

    it('cause no event when they are requested, and the same response whether or not the account exists', async () => {
      const previousTypes = await eventTypes();
      const answers = [];
      for (const name of ['ada', 'ada@example.org', 'nobody', 'nobody@example.org', '\u0000']) {
        const { status, location, html } = await requestReset(name);
        answers.push({ status, location, html });
      }
      for (const answer of answers) expect(answer).to.deep.equal(answers[0]);
      expect(await eventTypes()).to.deep.equal(previousTypes);
    });

    it('begin with the issuer, whatever the Host header says', async () => {
      const browser = running.browser({ host: 'evil.example', 'x-forwarded-host': 'evil.example' });
      await requestReset('ada', browser);
      const { text, html } = await box.waitFor(1);
      for (const body of [text, html ?? '']) {
        expect(body).to.include('http://localhost:8000/accounts/reset/?token=');
        expect(body).not.to.include('evil');
      }
    });
  });

  it('are limited per IP address, and silently per account', async () => {
    await running.close();
    await start({ limits: SMALL_LIMITS });
    await verify();
    const statuses = [];
    for (let times = 0; times < 7; times += 1) statuses.push((await requestReset('ada')).status);
    expect(statuses).to.deep.equal([302, 302, 302, 302, 302, 302, 429]);
    await settle();
    expect(box.emails).to.have.length(2);
  });

  it("are limited for each purpose, so that users cannot detect a reset for another user's address", async () => {
    await running.close();
    await start({ limits: SMALL_LIMITS });
    await verify();
    const eve = await running.addUser('eve');
    await setEmail('eve', 'ada@example.org');
    for (let times = 0; times < 2; times += 1) await requestReset('ada@example.org');
    const browser = running.browser();
    await browser.logIn(eve.username, eve.password);
    const answers = [];
    for (let times = 0; times < 2; times += 1) {
      await browser.submit(await browser.get('/accounts/'), {}, '/accounts/verify/send/');
      answers.push((await browser.get('/accounts/')).html.includes('We sent a link to ada@example.org'));
    }
    expect(answers).to.deep.equal([true, true]);
  });

  it('are limited for a recipient who is invited by owners of several applications', async () => {
    await running.close();
    await start({ limits: SMALL_LIMITS });
    const statuses = [];
    for (const owner of ['eve', 'mallory', 'oscar', 'trudy']) {
      const { username, password } = await running.addUser(owner);
      const app = await running.addClient({ owner });
      const browser = running.browser();
      await browser.logIn(username, password);
      const peoplePage = await browser.get(`/o/applications/${app.id}/people/`);
      const fields = { member_role: 'owner', email: 'Ada@example.org' };
      statuses.push((await browser.submit(peoplePage, fields, `/o/applications/${app.id}/people/invite/`)).status);
    }
    await settle();
    expect([statuses, box.emails.length]).to.deep.equal([[302, 302, 302, 429], 3]);
  });

  it('are not sent to an address with quotes or comments, which could evade the limit for a mailbox', async () => {
    const app = await running.addClient({ owner: 'ada' });
    const browser = running.browser();
    await browser.logIn(ada.username, ada.password);
    for (const email of ['eve(1)@example.org', '"eve"@example.org', '<eve@example.org>', 'eve@example.org,']) {
      const peoplePage = await browser.get(`/o/applications/${app.id}/people/`);
      const fields = { member_role: 'owner', email };
      const answer = await browser.submit(peoplePage, fields, `/o/applications/${app.id}/people/invite/`);
      expect(answer.status, email).to.equal(422);
      await setEmail('ada', email);
      await browser.submit(await browser.get('/accounts/'), {}, '/accounts/verify/send/');
      expect((await browser.get('/accounts/')).html).to.include('We could not send a link now');
    }
    expect(box.emails).to.deep.equal([]);
  });

  it('do not appear in the request log, and neither does the address', async () => {
    await running.close();
    const lines: string[] = [];
    const record = (fields: object, message: string): void => void lines.push(`${message} ${JSON.stringify(fields)}`);
    await start({ requestLog: { info: record, debug: record } });
    await verify();
    await reset(await requestResetLink());
    expect(lines.join('\n')).not.to.match(/token|ada@example/);
  });

  it('are not offered by a server without mail', async () => {
    await running.close();
    running = await runningService();
    ada = await running.addUser('ada');
    const login = await running.browser().get('/accounts/login/');
    expect(login.html).to.include('Ask an administrator').and.not.include('/accounts/forgot/');
    expect((await running.browser().get('/accounts/forgot/')).html).to.include('Ask an administrator');
  });
});
