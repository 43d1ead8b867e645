import { expect } from 'chai';
import { LIMITS, type LimitName } from '../../src/platform/limits/limits.ts';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import { DecisionOutdated, type EventLog } from '../../src/event-store/event-log.ts';
import type { User } from '../../src/projections/users.ts';
import { createAuthenticator, logInWithPasskey, type CreationOptions } from '../support/authenticator.ts';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import { countingHasher } from '../support/counting-hasher.ts';
import { startRacingService, type RacingService } from '../support/racing-service.ts';
import { runningService, type RunningService, type TestUser } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('A request that is evaluated again after a conflict', () => {
  let racing: RacingService;
  let running: RunningService;
  let ada: TestUser;
  let browser: BrowserSession;
  let saveCount = 0;

  /** @param strictLimitNames the limits that allow one request, in addition to the login during set-up */
  async function start(...strictLimitNames: readonly LimitName[]): Promise<void> {
    const strictLimits = strictLimitNames.map((name) => [
      name,
      { ...LIMITS[name], max: name === 'log-in-by-account' ? 2 : 1 },
    ]);
    racing = await startRacingService({ limits: { ...LIMITS, ...Object.fromEntries(strictLimits) } });
    ({ running } = racing);
    ada = await running.addUser('ada');
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  }
  afterEach(() => racing.close());

  const user = (): User => running.service().projections.users.findByName('ada') ?? expect.fail();

  function saveProfile(): Promise<unknown> {
    saveCount += 1;
    const profile = { email: '', firstName: `Ada ${saveCount}`, lastName: '' };
    return running.service().accounts.changeProfile(user(), profile, OPERATOR);
  }

  const queueBehindSave = async (stream: RegExp, act: () => Promise<Page>): Promise<Page> =>
    (await racing.runBehind(saveProfile, stream, act))[0];

  async function prepareSubmission(
    path: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<() => Promise<Page>> {
    const page = await browser.get(path);
    return () => browser.submit(page, fields, path);
  }

  const application = {
    name: 'App',
    client_type: 'confidential',
    authorization_grant_type: 'client-credentials',
    redirect_uris: '',
  };

  it('counts only once toward the limit on registered applications', async () => {
    await start('applications-by-user');
    const path = '/o/applications/register/';
    expect((await queueBehindSave(/^client-/, await prepareSubmission(path, application))).status).to.equal(302);
    expect((await (await prepareSubmission(path, application))()).status).to.equal(429);
  });

  it('counts only once toward the limit on correct passwords on the pages', async () => {
    await start('log-in-by-account');
    const path = '/accounts/password/';
    const change = await prepareSubmission(path, {
      current_password: ada.password,
      new_password: 'a new long password',
    });
    expect((await queueBehindSave(/^user-/, change)).status).to.equal(302);
    expect((await running.browser().logIn(ada.username, 'a new long password')).status).to.equal(429);
  });

  it('counts only once toward the limit on correct passwords at the token endpoint', async () => {
    await start('password-grant-by-account');
    const client = await running.addClient();
    const request = () => running.token(client, { grant_type: 'password', ...ada });
    expect((await racing.runBehind(saveProfile, /^grant-/, request))[0].status).to.equal(200);
    expect((await request()).status).to.equal(429);
  });

  it('adds the passkey for its challenge, and no other request can use that challenge', async () => {
    await start();
    const device = createAuthenticator();
    const { csrf_token = '' } = hiddenFields((await browser.get('/accounts/passkeys/add/')).html);
    const options = await browser.post('/accounts/passkeys/options/', { csrf_token, password: ada.password });
    const creation = JSON.parse(options.html) as CreationOptions;
    const add = (answer: string) => () => browser.post('/accounts/passkeys/add/', { csrf_token, name: 'Mine', answer });
    const response = await queueBehindSave(/^user-/, add(device.create(creation)));
    expect(response).to.include({ status: 302, location: '/accounts/' });
    expect((await add(createAuthenticator().create(creation))()).status).to.equal(422);
    expect((await logInWithPasskey(running.browser(), device)).status).to.equal(302);
  });
});

describe('A request whose account changes at every attempt', () => {
  let running: RunningService;
  let ada: TestUser;
  let changingStreams = /^$/;
  const { hasher, hashCount, verifyCount } = countingHasher();

  /** Returns a log that rejects every append to the changing streams, as if the account had changed. */
  function withChangingAccounts(log: EventLog): EventLog {
    return {
      ...log,
      async append(stream, ...rest) {
        if (changingStreams.test(stream)) throw new DecisionOutdated(stream);
        return log.append(stream, ...rest);
      },
    };
  }

  beforeEach(async () => {
    changingStreams = /^$/;
    running = await runningService({ log: withChangingAccounts(createMemoryLog()), hasher });
    ada = await running.addUser('ada');
  });
  afterEach(() => running.close());

  it('gets a protocol error at the token endpoint, after hashing the password only once', async () => {
    const client = await running.addClient();
    const verificationsBefore = verifyCount();
    changingStreams = /^grant-/;
    const { status, headers, json } = await running.token(client, { grant_type: 'password', ...ada });
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
    expect(json).to.deep.equal({
      error: 'temporarily_unavailable',
      error_description:
        'Other requests kept changing the same data while this request was being processed. ' +
        'This request changed nothing. Send the same request again.',
      request_id: headers.get('x-request-id'),
    });
    expect(verifyCount() - verificationsBefore).to.equal(1);
  });

  it('gets an error page, after hashing each password only once', async () => {
    const browser = running.browser();
    await browser.logIn(ada.username, ada.password);
    const page = await browser.get('/accounts/password/');
    const countsBefore = [hashCount(), verifyCount()] as const;
    changingStreams = /^user-/;
    const fields = { current_password: ada.password, new_password: 'a new long password' };
    const response = await browser.submit(page, fields, '/accounts/password/');
    expect(response.status).to.equal(409);
    expect(response.html).to.include('Go back, check the current state, and try again.');
    expect([hashCount() - countsBefore[0], verifyCount() - countsBefore[1]]).to.deep.equal([1, 1]);
  });
});
