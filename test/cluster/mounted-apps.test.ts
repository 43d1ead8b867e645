import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createApp } from '../../src/http/app.ts';
import { SESSION_COOKIE } from '../../src/policy/open-api-security.ts';
import { browserSession } from '../support/browser-session.ts';
import { runningCluster, type Cluster, type ClusterNode } from '../support/cluster.ts';
import type { TestUser } from '../support/running-service.ts';

/** An embedding program's router, mounted after the second node's application. */
describe('a mounted router on a node that has not yet read a login from another node', () => {
  let cluster: Cluster;
  let [a, b]: readonly ClusterNode[] = [];
  let user: TestUser;
  let server: Server;
  let origin: string;

  beforeEach(async () => {
    cluster = await runningCluster(2);
    [a, b] = cluster.nodes;
    user = await first().addUser();
    cluster.deliver();
    const app = createApp(second().service(), { error: () => expect.fail('no error was expected') });
    app.use((ctx) => void (ctx.body = ctx.state.principal));
    const handle = app.callback();
    server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.close();
    await cluster.close();
  });

  const first = (): ClusterNode => a as ClusterNode;
  const second = (): ClusterNode => b as ClusterNode;
  const whoami = async (headers: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${origin}/own/`, { headers: { ...headers } });

  async function logIn(): Promise<string> {
    const browser = browserSession(first().origin);
    await browser.logIn(user.username, user.password);
    return browser.cookieHeader('/own/');
  }

  it('receives the session', async () => {
    const response = await whoami({ cookie: await logIn() });
    expect(await response.json()).to.include({ kind: 'session' });
  });

  it('causes no catch-up without a session or for a forged cookie', async () => {
    const catchUpsBefore = second().view.catchUpCount();
    const forgedCookie = `${SESSION_COOKIE.http}=e30=; ${SESSION_COOKIE.http}.sig=${'A'.repeat(27)}`;
    for (const headers of [{}, { cookie: forgedCookie }]) {
      expect(await (await whoami(headers)).json()).to.deep.equal({ kind: 'anonymous' });
    }
    expect(second().view.catchUpCount()).to.equal(catchUpsBefore);
  });

  it('is not reached with a session or a token while the node has no connection to the log', async () => {
    const cookie = await logIn();
    second().view.disconnect();
    cluster.clock.advance(6);
    expect((await whoami({ cookie })).status).to.equal(503);
    expect((await whoami({ authorization: 'Bearer unknown' })).status).to.equal(503);
  });
});
