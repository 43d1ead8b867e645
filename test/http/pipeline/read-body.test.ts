import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { MAX_SMALL_CHUNKS, readBody } from '../../../src/http/pipeline/read-body.ts';
import { memoryUsed } from '../../support/heap-used.ts';
import { openRawConnection, type RawConnection } from '../../support/raw-connection.ts';

const LIMIT = 65_536;
/** The limit for requests to `/large`. */
const LARGE_LIMIT = 4 * 1_048_576;
const HEAD = 'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';

describe('A request body', () => {
  let server: Server;
  let port: number;
  /** The result of each request, in the order of completion. */
  let results: string[] = [];
  /** Grows with each chunk, before the server emits `arrived`. */
  let bytesReceived = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('data', (chunk: Buffer) => {
      bytesReceived += chunk.length;
      server.emit('arrived');
    });
    const body = await readBody(request, request.url === '/large' ? LARGE_LIMIT : LIMIT);
    results.push(typeof body === 'string' ? body : `whole: ${body.toString('latin1')}`);
    response.end();
    server.emit('read');
  }

  before(async () => {
    server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  beforeEach(() => {
    results = [];
    bytesReceived = 0;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  async function openWith(...parts: readonly string[]): Promise<RawConnection> {
    const connection = await openRawConnection(port);
    for (const part of parts) connection.send(part);
    return connection;
  }

  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
  const chunkedRequest = (chunks: readonly string[]): readonly string[] => [
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n`,
    ...chunks.map(chunk),
    '0\r\n\r\n',
  ];

  it('is read unchanged, however it is split', async () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'b', '\r', '\n', '\0', '~'),
      minLength: 1,
      maxLength: 3_000,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(letters, { maxLength: 20 }), async (chunks) => {
        results = [];
        await (
          await openWith(...chunkedRequest(chunks))
        ).closed;
        await (
          await openWith(`${HEAD}Content-Length: ${chunks.join('').length}\r\n\r\n`, ...chunks)
        ).closed;
        expect(results).to.deep.equal([`whole: ${chunks.join('')}`, `whole: ${chunks.join('')}`]);
      }),
      { numRuns: 30 },
    );
  });

  it('may have as many bytes as the limit, but not more', async () => {
    for (const [length, result] of [
      [LIMIT, `whole: ${'x'.repeat(LIMIT)}`],
      [LIMIT + 1, 'too-large'],
    ] as const) {
      results = [];
      await (
        await openWith(`${HEAD}Content-Length: ${length}\r\n\r\n`, 'x'.repeat(length))
      ).closed;
      await (
        await openWith(...chunkedRequest(['x'.repeat(length - 1), 'x']))
      ).closed;
      expect(
        results.map((actual) => actual === result),
        String(length),
      ).to.deep.equal([true, true]);
    }
  });

  it('is refused for its declared length before any byte arrives', async () => {
    await (
      await openWith(`${HEAD}Content-Length: ${LIMIT + 1}\r\n\r\n`)
    ).closed;
    expect(results).to.deep.equal(['too-large']);
  });

  it('may consist of a limited number of small chunks', async () => {
    for (const [count, result] of [
      [MAX_SMALL_CHUNKS, `whole: ${'x'.repeat(MAX_SMALL_CHUNKS)}`],
      [MAX_SMALL_CHUNKS + 1, 'too-many-chunks'],
    ] as const) {
      results = [];
      await (
        await openWith(chunkedRequest(Array.from({ length: count }, () => 'x')).join(''))
      ).closed;
      expect(results, String(count)).to.deep.equal([result]);
    }
  });

  it('is refused as soon as it has too many small chunks, before it ends', async () => {
    const readEvent = once(server, 'read');
    const connection = await openWith(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    connection.send(chunk('x').repeat(MAX_SMALL_CHUNKS + 1));
    await readEvent;
    expect(results).to.deep.equal(['too-many-chunks']);
    await connection.closed;
  });

  it('may consist of any number of chunks as large as a TCP segment', async () => {
    const text = 'x'.repeat(536);
    const count = 3 * MAX_SMALL_CHUNKS;
    const connection = await openWith(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`.replace('/', '/large'));
    connection.send(`${chunk(text).repeat(count)}0\r\n\r\n`);
    await connection.closed;
    expect(results.map((actual) => actual === `whole: ${text.repeat(count)}`)).to.deep.equal([true]);
  });

  it('is reported as incomplete when the connection ends early', async () => {
    for (const head of [
      `${HEAD}Content-Length: 10\r\n\r\nxxx`,
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\nxxx\r\n`,
    ]) {
      const readEvent = once(server, 'read');
      const connection = await openWith(head);
      connection.destroy();
      await readEvent;
    }
    expect(results).to.deep.equal(['cut-short', 'cut-short']);
  });

  it('uses memory in proportion to its bytes while incomplete, even in chunks of one byte', async function () {
    this.timeout(180_000);
    const [connectionCount, byteCount] = [50, MAX_SMALL_CHUNKS];
    const chunks = chunk('x').repeat(byteCount);
    const memoryBefore = memoryUsed();
    const allArrived = new Promise<void>((resolve) => {
      server.on('arrived', () => {
        if (bytesReceived === connectionCount * byteCount) resolve();
      });
    });
    const openConnections = await Promise.all(
      Array.from({ length: connectionCount }, () => openWith(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, chunks)),
    );
    await allArrived;
    // A list of the chunks would take 200 bytes for each chunk. A connection with its request takes tens of kilobytes.
    expect(memoryUsed() - memoryBefore).to.be.below(connectionCount * byteCount * 75);
    for (const connection of openConnections) connection.destroy();
  });
});
