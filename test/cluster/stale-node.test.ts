import { expect } from 'chai';
import { createApp } from '../../src/http/app.ts';
import { operate } from '../../src/operations/operations.ts';
import { OperationRefused } from '../../src/operations/control/operation-refused.ts';
import { methodsOf, routesOf } from '../support/app-routes.ts';
import { runningCluster, type Cluster, type ClusterNode } from '../support/cluster.ts';
import type { TestClient, TestUser } from '../support/running-service.ts';

describe('a node that has lost its connection to the log', () => {
  let cluster: Cluster;
  let node: ClusterNode;
  let client: TestClient;
  let user: TestUser;
  let tokens: Readonly<Record<string, unknown>>;

  beforeEach(async () => {
    cluster = await runningCluster(2);
    node = cluster.nodes[1] as ClusterNode;
    client = await node.addClient();
    user = await node.addUser();
    tokens = (await node.token(client, { grant_type: 'password', ...user })).json ?? {};
  });
  afterEach(() => cluster.close());

  const bearer = () => ({ authorization: `Bearer ${String(tokens['access_token'])}` });
  const readiness = async (target: ClusterNode) => {
    const { status, json } = await target.get('/readyz');
    return { status, detail: json?.['detail'] };
  };

  function disconnectFor(seconds: number): void {
    node.view.disconnect();
    cluster.clock.advance(seconds);
  }

  it('serves from its projections until the configured time has passed', async () => {
    disconnectFor(5);
    expect((await node.get('/users/', bearer())).status).to.equal(200);
    expect(await readiness(node)).to.deep.equal({ status: 200, detail: undefined });
  });

  it('responds with 503 and Retry-After after that time, on every route that depends on the log', async () => {
    disconnectFor(6);
    const routes = routesOf(createApp(node.service(), { error: () => expect.fail('no error was expected') }));
    for (const route of routes.filter(({ authentication }) => authentication !== 'none')) {
      const path = route.path.replaceAll(/:\w+|\{[^}]*\}|\*\w+/g, '1');
      for (const method of methodsOf(route).filter((candidate) => ['GET', 'POST', 'DELETE'].includes(candidate))) {
        for (const headers of [bearer(), { authorization: client.basic }, {}]) {
          const { status, headers: responseHeaders } = await node.send(path, { method, headers });
          expect(status, `${method} ${path} ${JSON.stringify(headers)}`).to.equal(503);
          expect(responseHeaders.get('retry-after'), `${method} ${path}`).to.equal('1');
        }
      }
    }
  });

  it('does not refuse a credential after that time, because another node may accept it', async () => {
    disconnectFor(6);
    for (const authorization of [bearer().authorization, 'Bearer unknown']) {
      expect((await node.get('/users/', { authorization })).status).to.equal(503);
    }
    for (const path of ['/o/introspect/', '/o/revoke_token/']) {
      const { status, json } = await node.post(path, { token: 'unknown' }, { authorization: client.basic });
      expect({ status, error: json?.['error'] }).to.deep.equal({ status: 503, error: 'temporarily_unavailable' });
    }
    const refresh = { grant_type: 'refresh_token', refresh_token: String(tokens['refresh_token']) };
    expect((await node.token(client, refresh)).status).to.equal(503);
  });

  it('does not refuse a credential that it cannot verify, even before that time', async () => {
    const { json } = await (cluster.nodes[0] as ClusterNode).token(client, { grant_type: 'client_credentials' });
    expect(json?.['error'], "the first node has not read the client's registration").to.equal(undefined);
    node.view.disconnect();
    const unverifiable = { authorization: `Bearer ${String(json?.['access_token'])}` };
    expect((await node.get('/users/', unverifiable)).status).to.equal(503);
    const introspection = await node.post(
      '/o/introspect/',
      { token: String(json?.['access_token']) },
      { authorization: client.basic },
    );
    expect(introspection.status).to.equal(503);
    expect((await node.token({ ...client, basic: 'Basic eDp5' }, { grant_type: 'password' })).status).to.equal(503);
  });

  it('is alive but not ready, and gives the reason in the response, its log and its metrics', async () => {
    disconnectFor(7);
    const problem = 'this node has had no contact with the event log for 7 seconds';
    expect((await node.get('/healthz')).status).to.equal(200);
    expect(await readiness(node)).to.deep.equal({ status: 503, detail: problem });
    expect(node.notices).to.deep.equal([`${problem}; it responds with 503`]);
    const { text } = await node.get('/metrics');
    expect(text).to.match(/^grantlog_log_staleness_seconds 7$/m);
    expect(text).to.match(/^grantlog_log_current 0$/m);
  });

  it('refuses commands', async () => {
    const list = () => operate(node.service())('user list', {}, new AbortController().signal).next();
    expect((await list()).value).to.include({ username: user.username });
    disconnectFor(6);
    expect(await list().catch((error: unknown) => error)).to.be.instanceOf(OperationRefused);
  });

  it('serves again once it has read every event', async () => {
    disconnectFor(60);
    expect((await node.get('/users/', bearer())).status).to.equal(503);
    await (cluster.nodes[0] as ClusterNode).post(
      '/o/revoke_token/',
      { token: String(tokens['access_token']) },
      { authorization: client.basic },
    );
    node.view.reconnect();
    expect((await node.get('/users/', bearer())).status).to.equal(503);
    node.view.deliver();
    expect((await node.get('/users/', bearer())).status).to.equal(401);
    expect(await readiness(node)).to.deep.equal({ status: 200, detail: undefined });
  });
});
