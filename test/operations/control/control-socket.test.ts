import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperationRefused } from '../../../src/operations/control/operation-refused.ts';
import { callControl, ControlError, openControl } from '../../../src/operations/control/client.ts';
import { serveControl, type ControlServer, type RunOperation } from '../../../src/operations/control/server.ts';

async function* generateNumbers(signal: AbortSignal, upTo = Number.POSITIVE_INFINITY): AsyncGenerator<number> {
  for (let n = 0; n < upTo && !signal.aborted; n += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    yield n;
  }
}

async function collect(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const results: unknown[] = [];
  for await (const item of items) results.push(item);
  return results;
}

async function expectFailure(items: AsyncIterable<unknown>): Promise<unknown> {
  try {
    await collect(items);
  } catch (error) {
    return error;
  }
  throw new Error('the call did not fail');
}

describe('the control socket', () => {
  let directory: string;
  let path: string;
  let servers: ControlServer[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    path = join(directory, 'control.sock');
    servers = [];
  });

  afterEach(async () => {
    await Promise.all(servers.map((server) => server.close()));
    rmSync(directory, { recursive: true });
  });

  async function serve(run: RunOperation, socketPath = path): Promise<ControlServer> {
    const server = await serveControl(socketPath, run);
    servers.push(server);
    return server;
  }

  it('sends an operation with its input, and returns its items in order', async () => {
    await serve(async function* (operation, input) {
      yield { operation, input };
      yield 'line\nbreak';
      yield null;
    });
    expect(await collect(callControl(path, 'user list', { limit: 3, name: 'Zoë' }))).to.deep.equal([
      { operation: 'user list', input: { limit: 3, name: 'Zoë' } },
      'line\nbreak',
      null,
    ]);
  });

  it('returns a refusal as a refusal and a failure as a failure, after the preceding items', async () => {
    await serve(async function* (operation) {
      yield 1;
      throw operation === 'refuse' ? new OperationRefused('there is a user ada already') : new Error('disk full');
    });
    expect(await expectFailure(callControl(path, 'refuse', {})))
      .to.be.instanceOf(OperationRefused)
      .with.property('message', 'there is a user ada already');
    expect(await expectFailure(callControl(path, 'fail', {})))
      .to.be.instanceOf(ControlError)
      .with.property('message', 'disk full');
  });

  it('can be opened only by its user', async () => {
    await serve((_operation, _input, signal) => generateNumbers(signal, 0));
    expect(statSync(path).mode & 0o777).to.equal(0o600);
  });

  it('aborts an operation when its caller disconnects', async () => {
    const operation = new EventEmitter();
    const stopped = once(operation, 'stopped');
    await serve(async function* (_operation, _input, signal) {
      yield 'begun';
      await once(signal, 'abort');
      operation.emit('stopped');
    });
    for await (const item of callControl(path, 'follow', {})) {
      expect(item).to.equal('begun');
      break;
    }
    await stopped;
  });

  it('produces only a limited number of items before its caller reads', async () => {
    const producedNumbers: number[] = [];
    const item = 'x'.repeat(64 * 1024);
    await serve(async function* (_operation, _input, signal) {
      for await (const n of generateNumbers(signal)) {
        producedNumbers.push(n);
        yield item;
      }
    });
    const socket = createConnection(path);
    await once(socket, 'connect');
    socket.pause();
    socket.write('{"operation":"export","input":{}}\n');
    for (let previousCount = -1; previousCount !== producedNumbers.length || previousCount === 0;) {
      previousCount = producedNumbers.length;
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(producedNumbers.length).to.be.lessThan(100);
    socket.destroy();
  });

  it('closes even while a caller follows the log, and tells the caller that the result is complete', async () => {
    const server = await serve((_operation, _input, signal) => generateNumbers(signal));
    const items = callControl(path, 'follow', {});
    await items.next();
    const remainingItems = collect(items);
    await server.close();
    await remainingItems;
    expect(existsSync(path)).to.equal(false);
  });

  it('closes even if one caller sends nothing and another reads nothing', async () => {
    const server = await serve(async function* (_operation, _input, signal) {
      for await (const _ of generateNumbers(signal)) yield 'x'.repeat(1024 * 1024);
    });
    const silentConnection = createConnection(path);
    const unreadConnection = createConnection(path);
    await Promise.all([once(silentConnection, 'data'), once(unreadConnection, 'connect')]);
    unreadConnection.write('{"operation":"export","input":{}}\n');
    await server.close();
    silentConnection.destroy();
    unreadConnection.destroy();
  });

  it('completes a running operation before it closes', async () => {
    let isFinished = false;
    const emitter = new EventEmitter();
    // oxlint-disable-next-line require-yield -- an operation that prints nothing
    const server = await serve(async function* () {
      emitter.emit('begun');
      for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      isFinished = true;
    });
    const begun = once(emitter, 'begun');
    const pendingCall = collect(callControl(path, 'write', {})).catch(() => {});
    await begun;
    await server.close();
    expect(isFinished).to.equal(true);
    await pendingCall;
  });

  it('responds to a malformed request with a failure', async () => {
    await serve((_operation, _input, signal) => generateNumbers(signal, 1));
    const socket = createConnection(path).setEncoding('utf8');
    socket.write('nonsense\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text.split('\n')[1]).to.match(/^\{"end":"failed"/);
  });

  it('reads one request, in any number of chunks, and ignores later data', async () => {
    const requests: unknown[] = [];
    await serve(async function* (operation, input) {
      yield requests.push({ operation, input });
    });
    const socket = createConnection(path);
    const request = '{"operation":"user list","input":{"name":"Zoë"}}\n{"operation":"another"}\n';
    for (const byte of Buffer.from(request)) socket.write(Buffer.of(byte));
    for await (const _ of socket) continue;
    expect(requests).to.deep.equal([{ operation: 'user list', input: { name: 'Zoë' } }]);
  });

  it('refuses a request beyond its size limit', async () => {
    await serve((_operation, _input, signal) => generateNumbers(signal, 1));
    const socket = createConnection(path).setEncoding('utf8');
    socket.on('error', () => {}); // the server closes the connection during the request
    socket.write('x'.repeat(64 * 1024 * 1024 + 1));
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).to.include('a line is longer than 67108864 bytes');
  });

  it('closes the connection of a caller that does not finish its request in time', async () => {
    const log = { error: () => {} };
    servers.push(await serveControl(path, (_operation, _input, signal) => generateNumbers(signal, 1), log, 50));
    const socket = createConnection(path);
    const interval = setInterval(() => socket.write(' '), 5);
    socket.on('error', () => {}).resume(); // the server closes the connection during the request
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(interval);
    expect(await collect(callControl(path, 'count', {})), 'a request that is complete in time').to.deep.equal([0]);
  });

  it('cannot be opened if there is no socket', async () => {
    expect(await openControl(path)).to.equal(null);
  });

  it('replaces the socket of a dead process', async () => {
    const listenAndExit = `listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    const script = `require('net').createServer().${listenAndExit}`;
    expect(spawnSync(process.execPath, ['-e', script]).signal).to.equal('SIGKILL');
    expect(statSync(path).isSocket()).to.equal(true);
    expect(await openControl(path)).to.equal(null);
    await serve((_operation, _input, signal) => generateNumbers(signal, 1));
    expect(await collect(callControl(path, 'count', {}))).to.deep.equal([0]);
  });

  it('does not replace the socket of a live process', async () => {
    await serve((_operation, _input, signal) => generateNumbers(signal, 1));
    expect(
      await serveControl(path, (_operation, _input, signal) => generateNumbers(signal)).catch(
        (error: Error) => error.message,
      ),
    ).to.equal(`another process is already listening on ${path}`);
    expect(await collect(callControl(path, 'still there', {}))).to.deep.equal([0]);
  });

  it('cannot be opened if a different kind of server listens on the path', async () => {
    const otherServer = createServer((socket) => socket.end('{"hello":1}\n')).listen(path);
    await once(otherServer, 'listening');
    expect(await openControl(path).catch((error: Error) => error.message)).to.match(/runs a different release$/);
    otherServer.close();
  });

  it('can be in a directory whose path is too long for a socket address', async () => {
    const deepDirectory = join(directory, ...Array.from({ length: 12 }, () => 'a-directory-name'));
    mkdirSync(deepDirectory, { recursive: true });
    const longPath = join(deepDirectory, 'control.sock');
    const server = await serve((_operation, _input, signal) => generateNumbers(signal, 2), longPath);
    expect(statSync(longPath).isSocket()).to.equal(true);
    expect(await collect(callControl(longPath, 'count', {}))).to.deep.equal([0, 1]);
    await server.close();
    expect(existsSync(longPath)).to.equal(false);
  });
});
