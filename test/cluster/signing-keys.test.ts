import { expect } from 'chai';
import { decodeProtectedHeader } from 'jose';
import { SIGNING_ALGORITHMS, type EpochSeconds, type KeyId, type SigningAlgorithm } from '../../src/domain/values.ts';
import { runningCluster, type Cluster, type ClusterNode } from '../support/cluster.ts';
import { seconds } from '../support/domain-values.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** Nodes receive events only when a test calls `deliver`. */
describe('nodes that share signing keys', () => {
  let cluster: Cluster;
  let a: ClusterNode;
  let b: ClusterNode;

  beforeEach(async () => {
    cluster = await runningCluster(2);
    [a, b] = cluster.nodes as unknown as [ClusterNode, ClusterNode];
  });
  afterEach(() => cluster.close());

  const nowOf = (node: ClusterNode): EpochSeconds => seconds(Math.floor(node.service().clock.now() / 1000));
  const signingKeysOf = (node: ClusterNode) => node.service().projections.signingKeys;
  const sign = (node: ClusterNode, algorithm: SigningAlgorithm) =>
    node.service().signingKeys.sign(algorithm, 'JWT', { sub: 'ada' }, nowOf(node));

  it('introduce one key per algorithm, even if all nodes try to introduce one', async () => {
    await Promise.all([a, b].map((node) => node.service().keyRotation.maintain(nowOf(node))));
    cluster.deliver();
    for (const node of [a, b])
      expect(
        signingKeysOf(node)
          .all()
          .map(({ algorithm }) => algorithm),
      ).to.have.members([...SIGNING_ALGORITHMS]);
    const signatures = await Promise.all([sign(a, 'RS256'), sign(b, 'RS256')]);
    expect(new Set(signatures.map(({ kid }) => kid)).size).to.equal(1);
  });

  it('sign with the key that another node introduced, even before they have read the event', async () => {
    const firstSignature = await sign(a, 'EdDSA');
    const secondSignature = await sign(b, 'EdDSA');
    expect(secondSignature.kid).to.equal(firstSignature.kid);
    expect(await b.service().signingKeys.verify(firstSignature.jws, { types: ['JWT'], now: nowOf(b) })).to.deep.equal({
      sub: 'ada',
    });
  });

  it('introduce only one next key if both rotate at the same time, and only one node reports it', async () => {
    await a.service().keyRotation.maintain(nowOf(a));
    cluster.deliver();
    const rotation = { algorithms: ['ES256'], start: 'later' } as const;
    const rotate = (node: ClusterNode) => node.service().keyRotation.rotate(rotation, nowOf(node), OPERATOR);
    const rotations = await Promise.all([rotate(a), rotate(b)]);
    cluster.deliver();
    const nextKeys = signingKeysOf(a)
      .all()
      .filter(({ from }) => from > nowOf(a));
    expect(nextKeys.map(({ algorithm }) => algorithm)).to.deep.equal(['ES256']);
    expect(rotations.flat().map(({ kid }) => kid)).to.deep.equal([nextKeys[0]?.kid]);
  });

  it('refuse a token signed with a key that another node retired, once they have read the event', async () => {
    const client = await a.addClient({ accessTokenFormat: 'jwt', accessTokenAlgorithm: 'ES256' });
    cluster.deliver();
    const { json } = await a.token(client, { grant_type: 'client_credentials' });
    cluster.deliver();
    const authorization = `Bearer ${String(json?.['access_token'])}`;
    const status = async (node: ClusterNode): Promise<number> => (await node.get('/users/', { authorization })).status;
    expect([await status(a), await status(b)]).to.deep.equal([200, 200]);
    const { kid } = decodeProtectedHeader(String(json?.['access_token']));
    const { keyRotation } = a.service();
    await keyRotation.introduce('ES256', nowOf(a), 'requested');
    await keyRotation.retire(kid as KeyId, nowOf(a), OPERATOR);
    cluster.deliver();
    expect([await status(a), await status(b)]).to.deep.equal([401, 401]);
  });
});
