import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { runningCluster, type Cluster, type ClusterNode } from '../support/cluster.ts';
import { serviceNodes } from '../support/postgres/service-nodes.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const SHORT = { set: { accessTokenLifetimeSeconds: 600 }, reset: [] };

/** Longer than the time between two looks at the other nodes. */
const SEVERAL_LOOKS_MILLISECONDS = 200;

describe('a setting that is changed on one of several nodes', () => {
  let cluster: Cluster;
  let a: ClusterNode;
  let b: ClusterNode;

  beforeEach(async () => {
    cluster = await runningCluster(2);
    [a, b] = cluster.nodes as unknown as [ClusterNode, ClusterNode];
  });
  afterEach(() => cluster.close());

  /** Begins the change, and tells whether it was acknowledged. */
  function change(): { readonly done: Promise<unknown>; readonly isDone: () => boolean } {
    let isDone = false;
    const done = a.service().settingChanges.change(SHORT, OPERATOR);
    void done.then(() => (isDone = true));
    return { done, isDone: () => isDone };
  }

  it('is not acknowledged before every node has it', async () => {
    const { done, isDone } = change();
    await delay(SEVERAL_LOOKS_MILLISECONDS);
    expect([isDone(), b.service().config.accessTokenLifetimeSeconds]).to.deep.equal([false, 36_000]);
    cluster.deliver();
    await done;
    expect(b.service().config.accessTokenLifetimeSeconds).to.equal(600);
  });

  it('is acknowledged without a node that lost the log as soon as that node refuses requests', async () => {
    const client = await b.addClient();
    cluster.deliver();
    b.view.disconnect();
    const { done, isDone } = change();
    await delay(SEVERAL_LOOKS_MILLISECONDS);
    expect(isDone()).to.equal(false);
    cluster.clock.advance(7);
    await done;
    expect((await b.token(client, { grant_type: 'client_credentials' })).status).to.equal(503);
  });

  it('is kept when another node changes another setting at the same time', async () => {
    const both = Promise.allSettled([
      a.service().settingChanges.change(SHORT, OPERATOR),
      b.service().settingChanges.change({ set: { requirePar: true }, reset: [] }, OPERATOR),
    ]);
    await delay(SEVERAL_LOOKS_MILLISECONDS);
    cluster.deliver();
    const outcomes = (await both).map((each) => (each.status === 'rejected' ? String(each.reason.name) : 'changed'));
    const recorded = (await a.events()).filter(({ type }) => type === 'SettingChanged');
    expect(recorded.length).to.equal(outcomes.filter((each) => each === 'changed').length);
    for (const each of outcomes) expect(each).to.be.oneOf(['changed', 'DecisionOutdated']);
    for (const name of recorded.map(({ data }) => (data as { name: 'requirePar' }).name))
      expect([a, b].map((node) => node.service().config.origins[name])).to.deep.equal(['change', 'change']);
  });
});

describe('a setting that is changed on one of several nodes on PostgreSQL', function () {
  this.timeout(60_000);

  it('is in force on every node when the change is acknowledged', async () => {
    const nodes = await serviceNodes();
    try {
      const [a, b, c] = [await nodes.open(), await nodes.open(), await nodes.open()];
      for (const [round, node] of [a, b, c, a].entries()) {
        const value = 600 + round;
        await node.service.settingChanges.change({ set: { accessTokenLifetimeSeconds: value }, reset: [] }, OPERATOR);
        expect([a, b, c].map(({ service }) => service.config.accessTokenLifetimeSeconds)).to.deep.equal([
          value,
          value,
          value,
        ]);
      }
    } finally {
      await nodes.close();
    }
  });
});
