import { expect } from 'chai';
import { createApp } from '../../src/http/app.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { hiddenFields } from '../support/browser-session.ts';
import { authorizePath } from '../support/authorize-requests.ts';
import { appRoutesOf } from '../support/app-routes.ts';
import { REDIRECT_URI, runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** A user who owns one application and uses another. PRIVATE_DATA is this user's data. */
const VICTIM = {
  username: 'ada-lovelace',
  email: 'ada@countess.example',
  firstName: 'Augusta',
  lastName: 'Byron',
  password: 'a password of hers',
};
const APPLICATION = {
  owner: VICTIM.username,
  name: 'Analytical Engine',
  redirectUris: ['https://engine.example/callback'],
};
const PRIVATE_DATA = [
  VICTIM.username,
  VICTIM.email,
  VICTIM.firstName,
  VICTIM.lastName,
  APPLICATION.name,
  'engine.example',
];

describe('Users without a role', () => {
  let running: RunningService;
  let application: TestClient;
  let ids: readonly string[];

  beforeEach(async () => {
    running = await runningService({ settings: { signup: 'open' } });
    const registration = await running.service().accounts.register(VICTIM, OPERATOR);
    if ('errors' in registration) throw new Error(JSON.stringify(registration.errors));
    application = await running.addClient(APPLICATION);
    const authorizedClient = await running.addClient();
    const code = await running.authorize(authorizedClient, VICTIM);
    await running.token(authorizedClient, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    await running.addUser('bob');
    const { userId, id } = registration.user;
    const [grant] = running.service().projections.grants.listByUser(userId, running.clock.now() / 1000);
    ids = [application.id, authorizedClient.id, userId, String(id), String(grant?.grantId), '3'];
  });
  afterEach(() => running.close());

  async function logInAsBob(): Promise<BrowserSession> {
    const browser = running.browser();
    await browser.logIn('bob', "bob's password");
    return browser;
  }

  /** Returns the path of every route, with the victim's identifiers as parameters. */
  function pathsFor(method: 'GET' | 'POST'): readonly string[] {
    const app = createApp(running.service(), { error: () => expect.fail('unexpected error') });
    const paths = appRoutesOf(app)
      .filter(({ methods }) => methods.includes(method))
      .map(({ path }) => path.replace(/\{.*\}/, '').replaceAll('\\', ''));
    return [
      ...new Set(paths.flatMap((path) => ids.map((id) => path.replace(/[:*]\w+/, id).replaceAll(/[:*]\w+/g, '3')))),
    ];
  }

  function expectNothingDisclosed(name: string, text: string): void {
    for (const word of PRIVATE_DATA) expect(text, name).not.to.include(word);
  }

  it('see nothing about other users at any URL, whether logged in or not', async () => {
    const paths = pathsFor('GET');
    expect(paths).to.have.length.above(60);
    for (const [name, browser] of [
      ['a visitor', running.browser()],
      ['bob', await logInAsBob()],
    ] as const) {
      for (const path of paths) expectNothingDisclosed(`${name} ${path}`, (await browser.get(path)).html);
    }
  });

  it("cannot read or change other users' data by posting to any URL", async () => {
    const paths = pathsFor('POST').filter((path) => path !== '/o/authorize' && !path.startsWith('/accounts/'));
    expect(paths).to.have.length.above(40);
    const bob = await logInAsBob();
    const { csrf_token = '' } = hiddenFields((await bob.get('/accounts/')).html);
    const eventCount = (await running.events()).length;
    for (const candidate of paths.filter((path) => !path.endsWith('/register'))) {
      const { status, html } = await bob.post(candidate, {
        csrf_token,
        name: 'Mine',
        password: 'long enough',
        role: 'administrator',
      });
      expect(status, candidate).to.be.within(302, 499);
      expectNothingDisclosed(`POST ${candidate}`, html);
    }
    expect(await running.events()).to.have.length(eventCount);
  });

  it("see only the owner's user name on an application's consent page", async () => {
    const { html } = await (
      await logInAsBob()
    ).get(authorizePath(application, { redirect_uri: 'https://engine.example/callback' }));
    expect(html).to.include(VICTIM.username).and.to.include(APPLICATION.name);
    for (const word of [VICTIM.email, VICTIM.firstName, VICTIM.lastName]) expect(html).not.to.include(word);
  });

  it('see at sign-up whether a user name is taken, but not whether an e-mail address is known', async () => {
    const browser = running.browser();
    const signUp = async (username: string, email: string): Promise<string> =>
      (await browser.submit(await browser.get('/accounts/signup/'), { username, email, password: 'short' })).html;
    expect(await signUp(VICTIM.username, 'new@elsewhere.example')).to.include('already exists');
    const [knownAddressPage, unknownAddressPage] = [
      await signUp('somebody-new', VICTIM.email),
      await signUp('somebody-new', 'ada@duchess.example'),
    ];
    expect(knownAddressPage).not.to.include('already exists');
    expect(knownAddressPage.replaceAll(VICTIM.email, '').length).to.equal(
      unknownAddressPage.replaceAll('ada@duchess.example', '').length,
    );
  });
});
