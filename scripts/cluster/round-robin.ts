import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Sends each request to the next node. */
export interface RoundRobin {
  readonly port: number;
  /** Sets the ports of the nodes on 127.0.0.1. */
  setNodes(ports: readonly number[]): void;
  close(): Promise<void>;
}

/**
 * Starts an HTTP proxy on 127.0.0.1. It skips nodes that refuse the connection, and responds with 503 if all
 * do. A node that disconnects before it responds also causes a 503, because a request is sent to a second node only if
 * the first one has not received any part of it.
 * @param port 0 for any free port
 */
export async function startRoundRobin(port: number): Promise<RoundRobin> {
  let nodes: readonly number[] = [];
  let turn = 0;
  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    turn += 1;
    const order = nodes.map((_, index) => nodes[(turn + index) % nodes.length] ?? 0);
    forward(request, response, order);
  }
  const server = createServer(onRequest);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    setNodes(ports) {
      nodes = ports;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function forward(request: IncomingMessage, response: ServerResponse, [port, ...otherPorts]: readonly number[]): void {
  if (port === undefined) return refuse(response);
  const { method, url, headers, socket } = request;
  const forwardedFor = [headers['x-forwarded-for'], socket.remoteAddress].filter((value) => value !== undefined);
  const upstream = httpRequest({
    host: '127.0.0.1',
    port,
    method,
    path: url,
    headers: { ...headers, 'x-forwarded-for': forwardedFor.join(', ') },
    agent: false, // a node could close a kept-alive connection while a request is sent
  });
  let isConnected = false;
  upstream.once('socket', (connection) =>
    connection.once('connect', () => {
      isConnected = true;
      request.pipe(upstream);
    }),
  );
  upstream.once('response', (nodeResponse) => {
    response.writeHead(nodeResponse.statusCode ?? 502, nodeResponse.rawHeaders);
    nodeResponse.pipe(response);
    nodeResponse.once('error', () => response.destroy());
  });
  upstream.once('error', () => {
    if (!isConnected) forward(request, response, otherPorts);
    else if (response.headersSent) response.destroy();
    else refuse(response);
  });
  response.once('close', () => upstream.destroy());
}

function refuse(response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1' }).end('No node is available.\n');
}
