import { expect } from 'chai';
import { operate } from '../../src/operations/operations.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

type Row = Readonly<Record<string, unknown>>;

describe('the operations on sessions, grants and owners', () => {
  let running: RunningService;
  let ada: TestUser;
  let bob: TestUser;
  let client: TestClient;

  beforeEach(async () => {
    running = await runningService();
    [ada, bob] = [await running.addUser('ada'), await running.addUser('bob')];
    client = await running.addClient({ name: 'Engine', owner: 'ada' });
  });
  afterEach(() => running.close());

  async function call(name: string, input: object): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for await (const row of operate(running.service())(name, input, new AbortController().signal))
      rows.push(row as Row);
    return rows;
  }
  const expectRefusal = (name: string, input: object): Promise<string> =>
    call(name, input).then(
      () => expect.fail('the operation was not refused'),
      (error: Error) => error.message,
    );
  const newestEvent = async () => (await running.events()).at(-1);

  async function authorize(user: TestUser): Promise<string> {
    const code = await running.authorize(client, user, { scope: 'read' });
    const parameters = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    return String((await running.token(client, parameters)).json?.['access_token']);
  }

  it('list the sessions of all users or of one user, and end one as the operator', async () => {
    const [home, office] = [running.browser(), running.browser()];
    await home.logIn('ada', ada.password);
    await office.logIn('bob', bob.password);
    expect((await call('session list', {})).map(({ username }) => username)).to.deep.equal(['ada', 'bob']);
    const [session] = await call('session list', { username: 'bob' });
    expect(session?.['started_at']).to.match(/^\d{4}-.*Z$/);
    expect(await call('session end', { id: session?.['id'] })).to.deep.equal([
      { id: session?.['id'], username: 'bob' },
    ]);
    expect(await newestEvent()).to.deep.include({ type: 'SessionEnded', actor: { kind: 'operator' } });
    expect(await call('session list', { username: 'bob' })).to.deep.equal([]);
    expect((await home.get('/accounts/')).status).to.equal(200);
    expect(await expectRefusal('session end', { id: 'unknown' })).to.include('grantlog session list');
    expect(await expectRefusal('session list', { username: 'carol' })).to.include('carol');
  });

  it('list grants by user and application, and revoke one along with its tokens, as the operator', async () => {
    const [adasToken, bobsToken] = [await authorize(ada), await authorize(bob)];
    const isActive = async (token: string) =>
      (await running.post('/o/introspect/', { token }, { authorization: client.basic })).json?.['active'];
    expect(await call('grant list', { clientId: client.id })).to.have.length(2);
    const [grant] = await call('grant list', { username: 'ada' });
    expect(grant).to.deep.include({ username: 'ada', application: 'Engine', scope: ['read'] });
    await call('grant revoke', { id: grant?.['id'] });
    expect(await newestEvent()).to.deep.include({ type: 'GrantRevoked', actor: { kind: 'operator' } });
    expect([await isActive(adasToken), await isActive(bobsToken)]).to.deep.equal([false, true]);
    expect(await expectRefusal('grant revoke', { id: grant?.['id'] })).to.include('grantlog grant list');
    expect(await expectRefusal('grant list', { clientId: 'none' })).to.include('grantlog client list');
  });

  it('revoke all grants of a user, or only those for one application, including unredeemed codes', async () => {
    const otherClient = await running.addClient({ name: 'Loom', owner: 'ada' });
    const [token, bobsToken] = [await authorize(ada), await authorize(bob)];
    const code = await running.authorize(client, ada, { scope: 'read' });
    const isActive = async (value: string) =>
      (await running.post('/o/introspect/', { token: value }, { authorization: client.basic })).json?.['active'];
    const otherClientRow = { username: 'ada', client_id: otherClient.id, revoked: 0 };
    expect(await call('grant revoke-all', { username: 'ada', clientId: otherClient.id })).to.deep.equal([
      otherClientRow,
    ]);
    expect(await isActive(token)).to.equal(true);
    const [summary] = await call('grant revoke-all', { username: 'ada' });
    expect(summary).to.include({ username: 'ada', client_id: null });
    expect(await newestEvent()).to.deep.include({ type: 'GrantRevoked', actor: { kind: 'operator' } });
    expect([await isActive(token), await isActive(bobsToken)]).to.deep.equal([false, true]);
    expect(await call('grant list', { username: 'ada' })).to.deep.equal([]);
    const redemption = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    expect((await running.token(client, redemption)).json).to.include({ error: 'invalid_grant' });
    expect(await expectRefusal('grant revoke-all', { username: 'carol' })).to.include('grantlog user list');
    expect(await expectRefusal('grant revoke-all', { username: 'ada', clientId: 'none' })).to.include(
      'grantlog client list',
    );
  });

  it('transfer a client to a user, who becomes the only owner', async () => {
    expect(await call('client transfer', { clientId: client.id, to: 'bob' })).to.deep.equal([
      { client_id: client.id, owner: 'bob' },
    ]);
    const owners = { clientId: client.id, role: 'owner', add: [], remove: [] };
    expect((await call('client members', owners)).map(({ username }) => username)).to.deep.equal(['bob']);
    await call('client transfer', { clientId: client.id, to: 'bob' });
    await call('user disable', { username: 'ada' });
    expect(await expectRefusal('client transfer', { clientId: client.id, to: 'ada' })).to.include('disabled');
    expect((await call('client members', owners)).map(({ username }) => username)).to.deep.equal(['bob']);
  });

  it('show an account with its groups and its number of grants', async () => {
    await authorize(ada);
    await call('group add', { name: 'staff' });
    await call('group add-user', { group: 'staff', username: 'ada' });
    const [account] = await call('user show', { username: 'ada' });
    expect(account).to.deep.include({
      username: 'ada',
      active: true,
      groups: ['staff'],
      grants: 1,
      two_step_login: false,
    });
    expect(await expectRefusal('user show', { username: 'carol' })).to.include('grantlog user list');
  });
});
