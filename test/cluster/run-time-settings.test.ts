import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import type { SettingChanges } from '../../src/oauth/settings/setting-changes.ts';
import { runningCluster, type Cluster, type ClusterNode } from '../support/cluster.ts';
import { png } from '../support/images.ts';
import { createServiceNodes } from '../support/postgres/service-nodes.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const SHORT_LIFETIME = { set: { accessTokenLifetimeSeconds: 600 }, reset: [] };

/** Longer than the interval between checks of the other nodes. */
const SEVERAL_CHECKS_MILLISECONDS = 200;

describe('a setting that is changed on one of several nodes', () => {
  let cluster: Cluster;
  let a: ClusterNode;
  let b: ClusterNode;

  beforeEach(async () => {
    cluster = await runningCluster(2);
    [a, b] = cluster.nodes as unknown as [ClusterNode, ClusterNode];
  });
  afterEach(() => cluster.close());

  /** Starts the change. `isAcknowledged` reports whether its acknowledgment has arrived. */
  function change(): { readonly acknowledgment: Promise<unknown>; readonly isAcknowledged: () => boolean } {
    let isAcknowledged = false;
    const acknowledgment = a.service().settingChanges.change(SHORT_LIFETIME, OPERATOR);
    void acknowledgment.then(() => (isAcknowledged = true));
    return { acknowledgment, isAcknowledged: () => isAcknowledged };
  }

  it('is not acknowledged before every node has applied it', async () => {
    const { acknowledgment, isAcknowledged } = change();
    await delay(SEVERAL_CHECKS_MILLISECONDS);
    expect([isAcknowledged(), b.service().config.accessTokenLifetimeSeconds]).to.deep.equal([false, 36_000]);
    cluster.deliver();
    await acknowledgment;
    expect(b.service().config.accessTokenLifetimeSeconds).to.equal(600);
  });

  it('is acknowledged, even if a node is disconnected, as soon as that node refuses requests', async () => {
    const client = await b.addClient();
    cluster.deliver();
    b.view.disconnect();
    const { acknowledgment, isAcknowledged } = change();
    await delay(SEVERAL_CHECKS_MILLISECONDS);
    expect(isAcknowledged()).to.equal(false);
    cluster.clock.advance(7);
    await acknowledgment;
    expect((await b.token(client, { grant_type: 'client_credentials' })).status).to.equal(503);
  });

  it('changes the pages on every node if it is a brand setting', async () => {
    const readPage = async () =>
      (await b.get('/accounts/login/')).text.replaceAll(/ name="csrf_token" value="[^"]*"/g, '');
    const urlIn = (html: string, pattern: RegExp): string => pattern.exec(html)?.[1] ?? '';
    async function changeOnA(settings: Parameters<SettingChanges['change']>[0]): Promise<void> {
      const acknowledgment = a.service().settingChanges.change(settings, OPERATOR);
      await delay(SEVERAL_CHECKS_MILLISECONDS);
      cluster.deliver();
      await acknowledgment;
    }
    const originalPage = await readPage();
    expect(originalPage).to.include('· Grantlog</title>').and.not.include('brand.css').and.not.include('brand-logo');
    for (const image of [png(), png({ width: 32 })]) {
      const brandLogo = `data:image/png;base64,${image.toString('base64')}`;
      await changeOnA({ set: { brandName: 'Harbour & Sons', brandColor: '#9a1f5c', brandLogo }, reset: [] });
      const html = await readPage();
      expect(html).to.include('· Harbour &amp; Sons</title>');
      expect((await b.get(urlIn(html, /href="([^"]*brand\.css[^"]*)"/))).text).to.include('--accent: #9a1f5c;');
      const logo = await fetch(new URL(urlIn(html, /<img src="([^"]*brand-logo[^"]*)"/), b.origin()));
      expect(Buffer.from(await logo.arrayBuffer())).to.deep.equal(image);
    }
    await changeOnA({ set: {}, reset: ['brandName', 'brandColor', 'brandLogo'] });
    expect(await readPage()).to.equal(originalPage);
  });

  it('is either kept or refused if another node changes a different setting at the same time', async () => {
    const results = Promise.allSettled([
      a.service().settingChanges.change(SHORT_LIFETIME, OPERATOR),
      b.service().settingChanges.change({ set: { requirePar: true }, reset: [] }, OPERATOR),
    ]);
    await delay(SEVERAL_CHECKS_MILLISECONDS);
    cluster.deliver();
    const outcomes = (await results).map((result) =>
      result.status === 'rejected' ? String(result.reason.name) : 'changed',
    );
    const changeEvents = (await a.events()).filter(({ type }) => type === 'SettingChanged');
    expect(changeEvents.length).to.equal(outcomes.filter((outcome) => outcome === 'changed').length);
    for (const outcome of outcomes) expect(outcome).to.be.oneOf(['changed', 'DecisionOutdated']);
    for (const name of changeEvents.map(({ data }) => (data as { name: 'requirePar' }).name))
      expect([a, b].map((node) => node.service().config.origins[name])).to.deep.equal(['change', 'change']);
  });
});

describe('a setting that is changed on one of several PostgreSQL nodes', function () {
  this.timeout(60_000);

  it('applies on every node by the time the change is acknowledged', async () => {
    const nodes = await createServiceNodes();
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
