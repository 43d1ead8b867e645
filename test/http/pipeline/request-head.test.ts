import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { createApp } from '../../../src/http/app.ts';
import { openRawConnection } from '../../support/raw-connection.ts';
import { runningService, type RunningService } from '../../support/running-service.ts';

describe('A request head', () => {
  let running: RunningService;
  let server: Server;
  let port: number;
  const unexpectedErrors: unknown[] = [];

  before(async () => {
    running = await runningService();
    const listener = createApp(running.service(), {
      error: (details) => void unexpectedErrors.push(details),
    }).callback();
    server = createServer({ maxHeaderSize: 1_048_576 }, (request, response) => void listener(request, response)).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await running.close();
    expect(unexpectedErrors).to.deep.equal([]);
  });

  interface HeadResponse {
    readonly status: number;
    readonly head: string;
    readonly text: string;
  }

  async function sendRequest(target: string, method = 'GET', headers: readonly string[] = []): Promise<HeadResponse> {
    const connection = await openRawConnection(port);
    connection.send(
      [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n'),
    );
    const response = await connection.closed;
    const [head = '', text = ''] = response.split('\r\n\r\n', 2);
    return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head, text };
  }

  it('is refused for every method if its target is not a valid path or http URL', async () => {
    const targets = [
      'x://a',
      'http://',
      'https:///x',
      'a://b:c@d',
      'http:a',
      'mailto:x@y',
      '?x',
      '*',
      'http://a:b@c/',
      'http://[::1',
      'http://a:99999/',
      '//a:%zz@b#x',
      '/users/#x',
      '/é',
      'http://é/',
    ];
    for (const method of ['GET', 'POST', 'DELETE', 'PROPFIND']) {
      for (const target of targets) {
        const { status, text } = await sendRequest(target, method, ['Accept: application/json']);
        expect(status, `${method} ${target}`).to.equal(400);
        // Node itself refuses some of these targets, without a response body.
        if (text !== '') expect(text, `${method} ${target}`).to.include('The address is not valid');
      }
    }
    expect((await sendRequest('x://a', 'GET', ['Accept: text/html'])).text).to.include('The address could not be read');
  });

  it('may have a target in absolute form', async () => {
    for (const target of [
      'http://localhost/healthz',
      'HTTP://elsewhere.example:81/healthz',
      'https://[::1]:8000/healthz',
      'http://localhost/healthz?x=1',
    ]) {
      expect((await sendRequest(target)).status, target).to.equal(200);
    }
    for (const target of ['http://localhost', 'http://localhost/', 'http://localhost?next=1'])
      expect((await sendRequest(target, 'GET', ['Accept: text/html'])).text, target).to.include('<!doctype html>');
    expect(
      (await sendRequest('http://evil.example/o/authorize/?client_id=x', 'GET', ['Accept: text/html'])).text,
    ).to.include('This request is not valid');
  });

  it('is refused in the format of the endpoint if its target or path is too long', async () => {
    for (const [target, expected] of [
      [`/o/token/${'x'.repeat(3_000)}`, '"error":"invalid_request"'],
      [`/o/token/?${'x'.repeat(20_000)}`, '"error":"invalid_request"'],
      [`/users/${'x'.repeat(3_000)}`, '"detail":"The path is longer than 2048 characters.'],
      [`/accounts/login/?${'x'.repeat(20_000)}`, 'The address is longer than 16384 characters.'],
    ] as const) {
      const { status, text } = await sendRequest(target, 'GET', ['Accept: text/html']);
      expect([status, text.includes(expected)], `${target.slice(0, 20)}: ${text.slice(0, 200)}`).to.deep.equal([
        400,
        true,
      ]);
    }
  });

  it('is refused in the format of the endpoint if a header is too long', async () => {
    const cookies = [`Cookie: ${'x'.repeat(20_000)}`];
    expect((await sendRequest('/', 'GET', [...cookies, 'Accept: text/html'])).head).to.match(/^HTTP\/1\.1 431 /);
    const { head, text } = await sendRequest('/o/token/', 'POST', cookies);
    expect([head.startsWith('HTTP/1.1 431 '), JSON.parse(text)]).to.deep.equal([
      true,
      {
        error: 'invalid_request',
        error_description:
          'The cookie header is longer than 16384 characters. ' +
          'Clear the cookies of this site, or check the program that sent the request.',
        request_id: /x-request-id: (.*)/i.exec(head)?.[1],
      },
    ]);
    expect(head)
      .to.match(/cache-control: no-store/i)
      .and.match(/pragma: no-cache/i);
  });

  it('never causes an internal error, whatever its target is', async () => {
    const part = fc.constantFrom(
      'http://',
      'x:',
      '//',
      '/',
      ':',
      '@',
      '[',
      ']',
      '#',
      '?',
      '%',
      '%zz',
      '%41',
      '*',
      'a',
      '..',
      '\\',
      '\xa0',
      '\xe9',
      '~',
      '.',
      '&',
      '=',
      '0',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('GET', 'POST', 'OPTIONS'),
        async (parts, method) => {
          const { status } = await sendRequest(parts.join(''), method);
          expect(status).to.be.within(200, 499);
        },
      ),
      { numRuns: 300 },
    );
  });
});
