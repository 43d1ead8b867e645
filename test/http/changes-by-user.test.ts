import { expect } from 'chai';
import { LIMITS, limitsFor } from '../../src/platform/limits/limits.ts';
import { parseRedirect, authorizePath, expectErrorRedirect, openSession } from '../support/authorize-requests.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';
import { SMALL_LIMITS } from '../support/small-limits.ts';

describe('A session', () => {
  let running: RunningService;
  let browser: BrowserSession;
  let client: TestClient;
  let warnings: Readonly<Record<string, unknown>>[];

  beforeEach(async () => {
    warnings = [];
    running = await runningService({ limits: SMALL_LIMITS, warn: (details) => void warnings.push(details) });
    client = await running.addClient({ skipAuthorization: true });
    browser = await openSession(running, await running.addUser());
  });
  afterEach(() => running.close());

  const requestCode = async (session = browser): Promise<Page> => session.get(authorizePath(client, { state: 's' }));
  const isCode = (page: Page): boolean => 'code' in parseRedirect(page).parameters;

  async function requestAllCodes(): Promise<void> {
    for (let times = 0; times < SMALL_LIMITS['codes-by-user'].max; times += 1) {
      expect(isCode(await requestCode())).to.equal(true);
    }
  }

  it('can get a limited number of codes; after that, the client gets an error, and nothing is recorded', async () => {
    await requestAllCodes();
    const previousEvents = await running.events();
    expectErrorRedirect(await requestCode(), 'temporarily_unavailable', 's');
    expect(await running.events()).to.deep.equal(previousEvents);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include({ limit: 'codes-by-user', retryAfterSeconds: 60 });
    running.clock.advance(60);
    expect(isCode(await requestCode())).to.equal(true);
  });

  it("shares this limit with the user's other sessions, but not with other users", async () => {
    const user = await running.addUser();
    const [firstSession, secondSession] = [await openSession(running, user), await openSession(running, user)];
    for (let times = 0; times < SMALL_LIMITS['codes-by-user'].max; times += 1) {
      expect(isCode(await requestCode(firstSession))).to.equal(true);
    }
    expectErrorRedirect(await requestCode(secondSession), 'temporarily_unavailable', 's');
    expect(isCode(await requestCode())).to.equal(true);
  });

  it('can submit a limited number of forms; any more are refused with 429 and not recorded', async () => {
    await submitAllForms();
    const previousEvents = await running.events();
    const page = await changeProfile('one more');
    expect(page.status).to.equal(429);
    expect(Number(page.headers.get('retry-after'))).to.be.within(1, 900);
    expect(await running.events()).to.deep.equal(previousEvents);
    running.clock.advance(900);
    expect((await changeProfile('one more')).status).to.equal(302);
  });

  it('can still end all sessions when it has reached the limit on forms', async () => {
    await submitAllForms();
    const page = await browser.get('/accounts/');
    expect((await browser.submit(page, {}, '/accounts/logout/everywhere/')).status).to.be.within(302, 303);
    expect((await browser.get('/accounts/')).location).to.include('/accounts/login/');
  });

  it('has a limit on codes that grows with the token limit per client and never falls below its default', () => {
    const maxCodes = (tokens: number): number => limitsFor({ tokensPerMinutePerClient: tokens })['codes-by-user'].max;
    expect(maxCodes(LIMITS['tokens-by-client'].max)).to.equal(LIMITS['codes-by-user'].max);
    expect(maxCodes(1)).to.equal(LIMITS['codes-by-user'].max);
    expect(maxCodes(60_000)).to.equal(3_000);
  });

  async function changeProfile(firstName: string): Promise<Page> {
    return browser.submit(await browser.get('/accounts/'), { first_name: firstName }, '/accounts/profile/');
  }

  async function submitAllForms(): Promise<void> {
    for (let times = 0; times < SMALL_LIMITS['changes-by-user'].max; times += 1) {
      expect((await changeProfile(`name ${times}`)).status).not.to.equal(429);
    }
  }
});
