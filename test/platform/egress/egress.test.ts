import { createSecretKey } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { EgressError, type EgressOutcome } from '../../../src/platform/egress/egress-failed.ts';
import { createEgress, type Egress, type EgressDeps, type Resolve } from '../../../src/platform/egress/egress.ts';
import { flood, startHostileServer, type HostileServer } from '../../support/hostile-server.ts';
import { manualClock, type ManualClock } from '../../support/manual-clock.ts';
import { manualTimers, type ManualTimers } from '../../support/manual-timers.ts';
import { TLS } from '../../support/tls.ts';
import { RUN_TYPESCRIPT } from '../../support/typescript.ts';

const run = promisify(execFile);

const LOOPBACK = [{ address: '127.0.0.1', family: 4 }];

const jsonResponse = (text: string, headers = ''): string =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(text)}\r\n${headers}\r\n${text}`;

describe('an outgoing request', () => {
  let server: HostileServer;
  let clock: ManualClock;
  let timers: ManualTimers;
  let outcomes: EgressOutcome[];
  let respond: (socket: Socket, request: string) => void;
  let egress: Egress;

  const createTestEgress = (deps: Partial<EgressDeps> = {}): Egress =>
    createEgress({
      settings: { outgoingHttp: true, outgoingNetworks: ['127.0.0.0/8'] },
      ticks: clock.ticks,
      startTimer: timers.startTimer,
      key: createSecretKey(Buffer.alloc(32)),
      observe: (_purpose, outcome) => void outcomes.push(outcome),
      resolve: async () => LOOPBACK,
      ...deps,
    });
  const url = (path = '/doc.json', host = 'rp.example'): string => `http://${host}:${server.port}${path}`;
  const get = (text = url(), client = egress): Promise<unknown> => client.getJson('sector-document', text);
  const post = (text = url('/logout')): Promise<void> =>
    egress.postForm('logout-token', text, { logout_token: 'a.b+c' });
  const expectFailure = (request: Promise<unknown>): Promise<EgressError> =>
    request.then(
      () => expect.fail('the request succeeded'),
      (error: unknown) => (error instanceof EgressError ? error : expect.fail(String(error))),
    );

  beforeEach(async () => {
    clock = manualClock();
    timers = manualTimers();
    outcomes = [];
    respond = (socket) => void socket.end(jsonResponse('["a"]'));
    server = await startHostileServer((socket, request) => respond(socket, request));
    egress = createTestEgress();
  });
  afterEach(() => server.close());

  it('reads a JSON document from the host and port of the URL, and requests no compression', async () => {
    expect(await get(url('/doc.json?x=1'))).to.deep.equal(['a']);
    const [request = ''] = server.requests;
    expect(request).to.match(/^GET \/doc\.json\?x=1 HTTP\/1\.1\r\n/);
    expect(request).to.include(`Host: rp.example:${server.port}\r\n`);
    expect(request).to.include('accept-encoding: identity\r\n').and.include('Connection: close\r\n');
    expect(request).not.to.match(/cookie|authorization/i);
    expect(outcomes).to.deep.equal(['ok']);
    expect(timers.running(), 'running timers').to.deep.equal([]);
  });

  it('posts a form', async () => {
    await post();
    await server.waitUntilIdle();
    const [request = ''] = server.requests;
    expect(request)
      .to.match(/^POST \/logout HTTP/)
      .and.include('content-type: application/x-www-form-urlencoded');
    expect(request).to.match(/\r\n\r\n(?:.*\r\n)?logout_token=a\.b%2Bc/s);
  });

  for (const [name, response] of Object.entries({
    'a hanging server': '',
    'half a response': 'HTTP/1.1 200 OK\r\nContent-Le',
    'a body that stops': 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n["a"',
  })) {
    it(`ends at its deadline: ${name}`, async () => {
      respond = (socket) => void socket.write(response);
      const failure = expectFailure(get());
      await server.waitForRequests(1);
      expect(timers.running()).to.deep.equal([5_000]);
      timers.expire();
      expect((await failure).outcome).to.equal('timed-out');
      await server.waitUntilIdle();
      expect(outcomes).to.deep.equal(['timed-out']);
    });
  }

  it('ends at its deadline even if bytes continue to arrive', async () => {
    respond = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      for (const byte of '["a"') socket.write(byte);
    };
    const failure = expectFailure(get());
    await server.waitForRequests(1);
    timers.expire();
    expect((await failure).message).to.equal('took longer than 5 seconds');
    await server.waitUntilIdle();
  });

  it('ends at its deadline while the name is being resolved', async () => {
    const failure = expectFailure(get(url(), createTestEgress({ resolve: () => new Promise(() => {}) })));
    timers.expire();
    expect((await failure).outcome).to.equal('timed-out');
  });

  for (const [name, head] of Object.entries({
    'declares 1 GB': 'HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n',
    'never stops sending': 'HTTP/1.1 200 OK\r\n\r\n',
  })) {
    it(`ends if the server ${name}`, async () => {
      respond = (socket) => {
        socket.write(head);
        flood(socket, '1'.repeat(65_536));
      };
      expect((await expectFailure(get())).message).to.equal('responded with more than 262144 bytes');
      await server.waitUntilIdle();
    });
  }

  it('ends if the headers never end', async () => {
    respond = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      flood(socket, `X-Header: ${'x'.repeat(1_000)}\r\n`);
    };
    expect((await expectFailure(get())).outcome).to.equal('too-large');
    respond = (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n');
    expect((await expectFailure(get(url('/hints')))).outcome).to.equal('malformed');
    await server.waitUntilIdle();
  });

  it('that posts a form ends after the response head, without waiting for the body', async () => {
    respond = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n');
      flood(socket, 'x'.repeat(65_536));
    };
    await post();
    await server.waitUntilIdle();
    expect(outcomes).to.deep.equal(['ok']);
  });

  it('does not follow redirects', async () => {
    for (const status of ['301 Moved', '302 Found', '307 Temporary', '308 Permanent']) {
      const location = `Location: ${url('/other')}\r\nContent-Length: 0`;
      respond = (socket) => void socket.end(`HTTP/1.1 ${status}\r\n${location}\r\n\r\n`);
      expect((await expectFailure(post())).outcome).to.equal('redirected');
    }
    expect(server.requests).to.have.length(4);
  });

  it('fails with an error status, and the message contains the status', async () => {
    for (const status of [400, 404, 500, 503]) {
      respond = (socket) => void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 2\r\n\r\n[]`);
      expect(await expectFailure(post())).to.include({
        outcome: 'error-status',
        message: `responded with status ${status}`,
      });
    }
  });

  for (const [name, response] of Object.entries({
    'a compressed body': Buffer.concat([
      Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n'),
      gzipSync('[]'),
    ]),
    'text that is not JSON': jsonResponse('<html>'),
    'bytes that are not UTF-8': Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n"'), Buffer.from([0xff, 0x22])]),
    'a protocol other than HTTP': 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
    'a protocol switch': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
  })) {
    it(`fails with ${name}`, async () => {
      const staysOpen = name === 'a protocol switch';
      respond = (socket) => void (staysOpen ? socket.write(response) : socket.end(response));
      expect((await expectFailure(get())).outcome).to.equal('malformed');
      await server.waitUntilIdle();
    });
  }

  it('fails if the connection ends before the response', async () => {
    respond = (socket) => void socket.destroy();
    expect((await expectFailure(get())).outcome).to.equal('connection-failed');
    respond = (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[');
    expect((await expectFailure(get(url('/other')))).outcome).to.equal('connection-failed');
  });

  it('does not contact special-use addresses, either by name or by address', async () => {
    const strictEgress = createTestEgress({ settings: { outgoingHttp: true, outgoingNetworks: [] } });
    const hosts = [
      'rp.example',
      '127.0.0.1',
      '169.254.169.254',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[fe80::1]',
      'localhost',
    ];
    for (const host of hosts)
      expect((await expectFailure(get(url('/', host), strictEgress))).outcome, host).to.equal('address-refused');
    const addresses = ['169.254.169.254', '::ffff:127.0.0.1', '::ffff:7f00:1', '10.0.0.1', 'fe80::1%eth0', '0.0.0.0'];
    for (const address of addresses) {
      const resolve: Resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }];
      expect((await expectFailure(get(url(), createTestEgress({ resolve })))).outcome, address).to.equal(
        'address-refused',
      );
    }
    expect(server.requests).to.deep.equal([]);
  });

  it('contacts no address if any of several addresses is a special-use address', async () => {
    const resolve: Resolve = async () => [...LOOPBACK, { address: '10.0.0.1', family: 4 }];
    expect(await expectFailure(get(url(), createTestEgress({ resolve })))).to.include({
      outcome: 'address-refused',
      message: 'is at an address that this server does not contact (private)',
    });
    expect(server.requests).to.deep.equal([]);
  });

  it('contacts only the checked address, because it resolves a name once', async () => {
    let lookupCount = 0;
    const resolve: Resolve = async () => {
      lookupCount += 1;
      return lookupCount === 1 ? LOOPBACK : [{ address: '169.254.169.254', family: 4 }];
    };
    const reboundEgress = createTestEgress({ resolve });
    expect(await get(url(), reboundEgress)).to.deep.equal(['a']);
    expect(lookupCount).to.equal(1);
    expect((await expectFailure(get(url('/again'), reboundEgress))).outcome).to.equal('address-refused');
    expect(server.requests).to.have.length(1);
  });

  it('tries the next address if the first one cannot be reached', async () => {
    const resolve: Resolve = async () => [{ address: '127.0.0.9', family: 4 }, ...LOOPBACK];
    expect(await get(url(), createTestEgress({ resolve }))).to.deep.equal(['a']);
  });

  it('fails if the name has no address', async () => {
    expect((await expectFailure(get(url(), createTestEgress({ resolve: async () => [] })))).outcome).to.equal(
      'name-unresolved',
    );
    const resolve: Resolve = () => Promise.reject(new Error('ENOTFOUND'));
    expect((await expectFailure(get(url(), createTestEgress({ resolve })))).outcome).to.equal('name-unresolved');
  });

  it('is not sent to a URL that must not be requested', async () => {
    const httpsEgress = createTestEgress({ settings: { outgoingHttp: false, outgoingNetworks: ['127.0.0.0/8'] } });
    expect((await expectFailure(get(url(), httpsEgress))).message).to.equal('must use https');
    for (const host of ['u:p@rp.example', '2130706433', '0x7f.1', '0177.0.0.1', '[::1%25lo]'])
      expect((await expectFailure(get(url('/', host)))).outcome, host).to.equal('url-refused');
    expect(server.requests).to.deep.equal([]);
  });

  it('sends the host name to a TLS server, and does not trust a self-signed certificate', async () => {
    const names: string[] = [];
    const tls = createTlsServer({ ...TLS, SNICallback: (name, done) => (names.push(name), done(null)) });
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    const { port } = tls.address() as { port: number };
    expect((await expectFailure(get(`https://rp.example:${port}/`))).message).to.match(/DEPTH_ZERO_SELF_SIGNED_CERT/);
    expect(names).to.deep.equal(['rp.example']);
    await new Promise((resolve) => tls.close(resolve));
  });

  it("trusts a certificate for the URL's host from the operator's own authority", async function () {
    this.timeout(180_000);
    const hosts: unknown[] = [];
    const tls = createHttpsServer(TLS, (request, response) => {
      hosts.push(request.headers.host);
      response.end('["over TLS"]');
    });
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    const { port } = tls.address() as { port: number };
    const directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    writeFileSync(join(directory, 'ca.pem'), TLS.cert);
    const program = join(import.meta.dirname, '../../support/egress-process.ts');
    const urls = [`https://localhost:${port}/`, `https://rp.example:${port}/`];
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem') };
    const { stdout } = await run(process.execPath, [RUN_TYPESCRIPT, program, ...urls], { env });
    expect(stdout.split('\n')).to.deep.equal([
      '["over TLS"]',
      'could not be reached: the connection failed (ERR_TLS_CERT_ALTNAME_INVALID)',
      '',
    ]);
    expect(hosts).to.deep.equal([`localhost:${port}`]);
    rmSync(directory, { recursive: true });
    await new Promise((resolve) => tls.close(resolve));
  });

  it('is cached for the time that the document declares, within bounds', async () => {
    for (const [header, seconds] of [
      ['', 60],
      ['Cache-Control: max-age=120\r\n', 120],
      ['Cache-Control: public, max-age=0\r\n', 15],
      ['Cache-Control: no-store\r\n', 15],
      ['Cache-Control: max-age=99999999\r\n', 3_600],
    ] as const) {
      const earlierRequests = server.requests.length;
      respond = (socket) => void socket.end(jsonResponse('[]', header));
      const documentUrl = url(`/${seconds}-${header.length}`);
      await get(documentUrl);
      clock.advance(seconds - 1);
      await get(documentUrl);
      expect(server.requests.length, header).to.equal(earlierRequests + 1);
      clock.advance(2);
      await get(documentUrl);
      expect(server.requests.length, header).to.equal(earlierRequests + 2);
    }
    expect(outcomes.slice(0, 3)).to.deep.equal(['ok', 'cached', 'ok']);
  });

  it('is shared by concurrent callers, even if it fails, and a failure is cached only briefly', async () => {
    respond = (socket) => void socket.end('HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n');
    const failures = await Promise.all([expectFailure(get()), expectFailure(get()), expectFailure(get())]);
    expect(failures.map(({ outcome }) => outcome)).to.deep.equal(['error-status', 'error-status', 'error-status']);
    await expectFailure(get());
    expect(server.requests).to.have.length(1);
    respond = (socket) => void socket.end(jsonResponse('[]'));
    clock.advance(16);
    expect(await get()).to.deep.equal([]);
  });

  it('returns a separate value to each caller', async () => {
    ((await get()) as string[]).push('changed');
    expect(await get()).to.deep.equal(['a']);
  });

  it('is refused beyond 8 concurrent requests to one host, so that other hosts are not delayed', async () => {
    respond = () => {};
    const pendingRequests = Array.from({ length: 8 }, (_, index) => expectFailure(get(url(`/${index}`))));
    await server.waitForRequests(8);
    expect((await expectFailure(get(url('/9')))).outcome).to.equal('overloaded');
    respond = (socket) => void socket.end(jsonResponse('[]'));
    expect(await get(url('/', 'other.example'))).to.deep.equal([]);
    timers.expire();
    await Promise.all(pendingRequests);
    expect(await get(url('/9')), 'a local refusal is not cached').to.deep.equal([]);
  });

  it('is refused beyond 64 concurrent requests for one purpose, so that other purposes are not delayed', async () => {
    respond = () => {};
    const pendingRequests: Promise<unknown>[] = [];
    for (let index = 1; index <= 64; index += 1) {
      pendingRequests.push(expectFailure(get(url(`/${index}`, `host-${index % 8}.example`))));
      await server.waitForRequests(index);
    }
    expect((await expectFailure(get(url('/', 'next.example')))).outcome).to.equal('overloaded');
    respond = (socket) => void socket.end(jsonResponse('[]'));
    await post();
    timers.expire();
    await Promise.all(pendingRequests);
  });

  it('is refused beyond 30 documents from one host per minute', async () => {
    for (let index = 0; index < 30; index += 1) await get(url(`/${index}`));
    expect(await expectFailure(get(url('/31')))).to.include({
      outcome: 'rate-limited',
      message: 'was requested too often; try again in 60 seconds',
    });
    expect(await get(url('/', 'other.example'))).to.deep.equal(['a']);
    await post();
    clock.advance(61);
    expect(await get(url('/31'))).to.deep.equal(['a']);
  });

  it('is refused while too many name lookups are pending', async () => {
    const pendingLookups: (() => void)[] = [];
    const slowEgress = createTestEgress({
      resolve: () => new Promise((resolve) => pendingLookups.push(() => resolve(LOOPBACK))),
    });
    const pendingRequests = Array.from({ length: 16 }, (_, index) =>
      expectFailure(get(url('/', `host-${index}.example`), slowEgress)),
    );
    timers.expire();
    await Promise.all(pendingRequests);
    expect((await expectFailure(get(url('/', 'next.example'), slowEgress))).outcome).to.equal('overloaded');
    for (const finish of pendingLookups.splice(0)) finish();
    await new Promise(setImmediate);
    const nextRequest = get(url('/', 'next.example'), slowEgress);
    for (const finish of pendingLookups) finish();
    expect(await nextRequest).to.deep.equal(['a']);
  });
});
