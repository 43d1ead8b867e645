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

describe('A form that was rendered before what it replaces was last changed', () => {
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

  const clientNow = () => running.service().projections.clients.find(client.id) ?? expect.fail();
  const accountNow = () => running.service().projections.users.findByName('ada') ?? expect.fail();

  interface Form {
    readonly path: () => string;
    readonly by: () => BrowserSession;
    /** Two changes of different values. */
    readonly changes: readonly [Fields, Fields];
    readonly current: () => unknown;
  }

  const adminPath = (page: string) => `/admin/applications/${client.id}/${page}/`;
  const userPath = (page: string) => `/admin/users/${accountNow().id}/${page}/`;

  const FORMS: Readonly<Record<string, Form>> = {
    'an application, for its owner': {
      path: () => `/o/applications/${client.id}/update/`,
      by: () => owner,
      changes: SETTINGS_CHANGES,
      current: () => [clientNow().name, clientNow().redirectUris],
    },
    'an application, for administrators': {
      path: () => adminPath('update'),
      by: () => administrator,
      changes: SETTINGS_CHANGES,
      current: () => [clientNow().name, clientNow().redirectUris],
    },
    'the restricted scopes of an application': {
      path: () => adminPath('scopes'),
      by: () => administrator,
      changes: [{ restricted_scope: ['audit'] }, { restricted_scope: ['introspection'] }],
      current: () => clientNow().restrictedScopes,
    },
    'the name and address of a user': {
      path: () => userPath('profile'),
      by: () => administrator,
      changes: [{ email: 'first@example.org' }, { first_name: 'Ada' }],
      current: () => [accountNow().email, accountNow().firstName],
    },
    'the roles of a user': {
      path: () => userPath('roles'),
      by: () => administrator,
      changes: [{ role: ['auditor'] }, { role: ['administrator'] }],
      current: () => accountNow().roles,
    },
  };

  for (const [kind, { path, by, changes, current }] of Object.entries(FORMS))
    describe(`for ${kind}`, () => {
      const submit = (page: Page, fields: Fields) => by().submit(page, fields, path());

      it('gets 409 and changes nothing', async () => {
        const [older, newer] = [await by().get(path()), await by().get(path())];
        expect((await submit(newer, changes[0])).status).to.equal(302);
        const changed = JSON.stringify(current());
        expect((await submit(older, changes[1])).status).to.equal(409);
        expect(JSON.stringify(current())).to.equal(changed);
      });

      it('gets the same response if it is sent twice', async () => {
        const page = await by().get(path());
        const answers = [await submit(page, changes[0]), await submit(page, changes[0])];
        expect(answers.map(({ status }) => status)).to.deep.equal([302, 302]);
        expect(answers[0]?.location).to.equal(answers[1]?.location);
      });

      it('is accepted without its id, as from a script', async () => {
        const [older, newer] = [await by().get(path()), await by().get(path())];
        await submit(newer, changes[0]);
        expect((await submit(older, { ...changes[1], form_id: '' })).status).to.equal(302);
      });
    });

  it('gets 409 with invalid values, too, because it would be shown again as if it were current', async () => {
    const { path } = FORMS['the name and address of a user'] ?? expect.fail();
    const [older, newer] = [await administrator.get(path()), await administrator.get(path())];
    await administrator.submit(newer, { email: 'first@example.org' }, path());
    expect((await administrator.submit(older, { email: 'no address' }, path())).status).to.equal(409);
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
