import { expect } from 'chai';
import { MANAGEMENT_TABLE } from '../../src/http/management/table.ts';
import { addManager, type Manager } from '../support/management.ts';
import { startRacingService, type RacingService } from '../support/racing-service.ts';
import type { RunningService } from '../support/running-service.ts';

type Members = Readonly<Record<string, unknown>>;

interface PatchedResource {
  /** Creates the resource, and returns its path below the prefix of the API. */
  readonly create: (running: RunningService, manager: Manager) => Promise<string>;
  /** New values for members. Each request changes one of them. */
  readonly changes: Members;
  /** Returns the path that the members are read from, if it differs from the path that they are sent to. */
  readonly readAt?: (path: string) => string;
}

const API = 'https://api.example.org/v1';
const PROVIDER = { name: 'Company', issuer: 'https://login.example.org', client_id: 'x', secret: 'a secret' };

/** One resource for each PATCH operation. Lists of members are tested below. */
const PATCHED: Readonly<Record<string, PatchedResource>> = {
  'user profile': {
    create: async (running) => `/users/${(await running.addUser()).username}/`,
    changes: { email: 'new@example.org', given_name: 'Ada', family_name: 'Byron', nickname: 'Countess' },
    readAt: (path) => `${path}profile/`,
  },
  'group update': {
    create: async (_running, manager) => {
      await manager.call('POST', '/groups/', { name: 'staff' });
      return '/groups/staff/';
    },
    changes: { title: 'Our staff' }, // the only member that this operation changes
  },
  'client update': {
    create: async (running) => `/clients/${(await running.addClient()).id}/`,
    changes: { name: 'New', second_factor_required: true, allowed_origins: ['https://spa.example.org'] },
  },
  'resource update': {
    create: async (_running, manager) => {
      await manager.call('POST', '/resource-servers/', { uri: API, name: 'API', scopes: [] });
      return `/resource-servers/${encodeURIComponent(API)}/`;
    },
    changes: {
      name: 'Reports',
      scopes: [{ name: 'reports', description: 'Read reports' }],
    },
  },
  'provider set': {
    create: async (_running, manager) => {
      await manager.call('PATCH', '/providers/company/', PROVIDER);
      return '/providers/company/';
    },
    changes: { disabled: true, name: 'New', client_id: 'y', creates_users: true },
  },
  'scope update': {
    create: async () => '/scopes/read/',
    changes: { description: 'Read more', icon: 'key', sensitivity: 'sensitive' },
  },
};

const MEMBER_LISTS = MANAGEMENT_TABLE.filter(
  ({ method, operation }) => method === 'PATCH' && operation === 'client members',
);

describe('A change to some members of a resource', () => {
  let racing: RacingService;
  let running: RunningService;
  let manager: Manager;

  beforeEach(async () => {
    racing = await startRacingService();
    ({ running } = racing);
    manager = await addManager(running);
  });
  afterEach(() => racing.close());

  /** Sends two requests. The second is evaluated before the change of the first is recorded. */
  async function sendTogether(path: string, first: Members, second: Members): Promise<void> {
    const responses = await racing.runBehind(
      () => manager.call('PATCH', path, first),
      /./,
      () => manager.call('PATCH', path, second),
    );
    for (const { status, text } of responses) expect(status, text).to.equal(200);
  }

  it('is tested for every PATCH operation', () => {
    const patchOperations = MANAGEMENT_TABLE.filter(({ method }) => method === 'PATCH').map(
      ({ operation }) => operation,
    );
    expect([...new Set(patchOperations)].toSorted()).to.deep.equal(
      [...Object.keys(PATCHED), 'client members'].toSorted(),
    );
  });

  for (const [operation, { create, changes, readAt = (path: string) => path }] of Object.entries(PATCHED))
    it(`keeps a concurrent change to any other member: ${operation}`, async () => {
      const path = await create(running, manager);
      const resource = (await manager.call('GET', readAt(path))).json ?? expect.fail();
      const patch = async (members: Members): Promise<void> => {
        const { status, text } = await manager.call('PATCH', path, members);
        expect(status, text).to.equal(200);
      };
      const names = Object.keys(changes);
      const originalValues = Object.fromEntries(names.map((name) => [name, resource[name] ?? '']));
      for (const name of names) {
        expect(resource[name], name).not.to.deep.equal(changes[name]);
        await patch({ [name]: changes[name] });
      }
      await patch(originalValues);
      for (const first of names)
        for (const second of names.filter((name) => name > first)) {
          await sendTogether(path, { [first]: changes[first] }, { [second]: changes[second] });
          const { json } = await manager.call('GET', readAt(path));
          expect(json).to.deep.include({ [first]: changes[first], [second]: changes[second] });
          await patch(originalValues);
        }
    });

  for (const { path, id } of MEMBER_LISTS)
    it(`keeps a concurrent change to another entry: ${id}`, async () => {
      const client = await running.addClient();
      const [ada, bob] = [await running.addUser('ada'), await running.addUser('bob')];
      const membersPath = `${path.replace('{id}', client.id)}/`;
      await sendTogether(membersPath, { add: [ada.username] }, { add: [bob.username] });
      const { text } = await manager.call('GET', membersPath);
      for (const { username } of [ada, bob]) expect(text).to.include(`"username":"${username}"`);
    });

  it('keeps the provider members that a concurrent request adds', async () => {
    await sendTogether('/providers/company/', PROVIDER, { ...PROVIDER, disabled: true });
    const { name, ...otherFields } = PROVIDER;
    await sendTogether('/providers/other/', { ...PROVIDER, domains: ['example.org'] }, { ...otherFields, name });
    expect((await manager.call('GET', '/providers/company/')).json).to.include({ disabled: true, name });
    expect((await manager.call('GET', '/providers/other/')).json).to.deep.include({ domains: ['example.org'] });
  });
});
