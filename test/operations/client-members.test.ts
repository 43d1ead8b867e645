import { expect } from 'chai';
import { operate } from '../../src/operations/operations.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

describe("The commands for a client's members", () => {
  let running: RunningService;
  let app: TestClient;

  beforeEach(async () => {
    running = await runningService();
    for (const name of ['ada', 'bob']) await running.addUser(name);
    app = await running.addClient({ owner: 'ada' });
  });
  afterEach(() => running.close());

  async function call(name: string, input: object): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const rows: Readonly<Record<string, unknown>>[] = [];
    for await (const row of operate(running.service())(name, input, new AbortController().signal))
      rows.push(row as Readonly<Record<string, unknown>>);
    return rows;
  }
  const changeMembers = async (role: string, changes: { add?: readonly string[]; remove?: readonly string[] } = {}) =>
    (await call('client members', { clientId: app.id, role, add: [], remove: [], ...changes })).map(
      ({ username }) => username,
    );
  async function expectRefusal(work: Promise<unknown>): Promise<string> {
    return work.then(
      () => expect.fail('the operation was not refused'),
      ({ message }: Error) => message,
    );
  }

  it('list, add and remove owners and test users', async () => {
    expect(await changeMembers('owner')).to.deep.equal(['ada']);
    expect(await changeMembers('test-user', { add: ['bob'] })).to.deep.equal(['bob']);
    const [row] = await call('client show', { clientId: app.id });
    expect(row).to.deep.include({ owner: 'ada', owners: ['ada'], test_users: ['bob'], mode: 'live' });
    expect(await changeMembers('test-user', { remove: ['bob'] })).to.deep.equal([]);
  });

  it('replace the only owner in one step, but do not remove the last owner', async () => {
    expect(await expectRefusal(changeMembers('owner', { remove: ['ada'] }))).to.include('add another owner first');
    expect(await changeMembers('owner', { add: ['bob'], remove: ['ada'] })).to.deep.equal(['bob']);
  });

  it('refuse unknown users, and the removal of a role that a user does not have', async () => {
    expect(await expectRefusal(changeMembers('owner', { add: ['eve'] }))).to.include('no user is named "eve"');
    expect(await expectRefusal(changeMembers('test-user', { remove: ['ada'] }))).to.include(
      'does not have the role test-user',
    );
  });

  it('refuse more owners than an application can have, even if the new owner is already a test user', async () => {
    const usernames = Array.from({ length: 19 }, (_, index) => `owner-${index}`);
    for (const name of [...usernames, 'tess', 'tom']) await running.addUser(name);
    await changeMembers('test-user', { add: ['tess'] });
    expect(await changeMembers('owner', { add: usernames })).to.have.length(20);
    for (const name of ['tess', 'tom'])
      expect(await expectRefusal(changeMembers('owner', { add: [name] }))).to.equal(
        `"${name}": the client already has the maximum number of members with this role`,
      );
    expect(await changeMembers('owner')).to.have.length(20);
    expect(await changeMembers('test-user')).to.deep.equal(['tess']);
  });

  it('switch the mode', async () => {
    const [row] = await call('client update', { clientId: app.id, changes: { mode: 'test' } });
    expect(row).to.include({ mode: 'test' });
  });
});
