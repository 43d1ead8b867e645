import { expect } from 'chai';
import type { Actor, EventToAppend } from '../../src/event-store/event-log.ts';
import { LogUnreachable } from '../../src/event-store/log-unreachable.ts';
import { runningCluster, type Cluster, type ClusterNode } from '../support/cluster.ts';
import { readEvents } from '../support/event-reader.ts';
import type { TestClient, TestUser } from '../support/running-service.ts';

const SERVER: Actor = { kind: 'server' };
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('a node that reads an event written by a later release', () => {
  let cluster: Cluster;
  let node: ClusterNode;
  let client: TestClient;
  let user: TestUser;
  let authorization: string;

  beforeEach(async () => {
    cluster = await runningCluster(2);
    node = cluster.nodes[0] as ClusterNode;
    client = await node.addClient();
    user = await node.addUser();
    const { json } = await node.token(client, { grant_type: 'password', ...user });
    authorization = `Bearer ${String(json?.['access_token'])}`;
  });
  afterEach(() => cluster.close());

  const event = (type: string, version: number): EventToAppend => ({
    type,
    version,
    recordedAt: cluster.clock.now(),
    actor: SERVER,
    requestId: null,
    data: {},
  });

  async function readLaterEvent(type: string, version: number): Promise<void> {
    await cluster.log.appendFromLaterRelease(event(type, version));
    cluster.deliver();
    await node.get('/healthz'); // the release is looked up in the background
  }

  for (const [difference, type, version] of [
    ['an unknown event type', 'KeyCeremonyHeld', 1],
    ['a later version of an event type', 'GrantRevoked', 9],
  ] as const) {
    it(`continues to run and responds with 503: ${difference}`, async () => {
      await readLaterEvent(type, version);
      const { status, headers } = await node.get('/users/', { authorization });
      expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
      expect((await node.token(client, { grant_type: 'client_credentials' })).status).to.equal(503);
      expect((await node.browser().get('/accounts/login/')).status).to.equal(503);
      expect((await node.get('/healthz')).status).to.equal(200);
    });

    it(`reports the event and the release that wrote it: ${difference}`, async () => {
      cluster.log.declareRelease(type, version, '9.4.0');
      const position = node.view.head() + 1;
      await readLaterEvent(type, version);
      const problem =
        `the event at position ${position}, ${type} version ${version}, was written by release 9.4.0, ` +
        'and this release does not recognize it; run that release on this node as well';
      expect((await node.get('/readyz')).json).to.deep.equal({ status: 'not ready', detail: problem });
      expect(node.notices).to.deep.equal([`this node has stopped responding: ${problem}`]);
      expect((await node.get('/metrics')).text).to.match(/^grantlog_log_current 0$/m);
    });
  }

  it('applies every event before that one, and no event after it', async () => {
    await (cluster.nodes[1] as ClusterNode).addUser('late');
    const headBefore = (cluster.nodes[1] as ClusterNode).view.head();
    await cluster.log.appendFromLaterRelease(event('KeyCeremonyHeld', 1));
    await cluster.log.appendFromLaterRelease(event('GroupCreated', 1));
    node.view.deliver();
    const { projector, projections } = node.service();
    expect([projector.position(), node.view.head()]).to.deep.equal([headBefore, headBefore + 2]);
    expect(projections.users.findByName('late')).not.to.equal(undefined);
  });

  it('ends event streams before that event', async () => {
    const auditor = await node.addClient({ restrictedScopes: ['audit'] });
    const { json } = await node.token(auditor, { grant_type: 'client_credentials', scope: 'audit' });
    const head = node.view.head();
    const reader = await readEvents(node.origin(), String(json?.['access_token']), { query: `?after=${head - 1}` });
    expect((await reader.next())?.id).to.equal(head);
    await readLaterEvent('KeyCeremonyHeld', 1);
    expect(await reader.next()).to.equal(undefined);
  });

  it('appends no events, because it cannot make decisions', async () => {
    await readLaterEvent('KeyCeremonyHeld', 1);
    const head = node.view.head();
    const failure = await node
      .service()
      .accounts.register({ username: 'late', password: 'correct horse' }, OPERATOR)
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(LogUnreachable);
    cluster.deliver();
    expect(node.view.head()).to.equal(head);
  });

  it('reports only that a later release wrote the event if no node has recorded which one', async () => {
    await readLaterEvent('KeyCeremonyHeld', 1);
    expect((await node.get('/readyz')).json?.['detail']).to.include('was written by a later release');
  });
});
