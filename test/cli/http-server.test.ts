import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { drain, watchConnections } from '../../src/cli/drain.ts';
import { createHttpServer, type ServerLimits } from '../../src/cli/http-server.ts';
import { createApp } from '../../src/http/app.ts';
import { readEvents } from '../support/event-reader.ts';
import { openRawConnection, type RawConnection } from '../support/raw-connection.ts';
import { runningService } from '../support/running-service.ts';

/** So short that no test waits long for slow clients, but long enough for all other clients. */
const SHORT_LIMITS = { headersTimeout: 300, requestTimeout: 400, connectionsCheckingInterval: 10 };
const hello: RequestListener = (_request, response) => response.end('hello');
const HEAD = 'GET / HTTP/1.1\r\nHost: localhost\r\n';

describe('The server', () => {
  let server: Server;
  let connections: RawConnection[];

  beforeEach(() => (connections = []));
  afterEach(async () => {
    connections.forEach((connection) => connection.destroy());
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function serve(listener: RequestListener, limits: Partial<ServerLimits> = {}): Promise<number> {
    server = createHttpServer(listener, limits).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return portOf(server);
  }

  async function openConnection(options: { readonly isReading?: boolean } = {}): Promise<RawConnection> {
    const connection = await openRawConnection(portOf(server), options);
    connections.push(connection);
    return connection;
  }

  /** Resolves when the server has read this many requests, whether it handles them or not. */
  function waitForRequests(count: number): Promise<void> {
    let requestCount = 0;
    return new Promise((resolve) => {
      server.on('request', () => {
        requestCount += 1;
        if (requestCount === count) resolve();
      });
    });
  }

  const fetchText = async (): Promise<string> => (await fetch(`http://127.0.0.1:${portOf(server)}/`)).text();

  it('closes a connection whose request head arrives one byte at a time, or not at all', async () => {
    const requests: unknown[] = [];
    await serve((request) => requests.push(request), SHORT_LIMITS);
    const [slowConnection, silentConnection] = [await openConnection(), await openConnection()];
    slowConnection.send(`${HEAD}X-Slow: `);
    slowConnection.sendSlowly('x');
    expect(await slowConnection.closed).to.match(/^HTTP\/1\.1 408 /);
    await silentConnection.closed;
    expect(requests).to.deep.equal([]);
  });

  it('closes a connection whose second request head arrives one byte at a time', async () => {
    await serve(hello, SHORT_LIMITS);
    const connection = await openConnection();
    connection.send(`${HEAD}\r\n`);
    await connection.waitForText(/hello/);
    connection.send(HEAD);
    connection.sendSlowly('x');
    expect(await connection.closed).to.match(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 408 /);
  });

  it('closes a connection whose request body arrives one byte at a time, and does not record the request', async () => {
    const running = await runningService();
    const client = await running.addClient();
    const { json } = await running.token(client, { grant_type: 'client_credentials' });
    const bearer = `Bearer ${String(json?.['access_token'])}`;
    const errors: unknown[] = [];
    const app = createApp(running.service(), { error: (details) => errors.push(details) });
    await serve((request, response) => void app.callback()(request, response), SHORT_LIMITS);
    const head = running.log.head();
    await Promise.all(
      ['/o/token/', '/o/revoke_token/', '/o/introspect/', '/accounts/login/', '/users/'].map(async (path) => {
        const connection = await openConnection();
        const authorization = path === '/users/' ? bearer : client.basic;
        connection.send(
          [
            `POST ${path} HTTP/1.1`,
            'Host: localhost',
            `Authorization: ${authorization}`,
            'Content-Type: application/x-www-form-urlencoded',
            'Content-Length: 60000',
            '',
            'grant_type=client_credentials&x=',
          ].join('\r\n'),
        );
        connection.sendSlowly('x');
        expect(await connection.closed, path).not.to.match(/HTTP\/1\.1 (?:[235]|40[13])/);
      }),
    );
    expect(running.log.head()).to.equal(head);
    expect(errors).to.deep.equal([]);
    await running.close();
  });

  it('responds with 431 to a request head or target that is too large', async () => {
    await serve(hello);
    for (const head of [
      `${HEAD}X-Large: ${'x'.repeat(20_000)}`,
      `${HEAD}${'X-Many: x\r\n'.repeat(4_000)}`,
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n`,
    ]) {
      const connection = await openConnection();
      connection.send(head);
      expect(await connection.closed).to.match(/^HTTP\/1\.1 431 /);
    }
    const largeConnection = await openConnection();
    largeConnection.send(`${HEAD}Cookie: ${'x'.repeat(15_000)}\r\nConnection: close\r\n\r\n`);
    expect(await largeConnection.closed, 'a head within the limit').to.match(/^HTTP\/1\.1 200 /);
  });

  it('continues to read after a refusal, so that the client receives the refusal', async () => {
    await serve(hello);
    const acceptedConnection = once(server, 'connection');
    const client = connect({ port: portOf(server), host: '127.0.0.1', allowHalfOpen: true }).setEncoding('latin1');
    const [socket] = (await acceptedConnection) as [Socket];
    client.write(`${HEAD}X-Large: ${'x'.repeat(20_000)}`);
    await once(socket, 'finish');
    await new Promise((resolve) => client.write('x'.repeat(100_000), resolve));
    client.end();
    expect((await client.toArray()).join('')).to.match(/^HTTP\/1\.1 431 /);
  });

  it('closes a connection whose client continues to send after a refusal', async () => {
    await serve(hello);
    const acceptedConnection = once(server, 'connection');
    const connection = await openConnection();
    connection.send(`${HEAD}X-Large: ${'x'.repeat(20_000_000)}`);
    const [socket] = (await acceptedConnection) as [Socket];
    await connection.closed;
    expect(socket.bytesRead).to.be.below(1_000_000);
  });

  it('closes a connection whose client closes its half before a request is complete', async () => {
    const abortedUrls: string[] = [];
    await serve((request) => void request.once('aborted', () => abortedUrls.push(request.url ?? '')).resume());
    for (const data of ['', HEAD, 'POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab']) {
      const connection = await openConnection();
      connection.send(data);
      connection.end();
      await connection.closed;
    }
    expect(abortedUrls).to.deep.equal(['/body']);
  });

  it('responds to a client that closes its half after the request', async () => {
    await serve(hello);
    const connection = await openConnection();
    connection.send(`${HEAD}Connection: close\r\n\r\n`);
    connection.end();
    expect(await connection.closed).to.match(/hello$/);
  });

  it('handles at most five pipelined requests, and closes the connection after their responses', async () => {
    const responses: ServerResponse[] = [];
    await serve((_request, response) => responses.push(response));
    const sixthRequest = waitForRequests(6);
    const connection = await openConnection();
    connection.send(`${HEAD}\r\n`.repeat(1_000));
    await sixthRequest; // the requests may arrive in several packets
    expect(await countResponses(responses, connection)).to.equal(5);
    expect(responses).to.have.length(5);
  });

  it('stops reading from a connection that sent too many pipelined requests', async () => {
    const responses: ServerResponse[] = [];
    await serve((request, response) => {
      responses.push(response);
      request.resume();
    });
    const sixthRequest = waitForRequests(6);
    const connection = await openConnection();
    const post = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n' + 'x'.repeat(900);
    connection.send(post.repeat(20_000));
    await sixthRequest;
    for (let turn = 0; turn < 300; turn += 1) await new Promise(setImmediate);
    expect(responses[0]?.req.socket.bytesRead).to.be.below(1_000_000);
    expect(await countResponses(responses, connection)).to.equal(5);
  });

  it('responds to all five pipelined requests, several times in a row', async () => {
    await serve(hello);
    const connection = await openConnection();
    for (const round of [1, 2, 3]) {
      connection.send(`${HEAD}\r\n`.repeat(5));
      const text = await connection.waitForText(new RegExp(`(?:hello[^]*){${round * 5}}`));
      expect(text.split('hello')).to.have.length(round * 5 + 1);
    }
  });

  it('responds to other clients while a thousand connections are idle', async () => {
    await serve(hello);
    await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        openConnection().then((connection) => connection.send(index % 2 === 0 ? '' : HEAD)),
      ),
    );
    for (let request = 0; request < 10; request += 1) expect(await fetchText()).to.equal('hello');
  });

  it('closes an idle keep-alive connection', async () => {
    await serve(hello, { keepAliveTimeout: 20 });
    const connection = await openConnection();
    connection.send(`${HEAD}\r\n`);
    expect(await connection.closed).to.match(/^HTTP\/1\.1 200 /);
  });

  it('limits the number of connections, and closes idle connections at the limit', async () => {
    await serve(hello, { maxConnections: 2 });
    const idleConnections = [await openConnection(), await openConnection()];
    for (const connection of idleConnections) {
      connection.send(`${HEAD}\r\n`);
      await connection.waitForText(/hello/);
    }
    const thirdConnection = await openConnection();
    expect(await thirdConnection.closed).to.equal('');
    await Promise.all(idleConnections.map(({ closed }) => closed));
    expect(await fetchText()).to.equal('hello');
  });

  it('closes a connection whose client does not read the response', async () => {
    const writeForever = (response: ServerResponse): void => {
      while (response.write('x'.repeat(65_536)));
      response.once('drain', () => writeForever(response));
    };
    const closeEvents = new EventEmitter();
    await serve(
      (_request, response) => {
        response.once('close', () => closeEvents.emit('closed'));
        writeForever(response);
      },
      { silenceTimeout: 50 },
    );
    const responseClosed = once(closeEvents, 'closed');
    (await openConnection({ isReading: false })).send(`${HEAD}\r\n`);
    await responseClosed;
  });

  it('never closes an event stream because of its age', async () => {
    const running = await runningService();
    const auditor = await running.addClient({ restrictedScopes: ['audit'] });
    const { json } = await running.token(auditor, { grant_type: 'client_credentials', scope: 'audit' });
    const app = createApp(running.service(), { error: () => expect.fail('an unexpected error') });
    const port = await serve((request, response) => void app.callback()(request, response), {
      ...SHORT_LIMITS,
      keepAliveTimeout: 20,
    });
    const reader = await readEvents(`http://127.0.0.1:${port}`, String(json?.['access_token']));
    for (let round = 0; round < 3; round += 1) {
      await (
        await openConnection()
      ).closed; // opened later than the event stream, and closed by the timeout
      const newClient = await running.addClient();
      const events = await reader.readUntil(({ data }) => data.includes(newClient.id));
      expect(events.at(-1)?.data).to.include(newClient.id);
    }
    reader.disconnect();
    await running.close();
  });

  describe('when it stops', () => {
    it('does not wait for connections without a complete request head', async () => {
      await serve(hello);
      const activeConnections = watchConnections(server);
      const [silentConnection, incompleteConnection, keptAliveConnection] = [
        await openConnection(),
        await openConnection(),
        await openConnection(),
      ];
      incompleteConnection.send(HEAD);
      incompleteConnection.sendSlowly('x');
      keptAliveConnection.send(`${HEAD}\r\n`);
      await keptAliveConnection.waitForText(/hello/);
      await drain(server, activeConnections);
      expect((await silentConnection.closed) + (await incompleteConnection.closed)).to.equal('');
      expect(await keptAliveConnection.closed).to.match(/hello$/);
    });

    it('completes a request in flight', async () => {
      await serve(() => {});
      const activeConnections = watchConnections(server);
      const firstRequest = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
      const connection = await openConnection();
      connection.send(`${HEAD}\r\n`);
      const [, response] = await firstRequest;
      const drained = drain(server, activeConnections);
      response.end('hello');
      await drained;
      expect(await connection.closed).to.match(/hello$/);
    });

    it('waits for a slow body, but only for a limited time', async () => {
      await serve((request) => void request.resume());
      const connection = await openConnection();
      connection.send('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n');
      await once(server, 'request');
      connection.sendSlowly('x');
      await drain(server, watchConnections(server), 100);
      expect(await connection.closed).to.equal('');
    });
  });
});

/** Ends the responses, and counts those that arrived before the server closed the connection. */
async function countResponses(responses: readonly ServerResponse[], { closed }: RawConnection): Promise<number> {
  for (const response of responses) response.end('hello');
  return (await closed).split('hello').length - 1;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
