import { expect } from 'chai';
import { openSession } from '../support/authorize-requests.ts';
import { runningCluster, type Cluster, type ClusterNode } from '../support/cluster.ts';
import { answerDevice, requestCodes, devicePath, poll } from '../support/devices.ts';
import { expectRefusal } from '../support/protocol-responses.ts';
import type { TestClient, TestUser } from '../support/running-service.ts';

const DEVICE_CLIENT = { clientType: 'public', grantTypes: ['device-code'], redirectUris: [] } as const;

describe('On nodes that share a log, a device', () => {
  let cluster: Cluster;
  let tv: TestClient;
  let ada: TestUser;

  beforeEach(async () => {
    cluster = await runningCluster(3);
    tv = await node(0).addClient(DEVICE_CLIENT);
    ada = await node(0).addUser('ada');
    cluster.deliver();
  });
  afterEach(() => cluster.close());

  const node = (index: number): ClusterNode => cluster.nodes[index] ?? expect.fail();

  it('gets its tokens from any node after an approval on a node that it has polled', async () => {
    const codes = await requestCodes(node(0), tv);
    expectRefusal(await poll(node(0), tv, codes), 'authorization_pending');
    expectRefusal(await poll(node(1), tv, codes), 'authorization_pending'); // now this node knows the code
    await answerDevice(await openSession(node(1), ada), codes);
    expect((await poll(node(2), tv, codes)).status).to.equal(200);
    expectRefusal(await poll(node(0), tv, codes), 'invalid_grant');
  });

  it('that was denied on one node cannot be approved on another, and gets the denial from a third node', async () => {
    const codes = await requestCodes(node(0), tv);
    await poll(node(1), tv, codes);
    await answerDevice(await openSession(node(1), ada), codes, { deny: 'Deny' });
    expect((await (await openSession(node(0), ada)).get(devicePath(codes.user))).status).to.equal(422);
    expectRefusal(await poll(node(2), tv, codes), 'access_denied');
  });
});
