import { expect } from 'chai';
import { MANAGEMENT_TABLE } from '../../../src/http/management/table.ts';
import { isVersioned } from '../../../src/http/management/version.ts';
import { keyPairFor } from '../../support/assertions.ts';
import { addManager, type Manager } from '../../support/management.ts';
import { startRacingService, type RacingService } from '../../support/racing-service.ts';
import { runningService, type RunningService } from '../../support/running-service.ts';

const PASSWORD = 'a long and secret password';
const PROVIDER = { name: 'Company', issuer: 'https://login.example.org', client_id: 'x', secret: 'a secret' };
const KEYS = ['one', 'two'].map((name) => keyPairFor('ES256', name).jwk);

/** The resources whose version also applies to the paths below them, with a request that changes it. */
const PARENTS: Readonly<Record<string, { readonly path: string; readonly method: string; readonly change: object }>> = {
  users: { path: '/users/ada/', method: 'PATCH', change: { nickname: 'Countess' } },
  groups: { path: '/groups/staff/', method: 'PATCH', change: { title: 'Our staff' } },
  clients: { path: '/clients/CLIENT/', method: 'PATCH', change: { name: 'New' } },
  providers: { path: '/providers/company/', method: 'PATCH', change: { name: 'New' } },
  settings: { path: '/settings/accessTokenLifetimeSeconds/', method: 'PUT', change: { value: '60' } },
};

/** The body, and the last path parameter if there is one, of each operation at a path below these resources. */
const CHILD_OPERATIONS: Readonly<Record<string, { readonly lastParameter?: string; readonly body?: object }>> = {
  signOutUser: { body: {} },
  endAgents: { body: {} },
  revokeGrantsOfUser: { body: {} },
  verifyEmail: {},
  setPassword: { body: { password: PASSWORD } },
  setRoles: { body: { roles: [] } },
  disableUser: {},
  enableUser: {},
  removeSecondFactor: {},
  addMember: { body: { username: 'bob' } },
  removeMember: { lastParameter: 'ada' },
  changeOwners: { body: { add: ['ada', 'bob'] } },
  changeTestUsers: { body: { add: ['ada', 'bob'] } },
  setLogo: { body: { image: null } },
  rotateSecret: { body: { overlap_seconds: 0 } },
  transferClient: { body: { to: 'ada' } },
  disableClient: {},
  enableClient: {},
  addClientKeys: { body: { jwks: { keys: KEYS.slice(1) } } },
  removeClientKey: { lastParameter: 'one' },
  testProvider: {},
  forecastSetting: { body: { value: '70' } },
};

const CHILD_ROWS = MANAGEMENT_TABLE.filter(
  (row) => row.method !== 'GET' && !isVersioned(row) && row.parentVersion !== undefined,
);

const versionAt = async (manager: Manager, path: string): Promise<{ readonly 'if-match': string }> => ({
  'if-match': (await manager.call('GET', path)).headers.get('etag') ?? expect.fail(),
});

describe('A request to the management API with If-Match', () => {
  let running: RunningService;
  let manager: Manager;
  let clientId: string;

  const head = (): number => running.service().log.head();

  beforeEach(async () => {
    running = await runningService();
    manager = await addManager(running);
    await running.addUser('bob');
    await running.addUser('ada');
    clientId = (await running.addClient()).id;
    await manager.call('PATCH', '/users/ada/', { email: 'ada@example.org' });
    await manager.call('POST', '/groups/', { name: 'staff' });
    await manager.call('POST', '/groups/staff/members/', { username: 'ada' });
    await manager.call('PATCH', '/providers/company/', PROVIDER);
    const keyAuthentication = { methods: ['client_secret_basic', 'private_key_jwt'], jwks: { keys: KEYS.slice(0, 1) } };
    await manager.call('PATCH', `/clients/${clientId}/`, keyAuthentication);
    await manager.call('PATCH', `/clients/${clientId}/`, { methods: ['client_secret_basic'] });
  });
  afterEach(() => running.close());

  it('gets 412 from every operation and has no effect if the entity tag is not current', async () => {
    const initialHead = head();
    for (const { method, path, body } of MANAGEMENT_TABLE) {
      const url = `${path.replaceAll(/\{\w+\}/g, 'x')}/`;
      const answer = await manager.call(method, url, body && {}, { 'if-match': '"other"' });
      expect(answer.status, `${method} ${path}: ${answer.text}`).to.equal(412);
    }
    expect(head()).to.equal(initialHead);
  });

  it('is tested at every URL that belongs to a resource with a version', () => {
    expect(CHILD_ROWS.map(({ id }) => id).toSorted()).to.deep.equal(Object.keys(CHILD_OPERATIONS).toSorted());
  });

  for (const { id, method, path } of CHILD_ROWS)
    it(`is executed only if the parent resource still has the version that was read: ${id}`, async () => {
      const { lastParameter = '', body } = CHILD_OPERATIONS[id] ?? expect.fail();
      const parent = PARENTS[path.split('/')[1] ?? ''] ?? expect.fail();
      const parentPath = parent.path.replace('CLIENT', clientId);
      const [, , , ...childSegments] = path.replace(/\{\w+\}$/, lastParameter).split('/');
      const send = (condition: { readonly 'if-match': string }) =>
        manager.call(method, `${parentPath}${childSegments.join('/')}/`, body, condition);
      const oldVersion = await versionAt(manager, parentPath);
      expect((await manager.call(parent.method, parentPath, parent.change)).status).to.equal(200);
      const initialHead = head();
      expect((await send(oldVersion)).status).to.equal(412);
      expect(head()).to.equal(initialHead);
      const answer = await send(await versionAt(manager, parentPath));
      expect(answer.status, answer.text).to.be.within(200, 299);
    });

  it('gets 412 if all entity tags are weak, because If-Match compares strongly (RFC 9110 §13.1.1)', async () => {
    const { 'if-match': tag } = await versionAt(manager, '/users/ada/');
    const send = (condition: string) =>
      manager.call('POST', '/users/ada/disable/', undefined, { 'if-match': condition });
    expect((await send(`W/${tag}`)).status).to.equal(412);
    expect((await send(`W/${tag}, "other", ${tag}`)).status).to.equal(200);
  });

  it('is executed with * if the resource exists', async () => {
    const wildcard = { 'if-match': '*' };
    expect((await manager.call('POST', '/users/ada/disable/', undefined, wildcard)).status).to.equal(200);
    expect((await manager.call('POST', '/users/nobody/disable/', undefined, wildcard)).status).to.equal(412);
    expect((await manager.call('POST', '/groups/', { name: 'others' }, wildcard)).status).to.equal(201);
  });

  it('is refused at a URL without a version, with the reason that no entity tag can match', async () => {
    const { json } = await manager.call('POST', '/groups/', { name: 'others' }, { 'if-match': '"1"' });
    expect(json?.['error_description']).to.include('has no version').and.include('without If-Match');
  });
});

describe('A request with If-Match to a URL below a resource that is being changed concurrently', () => {
  let racing: RacingService;
  afterEach(() => racing.close());

  it('gets 412, and does not verify an address that its sender has not read', async () => {
    racing = await startRacingService();
    const manager = await addManager(racing.running);
    await racing.running.addUser('ada');
    await manager.call('PATCH', '/users/ada/', { email: 'ada@example.org' });
    const condition = await versionAt(manager, '/users/ada/');
    const [verification, change] = await racing.runBehind(
      () => manager.call('PATCH', '/users/ada/', { email: 'other@example.org' }),
      /./,
      () => manager.call('POST', '/users/ada/verify-email/', undefined, condition),
    );
    expect([verification.status, change.status]).to.deep.equal([412, 200]);
    expect((await manager.call('GET', '/users/ada/')).json).to.include({ email_verified: false });
  });
});
