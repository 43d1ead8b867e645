import { expect } from 'chai';
import type { Role } from '../../src/domain/events.ts';
import { createApp } from '../../src/http/app.ts';
import { routesOf } from '../support/app-routes.ts';
import { addPasskey, authenticator, logInWithPasskey, type Authenticator } from '../support/authenticator.ts';
import { authorizePath } from '../support/authorize-requests.ts';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ROOT: TestUser = { username: 'root', password: 'the password of root' };
const NEW_PASSWORD = 'a few unrelated words';

/** A logged-in administrator with an application, a passkey and an authorized application; and the user Ada. */
interface Scenario {
  readonly running: RunningService;
  readonly browser: BrowserSession;
  readonly application: TestClient;
  readonly asking: TestClient;
  readonly device: Authenticator;
  /** The form at `page`, sent as its button does, and the answer to it. */
  send(page: string, fields?: Fields, action?: string): Promise<Page>;
  /** The id in the first form of the page at `path` whose action has this pattern. */
  idIn(path: string, action: RegExp): Promise<string>;
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

async function createScenario(): Promise<Scenario> {
  const running = await runningService({ settings: { signup: 'open' } });
  await addUser(running, ROOT, ['administrator']);
  await addUser(running, { username: 'ada', password: "ada's password" }, []);
  const application = await running.addClient({ owner: 'root', name: 'Engine' });
  const asking = await running.addClient({ name: 'Loom' });
  const browser = running.browser();
  const device = authenticator();
  await browser.logIn(ROOT.username, ROOT.password);
  await addPasskey(browser, ROOT.password, device);
  await running.token(asking, { grant_type: 'password', ...ROOT });
  return {
    running,
    browser,
    application,
    asking,
    device,
    send: async (page, fields = {}, action = page) => browser.submit(await browser.get(page), fields, action),
    async idIn(path, action) {
      const [, id] = action.exec((await browser.get(path)).html) ?? [];
      return id ?? expect.fail(`${path} has no form for ${action.source}`);
    },
  };
}

async function addUser(running: RunningService, user: TestUser, roles: readonly Role[]): Promise<void> {
  const added = await running.service().accounts.register({ ...user, roles }, OPERATOR);
  if ('errors' in added) throw new Error(JSON.stringify(added.errors));
}

/** Ada's page for administrators. */
const ADA = '/admin/users/2/';
const APPLICATION = {
  name: 'App',
  client_type: 'confidential',
  authorization_grant_type: 'client-credentials',
  redirect_uris: '',
};
const visiting = (scenario: Scenario): Scenario => {
  const browser = scenario.running.browser();
  return {
    ...scenario,
    browser,
    send: async (page, fields = {}, action = page) => browser.submit(await browser.get(page), fields, action),
  };
};

/** How each form is sent so that it succeeds, by its route. */
const SUCCESSFUL: Readonly<Record<string, (scenario: Scenario) => Promise<Page>>> = {
  '/accounts/login': (scenario) => visiting(scenario).send('/accounts/login/', { ...ROOT }),
  '/accounts/login/passkey': (scenario) => logInWithPasskey(visiting(scenario).browser, scenario.device),
  '/accounts/logout': ({ send }) => send('/accounts/', {}, '/accounts/logout/'),
  '/accounts/logout/everywhere': ({ send }) => send('/accounts/', {}, '/accounts/logout/everywhere/'),
  '/accounts/signup': (scenario) =>
    visiting(scenario).send('/accounts/signup/', { username: 'eve', email: '', password: NEW_PASSWORD }),
  '/accounts/profile': ({ send }) =>
    send('/accounts/', { first_name: 'Root', last_name: '', email: '' }, '/accounts/profile/'),
  '/accounts/details': ({ send }) => send('/accounts/details/', { nickname: 'Rooty' }),
  '/accounts/password': ({ send }) =>
    send('/accounts/password/', { current_password: ROOT.password, new_password: NEW_PASSWORD }),
  '/accounts/sessions/:id/end': async (scenario) => {
    await scenario.running.browser().logIn(ROOT.username, ROOT.password);
    const id = await scenario.idIn('/accounts/', /Another browser[\s\S]*?sessions\/([^/]+)\/end/);
    return scenario.send('/accounts/', {}, `/accounts/sessions/${id}/end/`);
  },
  '/accounts/erase': async (scenario) => {
    const [ada, { browser, send }] = [{ username: 'ada', password: "ada's password" }, visiting(scenario)];
    await browser.logIn(ada.username, ada.password);
    return send('/accounts/erase/', ada);
  },
  '/accounts/passkeys/options': ({ send }) =>
    send('/accounts/passkeys/add/', { password: ROOT.password }, '/accounts/passkeys/options/'),
  '/accounts/passkeys/add': ({ browser }) => addPasskey(browser, ROOT.password, authenticator()),
  '/accounts/passkeys/:id/remove': async ({ send, idIn }) =>
    send('/accounts/', {}, `/accounts/passkeys/${await idIn('/accounts/', /passkeys\/([^/]+)\/remove/)}/remove/`),

  '/o/authorize': ({ send, asking }) => send(authorizePath(asking), { allow: 'Authorize' }, '/o/authorize/'),
  '/o/logout': ({ send }) => send('/o/logout/'),
  '/o/authorized_tokens/applications/:client/revoke': ({ send, asking }) =>
    send('/o/authorized_tokens/', {}, `/o/authorized_tokens/applications/${asking.id}/revoke/`),
  '/o/authorized_tokens/:id/revoke': async ({ send, idIn }) => {
    const id = await idIn('/o/authorized_tokens/', /authorized_tokens\/([\w-]{22})\/revoke/);
    return send('/o/authorized_tokens/', {}, `/o/authorized_tokens/${id}/revoke/`);
  },
  '/o/applications/register': ({ send }) => send('/o/applications/register/', APPLICATION),
  '/o/applications/:id/update': ({ send, application }) =>
    send(`/o/applications/${application.id}/update/`, APPLICATION),
  '/o/applications/:id/rotate_secret': ({ send, application }) =>
    send(`/o/applications/${application.id}/rotate_secret/`, { old_secret: 'day' }),
  '/o/applications/:id/delete': ({ send, application }) => send(`/o/applications/${application.id}/delete/`),

  '/admin/users/add': ({ send }) => send('/admin/users/add/', { username: 'eve', password: '' }),
  '/admin/users/:pk/disable': ({ send }) => send(`${ADA}disable/`),
  '/admin/users/:pk/enable': async ({ send }) => {
    await send(`${ADA}disable/`);
    return send(ADA, {}, `${ADA}enable/`);
  },
  '/admin/users/:pk/erase': ({ send }) => send(`${ADA}erase/`),
  '/admin/users/:pk/sign_out': async ({ running, send }) => {
    await running.browser().logIn('ada', "ada's password");
    return send(`${ADA}sign_out/`);
  },
  '/admin/users/:pk/roles': ({ send }) => send(`${ADA}roles/`, { role: 'auditor' }),
  '/admin/users/:pk/password': ({ send }) => send(`${ADA}password/`, { password: '' }),
  '/admin/users/:pk/authorizations/:client/revoke': ({ send, asking }) =>
    send(`/admin/users/1/authorizations/${asking.id}/revoke/`),
  '/admin/users/:pk/grants/:grant': async ({ send, idIn, asking }) => {
    const grant = await idIn(`/admin/users/1/authorizations/${asking.id}/`, /users\/1\/grants\/([^/]+)\//);
    return send(`/admin/users/1/grants/${grant}/`);
  },
  '/admin/applications/:id/scopes': ({ send, asking }) =>
    send(`/admin/applications/${asking.id}/scopes/`, { restricted_scope: 'audit' }),
  '/admin/applications/:id/rotate_secret': ({ send, asking }) =>
    send(`/admin/applications/${asking.id}/rotate_secret/`, { old_secret: 'day' }),
  '/admin/applications/:id/remove': ({ send, asking }) => send(`/admin/applications/${asking.id}/remove/`),
};

/** On a new server, which has no users yet. */
const SET_UP = '/accounts/setup';

describe('A form that is sent with POST', () => {
  let scenario: Scenario;

  beforeEach(async () => {
    scenario = await createScenario();
  });
  afterEach(() => scenario.running.close());

  /** Every route for POST that is not an operation of the API, whose responses are no pages. */
  function forms(): readonly string[] {
    const app = createApp(scenario.running.service(), { error: () => expect.fail('not asked') });
    return routesOf(app)
      .filter(({ method, openApi }) => method === 'POST' && openApi === undefined)
      .map(({ path }) => path.replace(/\{.*\}/, ''));
  }

  it('has an example in this test', () => {
    expect(forms()).to.have.members([...Object.keys(SUCCESSFUL), SET_UP]);
  });

  async function expectRedirect(
    running: RunningService,
    browser: BrowserSession,
    succeed: () => Promise<Page>,
  ): Promise<void> {
    const before = running.log.head();
    const answer = await succeed();
    expect(answer.status, answer.html).to.be.below(400);
    if (running.log.head() === before) {
      expect(answer.headers.get('content-type'), 'it changes nothing, and is no page').to.match(/^application\/json/);
      return;
    }
    expect(answer.status).to.equal(302);
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    const after = running.log.head();
    const location = answer.location ?? '';
    if (!location.startsWith('/')) return; // to the client that asked for an authorization
    for (const reload of ['the page', 'the same page, reloaded']) {
      expect((await browser.get(location)).status, reload).to.be.oneOf([200, 302]);
      expect(running.log.head(), `${reload} changes nothing`).to.equal(after);
    }
  }

  for (const [path, succeed] of Object.entries(SUCCESSFUL)) {
    it(`is answered with a redirect if it changes something: ${path}`, async () => {
      await expectRedirect(scenario.running, scenario.browser, () => succeed(scenario));
    });
  }

  it(`is answered with a redirect if it changes something: ${SET_UP}`, async () => {
    const fresh = await runningService();
    const browser = fresh.browser();
    const page = await browser.get(`${SET_UP}/?token=${fresh.service().setup.token() ?? ''}`);
    await expectRedirect(fresh, browser, () =>
      browser.submit(page, { username: 'root', email: '', password: NEW_PASSWORD }, `${SET_UP}/`),
    );
    await fresh.close();
  });

  it('is answered with the page and status 422 if it is refused', async () => {
    for (const [path, fields] of [
      ['/o/applications/register/', { ...APPLICATION, name: '' }],
      ['/admin/users/add/', { username: '' }],
      [`${ADA}password/`, { password: 'short' }],
      ['/accounts/password/', { current_password: 'wrong', new_password: NEW_PASSWORD }],
    ] as const) {
      const before = scenario.running.log.head();
      const { hidden, status } = await refused(path, fields);
      expect({ hidden, status }, path).to.deep.equal({ hidden: true, status: 422 });
      expect(scenario.running.log.head(), path).to.equal(before);
    }
  });

  async function refused(path: string, fields: Fields): Promise<{ readonly status: number; readonly hidden: boolean }> {
    const { status, html } = await scenario.send(path, fields);
    return { status, hidden: 'csrf_token' in hiddenFields(html) };
  }
});
