import { expect } from 'chai';
import type { ClientId, UserId } from '../../src/domain/values.ts';
import type { User } from '../../src/projections/users.ts';
import { PERSONAL_KEYS, type PersonalKeys } from '../../src/platform/keys/personal-keys.ts';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import { startRacingService, type RacingService } from '../support/racing-service.ts';
import type { RunningService, TestClient } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ROOT = { username: 'root', password: "root's password" };

describe('An administrator who loses the role during a request', () => {
  let racing: RacingService;
  let running: RunningService;
  let client: TestClient;
  let browser: BrowserSession;

  /** The users who have a key for personal data. */
  let keys: Set<UserId>;

  beforeEach(async () => {
    keys = new Set();
    racing = await startRacingService({ personalKeys: createRecordingKeys(keys) });
    ({ running } = racing);
    const { accounts } = running.service();
    await accounts.register({ ...ROOT, roles: ['administrator'] }, OPERATOR);
    await accounts.register({ username: 'other', password: 'the other password', roles: ['administrator'] }, OPERATOR);
    await running.addUser('ada');
    client = await running.addClient({ restrictedScopes: ['audit'] });
    browser = running.browser();
    await browser.logIn(ROOT.username, ROOT.password);
  });
  afterEach(() => racing.close());

  const findUser = (username: string): User =>
    running.service().projections.users.findByName(username) ?? expect.fail();
  const LOSSES: Readonly<Record<string, () => Promise<unknown>>> = {
    'the role is removed': () => running.service().accounts.changeRoles(findUser('root'), [], OPERATOR),
    'the account is disabled': () => running.service().accounts.disable(findUser('root'), OPERATOR),
    'the account is erased': () => running.service().accounts.erase(findUser('root'), OPERATOR),
    'all sessions end': () => running.service().accounts.logOutEverywhere(findUser('root'), OPERATOR),
  };

  async function preparePost(
    path: string,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<() => Promise<Page>> {
    const { csrf_token = '' } = hiddenFields((await browser.get('/accounts/password/')).html);
    return () => browser.post(path, { csrf_token, ...fields });
  }

  for (const [event, loseRole] of Object.entries(LOSSES)) {
    it(`does not create an administrator if ${event} while the new password is being hashed`, async () => {
      const fields = { username: 'back door', password: 'the way back in', role: 'administrator' };
      const add = await preparePost('/admin/users/add/', fields);
      const [page] = await racing.duringHash(add, loseRole);
      expect(page.status).to.equal(403);
      expect(running.service().projections.users.findByName('back door')).to.equal(undefined);
    });
  }

  it('leaves no key for an account that was not created', async () => {
    const add = await preparePost('/admin/users/add/', { username: 'back door', password: 'the way back in' });
    await racing.duringHash(add, LOSSES['the role is removed']!);
    expect(keys).to.deep.equal(
      new Set(
        running
          .service()
          .projections.users.all()
          .map(({ userId }) => userId),
      ),
    );
  });

  it('does not set a password if the role is removed while the password is being hashed', async () => {
    const change = await preparePost(`/admin/users/${findUser('ada').id}/password/`, { password: 'known to root' });
    const [page] = await racing.duringHash(change, LOSSES['the role is removed']!);
    expect(page.status).to.equal(403);
    expect((await running.browser().logIn('ada', 'known to root')).status).to.equal(422);
  });

  /** An action that is evaluated before the role is removed, but would be recorded afterwards. */
  type Action = readonly [
    title: string,
    section: 'users' | 'applications',
    action: string,
    fields?: Record<string, string>,
  ];
  const ACTIONS: readonly Action[] = [
    ['does not disable a user', 'users', 'disable'],
    ['does not erase a user', 'users', 'erase', { username: 'ada' }],
    ['does not log out a user', 'users', 'sign_out'],
    ['does not assign a role', 'users', 'roles', { role: 'administrator' }],
    ['does not give a client a scope', 'applications', 'scopes', { restricted_scope: 'introspection' }],
    ['does not see a new secret', 'applications', 'rotate_secret', { old_secret: 'now' }],
    ['does not remove a client', 'applications', 'remove', { name: 'Test application' }],
  ];
  for (const [title, section, action, fields] of ACTIONS) {
    it(`${title} after the event that removes the role`, async () => {
      const act = await preparePost(
        `/admin/${section}/${section === 'users' ? findUser('ada').id : client.id}/${action}/`,
        fields,
      );
      const clientBefore = running.service().projections.clients.find(client.id);
      const head = running.log.head();
      const [page] = await racing.runBehind(LOSSES['the role is removed']!, /^(?:user|client)-/, act);
      expect(page.status).to.equal(403);
      expect(page.html).to.include('No access');
      expect((await running.events()).slice(head).map(({ type }) => type)).to.deep.equal(['UserRolesChanged']);
      expect(running.service().projections.clients.find(client.id)).to.deep.equal(clientBefore);
    });
  }
});

function createRecordingKeys(keys: Set<UserId>): PersonalKeys {
  const keyring = PERSONAL_KEYS.inMemory();
  return {
    ...keyring,
    add(userId, key) {
      keys.add(userId);
      return keyring.add(userId, key);
    },
    destroy(userId) {
      keys.delete(userId);
      return keyring.destroy(userId);
    },
  };
}

describe('A restricted scope that the operator removes', () => {
  let racing: RacingService;
  beforeEach(async () => {
    racing = await startRacingService();
  });
  afterEach(() => racing.close());

  it('is not restored by an owner who renames the application concurrently', async () => {
    const { running } = racing;
    const ada = await running.addUser('ada');
    const client = await running.addClient({ owner: 'ada', restrictedScopes: ['audit'] });
    const browser = running.browser();
    await browser.logIn(ada.username, ada.password);
    const form = await browser.get(`/o/applications/${client.id}/update/`);
    const findClient = () => running.service().projections.clients.find(client.id) ?? expect.fail();
    const { registration } = running.service();
    const removeScope = () =>
      registration.update(client.id as ClientId, { ...findClient(), restrictedScopes: [] }, OPERATOR);
    const fields = { name: 'Renamed', client_type: 'confidential', authorization_grant_type: 'password' };
    const rename = () => browser.submit(form, fields);
    const [page] = await racing.runBehind(removeScope, /^client-/, rename);
    expect(page.status, 'after the second evaluation').to.equal(302);
    expect(findClient()).to.deep.include({ restrictedScopes: [], name: 'Renamed' });
  });
});
