import { expect } from 'chai';
import { parseRedirect, authorizePath, expectErrorRedirect, openSession } from '../support/authorize-requests.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningOptions,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

type Parameters = Readonly<Record<string, string>>;

const isConsentPage = ({ status }: Page): boolean => status === 200;
const isLoginRedirect = ({ status, location }: Page): boolean =>
  status === 302 && (location ?? '').startsWith('/accounts/login/?');
const hasCode = (page: Page): boolean => 'code' in parseRedirect(page).parameters;

describe('OpenID Connect Core §3.1.2.1, prompts:', () => {
  let running: RunningService;
  let client: TestClient;
  let owner: TestUser;
  let browser: BrowserSession;

  async function start(settings: RunningOptions['settings'] = {}): Promise<void> {
    running = await runningService({ settings });
    client = await running.addClient();
    owner = await running.addUser();
    browser = await openSession(running, owner);
  }
  beforeEach(() => start());
  afterEach(() => running.close());

  const request = (parameters: Parameters = {}, session = browser): Promise<Page> =>
    session.get(authorizePath(client, parameters));

  /** Returns the URL that the login page sends the user back to. */
  const readNext = ({ location }: Page): string =>
    new URL(location ?? '', running.origin()).searchParams.get('next') ?? '';

  async function logInAt({ location }: Page): Promise<Page> {
    running.clock.advance(1);
    const { username, password } = owner;
    return browser.submitAndFollow(await browser.get(location ?? ''), { username, password }, '/accounts/login/');
  }

  /** Creates a grant with tokens, which may cover a later request. */
  async function grant(parameters: Parameters = {}): Promise<void> {
    const code = await running.authorize(client, owner, parameters);
    const { status } = await running.token(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
    });
    expect(status).to.equal(200);
  }

  it('prompt=none shows no page, but returns login_required, consent_required or a code', async () => {
    const silentRequest = { prompt: 'none', state: 's' };
    expectErrorRedirect(await request(silentRequest, running.browser()), 'login_required', 's');
    expectErrorRedirect(await request(silentRequest), 'consent_required', 's');
    await grant();
    expectErrorRedirect(await request(silentRequest), 'consent_required', 's');
    expect(hasCode(await request({ ...silentRequest, approval_prompt: 'auto' }))).to.equal(true);
  });

  it('prompt=none cannot be combined with other values', async () => {
    expectErrorRedirect(await request({ prompt: 'none login' }), 'invalid_request');
  });

  it('prompt=login asks for the password again, but only once', async () => {
    const page = await request({ prompt: 'login' });
    expect(isLoginRedirect(page)).to.equal(true);
    expect(isLoginRedirect(await browser.get(readNext(page))), 'without a login').to.equal(true);
    expect(isConsentPage(await logInAt(page))).to.equal(true);
  });

  it('prompt=consent shows the form even if a grant covers the request or the client may skip it', async () => {
    await grant();
    expect(isConsentPage(await request({ prompt: 'consent', approval_prompt: 'auto' }))).to.equal(true);
    client = await running.addClient({ skipAuthorization: true });
    expect(hasCode(await request())).to.equal(true);
    expect(isConsentPage(await request({ prompt: 'consent' }))).to.equal(true);
  });

  it('max_age asks for a login if the last login is too old', async () => {
    running.clock.advance(100);
    expect(isConsentPage(await request({ max_age: '100' }))).to.equal(true);
    expect(isLoginRedirect(await request({ max_age: '99' }))).to.equal(true);
    expectErrorRedirect(await request({ max_age: '99', prompt: 'none' }), 'login_required');
  });

  it('max_age=0 requires a login even right after a login', async () => {
    expect(isLoginRedirect(await request({ max_age: '0' }))).to.equal(true);
  });

  it('max_age=0 with prompt=login asks for the password only once', async () => {
    const page = await request({ max_age: '0', prompt: 'login' });
    expect(isLoginRedirect(page)).to.equal(true);
    expect(isConsentPage(await logInAt(page))).to.equal(true);
  });

  it("an earlier login, another request's seal or an old seal cannot replace the required login", async () => {
    const page = await request({ prompt: 'login', state: 'one' });
    const otherPage = await request({ prompt: 'login', state: 'two' });
    const alteredPath = readNext(page).replace('state=one', 'state=two');
    expect(isLoginRedirect(await browser.get(alteredPath))).to.equal(true);
    expect(isConsentPage(await logInAt(otherPage))).to.equal(true);
    expect(isLoginRedirect(await browser.get(alteredPath)), "another request's seal").to.equal(true);
    expect(isConsentPage(await browser.get(readNext(page))), 'required before this login').to.equal(true);
    running.clock.advance(3_600);
    expect(isLoginRedirect(await browser.get(readNext(page)))).to.equal(true);
  });

  it('a sub claim with several values accepts these users unless another sub claim excludes them', async () => {
    const sub = running.service().projections.users.findByName(owner.username)?.userId;
    const requestWith = (claims: object): Promise<Page> => request({ scope: 'openid', claims: JSON.stringify(claims) });
    const [ownSubject, otherSubject] = [{ sub: { values: ['other', sub] } }, { sub: { value: 'other' } }];
    for (const claims of [{ id_token: ownSubject }, { userinfo: ownSubject, id_token: ownSubject }])
      expect(isConsentPage(await requestWith(claims)), JSON.stringify(claims)).to.equal(true);
    for (const claims of [{ id_token: otherSubject }, { id_token: ownSubject, userinfo: otherSubject }])
      expect(isLoginRedirect(await requestWith(claims)), JSON.stringify(claims)).to.equal(true);
  });

  it('an essential acr is met by a login with one of its values, and never if all values are unknown', async () => {
    const requestWith = (acr: object): Promise<Page> =>
      request({ scope: 'openid', claims: JSON.stringify({ id_token: { acr: { essential: true, ...acr } } }) });
    for (const acr of [{}, { values: [] }, { value: null }, { value: 'pwd' }, { values: [5, 'phr', 'pwd'] }])
      expect(isConsentPage(await requestWith(acr)), JSON.stringify(acr)).to.equal(true);
    for (const acr of [{ value: 'phr' }, { value: 5 }, { values: [true, ['pwd']] }, { value: { pwd: 1 } }]) {
      const page = await requestWith(acr);
      expect(isLoginRedirect(page), JSON.stringify(acr)).to.equal(true);
      expectErrorRedirect(await logInAt(page), 'unmet_authentication_requirements');
    }
  });

  it('approval_prompt=auto asks only for access that no grant covers', async () => {
    expect(isConsentPage(await request({ approval_prompt: 'auto' }))).to.equal(true);
    await grant({ scope: 'read write' });
    expect(hasCode(await request({ approval_prompt: 'auto' }))).to.equal(true);
    expect(hasCode(await request({ approval_prompt: 'auto', scope: 'read' }))).to.equal(true);
    expect(isConsentPage(await request({ approval_prompt: 'auto', scope: 'read groups' }))).to.equal(true);
    expect(isConsentPage(await request({ approval_prompt: 'force' }))).to.equal(true);
    expect(isConsentPage(await request())).to.equal(true);
  });

  it('approval_prompt=auto ignores grants of other users or clients, and revoked grants', async () => {
    await grant();
    const otherSession = await openSession(running, await running.addUser());
    expect(isConsentPage(await request({ approval_prompt: 'auto' }, otherSession))).to.equal(true);
    const otherClient = await running.addClient();
    expect(isConsentPage(await browser.get(authorizePath(otherClient, { approval_prompt: 'auto' })))).to.equal(true);
    expect((await browser.submit(await browser.get('/o/authorized_tokens/'), {})).status).to.equal(302);
    expect(isConsentPage(await request({ approval_prompt: 'auto' }))).to.equal(true);
  });

  it('approval_prompt with any value other than auto asks for consent, regardless of the setting', async () => {
    await running.close();
    await start({ approvalPrompt: 'auto' });
    await grant();
    for (const approval_prompt of ['force', 'true', 'never', 'AUTO', ' auto', 'auto force']) {
      expect(isConsentPage(await request({ approval_prompt })), approval_prompt).to.equal(true);
    }
    expect(hasCode(await request({ approval_prompt: '' })), 'an empty value has no effect').to.equal(true);
  });

  it('approval_prompt defaults to the setting if the request omits it', async () => {
    await running.close();
    await start({ approvalPrompt: 'auto' });
    await grant();
    expect(hasCode(await request())).to.equal(true);
    expect(isConsentPage(await request({ approval_prompt: 'force' }))).to.equal(true);
  });
});
