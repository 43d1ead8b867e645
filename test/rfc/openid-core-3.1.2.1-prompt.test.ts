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

const isAsked = ({ status }: Page): boolean => status === 200;
const isToLogIn = ({ status, location }: Page): boolean =>
  status === 302 && (location ?? '').startsWith('/accounts/login/?');
const isCode = (page: Page): boolean => 'code' in parseRedirect(page).parameters;

describe('OpenID Connect Core §3.1.2.1: prompt, max_age, and approval_prompt', () => {
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

  const ask = (parameters: Parameters = {}, using = browser): Promise<Page> =>
    using.get(authorizePath(client, parameters));

  /** The address at which the login page continues. */
  const nextOf = ({ location }: Page): string =>
    new URL(location ?? '', running.origin()).searchParams.get('next') ?? '';

  async function logInAt({ location }: Page): Promise<Page> {
    running.clock.advance(1);
    const { username, password } = owner;
    return browser.submitAndFollow(await browser.get(location ?? ''), { username, password }, '/accounts/login/');
  }

  /** A grant with tokens, which may cover a later request. */
  async function grant(parameters: Parameters = {}): Promise<void> {
    const code = await running.authorize(client, owner, parameters);
    const { status } = await running.token(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
    });
    expect(status).to.equal(200);
  }

  it('prompt=none shows no page: login_required, consent_required, or a code', async () => {
    const silent = { prompt: 'none', state: 's' };
    expectErrorRedirect(await ask(silent, running.browser()), 'login_required', 's');
    expectErrorRedirect(await ask(silent), 'consent_required', 's');
    await grant();
    expectErrorRedirect(await ask(silent), 'consent_required', 's');
    expect(isCode(await ask({ ...silent, approval_prompt: 'auto' }))).to.equal(true);
  });

  it('prompt=none cannot be combined with other values', async () => {
    expectErrorRedirect(await ask({ prompt: 'none login' }), 'invalid_request');
  });

  it('prompt=login asks for the password again, once', async () => {
    const page = await ask({ prompt: 'login' });
    expect(isToLogIn(page)).to.equal(true);
    expect(isToLogIn(await browser.get(nextOf(page))), 'without a login').to.equal(true);
    expect(isAsked(await logInAt(page))).to.equal(true);
  });

  it('prompt=consent shows the form even if a grant covers the request or the client may skip it', async () => {
    await grant();
    expect(isAsked(await ask({ prompt: 'consent', approval_prompt: 'auto' }))).to.equal(true);
    client = await running.addClient({ skipAuthorization: true });
    expect(isCode(await ask())).to.equal(true);
    expect(isAsked(await ask({ prompt: 'consent' }))).to.equal(true);
  });

  it('max_age asks for a login if the last one is older', async () => {
    running.clock.advance(100);
    expect(isAsked(await ask({ max_age: '100' }))).to.equal(true);
    expect(isToLogIn(await ask({ max_age: '99' }))).to.equal(true);
    expectErrorRedirect(await ask({ max_age: '99', prompt: 'none' }), 'login_required');
  });

  it('max_age=0 asks even right after a login', async () => {
    expect(isToLogIn(await ask({ max_age: '0' }))).to.equal(true);
  });

  it('max_age=0 asks for the password again, once', async () => {
    const page = await ask({ max_age: '0', prompt: 'login' });
    expect(isToLogIn(page)).to.equal(true);
    expect(isAsked(await logInAt(page))).to.equal(true);
  });

  it('no older login, no seal of another request and no old seal replaces the demanded login', async () => {
    const page = await ask({ prompt: 'login', state: 'one' });
    const other = await ask({ prompt: 'login', state: 'two' });
    const moved = nextOf(page).replace('state=one', 'state=two');
    expect(isToLogIn(await browser.get(moved))).to.equal(true);
    expect(isAsked(await logInAt(other))).to.equal(true);
    expect(isToLogIn(await browser.get(moved)), 'the seal of another request').to.equal(true);
    expect(isAsked(await browser.get(nextOf(page))), 'demanded before this login').to.equal(true);
    running.clock.advance(3_600);
    expect(isToLogIn(await browser.get(nextOf(page)))).to.equal(true);
  });

  it('a claim sub with several values accepts each of these users, and none if one place does not', async () => {
    const sub = running.service().projections.users.findByName(owner.username)?.userId;
    const asking = (claims: object): Promise<Page> => ask({ scope: 'openid', claims: JSON.stringify(claims) });
    const [own, other] = [{ sub: { values: ['other', sub] } }, { sub: { value: 'other' } }];
    for (const claims of [{ id_token: own }, { userinfo: own, id_token: own }])
      expect(isAsked(await asking(claims)), JSON.stringify(claims)).to.equal(true);
    for (const claims of [{ id_token: other }, { id_token: own, userinfo: other }])
      expect(isToLogIn(await asking(claims)), JSON.stringify(claims)).to.equal(true);
  });

  it('an essential acr is met by a login with one of its values, and by no login if none is a class', async () => {
    const asking = (acr: object): Promise<Page> =>
      ask({ scope: 'openid', claims: JSON.stringify({ id_token: { acr: { essential: true, ...acr } } }) });
    for (const acr of [{}, { values: [] }, { value: null }, { value: 'pwd' }, { values: [5, 'phr', 'pwd'] }])
      expect(isAsked(await asking(acr)), JSON.stringify(acr)).to.equal(true);
    for (const acr of [{ value: 'phr' }, { value: 5 }, { values: [true, ['pwd']] }, { value: { pwd: 1 } }]) {
      const page = await asking(acr);
      expect(isToLogIn(page), JSON.stringify(acr)).to.equal(true);
      expectErrorRedirect(await logInAt(page), 'unmet_authentication_requirements');
    }
  });

  it('approval_prompt=auto asks only for access that no grant covers', async () => {
    expect(isAsked(await ask({ approval_prompt: 'auto' }))).to.equal(true);
    await grant({ scope: 'read write' });
    expect(isCode(await ask({ approval_prompt: 'auto' }))).to.equal(true);
    expect(isCode(await ask({ approval_prompt: 'auto', scope: 'read' }))).to.equal(true);
    expect(isAsked(await ask({ approval_prompt: 'auto', scope: 'read groups' }))).to.equal(true);
    expect(isAsked(await ask({ approval_prompt: 'force' }))).to.equal(true);
    expect(isAsked(await ask())).to.equal(true);
  });

  it('approval_prompt=auto ignores grants of other users or clients, and revoked ones', async () => {
    await grant();
    const otherSession = await openSession(running, await running.addUser());
    expect(isAsked(await ask({ approval_prompt: 'auto' }, otherSession))).to.equal(true);
    const other = await running.addClient();
    expect(isAsked(await browser.get(authorizePath(other, { approval_prompt: 'auto' })))).to.equal(true);
    expect((await browser.submit(await browser.get('/o/authorized_tokens/'), {})).status).to.equal(302);
    expect(isAsked(await ask({ approval_prompt: 'auto' }))).to.equal(true);
  });

  it('approval_prompt with any value other than auto asks, whatever the operator chose', async () => {
    await running.close();
    await start({ approvalPrompt: 'auto' });
    await grant();
    for (const approval_prompt of ['force', 'true', 'never', 'AUTO', ' auto', 'auto force']) {
      expect(isAsked(await ask({ approval_prompt })), approval_prompt).to.equal(true);
    }
    expect(isCode(await ask({ approval_prompt: '' })), 'empty is like absent').to.equal(true);
  });

  it('approval_prompt follows the setting if the request does not contain it', async () => {
    await running.close();
    await start({ approvalPrompt: 'auto' });
    await grant();
    expect(isCode(await ask())).to.equal(true);
    expect(isAsked(await ask({ approval_prompt: 'force' }))).to.equal(true);
  });
});
