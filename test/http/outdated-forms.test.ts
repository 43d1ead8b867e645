import { expect } from 'chai';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';

type Fields = Readonly<Record<string, string | readonly string[]>>;

const SETTINGS = {
  name: 'App',
  client_type: 'confidential',
  authorization_grant_type: 'authorization-code',
  redirect_uris: 'https://app.example/callback',
};
const SETTINGS_CHANGES = [
  { ...SETTINGS, redirect_uris: 'https://other.example/callback' },
  { ...SETTINGS, name: 'Other' },
] as const;

describe('A form that was rendered before its values were last changed', () => {
  let running: RunningService;
  let client: TestClient;
  let ada: TestUser;
  let administrator: BrowserSession;
  let owner: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    ada = await running.addUser('ada');
    const root = await running.addUser('root', ['administrator']);
    client = await running.addClient({ name: 'App', owner: ada.username });
    [administrator, owner] = [running.browser(), running.browser()];
    await administrator.logIn(root.username, root.password);
    await owner.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  const currentClient = () => running.service().projections.clients.find(client.id) ?? expect.fail();
  const currentAccount = () => running.service().projections.users.findByName('ada') ?? expect.fail();

  interface Form {
    readonly path: () => string;
    readonly browser: () => BrowserSession;
    /** Two changes to different values. */
    readonly changes: readonly [Fields, Fields];
    readonly currentValue: () => unknown;
  }

  const adminPath = (page: string) => `/admin/applications/${client.id}/${page}/`;
  const userPath = (page: string) => `/admin/users/${currentAccount().id}/${page}/`;

  const FORMS: Readonly<Record<string, Form>> = {
    'an application, for its owner': {
      path: () => `/o/applications/${client.id}/update/`,
      browser: () => owner,
      changes: SETTINGS_CHANGES,
      currentValue: () => [currentClient().name, currentClient().redirectUris],
    },
    'an application, for administrators': {
      path: () => adminPath('update'),
      browser: () => administrator,
      changes: SETTINGS_CHANGES,
      currentValue: () => [currentClient().name, currentClient().redirectUris],
    },
    'the restricted scopes of an application': {
      path: () => adminPath('scopes'),
      browser: () => administrator,
      changes: [{ restricted_scope: ['audit'] }, { restricted_scope: ['introspection'] }],
      currentValue: () => currentClient().restrictedScopes,
    },
    'the name and address of a user': {
      path: () => userPath('profile'),
      browser: () => administrator,
      changes: [{ email: 'first@example.org' }, { first_name: 'Ada' }],
      currentValue: () => [currentAccount().email, currentAccount().firstName],
    },
    'the roles of a user': {
      path: () => userPath('roles'),
      browser: () => administrator,
      changes: [{ role: ['auditor'] }, { role: ['administrator'] }],
      currentValue: () => currentAccount().roles,
    },
  };

  for (const [kind, { path, browser, changes, currentValue }] of Object.entries(FORMS))
    describe(`for ${kind}`, () => {
      const submit = (page: Page, fields: Fields) => browser().submit(page, fields, path());

      it('gets 409 and changes nothing', async () => {
        const [olderForm, newerForm] = [await browser().get(path()), await browser().get(path())];
        expect((await submit(newerForm, changes[0])).status).to.equal(302);
        const savedValue = JSON.stringify(currentValue());
        expect((await submit(olderForm, changes[1])).status).to.equal(409);
        expect(JSON.stringify(currentValue())).to.equal(savedValue);
      });

      it('gets the same response if it is sent twice', async () => {
        const page = await browser().get(path());
        const answers = [await submit(page, changes[0]), await submit(page, changes[0])];
        expect(answers.map(({ status }) => status)).to.deep.equal([302, 302]);
        expect(answers[0]?.location).to.equal(answers[1]?.location);
      });

      it('is accepted if it has no id, as in a request from a script', async () => {
        const [olderForm, newerForm] = [await browser().get(path()), await browser().get(path())];
        await submit(newerForm, changes[0]);
        expect((await submit(olderForm, { ...changes[1], form_id: '' })).status).to.equal(302);
      });
    });

  it('also gets 409 if its values are invalid, because it would be shown again as if it were current', async () => {
    const { path } = FORMS['the name and address of a user'] ?? expect.fail();
    const [olderForm, newerForm] = [await administrator.get(path()), await administrator.get(path())];
    await administrator.submit(newerForm, { email: 'first@example.org' }, path());
    expect((await administrator.submit(olderForm, { email: 'no address' }, path())).status).to.equal(409);
  });

  it('gets 409 when administrators confirm that they give up their role', async () => {
    const root = await running.addUser('second', ['administrator']);
    const browser = running.browser();
    await browser.logIn(root.username, root.password);
    const { id } = running.service().projections.users.findByName('second') ?? expect.fail();
    const path = `/admin/users/${id}/roles/`;
    const confirmation = await browser.submit(await browser.get(path), { role: [] }, path);
    expect(confirmation.status).to.equal(200);
    await administrator.submit(await administrator.get(path), { role: ['administrator', 'auditor'] }, path);
    expect((await browser.submit(confirmation, {}, path)).status).to.equal(409);
  });
});
