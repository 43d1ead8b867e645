import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createTlsServer, request } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { createEmbedded } from '../../src/cli/embedded.ts';
import { drain, watchConnections } from '../../src/cli/drain.ts';
import { startServer, type RunningServer } from '../../src/cli/running-server.ts';
import type { Service } from '../../src/composition/service.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { TLS } from '../support/tls.ts';

const MINUTE = 60_000;

describe('a server that runs on its data directory', () => {
  let dataDir: string;
  let running: RunningService;
  let server: RunningServer | undefined;
  let messages: string[];
  const serverLog = { error: (_fields: object, message: string) => void messages.push(message) };

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-'));
    running = await runningService();
    messages = [];
    mock.timers.enable({ apis: ['setInterval'] });
  });
  afterEach(async () => {
    mock.timers.reset();
    await server?.stop();
    await running.close();
    rmSync(dataDir, { recursive: true });
  });

  async function startWith(checkpoint: Service['attestation']['checkpoint']): Promise<RunningServer> {
    const service = { ...running.service(), attestation: { ...running.service().attestation, checkpoint } };
    server = await startServer({ service, dataDir, servers: [], stopping: new AbortController(), log: serverLog });
    return server;
  }

  it('signs a checkpoint every minute, and none after it has stopped', async () => {
    let checkpointCount = 0;
    const { stop } = await startWith(async () => String((checkpointCount += 1)));
    mock.timers.tick(MINUTE - 1);
    expect(checkpointCount).to.equal(0);
    mock.timers.tick(1);
    expect(checkpointCount).to.equal(1);
    mock.timers.tick(5 * MINUTE);
    expect(checkpointCount).to.equal(6);
    await stop();
    mock.timers.tick(5 * MINUTE);
    expect(checkpointCount).to.equal(6);
  });

  it('keeps running when a checkpoint cannot be signed, reports the failure, and tries again', async () => {
    let attempts = 0;
    await startWith(async () => {
      attempts += 1;
      throw new Error('disk full');
    });
    mock.timers.tick(2 * MINUTE);
    await setImmediate();
    expect(attempts).to.equal(2);
    expect(messages).to.deep.equal(Array(2).fill('cannot sign a checkpoint; retrying in a minute'));
  });

  it('checks the stored log once after startup, and waits for the check to end when it stops', async () => {
    const steps: string[] = [];
    async function start(signal: AbortSignal): Promise<void> {
      steps.push('began');
      await once(signal, 'abort');
      for (let turns = 0; turns < 1_000; turns += 1) await setImmediate(); // the check finishes its current read
      steps.push('ended');
    }
    const service = { ...running.service(), backgroundCheck: { ...running.service().backgroundCheck, start } };
    server = await startServer({ service, dataDir, servers: [], stopping: new AbortController(), log: serverLog });
    expect(steps).to.deep.equal(['began']);
    await server.stop();
    expect(steps).to.deep.equal(['began', 'ended']);
  });

  it('continues to maintain its keys when the keys of expired invitations cannot be deleted', async () => {
    let maintenanceRuns = 0;
    const { keyRotation, invitations } = running.service();
    const service = {
      ...running.service(),
      keyRotation: { ...keyRotation, maintain: async () => void (maintenanceRuns += 1) },
      invitations: {
        ...invitations,
        forgetExpired: async () => {
          throw new Error('disk full');
        },
      },
    };
    server = await startServer({ service, dataDir, servers: [], stopping: new AbortController(), log: serverLog });
    await setImmediate();
    mock.timers.tick(60 * MINUTE);
    await server.stop();
    expect(maintenanceRuns).to.be.above(1);
    expect(new Set(messages)).to.deep.equal(new Set(['cannot delete the keys of expired invitations; retrying']));
  });

  it('stops once if it is told to stop several times', async () => {
    const { stop } = await startWith(async () => '');
    expect(existsSync(join(dataDir, 'control.sock'))).to.equal(true);
    await Promise.all([stop(), stop()]);
    expect(existsSync(join(dataDir, 'control.sock'))).to.equal(false);
  });

  it('tells the program that embeds it when the log fails', async () => {
    const failure = new Error('disk full');
    const log = { ...running.log, failed: Promise.resolve(failure) };
    const service = { ...running.service(), log, close: async () => {} };
    const app = createEmbedded({ service, dataDir, stopping: new AbortController(), log: serverLog });
    expect(await app.failed).to.equal(failure);
    await app.close();
    expect(messages)
      .to.have.length(1)
      .and.to.match(/^the event log failed and nothing can be recorded/);
  });
});

describe('a TLS server that is told to stop', () => {
  it('completes a request in flight, and does not wait for idle connections', async () => {
    const neverRespond: RequestListener = () => {};
    const server = createTlsServer(TLS, neverRespond);
    const connections = watchConnections(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const idleConnection = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(idleConnection, 'secureConnect');
    const firstRequest = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    const pendingRequest = request({ port, host: '127.0.0.1', rejectUnauthorized: false, agent: false }).end();
    const firstResponse = once(pendingRequest, 'response') as Promise<[IncomingMessage]>;
    const [, response] = await firstRequest;
    const drained = drain(server, connections);
    const idleClosed = once(idleConnection, 'close');
    idleConnection.resume();
    await idleClosed;
    response.end('hello');
    const [message] = await firstResponse;
    expect(String(Buffer.concat((await message.toArray()) as Buffer[]))).to.equal('hello');
    await drained;
  });

  it('waits only for a limited time for a connection whose TLS handshake never ends', async () => {
    const server = createTlsServer(TLS);
    const connections = watchConnections(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const connection = once(server, 'connection');
    const silentConnection = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await connection;
    await drain(server, connections, 50);
    expect(server.listening).to.equal(false);
    silentConnection.destroy();
  });
});
