import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { startRoundRobin, type RoundRobin } from '../../scripts/cluster/round-robin.ts';
import { findFreePort } from '../support/free-port.ts';

interface Echo {
  readonly node: number;
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

/** Starts a server that responds with the request that it received. */
async function startNode(node: number): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const echo: Echo = { node, method, url, headers, body: Buffer.concat(chunks).toString() };
      response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'] }).end(JSON.stringify(echo));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe('The cluster proxy', () => {
  let servers: Server[];
  let proxy: RoundRobin;

  before(async () => {
    servers = await Promise.all([0, 1, 2].map(startNode));
    proxy = await startRoundRobin(0);
  });
  beforeEach(() => proxy.setNodes(servers.map(portOf)));
  after(async () => {
    await proxy.close();
    for (const server of servers) server.close();
  });

  const send = (path = '/', init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${proxy.port}${path}`, init);
  const sendAndRead = async (path = '/', init: RequestInit = {}): Promise<Echo> =>
    (await send(path, init)).json() as never;

  it('sends each request to the next node', async () => {
    const nodes: number[] = [];
    for (let request = 0; request < 6; request++) nodes.push((await sendAndRead()).node);
    expect(nodes.slice(0, 3)).to.have.members([0, 1, 2]);
    expect(nodes.slice(3)).to.deep.equal(nodes.slice(0, 3));
  });

  it('forwards method, path, body, status and cookies unchanged', async () => {
    const body = 'x'.repeat(300_000);
    const { method, url, body: receivedBody } = await sendAndRead('/o/token/?a=%20', { method: 'POST', body });
    expect([method, url, receivedBody === body]).to.deep.equal(['POST', '/o/token/?a=%20', true]);
    const response = await send();
    expect([response.status, response.headers.getSetCookie()]).to.deep.equal([201, ['a=1', 'b=2']]);
  });

  it("adds the caller's address to X-Forwarded-For, and keeps the host", async () => {
    const { headers } = await sendAndRead('/', { headers: { 'x-forwarded-for': '192.0.2.1' } });
    expect(headers['x-forwarded-for']).to.equal('192.0.2.1, 127.0.0.1');
    expect(headers.host).to.equal(`127.0.0.1:${proxy.port}`);
  });

  it('skips a node that does not respond, without losing the body', async () => {
    proxy.setNodes([await findFreePort(), await findFreePort(), portOf(servers[2] as Server)]);
    for (let request = 0; request < 3; request++) {
      const { node, body } = await sendAndRead('/', { method: 'POST', body: 'whole' });
      expect([node, body]).to.deep.equal([2, 'whole']);
    }
  });

  it('responds with 503 and Retry-After if no node is available or the node dies during the request', async () => {
    const dyingNode = createServer((request) => request.socket.destroy());
    await once(dyingNode.listen(0, '127.0.0.1'), 'listening');
    for (const nodes of [[], [await findFreePort()], [portOf(dyingNode)]]) {
      proxy.setNodes(nodes);
      const response = await send('/', { method: 'POST', body: 'body' });
      expect([response.status, response.headers.get('retry-after')]).to.deep.equal([503, '1']);
    }
    dyingNode.close();
  });
});
